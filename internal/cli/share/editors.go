package share

import (
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/dap"
	"github.com/pausetui/pausetui/pair/role"
	"github.com/pausetui/pausetui/ui/lines"
)

// visitor is an editor at the door. The host is asked about it once in a session:
// it is known when it comes back, if it is run by the same user.
type visitor struct {
	*Sharing
	own  bool // run by the user whose session it is
	free bool // comes in without a question
	name string
	seat *pair.Seat
}

// enter waits until the host lets the editor in.
func (e *visitor) enter(ctx context.Context, c dap.Client, config dap.Config) (*pair.Seat, error) {
	if config.Request == dap.Launch {
		return nil, advice.Add(errors.New("the session has started the program"), "use a configuration with \"request\": \"attach\", or start a session with pausetui dap")
	}
	e.name = cmp.Or(c.Name, "editor")
	n := pair.Newcomer{Name: e.name, From: "this machine", Via: "editor"}
	if !e.own {
		n.From = "this machine, not known to be run by you"
	}
	drove, known := e.back()
	var err error
	if known || e.free {
		e.seat, err = e.Room.Enter(n)
	} else {
		e.seat, err = e.Room.Join(ctx, n)
	}
	if err == nil && drove {
		err = e.Room.Host().Return(e.seat.Name)
	}
	return e.seat, err
}

// back reports whether the editor was here before and left, and whether it drove.
func (e *visitor) back() (drove, known bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	drove, known = e.left[e.name]
	known = known && e.own
	if known {
		delete(e.left, e.name) // another one of that name is asked about
	}
	return drove && known, known
}

// leave ends the editor's part, which it may take up again unless it was sent away.
func (e *visitor) leave() {
	if e.seat == nil {
		return
	}
	drives := e.seat.RoleNow() == role.Driver
	if e.seat.Leave(); !errors.Is(e.seat.Why(), pair.ErrLeft) || !e.own {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.left == nil {
		e.left = map[string]bool{}
	}
	e.left[e.name] = drives
}

// Console tells in an editor's console what becomes of fixes.
func Console(ctx context.Context, seat *pair.Seat, in io.Reader, out io.Writer) {
	_ = lines.Run(ctx, seat, lines.Options{Input: in, Output: out, Seat: seat, Beside: true}) // the editor has left
}
