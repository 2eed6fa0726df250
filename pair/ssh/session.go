package ssh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/pair"
)

// described are the variables of a guest's environment that are taken: they say
// what the terminal can do.
var described = []string{"COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR"}

const maxVariable = 100 // bytes

// terminal is what a client has said of its own.
type terminal struct {
	environ []string
	size    pair.Size
	resized chan pair.Size
	ready   chan struct{} // closed when a screen is asked for
	err     error
}

// line is a channel with its connection. Only the end of the connection frees
// a write that the client does not take: closing the channel would have to wait
// for that write.
type line struct {
	ssh.Channel
	conn io.Closer
}

// within closes the connection unless stop is called in time.
func (l *line) within(limit time.Duration) (stop func() bool) {
	return time.AfterFunc(limit, func() { _ = l.conn.Close() }).Stop
}

// session shows the session to a guest.
func (s *Server) session(n pair.Newcomer, channel *line, asked <-chan *ssh.Request) {
	defer channel.Close()
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	t := &terminal{size: pair.Size{Width: 80, Height: 24}, resized: make(chan pair.Size, 1), ready: make(chan struct{})}
	s.work.Go(func() {
		defer cancel() // the client is gone
		t.take(asked)
	})
	select {
	case <-t.ready:
	case <-ctx.Done():
		return
	case <-time.After(s.opts.Limits.Start):
		return
	}
	if t.err != nil {
		refuse(channel, t.err)
		return
	}
	fmt.Fprint(channel, "Waiting for the host to let you in… (ctrl+c leaves)\r\n")
	input, output := newInput(ctx, channel), &patient{channel, s.opts.Limits.Output}
	seat, err := s.opts.Room.Join(input.ctx, n)
	input.admitted()
	if err != nil {
		leave(channel, farewellWords(err))
		return
	}
	defer seat.Leave()
	stop := context.AfterFunc(ctx, seat.Leave)
	defer stop()
	err = s.opts.Show(ctx, Guest{Seat: seat, Input: input, Output: output, Environ: t.environ, Size: t.size, Resized: t.resized})
	why := seat.Why()
	switch {
	case why != nil:
	case seat.State().Ended != nil: // the room says so a moment later
		why = pair.ErrOver
	default:
		why = errors.Join(err, pair.ErrLeft)
	}
	leave(channel, farewellWords(why))
}

// leave ends a channel with a last line.
func leave(channel *line, words string) {
	defer channel.within(time.Second)()
	fmt.Fprintf(channel, "%s\r\n", printable.Line(words))
	_, _ = channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{0}))
}

// refuse ends a channel without a screen. The reason goes to standard error: scp and
// others read standard output as data.
func refuse(channel *line, why error) {
	defer channel.within(time.Second)()
	fmt.Fprintf(channel.Stderr(), "%s\r\n", printable.Line(why.Error()))
	_, _ = channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{1}))
}

func farewellWords(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "You have left."
	case advice.Of(err) != "":
		return err.Error() + " — " + advice.Of(err)
	}
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// take answers the requests of a channel until it ends.
func (t *terminal) take(asked <-chan *ssh.Request) {
	pty, shown := false, false
	for r := range asked {
		ok := false
		switch r.Type {
		case "pty-req":
			var p struct {
				Term                string
				Width, Height, X, Y uint32
				Modes               string
			}
			if !shown && ssh.Unmarshal(r.Payload, &p) == nil {
				ok, pty = true, true
				t.size = clamp(p.Width, p.Height)
				t.set("TERM", p.Term)
			}
		case "env":
			var v struct{ Name, Value string }
			if !shown && ssh.Unmarshal(r.Payload, &v) == nil && slices.Contains(described, v.Name) {
				ok = true
				t.set(v.Name, v.Value)
			}
		case "window-change":
			var w struct{ Width, Height, X, Y uint32 }
			if ssh.Unmarshal(r.Payload, &w) == nil {
				ok = true
				t.resize(clamp(w.Width, w.Height))
			}
		case "shell": // which is what a client asks for that wants a screen
			if ok = !shown; ok {
				shown = true
				if !pty {
					t.err = errors.New("a terminal is needed: ssh -t")
				}
				close(t.ready)
			}
		case "exec", "subsystem":
			if !shown {
				shown, t.err = true, errors.New("this server runs no commands and transfers no files: connect without one")
				ok = r.Type == "exec" // so that the client hears the reason
				close(t.ready)
			}
		}
		if r.WantReply {
			_ = r.Reply(ok, nil)
		}
	}
}

// set takes a variable, if it is plain and short.
func (t *terminal) set(name, value string) {
	if len(value) > maxVariable || printable.Line(value) != value || len(t.environ) > 2*len(described) {
		return
	}
	t.environ = append(t.environ, name+"="+value)
}

// resize keeps the newest size only.
func (t *terminal) resize(size pair.Size) {
	select {
	case <-t.resized:
	default:
	}
	t.resized <- size // only this goroutine sends
}

// clamp takes sizes that are not drawn for the nearest.
func clamp(w, h uint32) pair.Size {
	return pair.Size{Width: int(min(w, 1<<16)), Height: int(min(h, 1<<16))}.Within(pair.SmallestGuest, pair.LargestGuest)
}

// patient writes to a client; one that takes nothing loses its connection.
type patient struct {
	channel *line
	limit   time.Duration
}

// Write implements io.Writer.
func (p *patient) Write(b []byte) (int, error) {
	defer p.channel.within(p.limit)()
	// The screen is drawn for a terminal that begins a line at "\n", which a
	// client's does not do.
	if _, err := p.channel.Write(bytes.ReplaceAll(b, []byte{'\n'}, []byte{'\r', '\n'})); err != nil {
		return 0, err
	}
	return len(b), nil
}
