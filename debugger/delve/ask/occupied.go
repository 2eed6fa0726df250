package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/internal/advice"
)

// ErrOccupied is returned where the user has a breakpoint already.
var ErrOccupied = advice.Add(debugger.ErrOccupied, "change that one: B lists them")

// ErrReserved is returned where a breakpoint of our own is, which hears of panics, of
// failing tests or of the program's end.
var ErrReserved = advice.Add(errors.New("the debugger has a breakpoint of its own there"), "a line after it can have one")

// ErrOthers is returned where another client of the server's has a breakpoint.
var ErrOthers = advice.Add(debugger.ErrOccupied, "another client of the server's has it")

// Spare leaves out of the places of a breakpoint that is to be set the user's, and all
// others where Delve has one.
func Spare(ctx context.Context, srv *control.Server, want *api.Breakpoint, user map[uint64]bool) error {
	addrs := want.Addrs
	if want.File != "" {
		list, err := Find(ctx, srv, debugger.FrameRef{}, fmt.Sprintf("%s:%d", want.File, want.Line))
		if err != nil {
			return nil //nolint:nilerr // Delve says it when it sets the breakpoint
		}
		for _, l := range list {
			addrs = append(addrs, l.PCs...)
		}
	}
	why, err := occupied(ctx, srv)
	if err != nil {
		return err
	}
	for a := range user {
		why[a] = ErrOccupied
	}
	free := slices.DeleteFunc(slices.Clone(addrs), func(a uint64) bool { return why[a] != nil })
	switch {
	case len(free) == len(addrs):
		return nil
	case len(free) == 0:
		return why[addrs[0]]
	}
	want.File, want.Line, want.Addrs = "", 0, free
	return nil
}

// occupied are the addresses at which there are breakpoints that are not the user's,
// and why none can be set there. Delve lists them only where others may have set some,
// and the first time: it takes the longer the more there are.
func occupied(ctx context.Context, srv *control.Server) (map[uint64]error, error) {
	why := map[uint64]error{}
	reserved, known := srv.Client.Reserved()
	if srv.Mode == control.Connected || !known {
		all, err := Breakpoints(ctx, srv)
		if err != nil {
			return nil, err
		}
		for _, b := range all {
			for _, a := range b.Addrs {
				why[a] = ErrOthers
			}
		}
		reserved, _ = srv.Client.Reserved()
	}
	for _, a := range reserved {
		why[a] = ErrReserved
	}
	return why, nil
}
