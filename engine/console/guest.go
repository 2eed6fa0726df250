package console

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// ErrHostOnly is returned by a command that a guest of a shared session gives
// and that concerns the files or the settings of the person who shares it.
var ErrHostOnly = errors.New("only the host of the session may do this")

type guestKey struct{}

// ForGuest returns a context in which lines are carried out for a guest.
func ForGuest(ctx context.Context) context.Context { return context.WithValue(ctx, guestKey{}, true) }

// hostOnly are commands that concern the session as a whole. Those that take
// the path of a file are not listed: their arguments say so.
var hostOnly = []string{"config", "edit", "exit", "libraries", "target"}

// guestMay refuses a guest's command. It is asked for each command that is
// carried out, so that no prefix, alias or script hides one.
func (c *Call) guestMay(command Command, args string) error {
	if c.Value(guestKey{}) == nil {
		return nil
	}
	files := slices.Contains(command.Args, Path)
	for _, o := range command.Options {
		files = files || o.Takes == Path && slices.Contains(strings.Fields(args), o.Name)
	}
	if files || slices.Contains(hostOnly, command.Name) {
		return ErrHostOnly
	}
	return nil
}
