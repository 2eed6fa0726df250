package engine

import (
	"context"

	"github.com/pausetui/pausetui/debugger"
)

// Waits implements debugger.WaitLister; a target that cannot tell has none.
func (i inspector) Waits(ctx context.Context) ([]debugger.Wait, error) {
	t, err := i.target()
	if err != nil {
		return nil, err
	}
	lister, ok := t.(debugger.WaitLister)
	if !ok {
		return nil, nil
	}
	return lister.Waits(ctx)
}

// Waits implements debugger.WaitLister.
func (i stopInspector) Waits(ctx context.Context) ([]debugger.Wait, error) {
	return whileHeld(i, func() ([]debugger.Wait, error) { return i.inspector.Waits(ctx) })
}
