package debug

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/cli/frontend"
	"github.com/pausetui/pausetui/internal/cli/setup"
	"github.com/pausetui/pausetui/session"
)

// launchOptions are the options that exec, attach, core and connect share: the
// commands whose target is not built here.
type launchOptions struct {
	*cli.System

	flags.Screen
	flags.Fixes
	flags.Log
	flags.Stops
}

func (o *launchOptions) register(s *pflag.FlagSet) {
	o.Screen.Register(s)
	o.Fixes.Register(s)
	o.Log.Register(s)
}

func (o *launchOptions) registerStops(s *pflag.FlagSet) {
	o.Stops.Register(s)
	o.RegisterBreaks(s)
}

// launch shows a session with a target that is found, not built. set says what
// else the command knows of it.
func (o *launchOptions) launch(ctx context.Context, mode session.LaunchMode, set func(*options.Session), more ...flags.Group) error {
	f := frontend.New(o.System, o.Screen)
	if err := f.CanShow("run it in a terminal; --plain works in lines"); err != nil {
		return err
	}
	m, err := setup.OpenMarks(o.Timings)
	if err != nil {
		return err
	}
	defer m.Close()
	s, err := setup.Prepare(o.System, m, &o.Fixes, append(more, &o.Log, &o.Stops)...)
	if err != nil {
		return err
	}
	s.Options.Target.Mode, s.Options.Stores.Mutes = mode, o.State.Mutes()
	if mode.Kind != session.ModeCore { // which does not run to them
		s.Options.Stores.Breakpoints = o.State.Breakpoints()
	}
	set(&s.Options)
	return f.Start(ctx, s, m)
}
