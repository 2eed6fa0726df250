package flags

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// DefaultRounds is how often a failed candidate goes back to its model.
const DefaultRounds = 2

// Models says which models are asked, and what those on other machines get.
type Models struct {
	Offline                 bool
	Profiles, ModelNames    []string
	Prompt                  string
	maxRounds               int
	AllowRemote, SendOutput bool
}

// Register adds the flags.
func (f *Models) Register(s *pflag.FlagSet) {
	s.BoolVar(&f.Offline, "offline", false, "use only the built-in fixer, no models")
	s.StringArrayVar(&f.Profiles, "profile", nil, "ask the profile `NAME` of the configuration")
	s.StringArrayVar(&f.ModelNames, "model", nil, "ask the model `PROVIDER/NAME`")
	s.StringVar(&f.Prompt, "prompt", "", "use the prompt profile `NAME`")
	s.IntVar(&f.maxRounds, "max-rounds", DefaultRounds, "send a fix that failed back to its model at most `N` times")
	s.BoolVar(&f.AllowRemote, "allow-remote", false, "allow models that run on other machines")
	s.BoolVar(&f.SendOutput, "send-output", false, "send the output of failed checks to models on other machines without showing it to you first")
}

// Apply implements Group.
func (f *Models) Apply(o *options.Session) error {
	if f.maxRounds < 0 {
		return fmt.Errorf("--max-rounds %d: want 0 or more", f.maxRounds)
	}
	o.Fixes.MaxRounds, o.Privacy.AllowRemote, o.Privacy.SendOutput = roundsOption(f.maxRounds), f.AllowRemote, f.SendOutput
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

// Proofs says how candidates are proved, and what becomes of one that is
// applied.
type Proofs struct {
	Allow         []string
	unsandboxed   bool
	maxCandidates int
	Commit        bool
}

// Register adds the flags.
func (f *Proofs) Register(s *pflag.FlagSet) {
	s.StringArrayVar(&f.Allow, "allow", nil, "let proofs use `WHAT` the sandbox blocks: network, file:PATH, env:NAME, files, directives (cgo, assembly, go:embed);\nrepeatable, or a list: network,files")
	s.BoolVar(&f.unsandboxed, "allow-unsandboxed", false, "run fixes even if there is no sandbox")
	s.IntVar(&f.maxCandidates, "max-candidates", 0, "prove at most `N` fixes at each stop (default 8)")
	s.BoolVar(&f.Commit, "commit", false, "commit each applied fix, and only its changes")
}

// Apply implements Group.
func (f *Proofs) Apply(o *options.Session) error {
	if f.maxCandidates < 0 {
		return fmt.Errorf("--max-candidates %d: want at least 1", f.maxCandidates)
	}
	allow, err := allowed(f.Allow)
	if err != nil {
		return err
	}
	o.Proofs.Allow, o.Proofs.AllowUnsandboxed, o.Fixes.MaxCandidates, o.Log.Commit = allow, f.unsandboxed, f.maxCandidates, f.Commit
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

// Fixes holds the flags of every command that proposes fixes.
type Fixes struct {
	Models
	Proofs
	given *pflag.FlagSet // which of them were given
}

// WithoutModels returns the flags of a command that asks no model.
func WithoutModels(rounds int, proofs Proofs) Fixes {
	return Fixes{Models: Models{Offline: true, maxRounds: rounds}, Proofs: proofs, given: pflag.NewFlagSet("", pflag.ContinueOnError)}
}

// Register adds the flags.
func (f *Fixes) Register(s *pflag.FlagSet) {
	f.given = s
	f.Models.Register(s)
	f.Proofs.Register(s)
}

// Apply implements Group.
func (f *Fixes) Apply(o *options.Session) error {
	if err := f.Models.Apply(o); err != nil {
		return err
	}
	o.Choice = f.choice()
	return f.Proofs.Apply(o)
}

// choice is what the flags say about the fixes, for the session's first event.
func (f *Fixes) choice() session.Choice {
	c := session.Choice{Offline: f.Offline, Models: f.ModelNames, Profiles: f.Profiles, Prompt: f.Prompt, MaxCandidates: f.maxCandidates, Commit: f.Commit}
	if f.given.Changed("max-rounds") {
		c.MaxRounds = &f.maxRounds
	}
	return c
}

// Take takes over the choice of the session that is resumed, except for flags
// that are given now. Naming a model, or none, replaces all models of that
// choice.
func (f *Fixes) Take(c session.Choice) {
	changed := f.given.Changed
	if !changed("offline") && !changed("model") && !changed("profile") {
		f.Offline, f.ModelNames, f.Profiles = c.Offline, c.Models, c.Profiles
	}
	if !changed("prompt") {
		f.Prompt = c.Prompt
	}
	if !changed("max-candidates") && c.MaxCandidates > 0 {
		f.maxCandidates = c.MaxCandidates
	}
	if !changed("max-rounds") && c.MaxRounds != nil && *c.MaxRounds >= 0 {
		f.maxRounds = *c.MaxRounds
	}
	if !changed("commit") {
		f.Commit = c.Commit
	}
}

// Bound takes the limits of the configuration where no flag sets another.
func (f *Fixes) Bound(o *options.Session, c config.Config) {
	o.Target.Filter.In, o.Target.Filter.Not = slices.Concat(c.Panics.In, o.Target.Filter.In), slices.Concat(c.Panics.Not, o.Target.Filter.Not)
	o.Fixes.Limits = options.Limits{FirstToken: time.Duration(c.Limits.FirstToken), Total: time.Duration(c.Limits.Total), Lookups: c.Limits.Lookups,
		Asking: time.Duration(c.Limits.Asking), Tokens: c.Limits.Tokens, Cost: c.Limits.Cost,
		Time: time.Duration(c.Limits.Time), Memory: int64(c.Limits.Memory) << 20}
	if f.maxCandidates == 0 {
		o.Fixes.MaxCandidates = c.Limits.MaxCandidates
	}
	if !f.given.Changed("max-rounds") && f.maxRounds == DefaultRounds {
		o.Fixes.MaxRounds = roundsOption(c.Limits.MaxRounds)
	}
}
