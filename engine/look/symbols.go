package look

import (
	"context"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
)

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
