// Package trace implements the command trace: a session about the trace of a panic that
// was pasted, piped or found in a log.
package trace

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

	"github.com/pausetui/pausetui/debugger/trace"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/cli/frontend"
	"github.com/pausetui/pausetui/internal/cli/setup"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/text"
)

// options are the options of trace.
type options struct {
	*cli.System

	flags.Screen
	flags.Fixes
	flags.Log
	flags.Build
	Flags
}

// New makes the command.
func New(sys *cli.System, runF func(context.Context, *options) error) *cobra.Command {
	o := &options{System: sys}
	c := &cobra.Command{
		Use:   "trace [FILE|-]",
		Short: "Inspect the trace of a panic: pasted, piped, or in a log",
		Long: "trace reads what a Go program printed when it crashed: a pasted trace, or a log that contains traces, with any prefix\n" +
			"before its lines. It shows the stack, the source at the recorded lines, and fixes. Fixes are built, vetted and\n" +
			"tested, but not run, because there is no process. Run it in the program's module.\n" +
			"Without FILE, or with -, it reads standard input: paste the trace, then press ctrl+d.",
		Example: "kubectl logs app-7d9f | pausetui trace\npausetui trace crash.log\npausetui trace --nth 2 app.log",
		Args:    cobra.MaximumNArgs(1),
	}
	o.Screen.Register(c.Flags())
	o.Fixes.Register(c.Flags())
	o.Log.Register(c.Flags())
	o.Build.Register(c.Flags())
	o.Flags.Register(c.Flags())
	if runF == nil {
		runF = run
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		o.File = "-"
		if len(args) > 0 {
			o.File = args[0]
		}
		if err := o.Fits(nil, false); err != nil {
			return err
		}
		return runF(c.Context(), o)
	}
	return c
}

// Flags say which trace to look at.
type Flags struct {
	File string // "-": standard input
	nth  int
}

// Register adds the flags that trace and fix share.
func (f *Flags) Register(s *pflag.FlagSet) {
	s.IntVar(&f.nth, "nth", 0, "use trace number `N` of a log with several different traces, counted from 1")
}

func (f Flags) fromStdin() bool { return f.File == "-" }

// name is the log, for people.
func (f Flags) name() string {
	if f.fromStdin() {
		return "standard input"
	}
	return fmt.Sprintf("%q", f.File)
}

// Fits refuses flags that contradict a trace; runs says whether another flag
// needs a process.
func (f Flags) Fits(args []string, runs bool) error {
	switch {
	case f.nth < 0:
		return cli.UsageError(fmt.Errorf("--nth %d: want 1 or more", f.nth))
	case f.File == "" && f.nth > 0:
		return cli.UsageError(errors.New("--nth takes one of the traces of --trace FILE"))
	case f.File != "" && len(args) > 0:
		return cli.UsageError(errors.New("--trace runs nothing: it takes no package"))
	case f.File != "" && runs:
		return cli.UsageError(errors.New("--trace runs nothing: no --test, and nothing is verified that --apply could apply"))
	}
	return nil
}

func run(ctx context.Context, o *options) error {
	f := frontend.New(o.System, o.Screen)
	from := source{f, o.Flags}
	done, err := from.takeTerminal()
	if err != nil {
		return err
	}
	defer done()
	m, err := setup.OpenMarks(o.Timings)
	if err != nil {
		return err
	}
	defer m.Close()
	s, err := setup.Prepare(o.System, m, &o.Fixes, &o.Log, &o.Build)
	if err != nil {
		return err
	}
	if err := from.takeTrace(ctx, &s); err != nil {
		return err
	}
	return f.Start(ctx, s, m)
}

// source is the log that a trace is read from, with the frontend that asks which one
// is meant.
type source struct {
	*frontend.Frontend
	Flags
}

// TakeCrash makes a trace that must be of a crash the target of a session. Nothing can
// be asked.
func TakeCrash(ctx context.Context, sys *cli.System, from Flags, s *setup.Session) error {
	if err := (source{frontend.New(sys, flags.Screen{Plain: true}), from}).takeTrace(ctx, s); err != nil {
		return err
	}
	if !s.Options.Target.Trace.Died() {
		return advice.Add(fmt.Errorf("there is nothing to fix: the trace in %s is not of a crash", from.name()), "pausetui trace shows where its goroutines were")
	}
	return nil
}

// takeTrace reads a log, chooses one of its traces, and makes it the target of
// the session.
func (from source) takeTrace(ctx context.Context, s *setup.Session) error {
	log, err := from.readLog(ctx)
	if err != nil {
		return err
	}
	list := log.Distinct()
	if len(list) == 0 {
		return advice.Add(fmt.Errorf("there is no trace in %s (%s)", from.name(), text.Plural(int64(log.Lines), "line")),
			"it takes what a Go program prints when it dies: a panic or fatal error, and the goroutines below it")
	}
	n, err := from.pick(ctx, list, s.Settings)
	if err != nil {
		return err
	}
	where := &session.Trace{Line: list[n].Line, Number: n + 1, Of: len(list), Times: list[n].Times}
	if !from.fromStdin() {
		if where.File, err = filepath.Abs(from.File); err != nil {
			return fmt.Errorf("read a trace: %w", err)
		}
	}
	s.Options.Target.Trace = list[n].Trace
	s.Options.Target.Mode = session.LaunchMode{Kind: session.ModeTrace, Trace: where}
	return nil
}

// fromLog are the commands in lines when standard input is the log.
const fromLog = "stack\nfixes\n"

// takeTerminal finds out where keys and commands come from: the terminal, if
// standard input is the log. done gives it back.
func (from source) takeTerminal() (done func(), err error) {
	done = func() {}
	if !from.fromStdin() || term.IsTerminal(from.Stdin.Fd()) {
		return done, from.CanShow("run it in a terminal; --plain works in lines")
	}
	if err := from.KnownTheme(); err != nil {
		return done, err
	}
	if term.IsTerminal(from.Stdout.Fd()) {
		if tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0); err == nil {
			from.Keys = tty
			return func() { _ = tty.Close() }, nil
		}
	}
	if !from.Plain {
		return done, advice.Add(cli.ErrNoTerminal, "--plain reports in lines")
	}
	from.Commands = fromLog
	return done, nil
}

// brief is a trace in a line.
func brief(t trace.Distinct) string {
	words := session.Clean(strings.Join(strings.Fields(t.Title()), " "))
	if at := t.Blamed(); at.Function != "" {
		words += fmt.Sprintf(" · %s %s:%d", session.Clean(session.ShortFunction(at.Function)), session.Clean(filepath.Base(at.File)), at.Line)
	}
	return words
}
