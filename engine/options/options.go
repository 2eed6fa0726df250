// Package options says what a session runs and how: its target, who is asked for fixes,
// what proofs may do, what leaves the process, and where things are kept.
package options

import (
	"context"
	"time"

	"github.com/pausetui/pausetui/config/userstate"
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/trace"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/engine/hooks"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/memory"
	"github.com/pausetui/pausetui/verify/repro"
)

// Session says what to run and how; the zero value of each field is its default.
type Session struct {
	// What happens outside, replaced in tests.
	Now  func() time.Time
	Mark func(name string) // timing marks, docs/reference/command-line.md; may be nil

	Version string
	Actor   string           // who decides, in the journal; "person" when empty
	Notices []session.Notice // what the person is to know at the start
	Choice  session.Choice   // what the person chose of all that, for when the session is resumed

	Target  Target
	Fixes   Fixes
	Proofs  Proofs
	Privacy Privacy
	Stores  Stores
	Log     Log

	Console console.Settings // of the command line
	Hooks   hooks.Set        // run at the points of the session
}

// Target says what is run, and where it stops.
type Target struct {
	Dir        string // the person's directory; packages are named from here
	Package    string // "." when empty
	Args       []string
	Test       bool
	Mode       session.LaunchMode // how the target is obtained; the zero value builds Package
	LetRun     bool               // a target that is found held goes on at once
	Gate       <-chan struct{}    // the first start waits until it is closed; nil for none
	Trace      trace.Trace        // of the launch mode ModeTrace
	Tags       string
	Race       bool
	BuildFlags []string
	Env        []string        // K=V, added to this process's environment
	WorkDir    string          // of the target; Dir when empty
	Stdin      string          // file given as standard input
	TTY        string          // a terminal for the target in the place of ours, which is then not shown; may be empty
	Emulate    bool            // the frontend shows the screen of a target that draws one
	Typed      []session.Input // what is typed into it in the first round, as in an earlier session
	Headless   bool            // there is no keyboard: standard input is empty without Stdin
	Panics     debugger.PanicMode
	Filter     debugger.PanicFilter // … and in which packages, as patterns of the go command
	NoFailures bool                 // a target that is a package's tests does not stop where one fails
	Record     bool                 // with rr: the target can then run backwards
	Repro      repro.Plan           // run on every start of the target, in proofs too; without a command nothing is
	// Repeat is how often the target is run at most until it stops; 0 counts as 1.
	Repeat int
	// Break are breakpoints of this session, "[name] location [if condition]".
	// Where one cannot be set, the target is held at main.main.
	Break []string
}

// Fixes says who is asked for fixes, and how often.
type Fixes struct {
	Profiles      []Profile // asked by f; also at once at each stop with AskAtOnce
	AskAtOnce     bool
	Models        Models
	StatusLine    string             // why there are no models, shown to the person
	Estimator     *prompts.Estimator // sizes of prompts; by family alone when nil
	MaxCandidates int                // a stop; 8 when 0
	Limits        Limits
	MaxRounds     int // how often a failed candidate goes back to its model; 2 when 0, never when negative
}

// Proofs says what proofs may do.
type Proofs struct {
	Timeout          time.Duration
	AllowUnsandboxed bool
	Allow            []string // from the start: verdict.AllowNetwork, verdict.AllowFiles
}

// Privacy says what leaves the process. Models that run on another machine
// are asked only with consent: AllowRemote is one for this session, Consents
// keeps others.
type Privacy struct {
	Redact         redact.Settings
	RedactLocalOff bool // models on this machine see prompts as they are
	AllowRemote    bool
	SendOutput     bool // what failed checks have printed goes to other machines unseen
	Consents       Consents
}

// Stores keep things between sessions; a nil store keeps none.
type Stores struct {
	Mutes       MuteStore       // places where panics do not stop
	Breakpoints BreakpointStore // a person's breakpoints
	Memory      memory.Store    // fixes that helped, by fingerprint
}

// Log says where the session is kept, and what with it.
type Log struct {
	Dir    string // debug/ in the module root when empty
	Commit bool   // make a git commit of each change that is applied

	// From is the core dump that Resume shows first, in place of a fresh start.
	From *CoreDump
	// Snapshot keeps the target as it is at its first crash, next to the log, if it
	// has at most SnapshotLimit bytes of memory (0: 4 GB).
	Snapshot      bool
	SnapshotLimit int64

	// TrustJournal lets Resume act on a journal that this user's pausetui did not
	// write on this machine.
	TrustJournal bool
}

// BreakpointStore keeps the breakpoints of modules, by their root directory;
// userstate.Breakpoints is one.
type BreakpointStore interface {
	Load(root string) ([]debugger.Breakpoint, error)
	Save(root string, list []debugger.Breakpoint) error
}

// Profile is a model with a prompt and its options, under a name.
type Profile struct {
	Name        string
	Provider    llm.Provider
	Source      string // what the provider is called: "ollama"
	Model       string // as the provider names it; empty leaves it to Models.Choose
	Prompt      string // name of the prompt profile; the default one when empty
	Temperature float64
	MaxTokens   int // of an answer; the prompt's, or the provider's, when 0
	Price       Price
	Candidates  int // answers to ask for; 1 when 0
}

// WithDefaults returns the options with the defaults in place of zero values.
func (o Session) WithDefaults() Session {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Mark == nil {
		o.Mark = func(string) {}
	}
	if o.Actor == "" {
		o.Actor = session.PersonActor
	}
	if o.Target.Package == "" {
		o.Target.Package = "."
	}
	if o.Target.Panics == "" {
		o.Target.Panics = debugger.PanicsAuto
	}
	if o.Fixes.MaxCandidates == 0 {
		o.Fixes.MaxCandidates = 8
	}
	if o.Fixes.MaxRounds == 0 {
		o.Fixes.MaxRounds = 2
	}
	return o
}

// Limits bound what models may do and what a session may take; zero is the provider's own
// limit, the default, or none.
type Limits struct {
	FirstToken time.Duration // of one answer
	Total      time.Duration
	Lookups    int // of a model in the paused program, a question; 6 when 0

	// Of all questions of the session together. A question that is under way when
	// one is reached is answered; no other is asked.
	Asking time.Duration // how long models have worked on answers
	Tokens int           // of prompts and answers
	Cost   float64

	// Time is how long after its start a session asks models, and how long a run of
	// fix takes.
	Time time.Duration
	// Memory is what a program, a build or a script may take that pausetui runs, in
	// bytes; the default of each when 0.
	Memory int64
}

// Price is what a model costs, per million tokens.
type Price struct{ Prompt, Answer float64 }

// Priced counts what an answer cost, where the profile has a price.
func (p Profile) Priced(a llm.Answer) llm.Answer {
	if p.Price != (Price{}) {
		a.Cost = (float64(a.PromptTokens)*p.Price.Prompt + float64(a.Tokens)*p.Price.Answer) / 1e6
	}
	return a
}

// Models is how a session finds models that were not named. Each field may
// be nil.
type Models struct {
	// Look finds out which models there are. It runs in the background from the
	// start, and says what it found.
	Look func(ctx context.Context) Found
	// Choose fills in what a profile leaves open at a class of stop: its model,
	// its prompt. why says so in words, and is empty when nothing was open. It may wait
	// for Look, as long as ctx lasts.
	Choose func(ctx context.Context, class string, p Profile) (chosen Profile, why string, err error)
	// Lookup makes a profile of a name that is not among Fixes.Profiles.
	Lookup func(name string) (Profile, error)
	// Record is what was measured of a model, "provider/name", with a prompt on a
	// class of stop; nil when nothing was.
	Record func(class, model, prompt string) *session.Record
	// Caution says what speaks against verified fixes of a model on a class, from
	// its record; empty when nothing does.
	Caution func(class, model string) string
}

// Found is what a look at the models has shown.
type Found struct {
	Status string // one line: "f asks the best of 3 models"
	Words  []session.Notice
	// Then is done next, outside Run's goroutine, while there is time; it ends with ctx. nil
	// for nothing.
	Then func(ctx context.Context)
}

// Consents remembers what was agreed to, beyond this session; userstate.Consents is one.
type Consents interface {
	Given(userstate.Consent) (bool, error)
	Give(c userstate.Consent, at time.Time) error
}

// MuteStore remembers muted places beyond this session; userstate.Mutes is one.
type MuteStore interface {
	Load(root string) ([]debugger.Site, error)
	Mute(root string, site debugger.Site) error
	Unmute(root, fingerprint string) error
}
