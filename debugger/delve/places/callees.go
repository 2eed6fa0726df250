package places

import (
	"context"
	"slices"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// CallOf finds the instruction with which one function calls another.
func CallOf(ctx context.Context, pl *Locator, function, callee string) (pc uint64, ok bool) {
	found, err := ask.Find(ctx, pl.srv, debugger.FrameRef{}, function)
	if err != nil || len(found) == 0 {
		return 0, false
	}
	code, err := ask.Disassemble(ctx, pl.srv, found[0].PC)
	if err != nil {
		return 0, false
	}
	for _, in := range code {
		if in.DestLoc != nil && in.DestLoc.Function != nil && in.DestLoc.Function.Name() == callee {
			return in.Loc.PC, true
		}
	}
	return 0, false
}

// Callee is a function that another one calls.
type Callee struct {
	Function string
	PC       uint64
}

// Callees lists what the function around an address calls directly.
func Callees(ctx context.Context, pl *Locator, pc uint64) []Callee {
	code, err := rpc.Call[rpc2.DisassembleOut](ctx, pl.srv.Client, "Disassemble", rpc2.DisassembleIn{
		Scope: api.EvalScope{GoroutineID: -1}, StartPC: pc, Flavour: api.GoFlavour,
	})
	if err != nil {
		return nil
	}
	var list []Callee
	for _, in := range code.Disassemble {
		if in.DestLoc != nil && in.DestLoc.Function != nil && !slices.ContainsFunc(list, func(c Callee) bool { return c.PC == in.DestLoc.PC }) {
			list = append(list, Callee{debugger.Unescaped(in.DestLoc.Function.Name()), in.DestLoc.PC})
		}
	}
	return list
}
