package fix

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Report is what `pausetui fix --json` prints: docs/reference/json.md, which is
// made from this file.
type Report struct {
	Version    int         `json:"version"` // 1
	Outcome    string      `json:"outcome"` // docs/reference/exit-codes.md
	Error      *Failure    `json:"error"`   // what failed, when the outcome is failed
	Target     Target      `json:"target"`
	Stop       *Stop       `json:"stop"`                // the first of stops
	Diagnosis  string      `json:"diagnosis,omitempty"` // why it stopped, in a sentence
	Candidates []Candidate `json:"candidates"`          // of the first stop, the best first
	Stops      []Stop      `json:"stops"`               // every crash, in order
	Requests   []Request   `json:"requests"`            // what models and the built-in fixer were asked
	Applied    *Applied    `json:"applied"`             // the last change that was written
	Judged     string      `json:"judged"`              // "fixed", "came-back", "not-reached"; empty without --apply
	Sandbox    string      `json:"sandbox"`             // the tier: "full", "landlock", "none"
	Session    string      `json:"session"`             // the log
	Timings    Timings     `json:"timings"`
	Notices    []string    `json:"notices,omitempty"` // what was said meanwhile, each with its hint
	Hint       string      `json:"hint,omitempty"`    // what the outcome does not show, and how to see more

	// Tool is the version of pausetui, for formats that name it.
	Tool string `json:"-"`

	root    string // the directory that the names of files are relative to; empty: unknown
	mayRace bool   // the first stop may come of goroutines that race
}

// Failure says what went wrong in pausetui itself, or in the build.
type Failure struct {
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// Target is what was run.
type Target struct {
	Package  string   `json:"package"`
	Args     []string `json:"args"`
	ExitCode int      `json:"exit_code"`      // of the last run; 2 after a panic
	Signal   string   `json:"signal"`         // what ended it; empty when it exited
	Runs     int      `json:"runs,omitempty"` // until it stopped; 0 for one
	// LastLine is the last line that it printed, where it failed and nothing stopped.
	LastLine string `json:"last_line,omitempty"`
}

// Request is one question to a proposer.
type Request struct {
	Provider   string  `json:"provider"`
	Model      string  `json:"model"`
	Prompt     string  `json:"prompt"`
	Candidates int     `json:"candidates"`
	Ms         int64   `json:"ms"`
	Tokens     int     `json:"tokens"`
	Cost       float64 `json:"cost,omitempty"` // in the currency of the configured price
	Error      string  `json:"error"`          // why there is nothing, or less
	Hint       string  `json:"hint"`
	// Failed is the kind of the error: unusable, gave-up, provider, refused, aborted, limit.
	Failed session.Failed `json:"failed,omitempty"`
}

// Stop is one crash, at the user's own line.
type Stop struct {
	Class       debugger.Class `json:"class"`
	Message     string         `json:"message"`
	Function    string         `json:"function"` // the innermost of the user's modules
	File        string         `json:"file"`     // relative to the module root
	Line        int            `json:"line"`
	Goroutine   int64          `json:"goroutine"`
	Fingerprint string         `json:"fingerprint"`     // of class, function and statement: survives moved lines
	Recovered   bool           `json:"recovered"`       // the program lives on
	Test        string         `json:"test,omitempty"`  // the full name of the test that fails
	Block       *Block         `json:"block,omitempty"` // the block of work that it is in, see package pause
}

// Block is a block of work that the program has named.
type Block struct {
	ID     string `json:"id"` // with those around it: "import/parse"
	Intent string `json:"intent"`
}

// Candidate is one proposed fix with its proof.
type Candidate struct {
	ID       string `json:"id"`
	Provider string `json:"provider"` // "builtin", "ollama", …
	Model    string `json:"model"`
	Prompt   string `json:"prompt"` // the prompt profile; empty for the built-in fixer
	// Rule names the rule of the built-in fixer that offers it, such as "bound/for-bound".
	Rule        string `json:"rule,omitempty"`
	Title       string `json:"title"`
	Explanation string `json:"explanation"`
	Masking     bool   `json:"masking"` // it hides the failure, or skips work without support
	// Confirm: a person has to say whether what it answers instead is right.
	Confirm bool `json:"confirm,omitempty"`
	// Effect is the kind of fix: repairs, declines, skips or hides; empty where
	// it was not proved. How says how it comes about.
	Effect verdict.Effect `json:"effect"`
	How    string         `json:"how,omitempty"`
	// Caution says what measurements showed of the proposer on this class, where
	// its record is poor.
	Caution string `json:"caution,omitempty"`
	// Evidence names what speaks for it, of the kinds of package proof.
	Evidence []verdict.EvidenceKind `json:"evidence"`
	Verified bool                   `json:"verified"`
	// Failed says why it cannot be applied: no-build, crash, tests, check, refused.
	Failed  session.Failed `json:"failed,omitempty"`
	Rank    int            `json:"rank"` // from 1
	Checks  []Check        `json:"checks"`
	Files   []string       `json:"files"`
	Added   int            `json:"added"`   // lines
	Removed int            `json:"removed"` // lines
	Diff    string         `json:"diff"`    // for git apply
	Test    *Test          `json:"test"`    // nil without one
	Also    []string       `json:"also"`    // who else proposed the same change

	// Behavior is what it changes in what functions answer; nil where it was not compared.
	Behavior *verdict.Behavior `json:"behavior,omitempty"`

	// Printed is what its rerun printed after the place of the stop, bounded.
	Printed string `json:"printed,omitempty"`

	edits    []patch.Edit
	declines bool     // --allow-declines lets it count
	prints   string   // what of Printed the other candidates did not print
	badge    string   // for people
	speaks   []string // the evidence in words
	changes  []string // what it changes, and how it differs from the first one, in words
}

// Test is the regression test of a candidate: it fails without the candidate
// and passes with it.
type Test struct {
	Name  string `json:"name"`
	File  string `json:"file"`
	Calls string `json:"calls"`
	// Asserts is all that it asserts: "does not panic".
	Asserts string `json:"asserts"`
	Diff    string `json:"diff"`
}

// Check is one check of a candidate.
type Check struct {
	Name   string         `json:"name"` // "scope", "parse", "build", "vet", "rerun", "regression", "tests", …
	Status verdict.Status `json:"status"`
	Detail string         `json:"detail"`
	Ms     int64          `json:"ms"`               // milliseconds
	Count  int            `json:"count,omitempty"`  // tests that passed
	Fixed  int            `json:"mended,omitempty"` // of these: failed without the candidate
}

// Applied is the candidate that was written to the source.
type Applied struct {
	ID     string   `json:"id"`
	Files  []string `json:"files"`
	Undone bool     `json:"undone"` // it was taken back, because the panic came back
	// Commit and Reverted are the hashes of the commits that hold the change
	// and that take it back; empty without one.
	Commit   string `json:"commit"`
	Reverted string `json:"reverted,omitempty"`
	// CommitError is why a commit was asked for and not made.
	CommitError string `json:"commit_error,omitempty"`
}

// Timings are milliseconds; nil where the thing did not happen. First
// candidate and verified count from the stop, restart from the approval.
type Timings struct {
	Build          *int64 `json:"build_ms"`
	Launch         *int64 `json:"launch_ms"`
	Stop           *int64 `json:"stop_ms"`
	FirstCandidate *int64 `json:"first_candidate_ms"`
	Verified       *int64 `json:"verified_ms"`
	Restart        *int64 `json:"restart_ms"`
}

// NewReport makes the report of a session from its events.
func NewReport(events []session.Event, log string) Report {
	s := session.Fold(session.NewState(), events)
	r := Report{Version: 1, root: s.Started.Workspace.Root, Candidates: []Candidate{}, Stops: []Stop{}, Requests: requests(s), Sandbox: s.Started.Sandbox,
		Target:  Target{Package: s.Started.Target(), Args: append([]string{}, s.Started.Args...)},
		Session: filepath.ToSlash(s.Started.Workspace.Rel(log)), Timings: timings(events)}
	if s.Round > 1 && len(s.Applied) == 0 {
		r.Target.Runs = s.Round
	}
	for _, record := range s.Stops {
		if record.Stop.Crashed() {
			r.Stops = append(r.Stops, newStop(s, record.Stop))
			switch {
			case record.Stop.Reason == debugger.ReasonTest:
				r.Target.ExitCode = 1 // what a test binary ends with when a test has failed
			case !record.Stop.LivesOn():
				r.Target.ExitCode = 2 // what the runtime ends a crashed program with
			}
		}
		if record.Stop.Exit != nil {
			r.Target.ExitCode, r.Target.Signal = record.Stop.Exit.Code, record.Stop.Exit.Signal
		}
	}
	if t := &r.Target; len(r.Stops) == 0 && (t.ExitCode != 0 || t.Signal != "") {
		t.LastLine = lastLine(s.Output.Tail)
	}
	for _, n := range s.Notices {
		text := session.Clean(n.Text)
		if n.Hint != "" {
			text += " (" + session.Clean(n.Hint) + ")"
		}
		r.Notices = append(r.Notices, text)
	}
	if len(r.Stops) > 0 {
		r.Stop = &r.Stops[0]
	}
	if first := firstCase(s); first != nil {
		r.mayRace = first.Stop.MayRace()
		if first.Diagnosis != nil {
			r.Diagnosis = session.Clean(first.Diagnosis.Words())
		}
		printed := session.Printed(first.Candidates)
		ranked := session.Rank(first.Candidates)
		apart := session.ApartFromFirst(ranked)
		for i, c := range ranked {
			r.Candidates = append(r.Candidates, newCandidate(c, i+1))
			r.Candidates[i].prints = printed[c.ID]
			if a, ok := apart[c.ID]; ok {
				r.Candidates[i].changes = append(r.Candidates[i].changes, printable.Line(a.Brief("1")))
			}
		}
	}
	if n := len(s.Applied); n > 0 {
		a := s.Applied[n-1]
		r.Applied = &Applied{ID: a.Candidate, Undone: a.Undone, Commit: a.Commit, Reverted: a.Reverted, CommitError: session.Clean(a.CommitErr)}
		for _, f := range a.Files {
			r.Applied.Files = append(r.Applied.Files, f.File)
		}
		r.Judged = string(a.Judgement)
	}
	return r
}

// maxLastLine bounds the last line of the target's output, in characters.
const maxLastLine = 300

// lastLine is the last line of what the target has printed that says something.
func lastLine(printed string) string {
	lines := strings.Split(strings.TrimSpace(session.Clean(printed)), "\n")
	last := []rune(strings.TrimSpace(lines[len(lines)-1]))
	if len(last) > maxLastLine {
		return string(last[:maxLastLine]) + "…"
	}
	return string(last)
}

func requests(s session.State) []Request {
	list := []Request{}
	for _, q := range s.Requests {
		r := Request{Provider: q.Asked.Source.Provider, Model: q.Asked.Source.Model, Prompt: q.Asked.Source.Prompt}
		if a := q.Answered; a != nil {
			r.Candidates, r.Ms, r.Tokens, r.Cost = a.Candidates, a.Took.Milliseconds(), a.Tokens, a.Cost
			r.Error, r.Hint, r.Failed = session.Clean(a.Err), a.Hint, a.Failed
		}
		list = append(list, r)
	}
	return list
}

// firstCase is the first crash of the session; nil without one.
func firstCase(s session.State) *session.StopRecord {
	for i := range s.Stops {
		if s.Stops[i].Stop.Crashed() {
			return &s.Stops[i]
		}
	}
	return nil
}

func newStop(s session.State, stop debugger.Stop) Stop {
	p := stop.Panic
	out := Stop{Class: p.Class, Message: session.Clean(p.Message), Goroutine: int64(stop.Goroutine), Fingerprint: p.Fingerprint, Recovered: p.Recovered}
	if stop.Test != nil {
		out.Test = session.Clean(stop.Test.Name)
	}
	if b := stop.Block; b != nil {
		out.Block = &Block{ID: session.Clean(b.ID), Intent: session.Clean(b.Intent)}
	}
	if f, ok := stop.SelectedFrame(); ok {
		out.Function, out.File, out.Line = debugger.WrittenFunction(f.Function), s.Started.Workspace.Rel(f.File), f.Line
	}
	return out
}

func newCandidate(c session.CandidateRecord, rank int) Candidate {
	out := Candidate{ID: c.ID, Provider: c.Source.Provider, Model: c.Source.Model, Prompt: c.Source.Prompt,
		Rule: session.Clean(c.Rule), Title: session.Clean(c.Title), Explanation: session.Clean(c.Explanation), Masking: c.Masks(), Evidence: []verdict.EvidenceKind{}, Verified: c.Verified(), Failed: c.Failed(), Rank: rank,
		Checks: []Check{}, Also: []string{}, Files: c.Files(), Diff: c.Diff(), edits: c.Edits, declines: declines(c)}
	out.Added, out.Removed = session.Size(c.Candidate)
	if v := c.Verdict; v != nil {
		out.Printed = session.Clean(v.Printed)
		out.Effect, out.How, out.badge = v.Effect, session.Clean(v.How), session.Clean(v.Label())
		out.Caution, out.Confirm = session.Clean(v.Caution), v.Asks()
		for _, e := range v.Evidence {
			out.Evidence = append(out.Evidence, e.Kind)
			out.speaks = append(out.speaks, session.Clean(e.Detail))
		}
	}
	for _, k := range c.Checks {
		out.Checks = append(out.Checks, Check{Name: k.Name, Status: k.Status, Detail: k.Detail, Ms: k.Took.Milliseconds(), Count: k.Count, Fixed: k.Fixed})
	}
	if out.Behavior = c.Behavior; c.Behavior != nil && c.Behavior.Tried > 0 {
		out.changes = append(out.changes, c.Behavior.Short())
	}
	for _, s := range c.Also {
		out.Also = append(out.Also, s.Provider+"/"+s.Model)
	}
	if t := c.Test(); t != nil {
		alone := patch.Candidate{Edits: []patch.Edit{t.Edit}}
		out.Test = &Test{Name: t.Name, File: t.Edit.File, Calls: t.Calls, Asserts: t.Asserts, Diff: alone.Diff()}
	}
	return out
}

func timings(events []session.Event) Timings {
	var t Timings
	var stopped, approved time.Time
	set := func(field **int64, d time.Duration) {
		if *field == nil {
			ms := max(d, 0).Milliseconds() // the clock may have been set back
			*field = &ms
		}
	}
	for _, e := range events {
		switch b := e.Body.(type) {
		case *session.BuildFinished:
			set(&t.Build, b.Took)
		case *session.Launched:
			set(&t.Launch, b.Took)
			if !approved.IsZero() {
				set(&t.Restart, e.At.Sub(approved))
			}
		case *session.Stopped:
			if b.Stop.Crashed() && stopped.IsZero() {
				stopped = e.At
				set(&t.Stop, b.Ran)
			}
		case *session.Proposed:
			set(&t.FirstCandidate, e.At.Sub(stopped))
		case *session.Proved:
			if b.Verdict.Verified {
				set(&t.Verified, e.At.Sub(stopped))
			}
		case *session.Decided:
			if b.Decision == session.Approved {
				approved = e.At
			}
		}
	}
	return t
}
