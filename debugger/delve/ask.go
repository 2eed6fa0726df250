package delve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/internal/advice"
)

// What more than one place asks of Delve; for who holds the queue.

// status is what Delve says of the target now.
func (srv *server) status(ctx context.Context) (*api.DebuggerState, error) {
	out, err := call[rpc2.StateOut](ctx, srv.client, "State", rpc2.StateIn{})
	return out.State, err
}

// listBreakpoints lists all breakpoints, our own and Delve's among them.
func (srv *server) listBreakpoints(ctx context.Context) ([]*api.Breakpoint, error) {
	out, err := call[rpc2.ListBreakpointsOut](ctx, srv.client, "ListBreakpoints", rpc2.ListBreakpointsIn{})
	if err != nil {
		return nil, fmt.Errorf("list breakpoints: %w", err)
	}
	return out.Breakpoints, nil
}

// spare leaves out of the places of a breakpoint that is to be set the user's, and all
// others where Delve has one.
func (srv *server) spare(ctx context.Context, want *api.Breakpoint, user map[uint64]bool) error {
	addrs := want.Addrs
	if want.File != "" {
		list, err := srv.find(ctx, debugger.FrameRef{}, fmt.Sprintf("%s:%d", want.File, want.Line))
		if err != nil {
			return nil //nolint:nilerr // Delve says it when it sets the breakpoint
		}
		for _, l := range list {
			addrs = append(addrs, l.PCs...)
		}
	}
	why, err := srv.occupied(ctx)
	if err != nil {
		return err
	}
	for a := range user {
		why[a] = errOccupied
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
func (srv *server) occupied(ctx context.Context) (map[uint64]error, error) {
	why := map[uint64]error{}
	reserved, known := srv.client.reserved()
	if srv.mode == connected || !known {
		all, err := srv.listBreakpoints(ctx)
		if err != nil {
			return nil, err
		}
		for _, b := range all {
			for _, a := range b.Addrs {
				why[a] = errOthers
			}
		}
		reserved, _ = srv.client.reserved()
	}
	for _, a := range reserved {
		why[a] = errReserved
	}
	return why, nil
}

// frameAt is a frame as Delve has it, without its variables.
func (srv *server) frameAt(ctx context.Context, goroutine int64, frame int) (api.Stackframe, error) {
	out, err := call[rpc2.StacktraceOut](ctx, srv.client, "Stacktrace", rpc2.StacktraceIn{Id: goroutine, Depth: frame, Skip: frame})
	if err != nil {
		return api.Stackframe{}, fmt.Errorf("read the stack: %w", err)
	}
	if len(out.Locations) == 0 {
		return api.Stackframe{}, noFrame(debugger.FrameRef{Goroutine: debugger.GoroutineID(goroutine), Frame: frame})
	}
	return out.Locations[0], nil
}

func (srv *server) topFrames(ctx context.Context, goroutine int64, depth int) ([]api.Stackframe, error) {
	out, err := call[rpc2.StacktraceOut](ctx, srv.client, "Stacktrace", rpc2.StacktraceIn{Id: goroutine, Depth: depth})
	if err != nil {
		return nil, fmt.Errorf("read the stack: %w", err)
	}
	return out.Locations, nil
}

// evalAsIs evaluates what Delve itself knows in a frame.
func (srv *server) evalAsIs(ctx context.Context, at debugger.FrameRef, expr string, load api.LoadConfig) (rpc2.EvalOut, error) {
	return readTyped(ctx, srv, at, "Eval", rpc2.EvalIn{Scope: scope(at), Expr: expr, Cfg: &load}, func(out rpc2.EvalOut) []api.Variable {
		if out.Variable == nil {
			return nil
		}
		return []api.Variable{*out.Variable}
	})
}

func (srv *server) eval(ctx context.Context, at debugger.FrameRef, expr string, load api.LoadConfig) (*api.Variable, error) {
	out, err := srv.evalAsIs(ctx, at, expr, load)
	if errors.Is(err, errNoSymbol) {
		if text, ok := srv.seenFrom(ctx, at, expr); ok {
			out, err = call[rpc2.EvalOut](ctx, srv.client, "Eval", rpc2.EvalIn{Scope: scope(at), Expr: text, Cfg: &load})
			if err == nil {
				out.Variable.Name = expr
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return out.Variable, nil
}

// find asks Delve for a location.
func (srv *server) find(ctx context.Context, at debugger.FrameRef, location string) ([]api.Location, error) {
	out, err := call[rpc2.FindLocationOut](ctx, srv.client, "FindLocation", rpc2.FindLocationIn{Scope: inner(at), Loc: location})
	if err != nil {
		return nil, err
	}
	for i := range out.Locations {
		if at := &out.Locations[i]; len(at.PCs) == 0 && at.PC != 0 {
			at.PCs = []uint64{at.PC}
		}
	}
	return out.Locations, nil
}

// disassemble returns the code of the function that an address belongs to.
func (srv *server) disassemble(ctx context.Context, pc uint64) (api.AsmInstructions, error) {
	out, err := call[rpc2.DisassembleOut](ctx, srv.client, "Disassemble", rpc2.DisassembleIn{
		Scope: api.EvalScope{GoroutineID: -1}, StartPC: pc, Flavour: api.GoFlavour,
	})
	return out.Disassemble, err
}

// number evaluates an expression whose value is a whole number.
func (srv *server) number(ctx context.Context, at debugger.FrameRef, expr string) (uint64, error) {
	v, err := srv.eval(ctx, at, expr, convert.FrameLoad)
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(v.Value, 10, 64)
}

// silentBreak sets a breakpoint of ours; one in a function that is not there is
// no error.
func (srv *server) silentBreak(ctx context.Context, b api.Breakpoint) error {
	_, err := call[rpc2.CreateBreakpointOut](ctx, srv.client, "CreateBreakpoint", rpc2.CreateBreakpointIn{Breakpoint: b})
	if errors.Is(err, errNoFunction) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("break at %s: %w", b.Name, err)
	}
	return nil
}

// switchTo makes a goroutine the one that steps.
func (srv *server) switchTo(ctx context.Context, goroutine int64) error {
	out, err := call[rpc2.StateOut](ctx, srv.client, "State", rpc2.StateIn{NonBlocking: true})
	if err == nil && out.State != nil && out.State.SelectedGoroutine != nil && out.State.SelectedGoroutine.ID == goroutine {
		return nil
	}
	if _, err := call[rpc2.CommandOut](ctx, srv.client, "Command", api.DebuggerCommand{Name: api.SwitchGoroutine, GoroutineID: goroutine}); err != nil {
		return fmt.Errorf("go to goroutine %d: %w", goroutine, err)
	}
	return nil
}

// recorded tells why a target cannot run backwards.
func (srv *server) recorded(ctx context.Context) error {
	out, err := call[rpc2.RecordedOut](ctx, srv.client, "Recorded", rpc2.RecordedIn{})
	if err != nil {
		return err
	}
	if !out.Recorded {
		return advice.Add(errors.New("checkpoints and running backwards need a recording, or an earlier moment of this run"), "from a crash, N or :rev next goes back; or install rr, and start with --record")
	}
	return nil
}
