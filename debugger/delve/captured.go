package delve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/source"
	"github.com/pausetui/pausetui/debugger/delve/values"
	"github.com/pausetui/pausetui/internal/advice"
)

// A closure loads the variables that it has captured after its prologue, where
// breakpoints on its first line stop. Until then Delve reads what the memory held before,
// such as the values of an earlier call. So an expression with such a variable has no
// value there, and a condition is evaluated at the closure's first statement.

// entries are the lines of the closures that begin at some of the addresses.
func (bs *breakpoints) entries(ctx context.Context, b debugger.Breakpoint, addrs []uint64) map[uint64]int {
	lines := map[uint64]int{}
	for _, addr := range addrs[:min(len(addrs), mostLooked)] {
		if _, begins, ok := bs.closureAt(ctx, b.At, addr); ok {
			lines[addr] = begins.Line
		}
	}
	return lines
}

// mostLooked is how many addresses of a breakpoint are looked into at most.
const mostLooked = 100

// tooEarly is an address at the entry of a closure where an expression names what the
// closure has captured.
type tooEarly struct {
	addr     uint64
	function string
	file     string
	names    string
	later    []int // the lines where it can be read at the earliest
}

// tooEarly finds those among the addresses of a breakpoint.
func (bs *breakpoints) tooEarly(ctx context.Context, b debugger.Breakpoint, addrs []uint64) (found []tooEarly) {
	exprs := b.Print
	if b.Cond != "" {
		exprs = append(slices.Clone(exprs), b.Cond)
	}
	names := values.NamesIn(exprs...)
	if len(names) == 0 || len(addrs) > mostLooked || b.OnReturn || b.OnError {
		return nil
	}
	for _, addr := range addrs {
		function, begins, ok := bs.closureAt(ctx, b.At, addr)
		if !ok {
			continue
		}
		at := source.Frame(bs.sources, begins)
		p := source.Parse(bs.sources, at.File)
		if p == nil {
			continue
		}
		for _, l := range source.LiteralsAt(p.Fset, p.Syntax, at.Line) {
			named := slices.DeleteFunc(l.Captured, func(name string) bool { return !slices.Contains(names, name) })
			if len(named) > 0 {
				found = append(found, tooEarly{addr, function, begins.File, strings.Join(named, ", "), l.Statements})
				break
			}
		}
	}
	return found
}

// closureAt returns the closure that begins at an address, and where that is; ok is false
// if none does.
func (bs *breakpoints) closureAt(ctx context.Context, at debugger.FrameRef, addr uint64) (function string, begins api.Location, ok bool) {
	list, err := ask.Find(ctx, bs.srv, at, fmt.Sprintf("*%#x", addr))
	if err != nil || len(list) != 1 || list[0].Function == nil {
		return "", begins, false
	}
	function = list[0].Function.Name()
	begins, ok = ask.Entry(ctx, bs.srv, at, function, addr)
	return function, begins, ok
}

// readable moves the addresses of a breakpoint to where its expressions can be read.
// why says what became of those that cannot be moved.
func (bs *breakpoints) readable(ctx context.Context, b debugger.Breakpoint, addrs []uint64) (moved []uint64, why string, err error) {
	moved = slices.Clone(addrs)
	for _, e := range bs.tooEarly(ctx, b, addrs) {
		i := slices.Index(moved, e.addr)
		if to, ok := bs.firstStatement(ctx, b, e); ok {
			moved[i] = to
			why = fmt.Sprintf("it stops at the first statement of %s, where %s can be read", e.function, e.names)
			continue
		}
		moved = slices.Delete(moved, i, i+1)
		why = fmt.Sprintf("it does not stop in %s: %s cannot be read at its first line", e.function, e.names)
		err = advice.Add(fmt.Errorf("%s %w", e.names, errNotRead), "begin the body of the function literal on a line of its own")
	}
	if len(moved) > 0 {
		err = nil
	}
	return moved, why, err
}

// placeReadable moves the places of a breakpoint that is about to be set.
func (bs *breakpoints) placeReadable(ctx context.Context, b debugger.Breakpoint, want *api.Breakpoint, mark *setBreak) error {
	if b.Cond == "" && len(b.Print) == 0 {
		return nil
	}
	addrs := want.Addrs
	if want.File != "" {
		list, err := ask.Find(ctx, bs.srv, b.At, fmt.Sprintf("%s:%d", want.File, want.Line))
		if err != nil {
			return nil //nolint:nilerr // Delve says it when it sets the breakpoint
		}
		for _, l := range list {
			addrs = append(addrs, l.PCs...)
		}
	}
	moved, why, err := bs.readable(ctx, b, addrs)
	if err != nil || why == "" {
		return err
	}
	want.File, want.Line, want.Addrs, mark.moved = "", 0, moved, why
	return nil
}

// errNotRead is why a condition cannot be evaluated at the entry of a closure.
var errNotRead = errors.New("is captured, and cannot be read at the first line of the closure")

// firstStatement is the address of a closure's first statement that has code.
func (bs *breakpoints) firstStatement(ctx context.Context, b debugger.Breakpoint, e tooEarly) (uint64, bool) {
	for _, line := range e.later {
		list, err := ask.Find(ctx, bs.srv, b.At, fmt.Sprintf("%s:%d", e.file, line))
		if err != nil {
			continue
		}
		for _, l := range list {
			for _, pc := range l.PCs {
				if at, err := ask.Find(ctx, bs.srv, b.At, fmt.Sprintf("*%#x", pc)); err == nil && len(at) == 1 && at[0].Function != nil && at[0].Function.Name() == e.function {
					return pc, true
				}
			}
		}
	}
	return 0, false
}

// stillReadable refuses to change a breakpoint so that it names what cannot be read where
// it is: it does not move.
func (bs *breakpoints) stillReadable(ctx context.Context, b debugger.Breakpoint) error {
	mark := bs.breaks[b.ID]
	if mark == nil {
		return nil
	}
	early := bs.tooEarly(ctx, b, mark.addrs)
	if len(early) == 0 {
		return nil
	}
	e := early[0]
	hint := "begin the body of the function literal on a line of its own"
	if len(e.later) > 0 {
		hint = fmt.Sprintf("line %d is its first statement: break there", e.later[0])
	}
	return advice.Add(fmt.Errorf("change breakpoint %d: %s %w", b.ID, e.names, errNotRead), hint)
}
