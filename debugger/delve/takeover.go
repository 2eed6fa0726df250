package delve

import (
	"cmp"
	"context"
	"fmt"
	"go/parser"
	"go/printer"
	"go/token"
	"slices"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// ownNames begins the names of the breakpoints that we set for ourselves; another
// client of the same server may be pausetui, too.
const ownNames = "pausetui"

// TakeBreakpoints takes over what a script, or another client of the server's, has done
// with breakpoints. It returns those that were set or changed so, and the IDs of those
// that were cleared. From then on they are as if SetBreakpoint had set them.
func (bs *breakpoints) TakeBreakpoints(ctx context.Context) (set []debugger.Breakpoint, gone []int, err error) {
	if !bs.srv.Can.Run {
		return nil, nil, nil
	}
	err = bs.srv.Do(ctx, func(ctx context.Context) error {
		list, err := ask.Breakpoints(ctx, bs.srv)
		if err != nil {
			return err
		}
		slices.SortFunc(list, func(a, b *api.Breakpoint) int { return cmp.Compare(a.ID, b.ID) })
		made, there := bs.srv.Client.MadeBreakpoints(), map[int]bool{}
		for _, at := range list {
			there[at.ID] = true
			mark := bs.breaks[at.ID]
			switch {
			case mark == nil && (at.ID <= 0 || slices.Contains(made, at.ID) || strings.HasPrefix(at.Name, ownNames)):
				continue
			case mark == nil:
				mark = bs.takeOver(ctx, at)
			case mark.seen == stateOf(at) || mark.OnError: // whose condition is changed as errors come
				continue
			default:
				mark.Breakpoint, mark.seen = changed(mark.Breakpoint, at), stateOf(at)
			}
			set = append(set, mark.Breakpoint)
		}
		for id := range bs.breaks {
			if !there[id] {
				delete(bs.breaks, id)
				gone = append(gone, id)
			}
		}
		return nil
	})
	return set, gone, err
}

// takeOver makes a breakpoint of Delve's one of the user's.
func (bs *breakpoints) takeOver(ctx context.Context, at *api.Breakpoint) *setBreak {
	b := debugger.Breakpoint{Watch: at.WatchExpr, OnReturn: at.TraceReturn}
	switch {
	case at.WatchExpr != "":
		b.WatchKind = watchKind(at.WatchType)
	case at.ExprString != "":
		b.Location = at.ExprString
	case at.Line <= 0 && len(at.Addrs) > 0:
		b.Location = fmt.Sprintf("*%#x", at.Addrs[0])
	}
	mark := &setBreak{Breakpoint: changed(landed(b, at), at), addrs: at.Addrs, seen: stateOf(at)}
	if mark.Locals {
		mark.entries = bs.entries(ctx, mark.Breakpoint, at.Addrs)
	}
	if b.Watch != "" {
		bs.look(ctx, mark, at)
	}
	bs.breaks[at.ID] = mark
	return mark
}

func watchKind(t api.WatchType) string {
	switch {
	case t&api.WatchRead == 0:
		return debugger.WatchWrite
	case t&api.WatchWrite == 0:
		return debugger.WatchRead
	}
	return debugger.WatchReadWrite
}

// stateOf is what can be changed of a breakpoint, as Delve has it.
func stateOf(at *api.Breakpoint) string {
	return fmt.Sprintf("%q %q %q %v %v %v %v %d %q %v %v", at.Name, at.Cond, at.HitCond, at.HitCondPerG, at.Disabled, at.Tracepoint,
		at.Goroutine, at.Stacktrace, at.Variables, at.LoadArgs != nil, at.LoadLocals != nil)
}

// changed is a breakpoint as Delve has it by now.
func changed(b debugger.Breakpoint, at *api.Breakpoint) debugger.Breakpoint {
	if asDelve(condition(b)) != asDelve(at.Cond) {
		b.Cond, b.OnGoroutine = at.Cond, 0
	}
	b.Name, b.HitCond, b.HitCondPerG, b.Disabled = at.Name, at.HitCond, at.HitCondPerG, at.Disabled
	b.Trace, b.Goroutine, b.Stack, b.Print = at.Tracepoint, at.Goroutine, at.Stacktrace, at.Variables
	b.Args, b.Locals = at.LoadArgs != nil && !b.OnReturn, at.LoadLocals != nil
	return b
}

// asDelve is an expression with the blanks that Delve writes.
func asDelve(expr string) string {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return expr
	}
	var b strings.Builder
	if err := printer.Fprint(&b, token.NewFileSet(), e); err != nil {
		return expr
	}
	return b.String()
}

// noteState notes what Delve has of a breakpoint that we have set or changed.
func (bs *breakpoints) noteState(ctx context.Context, mark *setBreak, id int) {
	out, err := rpc.Call[rpc2.GetBreakpointOut](ctx, bs.srv.Client, "GetBreakpoint", rpc2.GetBreakpointIn{Id: id})
	if err == nil {
		mark.seen = stateOf(&out.Breakpoint)
	}
}
