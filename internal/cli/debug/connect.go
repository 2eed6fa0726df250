package debug

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/session"
)

type connectOptions struct {
	launchOptions

	addr   string
	letRun bool
}

// NewConnect makes the command connect.
func NewConnect(sys *cli.System, runF func(context.Context, *connectOptions) error) *cobra.Command {
	o := &connectOptions{launchOptions: launchOptions{System: sys}}
	c := &cobra.Command{
		Use:   "connect ADDR",
		Short: "Debug the program of a headless Delve server",
		Long: "connect debugs the program of a running Delve server, on this machine or another: HOST:PORT, :PORT or unix:PATH.\n" +
			"The program's output stays with the server, and the program keeps running when pausetui ends.",
		Example: "dlv exec --headless --accept-multiclient --listen=:4040 ./app\npausetui connect :4040",
		Args:    cobra.ExactArgs(1),
	}
	o.register(c.Flags())
	o.registerStops(c.Flags())
	c.Flags().BoolVar(&o.letRun, "continue", false, "let the program continue at once, until it stops by itself")
	if runF == nil {
		runF = runConnect
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		o.addr = args[0]
		return runF(c.Context(), o)
	}
	return c
}

func runConnect(ctx context.Context, o *connectOptions) error {
	return o.launch(ctx, session.LaunchMode{Kind: session.ModeConnect, Addr: o.addr}, func(e *options.Session) { e.Target.LetRun = o.letRun })
}
