package flags

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/verify/repro"
)

// Build says how the target is built.
type Build struct {
	Tags, extra string
	Race        bool
}

// Register adds the flags.
func (f *Build) Register(s *pflag.FlagSet) {
	s.StringVar(&f.Tags, "tags", "", "build with `TAGS`")
	s.StringVar(&f.extra, "build-flags", "", "more `FLAGS` for go build, separated by spaces")
}

// RegisterRace adds the flag of the race detector.
func (f *Build) RegisterRace(s *pflag.FlagSet) {
	s.BoolVar(&f.Race, "race", false, "build with the race detector")
}

// Apply implements Group.
func (f *Build) Apply(o *options.Session) error {
	o.Target.Tags, o.Target.Race, o.Target.BuildFlags = f.Tags, f.Race, strings.Fields(f.extra)
	return nil
}

// Run says how the target is started.
type Run struct {
	Env               []string
	WorkDir, stdin    string
	tty               string
	repro, reproAfter string
	Repeat            int
}

// Register adds the flags.
func (f *Run) Register(s *pflag.FlagSet) {
	s.StringArrayVar(&f.Env, "env", nil, "set `K=V` in the program's environment")
	s.StringVar(&f.WorkDir, "wd", "", "run the program in `DIR`")
	s.StringVar(&f.stdin, "stdin", "", "use `FILE` as the program's standard input")
	s.StringVar(&f.tty, "tty", "", "use the terminal at `PATH` (as tty prints it) for the program's screen, keys and output")
	s.StringVar(&f.repro, "repro", "", "run `CMD` (a shell command) on every start and in each proof, once the program listens on a TCP port")
	s.StringVar(&f.reproAfter, "repro-after", "", "start --repro when the program prints `TEXT`, instead of when it listens")
	s.IntVar(&f.Repeat, "repeat", 1, "run the program up to `N` times until it stops; reruns in proofs are repeated as often")
}

// Apply implements Group.
func (f *Run) Apply(o *options.Session) error {
	for _, kv := range f.Env {
		if !strings.Contains(kv, "=") {
			return fmt.Errorf("--env %q: want K=V", kv)
		}
	}
	if f.Repeat < 0 {
		return fmt.Errorf("--repeat %d: want 1 or more", f.Repeat)
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
	o.Target.Env, o.Target.WorkDir, o.Target.Stdin, o.Target.TTY, o.Target.Repeat = f.Env, f.WorkDir, f.stdin, f.tty, f.Repeat
	o.Target.Repro = repro.Plan{Command: f.repro, After: f.reproAfter}
	return nil
}

// Stops says where the target stops.
type Stops struct {
	Panics              string
	PanicsIn, panicsNot []string
	Breaks              []string
	NoFailures          bool
}

// Register adds the flags.
func (f *Stops) Register(s *pflag.FlagSet) {
	s.StringVar(&f.Panics, "panics", string(debugger.PanicsAuto), "which panics stop the target: `KIND` is auto (unrecovered ones, and those a server recovers),\nunrecovered, all, fatal (fatal errors of the runtime only) or off")
	s.StringSliceVar(&f.PanicsIn, "panics-in", nil, "of the panics that the program survives, stop only at those in packages that match `PATTERN,…`,\nsuch as ./internal/... (a panic that ends the program always stops it)")
	s.StringSliceVar(&f.panicsNot, "panics-not", nil, "of the panics that the program survives, do not stop at those in packages that match `PATTERN,…`,\nsuch as encoding/json")
}

// RegisterBreaks adds the breakpoints that a session begins with.
func (f *Stops) RegisterBreaks(s *pflag.FlagSet) {
	s.StringArrayVar(&f.Breaks, "break", nil, "stop at `LOCATION`: main.main, file.go:12, (*T).Method or /regexp/, optionally with if CONDITION; repeatable")
}

// RegisterTests adds the flag that only the tests of a package have.
func (f *Stops) RegisterTests(s *pflag.FlagSet) {
	s.BoolVar(&f.NoFailures, "no-failures", false, "stop only at panics, not where a test fails (implied by --panics fatal and off)")
}

// Apply implements Group.
func (f *Stops) Apply(o *options.Session) error {
	mode, err := debugger.ParsePanicMode(f.Panics)
	if err != nil {
		return fmt.Errorf("--panics: %w", err)
	}
	o.Target.Panics, o.Target.Filter = mode, debugger.PanicFilter{In: f.PanicsIn, Not: f.panicsNot}
	o.Target.Break, o.Target.NoFailures = f.Breaks, f.NoFailures
	return nil
}
