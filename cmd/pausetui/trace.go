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
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/trace"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

func newTrace() *cobra.Command {
	var flags targetFlags
	var from traceFlags
	c := &cobra.Command{
		Use:   "trace [FILE|-]",
		Short: "Look at the trace of a panic: pasted, piped, or in a log",
		Long: "trace reads what a Go program has printed when it died: a pasted trace, or a log with traces in it, whatever stands\n" +
			"before its lines. It shows the stack, the source at the recorded lines, and fixes by what is known: they are built,\n" +
			"vetted and tested, and cannot be run, for there is no process. Stand in the program's module.\n" +
			"Without FILE, or with -, it reads standard input: paste the trace, then press ctrl+d.",
		Example: "kubectl logs app-7d9f | pausetui trace\npausetui trace crash.log\npausetui trace --nth 2 app.log",
		Args:    cobra.MaximumNArgs(1),
	}
	flags.registerFixes(c.Flags())
	flags.registerLog(c.Flags())
	flags.registerScreen(c.Flags())
	c.Flags().StringVar(&flags.tags, "tags", "", "build tags")
	c.Flags().StringVar(&flags.buildFlags, "build-flags", "", "further flags for go build, separated by spaces")
	from.register(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		from.file = "-"
		if len(args) > 0 {
			from.file = args[0]
		}
		return runTrace(c, &flags, from)
	}
	return c
}

// traceFlags say which trace is meant.
type traceFlags struct {
	file string // "-": standard input
	nth  int
}

func (f *traceFlags) register(s *pflag.FlagSet) {
	s.IntVar(&f.nth, "nth", 0, "of a log with several traces take number `N`, counted from 1 among those that differ")
}

func (f traceFlags) stdin() bool { return f.file == "-" }

// name is the log, for people.
func (f traceFlags) name() string {
	if f.stdin() {
		return "what was given"
	}
	return fmt.Sprintf("%q", f.file)
}

// fits refuses what makes no sense of a command that runs something otherwise.
func (f traceFlags) fits(args []string, runs bool) error {
	switch {
	case f.nth < 0:
		return usageError(fmt.Errorf("--nth %d: want 1 or more", f.nth))
	case f.file == "" && f.nth > 0:
		return usageError(errors.New("--nth takes one of the traces of --trace FILE"))
	case f.file != "" && len(args) > 0:
		return usageError(errors.New("--trace runs nothing: no package, please"))
	case f.file != "" && runs:
		return usageError(errors.New("--trace runs nothing: no --test, and nothing is verified that --apply could apply"))
	}
	return nil
}

func runTrace(c *cobra.Command, flags *targetFlags, from traceFlags) error {
	if err := from.fits(nil, false); err != nil {
		return err
	}
	done, err := flags.takeTerminal(from.stdin())
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
	if err := flags.takeTrace(c.Context(), &opts, from); err != nil {
		return err
	}
	return startSession(c.Context(), flags, opts, m)
}

// fixTrace is takeTrace for who is to mend a crash.
func (f *targetFlags) fixTrace(ctx context.Context, opts *engine.Options, from traceFlags) error {
	if err := f.takeTrace(ctx, opts, from); err != nil {
		return err
	}
	if !opts.Trace.Died() {
		return advice.Add(fmt.Errorf("there is nothing to mend: the trace in %s is of no crash", from.name()), "pausetui trace shows where its goroutines stood")
	}
	return nil
}

// takeTrace reads a log, chooses one of its traces, and has the engine take it
// for its target.
func (f *targetFlags) takeTrace(ctx context.Context, opts *engine.Options, from traceFlags) error {
	log, err := readLog(ctx, from)
	if err != nil {
		return err
	}
	list := log.Distinct()
	if len(list) == 0 {
		return advice.Add(fmt.Errorf("there is no trace in %s (%d lines)", from.name(), log.Lines),
			"it takes what a Go program prints when it dies: a panic or fatal error, and the goroutines below it")
	}
	n, err := f.pick(ctx, list, from)
	if err != nil {
		return err
	}
	where := &session.Trace{Line: list[n].Line, Number: n + 1, Of: len(list), Times: list[n].Times}
	if !from.stdin() {
		if where.File, err = filepath.Abs(from.file); err != nil {
			return fmt.Errorf("read a trace: %w", err)
		}
	}
	opts.Trace = list[n].Trace
	opts.Mode = session.LaunchMode{Kind: session.ModeTrace, Trace: where}
	return nil
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
		return done, advice.Add(errNoTerminal, "--plain reports in lines")
	}
	f.commands = report
	return done, nil
}

// brief is a trace in a line.
func brief(t trace.Distinct) string {
	words := session.Clean(strings.Join(strings.Fields(t.Title()), " "))
	if len(t.Goroutines) > 0 {
		if at := t.Goroutines[0].User; at.Function != "" {
			words += fmt.Sprintf(" · %s %s:%d", session.Clean(session.ShortFunction(at.Function)), session.Clean(filepath.Base(at.File)), at.Line)
		}
	}
	return words
}

var errSeveral = errors.New("there are several traces")
