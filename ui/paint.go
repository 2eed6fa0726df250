package ui

import (
	"io"
	"os"
	"sync"

	terminals "github.com/pausetui/pausetui/internal/terminal"
)

// paint is the terminal's output. It tells when a frame that holds something
// awaited has been written.
type paint struct {
	*os.File // what Bubble Tea asks for size and modes; nil when out is no file
	out      io.Writer
	mark     func(string)
	painted  func()      // a frame has been written; may be nil
	ours     func() bool // nil for always
	mu       sync.Mutex
	awaited  []string
	reported map[string]bool
}

// newPaint wraps the output; what it returns is a file to Bubble Tea if out is.
func newPaint(opts Options) *paint {
	out := opts.Output
	if out == nil {
		out = os.Stdout
	}
	p := &paint{out: out, mark: opts.Mark, ours: opts.Foreground, reported: map[string]bool{}}
	if p.File, _ = out.(*os.File); p.File != nil {
		p.out = terminals.Output(p.File)
	}
	return p
}

// await tells that the frame drawn now shows what the mark is about.
func (p *paint) await(name string) {
	if p == nil || p.mark == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reported[name] {
		p.reported[name] = true
		p.awaited = append(p.awaited, name)
	}
}

// Terminal is what a program gets that is to have the terminal to itself.
func (p *paint) Terminal() *os.File { return p.File }

// Write writes a frame and then reports what it showed. While another program has the
// terminal frames are dropped: all of the screen is drawn when it is ours again.
func (p *paint) Write(b []byte) (int, error) {
	if p.ours != nil && !p.ours() {
		return len(b), nil
	}
	p.mu.Lock()
	names := p.awaited
	p.awaited = nil
	p.mu.Unlock()
	n, err := p.out.Write(b)
	if p.painted != nil {
		p.painted()
	}
	for _, name := range names {
		p.mark(name)
	}
	return n, err
}

// WriteString is Write for text.
func (p *paint) WriteString(s string) (int, error) { return p.Write([]byte(s)) }

// Fd is the file's descriptor; an invalid one when the output is no file.
func (p *paint) Fd() uintptr {
	if p.File == nil {
		return ^uintptr(0)
	}
	return p.File.Fd()
}

// Read reads from the file, which a terminal allows.
func (p *paint) Read(b []byte) (int, error) {
	if p.File == nil {
		return 0, io.EOF
	}
	return p.File.Read(b)
}

// Close does nothing: the output is not ours to close.
func (p *paint) Close() error { return nil }
