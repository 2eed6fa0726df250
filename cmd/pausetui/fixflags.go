package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// defaultRounds is how often a failed candidate goes back to its model.
const defaultRounds = 2

// modelFlags say which models are asked, and what those on other machines get.
type modelFlags struct {
	offline                 bool
	profiles, modelNames    []string
	prompt                  string
	maxRounds               int
	allowRemote, sendOutput bool
}

func (f *modelFlags) register(s *pflag.FlagSet) {
	s.BoolVar(&f.offline, "offline", false, "use only the built-in fixer, no models")
	s.StringArrayVar(&f.profiles, "profile", nil, "ask the profile `NAME` of the configuration")
	s.StringArrayVar(&f.modelNames, "model", nil, "ask the model `PROVIDER/NAME`")
	s.StringVar(&f.prompt, "prompt", "", "use the prompt profile `NAME`")
	s.IntVar(&f.maxRounds, "max-rounds", defaultRounds, "send a fix that failed back to its model at most `N` times")
	s.BoolVar(&f.allowRemote, "allow-remote", false, "allow models that run on other machines")
	s.BoolVar(&f.sendOutput, "send-output", false, "send the output of failed checks to models on other machines without showing it to you first")
}

func (f *modelFlags) apply(o *engine.Options) error {
	if f.maxRounds < 0 {
		return fmt.Errorf("--max-rounds %d: want 0 or more", f.maxRounds)
	}
	o.Fixes.MaxRounds, o.Privacy.AllowRemote, o.Privacy.SendOutput = roundsOption(f.maxRounds), f.allowRemote, f.sendOutput
	return nil
}

// roundsOption is a number of rounds as the engine takes it, to which 0 is the
// default.
func roundsOption(n int) int {
	if n == 0 {
		return -1 // never
	}
	return n
}

// proofFlags say how candidates are proved, and what becomes of one that is
// applied.
type proofFlags struct {
	allow         []string
	unsandboxed   bool
	maxCandidates int
	commit        bool
}

func (f *proofFlags) register(s *pflag.FlagSet) {
	s.StringArrayVar(&f.allow, "allow", nil, "let proofs use `WHAT` the sandbox blocks: network, file:PATH, env:NAME, files, directives (cgo, assembly, go:embed);\nrepeatable, or a list: network,files")
	s.BoolVar(&f.unsandboxed, "allow-unsandboxed", false, "run fixes even if there is no sandbox")
	s.IntVar(&f.maxCandidates, "max-candidates", 0, "prove at most `N` fixes at each stop (default 8)")
	s.BoolVar(&f.commit, "commit", false, "commit each applied fix, and only its changes")
}

func (f *proofFlags) apply(o *engine.Options) error {
	if f.maxCandidates < 0 {
		return fmt.Errorf("--max-candidates %d: want at least 1", f.maxCandidates)
	}
	allow, err := allowed(f.allow)
	if err != nil {
		return err
	}
	o.Proofs.Allow, o.Proofs.AllowUnsandboxed, o.Fixes.MaxCandidates, o.Log.Commit = allow, f.unsandboxed, f.maxCandidates, f.commit
	return nil
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

// fixFlags are the flags of every command that proposes fixes.
type fixFlags struct {
	modelFlags
	proofFlags
	given *pflag.FlagSet // which of them were given
}

// withoutModels are flags of a command that asks no model.
func withoutModels(rounds int, proofs proofFlags) fixFlags {
	return fixFlags{modelFlags: modelFlags{offline: true, maxRounds: rounds}, proofFlags: proofs, given: pflag.NewFlagSet("", pflag.ContinueOnError)}
}

func (f *fixFlags) register(s *pflag.FlagSet) {
	f.given = s
	f.modelFlags.register(s)
	f.proofFlags.register(s)
}

func (f *fixFlags) apply(o *engine.Options) error {
	if err := f.modelFlags.apply(o); err != nil {
		return err
	}
	o.Choice = f.choice()
	return f.proofFlags.apply(o)
}

// choice is what the flags say about the fixes, for the session's first event.
func (f *fixFlags) choice() session.Choice {
	c := session.Choice{Offline: f.offline, Models: f.modelNames, Profiles: f.profiles, Prompt: f.prompt, MaxCandidates: f.maxCandidates, Commit: f.commit}
	if f.given.Changed("max-rounds") {
		c.MaxRounds = &f.maxRounds
	}
	return c
}

// take takes over the choice of the session that is resumed, except for flags
// that are given now. Naming a model, or none, replaces all models of that
// choice.
func (f *fixFlags) take(c session.Choice) {
	changed := f.given.Changed
	if !changed("offline") && !changed("model") && !changed("profile") {
		f.offline, f.modelNames, f.profiles = c.Offline, c.Models, c.Profiles
	}
	if !changed("prompt") {
		f.prompt = c.Prompt
	}
	if !changed("max-candidates") && c.MaxCandidates > 0 {
		f.maxCandidates = c.MaxCandidates
	}
	if !changed("max-rounds") && c.MaxRounds != nil && *c.MaxRounds >= 0 {
		f.maxRounds = *c.MaxRounds
	}
	if !changed("commit") {
		f.commit = c.Commit
	}
}

// bound takes the limits of the configuration where no flag sets another.
func (f *fixFlags) bound(o *engine.Options, c config.Config) {
	o.Target.Filter.In, o.Target.Filter.Not = slices.Concat(c.Panics.In, o.Target.Filter.In), slices.Concat(c.Panics.Not, o.Target.Filter.Not)
	o.Fixes.Limits = engine.Limits{FirstToken: time.Duration(c.Limits.FirstToken), Total: time.Duration(c.Limits.Total), Lookups: c.Limits.Lookups,
		Asking: time.Duration(c.Limits.Asking), Tokens: c.Limits.Tokens, Cost: c.Limits.Cost,
		Time: time.Duration(c.Limits.Time), Memory: int64(c.Limits.Memory) << 20}
	if f.maxCandidates == 0 {
		o.Fixes.MaxCandidates = c.Limits.MaxCandidates
	}
	if !f.given.Changed("max-rounds") && f.maxRounds == defaultRounds {
		o.Fixes.MaxRounds = roundsOption(c.Limits.MaxRounds)
	}
}
