package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/fix"
	"github.com/pausetui/pausetui/internal/advice"
)

func newFix() *cobra.Command {
	var flags targetFlags
	var o fix.Options
	var asJSON, test bool
	var timeout time.Duration
	var from traceFlags
	c := &cobra.Command{
		Use:   "fix [PKG] [-- ARGS]",
		Short: "Run, stop, propose, prove, and print the best verified patch; no terminal",
		Long: "fix runs the package under the debugger. When it stops at a panic, or with --test where a test fails, candidates are proposed and proved,\n" +
			"and the best one is printed. Exit codes: 0 nothing stopped, or fixed; 3 a verified patch was found (or the\n" +
			"applied one was not reached); 4 nothing could be verified, or only what masks; 5 the target failed without a stop.\n" +
			"With --trace nothing is run: the trace of a panic takes the place of the stop, and fixes are built, vetted and tested.",
		Example: "pausetui fix --offline --json ./cmd/app\npausetui fix --apply --stdin input.txt ./cmd/app -- -v\npausetui fix --trace crash.log",
	}
	flags.register(c)
	s := c.Flags()
	flags.registerTests(s)
	from.register(s)
	s.StringVar(&from.file, "trace", "", "do not run PKG: look at the trace of a panic in this `FILE`, or - for standard input")
	s.BoolVar(&asJSON, "json", false, "print the report as JSON")
	s.BoolVar(&o.Apply, "apply", false, "apply the best verified candidate, restart and judge it")
	s.BoolVar(&test, "test", false, "treat PKG as tests, and stop where one fails")
	s.BoolVar(&o.AllowDeclines, "allow-declines", false, "let --apply take a fix that reports an error where the program panicked")
	s.BoolVar(&o.AllowMasking, "allow-masking", false, "let a fix count that only leaves out the work that failed, or hides the failure")
	s.DurationVar(&timeout, "timeout", 30*time.Second, "how long the target may run without a stop")
	c.RunE = func(c *cobra.Command, args []string) error {
		if timeout <= 0 {
			return usageError(fmt.Errorf("--timeout %v: want a time above 0", timeout))
		}
		if flags.commit && !o.Apply {
			return usageError(errors.New("--commit commits what --apply applies: give both"))
		}
		if err := from.fits(args, o.Apply || test); err != nil {
			return err
		}
		m, err := openMarks(flags.timings)
		if err != nil {
			return err
		}
		defer m.close()
		opts, err := flags.options(c.Context(), c, args, m.mark)
		if err != nil {
			return err
		}
		if from.file != "" {
			flags.plain = true
			if err := flags.fixTrace(c.Context(), &opts, from); err != nil {
				return err
			}
		}
		if opts.Test = test; test {
			opts.Args = binaryFlags(opts.Args)
		}
		o.Timeout, o.Progress = timeout, progressTo(os.Stderr)
		report, err := fix.Run(c.Context(), opts, o)
		return printReport(c.OutOrStdout(), report, asJSON, err)
	}
	return c
}

// progressTo rewrites one line, if w is a terminal.
func progressTo(w *os.File) func(string) {
	if !term.IsTerminal(w.Fd()) {
		return nil
	}
	return func(line string) { fmt.Fprintf(w, "\r\x1b[K%s", line) }
}

// printReport prints the report and returns the outcome's exit code as error.
func printReport(w io.Writer, r fix.Report, asJSON bool, interrupted error) error {
	if progress := progressTo(os.Stderr); progress != nil {
		progress("") // leave no half a line behind
	}
	if asJSON {
		if err := printJSON(w, r); err != nil {
			return fmt.Errorf("print the report: %w", err)
		}
	} else if r.Outcome != fix.Failed {
		fix.WriteText(w, r)
	}
	code := exitCode(r.Outcome)
	if interrupted != nil {
		return &codeError{code: exitInterrupted}
	}
	if r.Outcome == fix.Failed && r.Error != nil && !asJSON {
		return &codeError{code: code, err: advice.Add(errors.New(r.Error.Message), r.Error.Hint)}
	}
	if code == 0 {
		return nil
	}
	return &codeError{code: code}
}

// wantsReport tells whether a command line asks for fix's report as JSON. It
// reads the arguments themselves: what is wrong with them may have kept the flags
// from being set.
func wantsReport(c *cobra.Command, args []string) bool {
	if c.CommandPath() != "pausetui fix" {
		return false
	}
	ours, _, _ := cutAtDashes(args)
	return slices.Contains(ours, "--json") || slices.Contains(ours, "--json=true")
}

// printFailure prints the report of a command that could not begin.
func printFailure(w io.Writer, err error, usage bool) error {
	if usage && advice.Of(err) == "" {
		err = advice.Add(err, "see: pausetui fix --help")
	}
	return printJSON(w, fix.FailedReport(engine.Options{}, err))
}

// exitCode is the table of docs/reference/exit-codes.md.
func exitCode(outcome string) int {
	switch outcome {
	case fix.Clean, fix.Fixed:
		return 0
	case fix.Verified, fix.AppliedOut:
		return 3
	case fix.Masking, fix.Unverified:
		return 4
	case fix.Exited:
		return 5
	}
	return exitFailure
}
