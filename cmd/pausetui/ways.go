package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/config/userstate"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
)

func newExec() *cobra.Command {
	var flags targetFlags
	c := &cobra.Command{
		Use:   "exec BIN [-- ARGS]",
		Short: "Run a binary that is there already, stop at panics",
		Long: "exec runs a binary that was built before, here or elsewhere, under the debugger. Its source is found by what the\n" +
			"binary says of its modules. Fixes are proposed where its main package is in a module of yours.",
		Example: "pausetui exec ./app -- --port 8080\npausetui exec /usr/local/bin/app",
	}
	flags.registerFixes(c.Flags())
	flags.registerLog(c.Flags())
	flags.registerStart(c.Flags())
	flags.registerPanics(c.Flags())
	flags.registerScreen(c.Flags())
	flags.registerBreaks(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		before, rest := args, []string(nil)
		if n := c.ArgsLenAtDash(); n >= 0 {
			before, rest = args[:n], args[n:]
		}
		switch len(before) {
		case 0:
			return usageError(errors.New("want: pausetui exec BIN [-- ARGS]"))
		case 1:
		default:
			return usageError(errors.New("one binary, please; its own arguments come after --"))
		}
		return runWay(c, &flags, rest, false, func() (w session.Way, err error) {
			w.Kind = session.WayExec
			w.Binary, err = filepath.Abs(before[0])
			return w, err
		})
	}
	return c
}

func newAttach() *cobra.Command {
	var flags targetFlags
	var run bool
	c := &cobra.Command{
		Use:   "attach PID",
		Short: "Debug a process that runs already; it runs on afterwards",
		Long: "attach takes over a process that runs already, and holds it. When pausetui ends, however it ends, the process runs on\n" +
			"without a breakpoint of ours; it is killed only when you say so.",
		Example: "pausetui attach 4711\npausetui attach --continue $(pgrep -n app)",
		Args:    cobra.ExactArgs(1),
	}
	flags.registerFixes(c.Flags())
	flags.registerLog(c.Flags())
	flags.registerPanics(c.Flags())
	flags.registerScreen(c.Flags())
	flags.registerBreaks(c.Flags())
	c.Flags().BoolVar(&run, "continue", false, "let the process run on at once, until it stops by itself")
	c.RunE = func(c *cobra.Command, args []string) error {
		return runWay(c, &flags, nil, run, func() (session.Way, error) {
			pid, err := strconv.Atoi(args[0])
			if err != nil || pid <= 0 {
				return session.Way{}, usageError(fmt.Errorf("attach to %q: want the number of a process", args[0]))
			}
			return session.Way{Kind: session.WayAttach, PID: pid}, nil
		})
	}
	return c
}

func newCore() *cobra.Command {
	var flags targetFlags
	c := &cobra.Command{
		Use:     "core BIN CORE",
		Short:   "Look into the core dump of a program",
		Long:    "core opens the core dump that a program has left: where it stood, with all values. It cannot run.",
		Example: "GOTRACEBACK=crash ./app; pausetui core ./app core.4711",
		Args:    cobra.ExactArgs(2),
	}
	flags.registerFixes(c.Flags())
	flags.registerLog(c.Flags())
	flags.registerScreen(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		return runWay(c, &flags, nil, false, func() (w session.Way, err error) {
			w.Kind = session.WayCore
			if w.Binary, err = filepath.Abs(args[0]); err == nil {
				w.Core, err = filepath.Abs(args[1])
			}
			return w, err
		})
	}
	return c
}

func newConnect() *cobra.Command {
	var flags targetFlags
	var run bool
	c := &cobra.Command{
		Use:   "connect ADDR",
		Short: "Debug the program of a headless Delve server",
		Long: "connect talks to a Delve server that runs already, on this machine or another: HOST:PORT, :PORT or unix:PATH.\n" +
			"Its program's output stays with the server, and it runs on when pausetui leaves.",
		Example: "dlv exec --headless --accept-multiclient --listen=:4040 ./app\npausetui connect :4040",
		Args:    cobra.ExactArgs(1),
	}
	flags.registerFixes(c.Flags())
	flags.registerLog(c.Flags())
	flags.registerPanics(c.Flags())
	flags.registerScreen(c.Flags())
	flags.registerBreaks(c.Flags())
	c.Flags().BoolVar(&run, "continue", false, "let the program run on at once, until it stops by itself")
	c.RunE = func(c *cobra.Command, args []string) error {
		return runWay(c, &flags, nil, run, func() (session.Way, error) {
			return session.Way{Kind: session.WayConnect, Addr: args[0]}, nil
		})
	}
	return c
}

// runWay shows a session whose target is not built here.
func runWay(c *cobra.Command, flags *targetFlags, args []string, run bool, read func() (session.Way, error)) error {
	way, err := read()
	if err != nil {
		return err
	}
	if err := flags.canShow("run it in a terminal; --plain talks in lines"); err != nil {
		return err
	}
	m, err := openMarks(flags.timings)
	if err != nil {
		return err
	}
	defer m.close()
	opts, err := flags.targetOptions(c, m.mark)
	if err != nil {
		return err
	}
	opts.Way, opts.Args, opts.LetRun, opts.Mutes = way, args, run, userstate.Default().Mutes()
	if err := flags.chooseModels(&opts); err != nil {
		return err
	}
	return startSession(c.Context(), flags, opts, m)
}

// startSession makes a session and shows it.
func startSession(ctx context.Context, flags *targetFlags, opts engine.Options, m *marks) error {
	e, err := engine.New(ctx, opts)
	if err != nil {
		return err
	}
	return showSession(ctx, e, flags, opts, m)
}
