package look

import (
	"context"

	"github.com/pausetui/pausetui/debugger"
)

// stopInspector reads the target at one stop. Once it has gone on there is
// nothing to read through it, also when the target is held again elsewhere.
type stopInspector struct {
	inspector
	stop uint64 // heldAt when the target was held
}

// gone fails when the target is not where it was.
func (i stopInspector) gone() error {
	if i.of.heldAt() != i.stop {
		return debugger.ErrRunning
	}
	return nil
}

// whileHeld drops what was read while the target went on.
func whileHeld[T any](i stopInspector, read func() (T, error)) (T, error) {
	var none T
	if err := i.gone(); err != nil {
		return none, err
	}
	value, err := read()
	if gone := i.gone(); gone != nil {
		return none, gone
	}
	return value, err
}

// Frames implements debugger.Inspector.
func (i stopInspector) Frames(ctx context.Context, g debugger.GoroutineID, p debugger.Page) (list []debugger.Frame, more bool, err error) {
	list, err = whileHeld(i, func() (l []debugger.Frame, err error) { l, more, err = i.inspector.Frames(ctx, g, p); return l, err })
	return list, more && err == nil, err
}

// Load implements debugger.Inspector.
func (i stopInspector) Load(ctx context.Context, at debugger.FrameRef) (debugger.Frame, error) {
	return whileHeld(i, func() (debugger.Frame, error) { return i.inspector.Load(ctx, at) })
}

// Evaluate implements debugger.Inspector.
func (i stopInspector) Evaluate(ctx context.Context, at debugger.FrameRef, expr string) (debugger.Variable, error) {
	return whileHeld(i, func() (debugger.Variable, error) { return i.inspector.Evaluate(ctx, at, expr) })
}

// Children implements debugger.Inspector.
func (i stopInspector) Children(ctx context.Context, at debugger.FrameRef, v debugger.Variable, p debugger.Page) ([]debugger.Variable, error) {
	return whileHeld(i, func() ([]debugger.Variable, error) { return i.inspector.Children(ctx, at, v, p) })
}

// Goroutines implements debugger.Inspector.
func (i stopInspector) Goroutines(ctx context.Context, p debugger.Page) (list []debugger.Goroutine, more bool, err error) {
	list, err = whileHeld(i, func() (l []debugger.Goroutine, err error) {
		l, more, err = i.inspector.Goroutines(ctx, p)
		return l, err
	})
	return list, more && err == nil, err
}

// ReadMemory implements debugger.MemoryReader.
func (i stopInspector) ReadMemory(ctx context.Context, addr uint64, n int) ([]byte, error) {
	return whileHeld(i, func() ([]byte, error) { return i.inspector.ReadMemory(ctx, addr, n) })
}

// String implements debugger.MemoryReader.
func (i stopInspector) String(ctx context.Context, at debugger.FrameRef, v debugger.Variable, p debugger.Page) (string, error) {
	return whileHeld(i, func() (string, error) { return i.inspector.String(ctx, at, v, p) })
}

// Waits implements debugger.WaitLister.
func (i stopInspector) Waits(ctx context.Context) ([]debugger.Wait, error) {
	return whileHeld(i, func() ([]debugger.Wait, error) { return i.inspector.Waits(ctx) })
}
