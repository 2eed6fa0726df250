package debug

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/session"
)

type attachOptions struct {
	launchOptions

	pid    int
	letRun bool
}

// NewAttach makes the command attach.
func NewAttach(sys *cli.System, runF func(context.Context, *attachOptions) error) *cobra.Command {
	o := &attachOptions{launchOptions: launchOptions{System: sys}}
	c := &cobra.Command{
		Use:   "attach PID",
		Short: "Debug a running process; it keeps running afterwards",
		Long: "attach takes over a running process and halts it. The process keeps running, without breakpoints, however pausetui\n" +
			"ends. It is killed only if you ask for that.",
		Example: "pausetui attach 4711\npausetui attach --continue $(pgrep -n app)",
		Args:    cobra.ExactArgs(1),
	}
	o.register(c.Flags())
	o.registerStops(c.Flags())
	c.Flags().BoolVar(&o.letRun, "continue", false, "let the process continue at once, until it stops by itself")
	if runF == nil {
		runF = runAttach
	}
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if o.pid, err = strconv.Atoi(args[0]); err != nil || o.pid <= 0 {
			return cli.UsageError(fmt.Errorf("attach to %q: want a process ID", args[0]))
		}
		return runF(c.Context(), o)
	}
	return c
}

func runAttach(ctx context.Context, o *attachOptions) error {
	return o.launch(ctx, session.LaunchMode{Kind: session.ModeAttach, PID: o.pid}, func(e *options.Session) { e.Target.LetRun = o.letRun })
}
