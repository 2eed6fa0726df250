package target

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/pausetui/pausetui/internal/pty"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// Terminal is the target's terminal: a pty whose other end we hold.
type Terminal struct {
	Master, Slave *os.File
	typed         chan string
	Gone          func() // nothing more will be printed
	done          sync.WaitGroup
	stop          context.CancelFunc
}

// OpenTerminal opens a terminal of a size whose output goes to out, which must not fail. It
// ends with drain.
func OpenTerminal(ctx context.Context, out io.Writer, size sandbox.Size) (*Terminal, error) {
	master, slave, err := pty.Open()
	if err != nil {
		return nil, err
	}
	if err := pty.Resize(master, size.Cols, size.Rows); err != nil {
		return nil, errors.Join(err, master.Close(), slave.Close())
	}
	ctx, stop := context.WithCancel(ctx)
	c := &Terminal{Master: master, Slave: slave, typed: make(chan string, 1024), stop: stop, Gone: func() {}}
	c.done.Go(func() { copyOutput(out, master) })
	c.done.Go(func() { c.write(ctx) })
	return c, nil
}

func copyOutput(out io.Writer, master io.Reader) {
	buf := make([]byte, 64<<10)
	for {
		n, err := master.Read(buf)
		if n > 0 {
			_, _ = out.Write(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

// write types what is sent; a target that does not read blocks only this.
func (c *Terminal) write(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case text := <-c.typed:
			_ = c.Master.SetWriteDeadline(time.Time{})
			if _, err := c.Master.WriteString(text); err != nil {
				return
			}
		}
	}
}

// Send types text into the terminal; what a target does not read is dropped.
func (c *Terminal) Send(text string) {
	select {
	case c.typed <- text:
	default:
	}
}

// Replay types recorded input with its pauses, each at most MaxPause. Before each, resize
// gives the terminal the size at which it was typed, and says how long the target may
// still take to draw at that size.
func (c *Terminal) Replay(ctx context.Context, keys []session.Input, resize func() time.Duration, each func(session.Input)) {
	keys, _ = Hurried(keys)
	last := time.Duration(0)
	for _, k := range keys {
		for _, pause := range []func() time.Duration{func() time.Duration { return k.After - last }, resize} {
			select {
			case <-ctx.Done():
			case <-time.After(pause()):
			}
		}
		if ctx.Err() != nil {
			return
		}
		last = k.After
		c.Send(k.Text)
		each(k)
	}
}

// MaxPause bounds a pause of replayed input: people think longer than
// programs need.
const MaxPause = 500 * time.Millisecond

// Hurried cuts the pauses of recorded input down; saved is what that saves in
// all.
func Hurried(keys []session.Input) (quick []session.Input, saved time.Duration) {
	last := time.Duration(0)
	for _, k := range keys {
		saved += max(k.After-last-MaxPause, 0)
		last = max(k.After, last)
		k.After = last - saved
		quick = append(quick, k)
	}
	return quick, saved
}

// Path is what the target opens as its terminal.
func (c *Terminal) Path() string { return c.Slave.Name() }

// Drain waits until everything printed is in the buffer. It closes our end of the
// terminal, so that the last byte is followed by an error. Call it once the
// target is gone.
func (c *Terminal) Drain() {
	if c == nil { // the target has another terminal
		return
	}
	c.stop()
	_ = c.Slave.Close()
	finished := make(chan struct{})
	go func() { c.done.Wait(); close(finished) }()
	select {
	case <-finished:
	case <-time.After(time.Second): // a descendant still holds the terminal open
		_ = c.Master.SetDeadline(time.Now())
		_ = c.Master.Close()
		<-finished
	}
	c.Gone()
	_ = c.Master.Close()
}
