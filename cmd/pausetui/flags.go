package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/verify/repro"
	"github.com/pausetui/pausetui/verify/verdict"
)

// defaultRounds is how often a failed candidate goes back to its model.
const defaultRounds = 2

// targetFlags are the flags that debug and fix share.
type targetFlags struct {
	tags, buildFlags, workDir, stdin, logDir string
	env                                      []string
	race, offline, unsandboxed, noColor      bool
	commit, plain, noFailures, record        bool
	allowRemote, sendOutput                  bool
	profiles, models                         []string
	prompt, timings, theme                   string
	panics, repro, reproAfter                string
	panicsIn, panicsNot                      []string
	allow, breaks                            []string
	maxCandidates, maxRounds, repeat         int
	said                                     *pflag.FlagSet // which of them were given
	settings                                 config.Config  // of the module and the user

	// Where standard input was something else: the terminal, which keys and
	// commands come from then, or the commands themselves.
	keys     *os.File
	commands string

	roster *roster // the models, once options has made it; nil with --offline
}

func (f *targetFlags) register(c *cobra.Command) {
	s := c.Flags()
	f.registerFixes(s)
	f.registerLog(s)
	s.StringVar(&f.tags, "tags", "", "build tags")
	s.BoolVar(&f.race, "race", false, "build with the race detector")
	s.StringVar(&f.buildFlags, "build-flags", "", "further flags for go build, separated by spaces")
	f.registerStart(s)
	f.registerPanics(s)
}

func (f *targetFlags) registerLog(s *pflag.FlagSet) {
	s.StringVar(&f.logDir, "log-dir", "", "where session logs go (default debug/ in the module root)")
}

// registerStart adds how the target is started.
func (f *targetFlags) registerStart(s *pflag.FlagSet) {
	s.StringArrayVar(&f.env, "env", nil, "set `K=V` in the target's environment")
	s.StringVar(&f.workDir, "wd", "", "working directory of the target")
	s.StringVar(&f.stdin, "stdin", "", "give the target this `FILE` as standard input")
	s.StringVar(&f.repro, "repro", "", "run this `CMD` (a shell line) beside the target on every start, and in each proof, once it listens on a TCP port")
	s.IntVar(&f.repeat, "repeat", 1, "run the target up to `N` times until it stops; proofs then run as often")
	s.StringVar(&f.reproAfter, "repro-after", "", "… once it has printed this `TEXT` instead")
}

func (f *targetFlags) registerPanics(s *pflag.FlagSet) {
	s.StringVar(&f.panics, "panics", string(debugger.PanicsAuto), "which panics stop the target: auto (unrecovered ones, and those a server recovers),\nunrecovered, all, fatal (errors of the runtime only), off")
	s.StringSliceVar(&f.panicsIn, "panics-in", nil, "of the panics that the target lives on after, stop only at those in these packages:\n`PATTERN,…` like ./internal/... (one that ends the target always stops)")
	s.StringSliceVar(&f.panicsNot, "panics-not", nil, "… and not at those in these packages: `PATTERN,…` like encoding/json")
}

// registerTests adds what is for the tests of a package only.
func (f *targetFlags) registerTests(s *pflag.FlagSet) {
	s.BoolVar(&f.noFailures, "no-failures", false, "do not stop where a test fails, only at panics (so do --panics fatal and off)")
}

// registerRecord adds what only a person at a screen can use.
func (f *targetFlags) registerRecord(c *cobra.Command) {
	c.Flags().BoolVar(&f.record, "record", false, "record the run with rr and debug the recording, which also runs backwards")
}

// registerFixes adds the flags that do not name the target.
func (f *targetFlags) registerFixes(s *pflag.FlagSet) {
	f.said = s
	s.StringArrayVar(&f.allow, "allow", nil, "let the proofs use what they refuse: `network`, file:PATH, env:NAME, files, directives (cgo, assembly, go:embed); repeatable, or network,files")
	s.BoolVar(&f.offline, "offline", false, "the built-in fixer only, no models")
	s.StringArrayVar(&f.profiles, "profile", nil, "ask this profile of the configuration")
	s.StringArrayVar(&f.models, "model", nil, "ask this model, as `PROVIDER/NAME`")
	s.StringVar(&f.prompt, "prompt", "", "use this prompt profile")
	s.IntVar(&f.maxCandidates, "max-candidates", 0, "how many candidates to prove at most, a stop (default 8)")
	s.IntVar(&f.maxRounds, "max-rounds", defaultRounds, "how often a candidate that failed goes back to its model")
	s.BoolVar(&f.unsandboxed, "allow-unsandboxed", false, "run candidates even where there is no sandbox")
	s.BoolVar(&f.commit, "commit", false, "make a git commit of each fix that is applied, of its changes alone")
	s.BoolVar(&f.allowRemote, "allow-remote", false, "allow models that run on another machine")
	s.BoolVar(&f.sendOutput, "send-output", false, "send models on another machine what failed checks have printed, unseen")
	s.StringVar(&f.timings, "timings", "", "append a JSON line to this `FILE` for each mark on the way")
	s.BoolVar(&f.noColor, "no-color", false, "no colours (also NO_COLOR)")
}

// options makes the engine's options of the flags and the command's arguments.
func (f *targetFlags) options(ctx context.Context, c *cobra.Command, args []string, mark func(string)) (engine.Options, error) {
	pkg, rest, err := splitArgs(c, args)
	if err != nil {
		return engine.Options{}, usageError(err)
	}
	o, err := f.targetOptions(c, mark)
	if err != nil {
		return o, err
	}
	o.Package, o.Args = pkg, rest
	return o, f.chooseModels(&o)
}

// targetOptions makes the engine's options of the flags, but for what is
// debugged and for the models.
func (f *targetFlags) targetOptions(c *cobra.Command, mark func(string)) (engine.Options, error) {
	dir, err := os.Getwd()
	if err != nil {
		return engine.Options{}, fmt.Errorf("find the working directory: %w", err)
	}
	for _, kv := range f.env {
		if !strings.Contains(kv, "=") {
			return engine.Options{}, usageError(fmt.Errorf("--env %q: want K=V", kv))
		}
	}
	if f.maxCandidates < 0 {
		return engine.Options{}, usageError(fmt.Errorf("--max-candidates %d: want at least 1", f.maxCandidates))
	}
	if f.maxRounds < 0 {
		return engine.Options{}, usageError(fmt.Errorf("--max-rounds %d: want 0 or more", f.maxRounds))
	}
	if f.repeat < 0 {
		return engine.Options{}, usageError(fmt.Errorf("--repeat %d: want 1 or more", f.repeat))
	}
	rounds := f.maxRounds
	if rounds == 0 {
		rounds = -1 // never
	}
	panics, err := debugger.ParsePanicMode(f.panics)
	if err != nil {
		return engine.Options{}, usageError(fmt.Errorf("--panics: %w", err))
	}
	if f.reproAfter != "" && f.repro == "" {
		return engine.Options{}, usageError(errors.New("--repro-after says when --repro CMD is run: give both"))
	}
	allow, err := allowed(f.allow)
	if err != nil {
		return engine.Options{}, usageError(err)
	}
	return engine.Options{Version: versionText(), Estimator: prompts.NewEstimator(prompts.TokensFile()), Mark: mark, Dir: dir, Tags: f.tags, Race: f.race,
		BuildFlags: strings.Fields(f.buildFlags), Env: f.env, WorkDir: f.workDir, Stdin: f.stdin, LogDir: f.logDir,
		MaxCandidates: f.maxCandidates, MaxRounds: rounds, AllowUnsandboxed: f.unsandboxed, Commit: f.commit, Repeat: f.repeat,
		Break: f.breaks, Panics: panics, Filter: debugger.PanicFilter{In: f.panicsIn, Not: f.panicsNot}, NoFailures: f.noFailures, Repro: repro.Plan{Command: f.repro, After: f.reproAfter}, Allow: allow, Choice: f.choice(c.Flags())}, nil
}

// allowed reads the values of --allow.
func allowed(values []string) ([]string, error) {
	var list []string
	for _, what := range strings.FieldsFunc(strings.Join(values, ","), func(r rune) bool { return r == ',' }) {
		if file, ok := strings.CutPrefix(what, verdict.AllowFile); ok {
			if abs, err := filepath.Abs(file); err == nil {
				what = verdict.AllowFile + abs
			}
		}
		if !verdict.Allowable(what) {
			return nil, fmt.Errorf("--allow %q: want network, file:PATH to read one file, env:NAME to see a variable, files, or directives", what)
		}
		list = append(list, what)
	}
	return list, nil
}

// splitArgs tells the package (or .go files) from the target's own arguments.
func splitArgs(c *cobra.Command, args []string) (pkg string, rest []string, err error) {
	before := args
	if n := c.ArgsLenAtDash(); n >= 0 {
		before, rest = args[:n], args[n:]
	}
	switch {
	case len(before) == 0:
		return ".", rest, nil
	case len(before) == 1:
		return before[0], rest, nil
	}
	for _, a := range before {
		if !strings.HasSuffix(a, ".go") {
			return "", nil, errors.New("one package, please; arguments of the target come after --")
		}
	}
	return strings.Join(before, " "), rest, nil
}

// marks writes the lines of --timings.
type marks struct {
	file  *os.File
	began time.Time
}

func openMarks(path string) (*marks, error) {
	m := &marks{began: processStart()}
	if path == "" {
		return m, nil
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the timings file: %w", err)
	}
	m.file = file
	return m, nil
}

func (m *marks) mark(name string) {
	if m.file != nil {
		fmt.Fprintf(m.file, "{\"mark\":%q,\"ms\":%.1f}\n", name, float64(time.Since(m.began).Microseconds())/1000)
	}
}

func (m *marks) close() {
	if m.file != nil {
		_ = m.file.Close()
	}
}

// started is as near to the process's beginning as Go code gets.
var started = time.Now()

func processStart() time.Time { return started }
