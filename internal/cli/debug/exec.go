package debug

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/arguments"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/session"
)

type execOptions struct {
	launchOptions
	flags.Run

	binary string
	args   []string
}

// NewExec makes the command exec.
func NewExec(sys *cli.System, runF func(context.Context, *execOptions) error) *cobra.Command {
	o := &execOptions{launchOptions: launchOptions{System: sys}}
	c := &cobra.Command{
		Use:   "exec BIN [-- ARGS]",
		Short: "Run an existing binary, stop at panics",
		Long: "exec runs an existing binary under the debugger, built here or elsewhere. Its source is found from the modules that\n" +
			"the binary names. Fixes are proposed if its main package is in one of your modules.",
		Example: "pausetui exec ./app -- --port 8080\npausetui exec /usr/local/bin/app",
	}
	o.register(c.Flags())
	o.registerStops(c.Flags())
	o.Run.Register(c.Flags()) //nolint:staticcheck // says whose flags they are
	if runF == nil {
		runF = runExec
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		before, rest := arguments.CutAtDash(c, args)
		switch len(before) {
		case 0:
			return cli.UsageError(errors.New("want: pausetui exec BIN [-- ARGS]"))
		case 1:
		default:
			return cli.UsageError(errors.New("want one binary; its own arguments come after --"))
		}
		o.binary, o.args = before[0], rest
		return runF(c.Context(), o)
	}
	return c
}

func runExec(ctx context.Context, o *execOptions) error {
	binary, err := filepath.Abs(o.binary)
	if err != nil {
		return err
	}
	return o.launch(ctx, session.LaunchMode{Kind: session.ModeExec, Binary: binary}, func(e *options.Session) { e.Target.Args = o.args }, &o.Run)
}
