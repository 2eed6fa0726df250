package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/arguments"
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
func (o *launchOptions) launch(ctx context.Context, mode session.LaunchMode, set func(*engine.Options), more ...flags.Group) error {
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

type execOptions struct {
	launchOptions
	flags.Run

	binary string
	args   []string
}

func newExec(sys *cli.System, runF func(context.Context, *execOptions) error) *cobra.Command {
	o := &execOptions{launchOptions: launchOptions{System: sys}}
	c := &cobra.Command{
		Use:   "exec BIN [-- ARGS]",
		Short: "Run an existing binary, stop at panics",
		Long: "exec runs an existing binary under the debugger, built here or elsewhere. Its source is found from the modules that\n" +
			"the binary names. Fixes are proposed if its main package is in one of your modules.",
		Example: "pausetui exec ./app -- --port 8080\npausetui exec /usr/local/bin/app",
	}
	o.launchOptions.register(c.Flags())
	o.registerStops(c.Flags())
	o.Run.Register(c.Flags())
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
	return o.launch(ctx, session.LaunchMode{Kind: session.ModeExec, Binary: binary}, func(e *engine.Options) { e.Target.Args = o.args }, &o.Run)
}

type attachOptions struct {
	launchOptions

	pid    int
	letRun bool
}

func newAttach(sys *cli.System, runF func(context.Context, *attachOptions) error) *cobra.Command {
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
	return o.launch(ctx, session.LaunchMode{Kind: session.ModeAttach, PID: o.pid}, func(e *engine.Options) { e.Target.LetRun = o.letRun })
}

type coreOptions struct {
	launchOptions

	binary, core string
}

func newCore(sys *cli.System, runF func(context.Context, *coreOptions) error) *cobra.Command {
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
	return o.launch(ctx, session.LaunchMode{Kind: session.ModeCore, Binary: binary, Core: core}, func(*engine.Options) {})
}

type connectOptions struct {
	launchOptions

	addr   string
	letRun bool
}

func newConnect(sys *cli.System, runF func(context.Context, *connectOptions) error) *cobra.Command {
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
	return o.launch(ctx, session.LaunchMode{Kind: session.ModeConnect, Addr: o.addr}, func(e *engine.Options) { e.Target.LetRun = o.letRun })
}
