package look

import (
	"context"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
)

// inspector reads whichever target is current, so that frontends need not know
// when it is replaced.
type inspector struct{ of *Inspection }

// current reads something of the current target.
func current[T any](i inspector, read func(Target) (T, error)) (T, error) {
	t, err := i.of.Target()
	if err != nil {
		var none T
		return none, err
	}
	return read(t)
}

// Frames implements debugger.Inspector.
func (i inspector) Frames(ctx context.Context, g debugger.GoroutineID, p debugger.Page) ([]debugger.Frame, bool, error) {
	t, err := i.of.Target()
	if err != nil {
		return nil, false, err
	}
	return t.Frames(ctx, g, p)
}

// Load implements debugger.Inspector.
func (i inspector) Load(ctx context.Context, at debugger.FrameRef) (debugger.Frame, error) {
	return current(i, func(t Target) (debugger.Frame, error) { return t.Load(ctx, at) })
}

// Evaluate implements debugger.Inspector.
func (i inspector) Evaluate(ctx context.Context, at debugger.FrameRef, expr string) (debugger.Variable, error) {
	return current(i, func(t Target) (debugger.Variable, error) { return t.Evaluate(ctx, at, expr) })
}

// Children implements debugger.Inspector.
func (i inspector) Children(ctx context.Context, at debugger.FrameRef, v debugger.Variable, p debugger.Page) ([]debugger.Variable, error) {
	return current(i, func(t Target) ([]debugger.Variable, error) { return t.Children(ctx, at, v, p) })
}

// Goroutines implements debugger.Inspector.
func (i inspector) Goroutines(ctx context.Context, p debugger.Page) ([]debugger.Goroutine, bool, error) {
	t, err := i.of.Target()
	if err != nil {
		return nil, false, err
	}
	return t.Goroutines(ctx, p)
}

// QueryGoroutines implements debugger.GoroutineQuerier.
func (i inspector) QueryGoroutines(ctx context.Context, query debugger.GoroutineQuery) (debugger.GoroutineList, error) {
	return current(i, func(t Target) (debugger.GoroutineList, error) { return t.QueryGoroutines(ctx, query) })
}

// ReadMemory implements debugger.MemoryReader.
func (i inspector) ReadMemory(ctx context.Context, addr uint64, n int) ([]byte, error) {
	return current(i, func(t Target) ([]byte, error) { return t.ReadMemory(ctx, addr, n) })
}

// String implements debugger.MemoryReader.
func (i inspector) String(ctx context.Context, at debugger.FrameRef, v debugger.Variable, p debugger.Page) (string, error) {
	return current(i, func(t Target) (string, error) { return t.String(ctx, at, v, p) })
}

// Find implements debugger.Finder.
func (i inspector) Find(ctx context.Context, at debugger.FrameRef, v debugger.Variable, match func(*debugger.Variable) bool, p debugger.Page) ([]int64, int, error) {
	t, err := i.of.Target()
	if err != nil {
		return nil, 0, err
	}
	return t.Find(ctx, at, v, match, p)
}

// Disassemble implements debugger.Disassembler.
func (i inspector) Disassemble(ctx context.Context, at debugger.FrameRef, code debugger.Code, flavor string) ([]debugger.Instruction, error) {
	return current(i, func(t Target) ([]debugger.Instruction, error) { return t.Disassemble(ctx, at, code, flavor) })
}

// Calls implements debugger.CallLister.
func (i inspector) Calls(ctx context.Context, at debugger.FrameRef) ([]debugger.Call, error) {
	return current(i, func(t Target) ([]debugger.Call, error) { return t.Calls(ctx, at) })
}

// Stack implements debugger.StackReader.
func (i inspector) Stack(ctx context.Context, g debugger.GoroutineID, query debugger.StackQuery) ([]debugger.StackFrame, bool, error) {
	t, err := i.of.Target()
	if err != nil {
		return nil, false, err
	}
	return t.Stack(ctx, g, query)
}

// Origin implements debugger.StackReader.
func (i inspector) Origin(ctx context.Context, g debugger.GoroutineID) (debugger.Origin, error) {
	return current(i, func(t Target) (debugger.Origin, error) { return t.Origin(ctx, g) })
}

// Ancestors implements debugger.StackReader.
func (i inspector) Ancestors(ctx context.Context, g debugger.GoroutineID, count, depth int) ([]debugger.Ancestor, error) {
	return current(i, func(t Target) ([]debugger.Ancestor, error) { return t.Ancestors(ctx, g, count, depth) })
}

// Waits implements debugger.WaitLister; a target that cannot tell has none.
func (i inspector) Waits(ctx context.Context) ([]debugger.Wait, error) {
	t, err := i.of.Target()
	if err != nil {
		return nil, err
	}
	lister, ok := t.(debugger.WaitLister)
	if !ok {
		return nil, nil
	}
	return lister.Waits(ctx)
}

var _ console.Symbols = inspector{}

// Functions implements console.Symbols.
func (i inspector) Functions(ctx context.Context, filter string) ([]string, error) {
	return current(i, func(t Target) ([]string, error) { return t.Functions(ctx, filter) })
}

// Types implements console.Symbols.
func (i inspector) Types(ctx context.Context, filter string) ([]string, error) {
	return current(i, func(t Target) ([]string, error) { return t.Types(ctx, filter) })
}

// Sources implements console.Symbols.
func (i inspector) Sources(ctx context.Context, filter string) ([]string, error) {
	return current(i, func(t Target) ([]string, error) { return t.Sources(ctx, filter) })
}

// Packages implements console.Symbols.
func (i inspector) Packages(ctx context.Context, filter string) ([]debugger.Package, error) {
	return current(i, func(t Target) ([]debugger.Package, error) { return t.Packages(ctx, filter) })
}

// PackageVariables implements console.Symbols.
func (i inspector) PackageVariables(ctx context.Context, filter string, whole bool) ([]debugger.Variable, error) {
	return current(i, func(t Target) ([]debugger.Variable, error) { return t.PackageVariables(ctx, filter, whole) })
}
