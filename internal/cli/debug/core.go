package debug

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/session"
)

type coreOptions struct {
	launchOptions

	binary, core string
}

// NewCore makes the command core.
func NewCore(sys *cli.System, runF func(context.Context, *coreOptions) error) *cobra.Command {
	o := &coreOptions{launchOptions: launchOptions{System: sys}}
	c := &cobra.Command{
		Use:     "core BIN CORE",
		Short:   "Inspect the core dump of a program",
		Long:    "core opens a core dump: its goroutines and all their values. The program cannot be continued.",
		Example: "GOTRACEBACK=crash ./app; pausetui core ./app core.4711",
		Args:    cobra.ExactArgs(2),
	}
	o.register(c.Flags())
	if runF == nil {
		runF = runCore
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		o.binary, o.core = args[0], args[1]
		return runF(c.Context(), o)
	}
	return c
}

func runCore(ctx context.Context, o *coreOptions) error {
	binary, err1 := filepath.Abs(o.binary)
	core, err2 := filepath.Abs(o.core)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	return o.launch(ctx, session.LaunchMode{Kind: session.ModeCore, Binary: binary, Core: core}, func(*options.Session) {})
}
