package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/trace"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
)

func newTrace() *cobra.Command {
	var flags targetFlags
	var nth int
	c := &cobra.Command{
		Use:   "trace [FILE|-]",
		Short: "Look at the trace of a panic: pasted, piped, or in a log",
		Long: "trace reads what a Go program has printed when it died: a pasted trace, or a log with traces in it, whatever stands\n" +
			"before its lines. It shows the stack, the source at the recorded lines, and fixes by what is known: they are built,\n" +
			"vetted and tested, and cannot be run, for there is no process. Stand in the program's module.\n" +
			"Without FILE, or with -, it reads standard input: paste the trace, then press enter and ctrl+d.",
		Example: "kubectl logs app-7d9f | pausetui trace\npausetui trace crash.log\npausetui trace --nth 2 app.log",
		Args:    cobra.MaximumNArgs(1),
	}
	flags.registerFixes(c.Flags())
	flags.registerLog(c.Flags())
	flags.registerScreen(c.Flags())
	c.Flags().StringVar(&flags.tags, "tags", "", "build tags")
	c.Flags().StringVar(&flags.buildFlags, "build-flags", "", "further flags for go build, separated by spaces")
	c.Flags().IntVar(&nth, "nth", 0, "take crash `N` of the log, counted from 1 among those that differ (default: asks)")
	c.RunE = func(c *cobra.Command, args []string) error {
		file := ""
		if len(args) > 0 && args[0] != "-" {
			file = args[0]
		}
		return runTrace(c, &flags, file, nth)
	}
	return c
}

func runTrace(c *cobra.Command, flags *targetFlags, file string, nth int) error {
	if nth < 0 {
		return usageError(fmt.Errorf("--nth %d: want 1 or more", nth))
	}
	done, err := flags.takeTerminal(file == "")
	if err != nil {
		return err
	}
	defer done()
	m, err := openMarks(flags.timings)
	if err != nil {
		return err
	}
	defer m.close()
	flags.panics = string(debugger.PanicsAuto)
	opts, err := flags.targetOptions(c, m.mark)
	if err != nil {
		return err
	}
	if err := flags.chooseModels(&opts); err != nil {
		return err
	}
	ctx := c.Context()
	log, err := readLog(ctx, file)
	if err != nil {
		return err
	}
	if err := flags.takeTrace(ctx, &opts, log, file, nth); err != nil {
		return err
	}
	return startSession(ctx, flags, opts, m)
}

// takeTrace chooses a trace of a log and has the engine take it for its target.
func (f *targetFlags) takeTrace(ctx context.Context, opts *engine.Options, log trace.Log, file string, nth int) error {
	list := log.Distinct()
	if len(list) == 0 {
		return debugger.WithHint(fmt.Errorf("there is no trace in %s (%d lines)", nameOf(file), log.Lines),
			"it takes what a Go program prints when it dies: a panic or fatal error, and the goroutines below it")
	}
	n, err := f.pick(ctx, list, file, nth)
	if err != nil {
		return err
	}
	where := &session.Trace{Line: list[n].Line, Number: n + 1, Of: len(list), Times: list[n].Times}
	if file != "" {
		if where.File, err = filepath.Abs(file); err != nil {
			return fmt.Errorf("read a trace: %w", err)
		}
	}
	opts.Trace = list[n].Trace
	opts.Way = session.Way{Kind: session.WayTrace, Trace: where}
	return nil
}

// nameOf is a log, for people.
func nameOf(file string) string {
	if file == "" {
		return "what was given"
	}
	return fmt.Sprintf("%q", file)
}

// report is what is done in lines where nobody can say what to do.
const report = "stack\nfixes\n"

// takeTerminal finds out where keys and commands come from: from the terminal
// where standard input is the log. done gives it back.
func (f *targetFlags) takeTerminal(stdin bool) (done func(), err error) {
	done = func() {}
	if !stdin || term.IsTerminal(os.Stdin.Fd()) {
		return done, f.canShow("run it in a terminal; --plain talks in lines")
	}
	if err := f.knownTheme(); err != nil {
		return done, err
	}
	if term.IsTerminal(os.Stdout.Fd()) {
		if tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0); err == nil {
			f.keys = tty
			return func() { _ = tty.Close() }, nil
		}
	}
	if !f.plain {
		return done, debugger.WithHint(errNoTerminal, "--plain reports in lines")
	}
	f.commands = report
	return done, nil
}

// brief is a trace in a line, and where it is.
func brief(t trace.Distinct) (words, note string) {
	words = session.Clean(strings.Join(strings.Fields(t.Title()), " "))
	if len(t.Goroutines) > 0 {
		if at := t.Goroutines[0].User; at.Function != "" {
			words += fmt.Sprintf(" · %s %s:%d", session.Clean(session.ShortFunction(at.Function)), session.Clean(filepath.Base(at.File)), at.Line)
		}
	}
	note = fmt.Sprintf("line %d", t.Line)
	if t.Times > 1 {
		note = fmt.Sprintf("%d times, %s", t.Times, note)
	}
	return words, note
}

var errSeveral = errors.New("there are several traces")
