package goroutines

import (
	"context"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
)

// Block reads in which block of work a goroutine is; nil where it is in none, or
// that cannot be read.
func Block(ctx context.Context, gr *Lister, g debugger.GoroutineID) *debugger.Block {
	if g <= 0 {
		return nil
	}
	set, err := ask.Number(ctx, gr.srv, debugger.FrameRef{Goroutine: g}, "*(*uintptr)(uintptr(&runtime.curg.labels))")
	if err != nil || set == 0 {
		return nil
	}
	if gr.labelSets == nil {
		gr.labelSets = map[uint64]map[string]string{}
	}
	delete(gr.labelSets, set) // another may be at its address now
	if err := gr.readLabels(ctx, []member{{labels: set}}); err != nil {
		return nil
	}
	return debugger.BlockOf(gr.labelSets[set])
}
