package frontend

import (
	"context"
	"errors"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/ui/choose"
)

// Choose has the person take one of the rows, and returns its index.
func (f *Frontend) Choose(ctx context.Context, head string, rows []choose.Row) (int, error) {
	root, err := f.ModuleRoot()
	if err != nil {
		return 0, err
	}
	settings, err := f.Config(root)
	if err != nil {
		return 0, err
	}
	return f.ChooseIn(ctx, head, rows, settings)
}

// ChooseIn is Choose with settings that were read.
func (f *Frontend) ChooseIn(ctx context.Context, head string, rows []choose.Row, settings config.Config) (int, error) {
	o := f.look(settings)
	release, err := f.hold(ctx, &o)
	if err != nil {
		return 0, err
	}
	defer release()
	n, err := choose.One(ctx, head, rows, o)
	if errors.Is(err, choose.ErrNothing) || ctx.Err() != nil {
		return 0, cli.ErrInterrupted
	}
	return n, err
}
