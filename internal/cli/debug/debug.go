// Package debug implements the commands that start a session at a terminal: debug, test,
// exec, attach, core and connect. It also says what pausetui alone offers to debug.
package debug

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/arguments"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/cli/frontend"
	"github.com/pausetui/pausetui/internal/cli/setup"
)

// settings are the options of debug and test.
type settings struct {
	*cli.System

	flags.Screen
	flags.Fixes
	flags.Log
	flags.Build
	flags.Run
	flags.Stops
	flags.Snapshot
	record bool

	test bool // pkg's tests
	pkg  string
	args []string // the target's
}

// NewDebug makes the command debug.
func NewDebug(sys *cli.System, runF func(context.Context, *settings) error) *cobra.Command {
	o := &settings{System: sys}
	c := &cobra.Command{
		Use:   "debug [PKG] [-- ARGS]",
		Short: "Build, run, stop at panics: the terminal debugger",
		Long: "debug builds the package and runs it under the debugger. At a panic it shows why it happened and proposes fixes.\n" +
			"PKG is a directory or an import path, or .go files. A directory and files need no module, as with go run FILES.",
		Example: "pausetui debug ./cmd/app -- --port 8080\npausetui debug --stdin input.txt ./cmd/import",
	}
	o.register(c.Flags())
	c.RunE = o.runner(runF)
	return c
}

// NewTest makes the command test.
func NewTest(sys *cli.System, runF func(context.Context, *settings) error) *cobra.Command {
	o := &settings{System: sys, test: true}
	c := &cobra.Command{
		Use:     "test [PKG] [-- FLAGS]",
		Short:   "Debug a package's tests; also stops where a test fails",
		Long:    "test builds the tests of a package and runs them under the debugger. It stops at panics, and at the assertion of a test that fails.\nFlags of go test may be mixed with those of pausetui, or follow --. Fuzzing (-fuzz) runs inputs in processes of their own; of a fuzz test, -run FuzzX/SEED debugs an input that it has kept.",
		Example: "pausetui test ./store -run TestLoad\npausetui test . -- -run '^$' -bench Sum",
	}
	o.register(c.Flags())
	o.RegisterTests(c.Flags())
	c.RunE = o.runner(runF)
	return c
}

func (o *settings) register(s *pflag.FlagSet) {
	o.Screen.Register(s)
	o.Fixes.Register(s)
	o.Log.Register(s)
	o.Build.Register(s)
	o.RegisterRace(s)
	o.Run.Register(s)
	o.Stops.Register(s)
	o.RegisterBreaks(s)
	o.Snapshot.Register(s)
	s.BoolVar(&o.record, "record", false, "record the run with rr and debug the recording, forwards and backwards")
}

func (o *settings) runner(runF func(context.Context, *settings) error) func(*cobra.Command, []string) error {
	if runF == nil {
		runF = runDebug
	}
	return func(c *cobra.Command, args []string) (err error) {
		if o.pkg, o.args, err = arguments.Split(c, args); err != nil {
			return cli.UsageError(err)
		}
		if o.test {
			if o.args, err = arguments.OfTests(o.args); err != nil {
				return err
			}
		}
		return runF(c.Context(), o)
	}
}

func runDebug(ctx context.Context, o *settings) error {
	f := frontend.New(o.System, o.Screen)
	if err := f.CanShow("pausetui fix does the same without one; --plain works in lines"); err != nil {
		return err
	}
	pkg, err := o.whichPackage(ctx)
	if err != nil {
		return err
	}
	o.pkg = pkg
	m, err := setup.OpenMarks(o.Timings)
	if err != nil {
		return err
	}
	defer m.Close()
	s, err := setup.Prepare(o.System, m, &o.Fixes, &o.Log, &o.Build, &o.Run, &o.Stops, &o.Snapshot)
	if err != nil {
		return err
	}
	s.Options.Target.Package, s.Options.Target.Args, s.Options.Target.Test, s.Options.Target.Record = o.pkg, o.args, o.test, o.record
	if err := arguments.TakeLoose(&s.Options); err != nil {
		return err
	}
	s.Options.Stores.Breakpoints, s.Options.Stores.Mutes = o.State.Breakpoints(), o.State.Mutes()
	return f.Start(ctx, s, m)
}
