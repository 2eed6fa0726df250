package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/verify/repro"
)

// Groups of flags that several commands share. A command's options embed the
// groups that it has. Each group registers its flags, and applies what was given
// to the options of a session; what apply returns is a mistake in the usage.

// group is a group of flags about a session.
type group interface {
	apply(*engine.Options) error
}

// buildFlags say how the target is built.
type buildFlags struct {
	tags, extra string
	race        bool
}

func (f *buildFlags) register(s *pflag.FlagSet) {
	s.StringVar(&f.tags, "tags", "", "build with `TAGS`")
	s.StringVar(&f.extra, "build-flags", "", "more `FLAGS` for go build, separated by spaces")
}

func (f *buildFlags) registerRace(s *pflag.FlagSet) {
	s.BoolVar(&f.race, "race", false, "build with the race detector")
}

func (f *buildFlags) apply(o *engine.Options) error {
	o.Target.Tags, o.Target.Race, o.Target.BuildFlags = f.tags, f.race, strings.Fields(f.extra)
	return nil
}

// runFlags say how the target is started.
type runFlags struct {
	env               []string
	workDir, stdin    string
	tty               string
	repro, reproAfter string
	repeat            int
}

func (f *runFlags) register(s *pflag.FlagSet) {
	s.StringArrayVar(&f.env, "env", nil, "set `K=V` in the program's environment")
	s.StringVar(&f.workDir, "wd", "", "run the program in `DIR`")
	s.StringVar(&f.stdin, "stdin", "", "use `FILE` as the program's standard input")
	s.StringVar(&f.tty, "tty", "", "use the terminal at `PATH` (as tty prints it) for the program's screen, keys and output")
	s.StringVar(&f.repro, "repro", "", "run `CMD` (a shell command) on every start and in each proof, once the program listens on a TCP port")
	s.StringVar(&f.reproAfter, "repro-after", "", "start --repro when the program prints `TEXT`, instead of when it listens")
	s.IntVar(&f.repeat, "repeat", 1, "run the program up to `N` times until it stops; reruns in proofs are repeated as often")
}

func (f *runFlags) apply(o *engine.Options) error {
	for _, kv := range f.env {
		if !strings.Contains(kv, "=") {
			return fmt.Errorf("--env %q: want K=V", kv)
		}
	}
	if f.repeat < 0 {
		return fmt.Errorf("--repeat %d: want 1 or more", f.repeat)
	}
	if f.reproAfter != "" && f.repro == "" {
		return errors.New("--repro-after says when --repro CMD is run: give both")
	}
	if f.tty != "" {
		terminal, err := os.OpenFile(f.tty, os.O_RDWR|syscall.O_NOCTTY, 0)
		if err != nil {
			return fmt.Errorf("--tty %q: %w", f.tty, err)
		}
		isTerminal := term.IsTerminal(terminal.Fd())
		if err := terminal.Close(); err != nil || !isTerminal {
			return cli.UsageError(fmt.Errorf("--tty %q: not a terminal", f.tty))
		}
	}
	o.Target.Env, o.Target.WorkDir, o.Target.Stdin, o.Target.TTY, o.Target.Repeat = f.env, f.workDir, f.stdin, f.tty, f.repeat
	o.Target.Repro = repro.Plan{Command: f.repro, After: f.reproAfter}
	return nil
}

// stopFlags say where the target stops.
type stopFlags struct {
	panics              string
	panicsIn, panicsNot []string
	breaks              []string
	noFailures          bool
}

func (f *stopFlags) register(s *pflag.FlagSet) {
	s.StringVar(&f.panics, "panics", string(debugger.PanicsAuto), "which panics stop the target: `KIND` is auto (unrecovered ones, and those a server recovers),\nunrecovered, all, fatal (fatal errors of the runtime only) or off")
	s.StringSliceVar(&f.panicsIn, "panics-in", nil, "of the panics that the program survives, stop only at those in packages that match `PATTERN,…`,\nsuch as ./internal/... (a panic that ends the program always stops it)")
	s.StringSliceVar(&f.panicsNot, "panics-not", nil, "of the panics that the program survives, do not stop at those in packages that match `PATTERN,…`,\nsuch as encoding/json")
}

// registerBreaks adds the breakpoints that a session begins with.
func (f *stopFlags) registerBreaks(s *pflag.FlagSet) {
	s.StringArrayVar(&f.breaks, "break", nil, "stop at `LOCATION`: main.main, file.go:12, (*T).Method or /regexp/, optionally with if CONDITION; repeatable")
}

// registerTests adds what is for the tests of a package only.
func (f *stopFlags) registerTests(s *pflag.FlagSet) {
	s.BoolVar(&f.noFailures, "no-failures", false, "stop only at panics, not where a test fails (implied by --panics fatal and off)")
}

func (f *stopFlags) apply(o *engine.Options) error {
	mode, err := debugger.ParsePanicMode(f.panics)
	if err != nil {
		return fmt.Errorf("--panics: %w", err)
	}
	o.Target.Panics, o.Target.Filter = mode, debugger.PanicFilter{In: f.panicsIn, Not: f.panicsNot}
	o.Target.Break, o.Target.NoFailures = f.breaks, f.noFailures
	return nil
}
