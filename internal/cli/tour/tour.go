// Package tour implements the command tour: it debugs a small program and says what to do
// next.
package tour

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/cli/frontend"
	"github.com/pausetui/pausetui/internal/cli/sessions"
	"github.com/pausetui/pausetui/internal/cli/setup"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/session"
)

// program is what the tour debugs: a small program with a fault.
//
//go:embed tour.txtar
var program []byte

// New makes the command.
func New(sys *cli.System) *cobra.Command {
	screen := flags.Screen{}
	keep := false
	c := &cobra.Command{
		Use: "tour", Short: "Learn pausetui in five minutes: a stop, a fix, an undo, past sessions", Args: cobra.NoArgs,
		Long: "tour debugs a small program with a fault, in a temporary directory. It says what to\n" +
			"do next, step by step. No model is asked: the fixes come from the built-in fixer.",
		Example: "pausetui tour\npausetui tour --plain",
	}
	screen.Register(c.Flags())
	c.Flags().BoolVar(&keep, "keep", false, "keep the directory of the program")
	c.RunE = func(c *cobra.Command, _ []string) error { return run(c, sys, screen, keep) }
	return c
}

func run(c *cobra.Command, sys *cli.System, screen flags.Screen, keep bool) (err error) {
	f := frontend.New(sys, screen)
	f.Guide = isStep
	if err := f.CanShow("--plain works in lines"); err != nil {
		return err
	}
	// The program is on its own: another user may have put a go.work into /tmp.
	if err := os.Setenv("GOWORK", "off"); err != nil {
		return err
	}
	dir, err := makeProgram()
	if err != nil {
		return err
	}
	if keep {
		printable.Fprintln(sys.Stdout, "the program is in", dir)
	} else {
		defer func() { err = errors.Join(err, os.RemoveAll(filepath.Dir(dir))) }()
	}
	fixes := flags.WithoutModels(flags.DefaultRounds, flags.Proofs{})
	there := *sys
	there.Getwd = func() (string, error) { return dir, nil }
	s, err := setup.Prepare(&there, &setup.Marks{}, &fixes)
	if err != nil {
		return err
	}
	s.Options.Stores.Memory = nil // what the tour fixes is of no use to the person's programs
	e, err := engine.New(c.Context(), s.Options)
	if err != nil {
		return err
	}
	g := &guide{engine: e, steps: screenSteps, seen: map[int]bool{}}
	if screen.Plain {
		g.steps = lineSteps
	}
	done := make(chan struct{})
	go func() { defer close(done); g.follow() }()
	f.System = &there
	err = f.Show(c.Context(), e, s, &setup.Marks{})
	<-done
	if err != nil {
		return err
	}
	if g.done() && !screen.Plain && term.IsTerminal(sys.Stdin.Fd()) {
		if _, err := sessions.Browse(c.Context(), &there, filepath.Join(dir, "debug"), lastStep); err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	_, _ = io.WriteString(sys.Stdout, "\n"+g.end())
	return nil
}

// makeProgram makes a module of the program, in a temporary directory of its own. The
// program is called as its directory is: tour.
func makeProgram() (string, error) {
	own, err := os.MkdirTemp("", scratch.Pattern("tour"))
	if err != nil {
		return "", fmt.Errorf("make a directory for the tour: %w", err)
	}
	if own, err = filepath.EvalSymlinks(own); err != nil {
		return "", fmt.Errorf("make a directory for the tour: %w", err)
	}
	dir := filepath.Join(own, "tour")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", errors.Join(fmt.Errorf("make a directory for the tour: %w", err), os.RemoveAll(own))
	}
	for _, f := range txtar.Parse(program).Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
			return "", errors.Join(fmt.Errorf("write the program of the tour: %w", err), os.RemoveAll(own))
		}
	}
	return dir, nil
}

// step is what the person is to do and what it means: together two lines of 80
// cells.
type step struct{ text, hint string }

// screenSteps are those on the screen, lineSteps those in lines.
var (
	screenSteps = []step{
		{"Tour 1/5: it stopped at a panic, in the marked line", "tab, j and k look around; fixes are being proved, which takes some seconds"},
		{"Tour 2/5: a fix is proved: it builds, and the run ends well", "6 and enter read it, a approves it, y confirms"},
		{"Tour 3/5: fixed, as the restart shows", "a change and a test were written; u and y take them back"},
		{"Tour 4/5: the files are as they were", "q leaves, and past sessions are shown; this one is the first of them"},
	}
	lineSteps = []step{
		{"Tour 1/5: it stopped at a panic, and the line that begins with why says why", "here, print x and goroutines look around; fixes are being proved"},
		{"Tour 2/5: a fix is proved: it builds, and the run ends well", "show 1 reads it, approve 1 and y apply it"},
		{"Tour 3/5: fixed, as the restart shows", "a change and a test were written; undo and y take them back"},
		{"Tour 4/5: the files are as they were", "quit leaves; in a module of yours, pausetui sessions shows past sessions"},
	}
)

const lastStep = "Tour 5/5: past sessions. Type to search; ctrl+t: statistics; esc leaves"

// isStep reports whether a notice is a step of the tour on the screen.
func isStep(n session.Notice) bool {
	return slices.ContainsFunc(screenSteps, func(s step) bool { return s.text == n.Text })
}
