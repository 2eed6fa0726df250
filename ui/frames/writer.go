package frames

import (
	"io"
	"os"
	"sync"

	terminals "github.com/pausetui/pausetui/internal/terminal"
)

// Writer is the terminal's output. It tells when a frame that holds something
// awaited has been written.
type Writer struct {
	*os.File // what Bubble Tea asks for size and modes; nil when out is no file
	out      io.Writer
	mark     func(string)
	Painted  func()      // a frame has been written; may be nil
	ours     func() bool // nil for always
	mu       sync.Mutex
	awaited  []string
	reported map[string]bool
}

// NewWriter wraps the output, nil for the standard one; what it returns is a file to Bubble
// Tea if out is. While ours reports false, frames are dropped; nil is always. The names of
// what was awaited go to mark, which may be nil.
func NewWriter(out io.Writer, mark func(name string), ours func() bool) *Writer {
	if out == nil {
		out = os.Stdout
	}
	w := &Writer{out: out, mark: mark, ours: ours, reported: map[string]bool{}}
	if w.File, _ = out.(*os.File); w.File != nil {
		w.out = terminals.Output(w.File)
	}
	return w
}

// Await tells that the frame drawn now shows what the mark is about.
func (w *Writer) Await(name string) {
	if w == nil || w.mark == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.reported[name] {
		w.reported[name] = true
		w.awaited = append(w.awaited, name)
	}
}

// Terminal is what a program gets that is to have the terminal to itself.
func (w *Writer) Terminal() *os.File { return w.File }

// Write writes a frame and then reports what it showed. While another program has the
// terminal frames are dropped: all of the screen is drawn when it is ours again.
func (w *Writer) Write(b []byte) (int, error) {
	if w.ours != nil && !w.ours() {
		return len(b), nil
	}
	w.mu.Lock()
	names := w.awaited
	w.awaited = nil
	w.mu.Unlock()
	n, err := w.out.Write(b)
	if w.Painted != nil {
		w.Painted()
	}
	for _, name := range names {
		w.mark(name)
	}
	return n, err
}

// WriteString is Write for text.
func (w *Writer) WriteString(s string) (int, error) { return w.Write([]byte(s)) }

// Fd is the file's descriptor; an invalid one when the output is no file.
func (w *Writer) Fd() uintptr {
	if w.File == nil {
		return ^uintptr(0)
	}
	return w.File.Fd()
}

// Read reads from the file, which a terminal allows.
func (w *Writer) Read(b []byte) (int, error) {
	if w.File == nil {
		return 0, io.EOF
	}
	return w.File.Read(b)
}

// Close does nothing: the output is not ours to close.
func (w *Writer) Close() error { return nil }
