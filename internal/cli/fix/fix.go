// Package fix implements the command fix, a session without a terminal, and prints its
// report.
package fix

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/fix"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/arguments"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/cli/setup"
	"github.com/pausetui/pausetui/internal/cli/trace"
)

// settings are the options of fix.
type settings struct {
	*cli.System

	flags.Fixes
	flags.Log
	flags.Build
	flags.Run
	flags.Stops
	flags.Snapshot
	trace.Flags
	Printer
	test   bool // pkg's tests
	report fix.Options

	pkg  string
	args []string // the target's
}

// New makes the command.
func New(sys *cli.System, runF func(context.Context, *settings) error) *cobra.Command {
	o := &settings{System: sys}
	c := &cobra.Command{
		Use:   "fix [PKG] [-- ARGS]",
		Short: "Run, stop, propose, prove, and print the best verified patch; no terminal",
		Long: "fix runs the package under the debugger. When it stops at a panic, or with --test where a test fails, fix proposes and proves fixes\n" +
			"and prints the best one. Exit codes: 0 nothing stopped, or fixed; 3 a verified patch was found (or the\n" +
			"restart did not reach the applied one); 4 nothing could be verified, or only fixes that skip or hide; 5 the program failed without a stop.\n" +
			"With --trace nothing is run: fix starts from the trace of a panic, and fixes are built, vetted and tested.",
		Example: "pausetui fix --offline --json ./cmd/app\npausetui fix --apply --stdin input.txt ./cmd/app -- -v\npausetui fix --trace crash.log",
	}
	o.register(c.Flags())
	if runF == nil {
		runF = run
	}
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if err := o.check(args); err != nil {
			return err
		}
		if o.pkg, o.args, err = arguments.Split(c, args); err != nil {
			return cli.UsageError(err)
		}
		if o.test {
			if o.args, err = arguments.OfTests(o.args); err != nil {
				return err
			}
		}
		o.Out = c.OutOrStdout()
		return runF(c.Context(), o)
	}
	return c
}

func (o *settings) register(s *pflag.FlagSet) {
	o.Fixes.Register(s)
	o.Log.Register(s)
	o.Build.Register(s)
	o.RegisterRace(s)
	o.Run.Register(s)
	o.Stops.Register(s)
	o.RegisterTests(s)
	o.Snapshot.Register(s)
	o.Flags.Register(s)
	s.StringVar(&o.File, "trace", "", "do not run PKG: read the trace of a panic from `FILE`, or from standard input (-)")
	o.Printer.Register(s)
	s.BoolVar(&o.test, "test", false, "run the tests of PKG, and stop where one fails")
	s.BoolVar(&o.report.Apply, "apply", false, "apply the best verified fix, restart, and judge the result")
	s.BoolVar(&o.report.AllowDeclines, "allow-declines", false, "let --apply use a fix that reports an error where the program panicked")
	s.BoolVar(&o.report.AllowMasking, "allow-masking", false, "count a fix that only skips the work that failed, or hides the failure")
	s.DurationVar(&o.report.Timeout, "timeout", 30*time.Second, "let the program run for at most `TIME` without a stop")
}

// check refuses flags that contradict each other.
func (o *settings) check(args []string) error {
	if o.report.Timeout <= 0 {
		return cli.UsageError(fmt.Errorf("--timeout %v: want a time above 0", o.report.Timeout))
	}
	if _, err := o.Formats(); err != nil {
		return cli.UsageError(err)
	}
	if o.Commit && !o.report.Apply {
		return cli.UsageError(errors.New("--commit commits what --apply applies: give both"))
	}
	return o.Fits(args, o.report.Apply || o.test)
}

func run(ctx context.Context, o *settings) error {
	m, err := setup.OpenMarks(o.Timings)
	if err != nil {
		return err
	}
	defer m.Close()
	s, err := setup.Prepare(o.System, m, &o.Fixes, &o.Log, &o.Build, &o.Run, &o.Stops, &o.Snapshot)
	if err != nil {
		return err
	}
	s.Options.Target.Package, s.Options.Target.Args, s.Options.Target.Test = o.pkg, o.args, o.test
	if err := arguments.TakeLoose(&s.Options); err != nil {
		return err
	}
	if o.File != "" {
		if err := trace.TakeCrash(ctx, o.System, o.Flags, &s); err != nil {
			return err
		}
	}
	o.report.Progress, o.report.Asserts = ProgressTo(o.Stderr), true
	report, err := fix.Run(ctx, s.Options, o.report)
	report.Tool = cli.Version()
	return o.Print(report, o.report.Progress, err)
}

// WantsReport reports whether a command line asks for fix's report as JSON. It
// reads the arguments themselves, because a mistake in them may have kept the
// flags from being set.
func WantsReport(c *cobra.Command, args []string) bool {
	if c.CommandPath() != "pausetui fix" {
		return false
	}
	ours, _, _ := arguments.CutAtDashes(args)
	at := slices.Index(ours, "--format")
	return slices.Contains(ours, "--json") || slices.Contains(ours, "--json=true") || slices.Contains(ours, "--format=json") || at >= 0 && at+1 < len(ours) && ours[at+1] == "json"
}

// PrintFailure prints the report of a fix that could not begin.
func PrintFailure(w io.Writer, err error, usage bool) error {
	if usage && advice.Of(err) == "" {
		err = advice.Add(err, "see: pausetui fix --help")
	}
	return cli.PrintJSON(w, fix.FailedReport(options.Session{}, err))
}
