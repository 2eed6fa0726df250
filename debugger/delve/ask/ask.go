package ask

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/internal/advice"
)

// What more than one place asks of Delve; for who holds the queue.

// Status is what Delve says of the target now.
func Status(ctx context.Context, srv *control.Server) (*api.DebuggerState, error) {
	out, err := rpc.Call[rpc2.StateOut](ctx, srv.Client, "State", rpc2.StateIn{})
	return out.State, err
}

// Breakpoints lists all breakpoints, our own and Delve's among them.
func Breakpoints(ctx context.Context, srv *control.Server) ([]*api.Breakpoint, error) {
	out, err := rpc.Call[rpc2.ListBreakpointsOut](ctx, srv.Client, "ListBreakpoints", rpc2.ListBreakpointsIn{})
	if err != nil {
		return nil, fmt.Errorf("list breakpoints: %w", err)
	}
	return out.Breakpoints, nil
}

// FrameAt is a frame as Delve has it, without its variables.
func FrameAt(ctx context.Context, srv *control.Server, goroutine int64, frame int) (api.Stackframe, error) {
	out, err := rpc.Call[rpc2.StacktraceOut](ctx, srv.Client, "Stacktrace", rpc2.StacktraceIn{Id: goroutine, Depth: frame, Skip: frame})
	if err != nil {
		return api.Stackframe{}, fmt.Errorf("read the stack: %w", err)
	}
	if len(out.Locations) == 0 {
		return api.Stackframe{}, NoFrame(debugger.FrameRef{Goroutine: debugger.GoroutineID(goroutine), Frame: frame})
	}
	return out.Locations[0], nil
}

// TopFrames are the innermost frames of a goroutine, without their variables.
func TopFrames(ctx context.Context, srv *control.Server, goroutine int64, depth int) ([]api.Stackframe, error) {
	out, err := rpc.Call[rpc2.StacktraceOut](ctx, srv.Client, "Stacktrace", rpc2.StacktraceIn{Id: goroutine, Depth: depth})
	if err != nil {
		return nil, fmt.Errorf("read the stack: %w", err)
	}
	return out.Locations, nil
}

// evalAsIs evaluates what Delve itself knows in a frame.
func evalAsIs(ctx context.Context, srv *control.Server, at debugger.FrameRef, expr string, load api.LoadConfig) (rpc2.EvalOut, error) {
	return readTyped(ctx, srv, at, "Eval", rpc2.EvalIn{Scope: Scope(at), Expr: expr, Cfg: &load}, func(out rpc2.EvalOut) []api.Variable {
		if out.Variable == nil {
			return nil
		}
		return []api.Variable{*out.Variable}
	})
}

// Eval evaluates an expression in a frame, also with the variables around a loop body.
func Eval(ctx context.Context, srv *control.Server, at debugger.FrameRef, expr string, load api.LoadConfig) (*api.Variable, error) {
	out, err := evalAsIs(ctx, srv, at, expr, load)
	if errors.Is(err, rpc.ErrNoSymbol) {
		if text, ok := SeenFrom(ctx, srv, at, expr); ok {
			out, err = rpc.Call[rpc2.EvalOut](ctx, srv.Client, "Eval", rpc2.EvalIn{Scope: Scope(at), Expr: text, Cfg: &load})
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

// Find asks Delve for a location.
func Find(ctx context.Context, srv *control.Server, at debugger.FrameRef, location string) ([]api.Location, error) {
	out, err := rpc.Call[rpc2.FindLocationOut](ctx, srv.Client, "FindLocation", rpc2.FindLocationIn{Scope: Inner(at), Loc: location})
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

// Disassemble returns the code of the function that an address belongs to.
func Disassemble(ctx context.Context, srv *control.Server, pc uint64) (api.AsmInstructions, error) {
	out, err := rpc.Call[rpc2.DisassembleOut](ctx, srv.Client, "Disassemble", rpc2.DisassembleIn{
		Scope: api.EvalScope{GoroutineID: -1}, StartPC: pc, Flavour: api.GoFlavour,
	})
	return out.Disassemble, err
}

// Number evaluates an expression whose value is a whole number.
func Number(ctx context.Context, srv *control.Server, at debugger.FrameRef, expr string) (uint64, error) {
	v, err := Eval(ctx, srv, at, expr, convert.FrameLoad)
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(v.Value, 10, 64)
}

// SilentBreak sets a breakpoint of ours; one in a function that is not there is
// no error.
func SilentBreak(ctx context.Context, srv *control.Server, b api.Breakpoint) error {
	_, err := rpc.Call[rpc2.CreateBreakpointOut](ctx, srv.Client, "CreateBreakpoint", rpc2.CreateBreakpointIn{Breakpoint: b})
	if errors.Is(err, rpc.ErrNoFunction) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("break at %s: %w", b.Name, err)
	}
	return nil
}

// SwitchTo makes a goroutine the one that steps.
func SwitchTo(ctx context.Context, srv *control.Server, goroutine int64) error {
	out, err := rpc.Call[rpc2.StateOut](ctx, srv.Client, "State", rpc2.StateIn{NonBlocking: true})
	if err == nil && out.State != nil && out.State.SelectedGoroutine != nil && out.State.SelectedGoroutine.ID == goroutine {
		return nil
	}
	if _, err := rpc.Call[rpc2.CommandOut](ctx, srv.Client, "Command", api.DebuggerCommand{Name: api.SwitchGoroutine, GoroutineID: goroutine}); err != nil {
		return fmt.Errorf("go to goroutine %d: %w", goroutine, err)
	}
	return nil
}

// Recorded tells why a target cannot run backwards.
func Recorded(ctx context.Context, srv *control.Server) error {
	out, err := rpc.Call[rpc2.RecordedOut](ctx, srv.Client, "Recorded", rpc2.RecordedIn{})
	if err != nil {
		return err
	}
	if !out.Recorded {
		return advice.Add(errors.New("checkpoints and running backwards need a recording, or an earlier moment of this run"), "from a crash, N or :rev next goes back; or install rr, and start with --record")
	}
	return nil
}
