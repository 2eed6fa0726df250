package ask

import (
	"context"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/agent"
	"github.com/pausetui/pausetui/engine/loop"
)

// PastFixes looks up fixes that helped in this module, at this stop where no fingerprint is
// given. Those of other modules are left out: their code is not for every model.
func PastFixes(c *loop.Loop, stop debugger.Stop) func(context.Context, string) ([]agent.Past, error) {
	return func(ctx context.Context, fingerprint string) (found []agent.Past, err error) {
		if fingerprint == "" && stop.Panic != nil && stop.Panic.Fingerprint != "" {
			fingerprint = MemoryKey(stop)
		}
		if c.Opts.Stores.Memory == nil || fingerprint == "" {
			return nil, nil
		}
		fixes, err := c.Opts.Stores.Memory.Get(ctx, fingerprint)
		for _, f := range fixes {
			if f.Module == c.Workspace.MainPath() {
				found = append(found, agent.Past{Title: f.Title, Effect: f.Effect, Session: f.Session, Diff: f.Diff(), At: f.At, Times: f.Times})
			}
		}
		return found, err
	}
}

// MemoryKey is what a fix of a stop is remembered by: the fingerprint, and the
// block of work where the program names one.
func MemoryKey(stop debugger.Stop) string {
	if stop.Block == nil {
		return stop.Panic.Fingerprint
	}
	return stop.Panic.Fingerprint + "@" + stop.Block.ID
}
