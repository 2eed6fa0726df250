package sandbox

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/pausetui/pausetui/internal/pty"
)

// streams are the program's standard files: a terminal or a pipe, read here.
type streams struct {
	child  [3]*os.File // what the program gets
	master *os.File    // the other end: to read, and for a terminal to type
	out    capture
	watch  io.Writer // sees what is printed as well; may be nil
	typing bool
	typed  atomic.Bool // all input was typed
	screen Screen      // the terminal of a program that is typed into, or that has a size; else nil
	answer chan string // what it answers
}

// openStreams opens the standard files; full is called when too much is printed.
func openStreams(s Spec, full func()) (*streams, error) {
	st := &streams{out: capture{limit: s.Limits.Output, full: full}, watch: s.Watch, typing: s.Terminal && s.Stdin == ""}
	var slave *os.File
	var err error
	if s.Terminal {
		st.master, slave, err = pty.Open()
	} else {
		st.master, slave, err = os.Pipe()
	}
	if err != nil {
		return nil, fmt.Errorf("open the program's terminal: %w", err)
	}
	st.child = [3]*os.File{slave, slave, slave}
	if st.typing {
		size := s.Size
		if len(s.Input) > 0 {
			size = cmp.Or(s.Input[0].Size, size)
		}
		if (len(s.Input) > 0 || size != Size{}) && s.Screen != nil {
			st.emulate(s.Screen, size)
		}
		return st, nil
	}
	path := s.Stdin
	if path == "" {
		path = os.DevNull
	}
	if st.child[0], err = os.Open(path); err != nil {
		st.child[0] = slave
		st.Close()
		return nil, fmt.Errorf("open standard input: %w", err)
	}
	return st, nil
}

// emulate has the terminal answer a program that asks for its size, colors or
// cursor: one that draws may wait for that before it reads any keys.
func (st *streams) emulate(open func(cols, rows int, answer func(string)) Screen, size Size) {
	const waiting = 64
	st.answer = make(chan string, waiting)
	st.screen = open(pty.Cols, pty.Rows, func(text string) {
		select {
		case st.answer <- text:
		default: // a program that does not read its answers
		}
	})
	if (size != Size{}) {
		st.watch = also(st.watch, &fitting{st, size})
	}
	st.watch = also(st.watch, st.screen) // which sees it first
}

// fitting gives the terminal its size once the program draws.
type fitting struct {
	*streams
	size Size
}

// Write implements io.Writer.
func (f *fitting) Write(p []byte) (int, error) {
	if (f.size != Size{}) && f.screen.Draws() {
		f.fit(f.size)
		f.size = Size{}
	}
	return len(p), nil
}

// fit gives the terminal of a program that draws another size; zero: none.
func (st *streams) fit(size Size) {
	if size == (Size{}) || st.screen == nil || !st.screen.Draws() {
		return
	}
	st.screen.Resize(size.Cols, size.Rows)
	_ = pty.Resize(st.master, size.Cols, size.Rows) // it has ended
}

// started closes the program's ends here, so that reading ends with it.
func (st *streams) started() {
	if in, out := st.child[0], st.child[1]; out != nil {
		_ = out.Close()
		if in != nil && in != out {
			_ = in.Close()
		}
	}
	st.child = [3]*os.File{}
}

// capture reads until the program's side is closed.
func (st *streams) capture() {
	var printed io.Reader = st.master
	if st.watch != nil {
		printed = io.TeeReader(st.master, unfailing{st.watch})
	}
	_, _ = io.Copy(&st.out, printed) // a terminal ends with EIO, a pipe with EOF
	if st.screen != nil {
		st.screen.End()
	}
}

// finish lets capture end even if someone still holds the other side.
func (st *streams) finish() {
	_ = st.master.SetReadDeadline(time.Now().Add(500 * time.Millisecond))
}

// typeIn types the input at its times, counted from the program's begin: by the
// clock, and not before the program has run as long and is ready.
func (st *streams) typeIn(ctx context.Context, input []Keys, begun <-chan struct{}, spent *spentTime) {
	if !st.typing {
		return
	}
	select {
	case <-begun:
	case <-ctx.Done():
		return
	}
	start := time.Now()
	var last Keys
	var then Spent // when they were typed
	for i, k := range input {
		st.fit(k.Size)
		timer := time.NewTimer(time.Until(start.Add(k.After)))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		paused := i == 0 || k.After-last.After >= pause
		if !spent.wait(ctx, starved*k.After, func(now Spent) bool { return ready(k, paused, then, now) }) || !st.write(k.Text) {
			return
		}
		last = k
		then, _ = spent.get()
	}
	st.typed.Store(true)
}

const (
	// pause is how long who types waits, at least, for what the program does.
	pause = 200 * time.Millisecond
	// busyAtMost is how long a program may compute before it is typed into all the same.
	busyAtMost = 2 * time.Second
)

// ready reports whether the next keys may be typed: the program has run for as long
// as when they were recorded, as far as that is known a moment later, and after a
// pause it has done what the keys before asked of it, and is idle.
func ready(next Keys, paused bool, then, now Spent) bool {
	return now.Ran >= next.After-2*tickEvery &&
		(!paused || now.Idle >= then.Idle+tickEvery/2 || now.Ran >= max(then.Ran, next.After)+busyAtMost)
}

// write types a text; false if the program does not read.
func (st *streams) write(text string) bool {
	_ = st.master.SetWriteDeadline(time.Now().Add(5 * time.Second))
	_, err := st.master.WriteString(text)
	return err == nil
}

// answers types what the terminal answers.
func (st *streams) answers(ctx context.Context) {
	for {
		select {
		case text := <-st.answer:
			_ = st.write(text)
		case <-ctx.Done():
			return
		}
	}
}

// Close closes what is still open.
func (st *streams) Close() {
	st.started()
	if st.master != nil {
		_ = st.master.Close()
	}
}
