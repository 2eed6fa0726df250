package main

import (
	"context"

	"github.com/pausetui/pausetui/engine"
)

// chooseModels fills in which models are asked.
func (f *targetFlags) chooseModels(_ context.Context, o *engine.Options) error {
	if f.offline {
		o.StatusLine = "offline: built-in fixer only"
	}
	return nil
}
