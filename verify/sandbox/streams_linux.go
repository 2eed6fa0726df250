package sandbox

import (
	"context"
	"fmt"
	"io"
	"os"
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
}

// finish lets capture end even if someone still holds the other side.
func (st *streams) finish() {
	_ = st.master.SetReadDeadline(time.Now().Add(500 * time.Millisecond))
}

// typeIn types the input at its times, counted from the program's begin: by the
// clock, and not before the program has run as long.
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
	for _, k := range input {
		timer := time.NewTimer(time.Until(start.Add(k.After)))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		if !spent.wait(ctx, k.After-2*tickEvery, starved*k.After) { // what is known is a moment old
			return
		}
		_ = st.master.SetWriteDeadline(time.Now().Add(5 * time.Second))
		if _, err := st.master.WriteString(k.Text); err != nil {
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
