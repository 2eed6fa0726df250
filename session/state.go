package session

import (
	"slices"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Phase is what the session is doing.
type Phase string

// The phases.
const (
	PhaseNew      Phase = "new"
	PhaseBuilding Phase = "building"
	PhaseBroken   Phase = "broken" // the build failed; nothing runs
	PhaseStarting Phase = "starting"
	PhaseRunning  Phase = "running"
	PhaseStopped  Phase = "stopped" // the target is held
	PhaseExited   Phase = "exited"  // the target has ended, the session has not
	PhaseEnded    Phase = "ended"
)

// State is what a session's events add up to. It is a value: Apply returns a
// new one and never changes what the old one refers to.
type State struct {
	own     bool // no other state shares its lists: while Fold makes it
	Seq     uint64
	Opened  time.Time
	Last    time.Time     // time of the last event
	Away    time.Duration // between the ends of the session and its reopenings
	Phase   Phase
	Started Started

	Build  *BuildFailed // nil unless the last build failed, and nothing has gone on since
	under  Phase        // of the program that goes on while another is built; empty without one
	Binary BuildFinished
	// FirstBuild is how long the first build of the session took.
	FirstBuild time.Duration
	Round      int // launches so far
	PID        int
	Can        debugger.Abilities // what can be done with the target of this round

	Stops   []StopRecord // every stop in order
	Current int          // index into Stops of the stop the target is held at or ended with; -1 while it runs

	Requests    []Request // everything asked in this session
	Questions   []QuestionRecord
	Breakpoints []debugger.Breakpoint
	Mutes       []Muted
	Transcript  []Evaluated   // the command line's answers, the newest last; at most maxTranscript
	Displays    []Display     // expressions that are evaluated at every stop
	Typed       []Input       // of this round
	Repro       *ReproStarted // of this round; nil before
	Replied     *ReproEnded   // of this round; nil before
	Output      OutputKept    // of the last round that ended
	Applied     []AppliedRecord
	Pending     *Applying   // an apply or undo that has begun and not ended
	Allowed     []string    // what the proofs may do that the sandbox blocks
	Consents    []Consented // answers on models that run on another machine, the newest last
	Judged      *Judged     // of the last applied candidate; nil while it is being watched
	Notices     []NoticeRecord
	Ended       *Ended
}

// StopRecord is one stop with what was found out about it.
type StopRecord struct {
	Stop       debugger.Stop
	Round      int
	Ran        time.Duration // as in Stopped
	At         time.Time
	Diagnosis  *evidence.Diagnosis
	Tests      TestsMade         // the regression tests of this stop; empty while there are none
	Candidates []CandidateRecord // in the order they came
	Seen       *Seen             // what was looked at; nil while the target is held, or when nothing was
	Sources    map[string]string // names in Texts of the files of its frames, by their path
}

// CandidateRecord is a candidate with its proof and what was decided.
type CandidateRecord struct {
	patch.Candidate
	Checks  []verdict.Check // ended so far, in order
	Verdict *verdict.Verdict
	// Behavior is what it changes in what functions answer; nil while that is not known.
	Behavior *verdict.Behavior
	// Asserts is its regression test as it asserts what functions answer; nil before.
	Asserts  *Asserted
	Cut      bool     // its proof was cut off: the session went on before there was a verdict
	Decision Decision // empty while undecided
	Reason   string
	// WithoutTest: approved without its regression test.
	WithoutTest bool
	Request     string  // what it answers; empty for one a person made
	Record      *Record // what was measured of its proposer; nil when nothing was
	// Also are further proposers of the same change.
	Also     []patch.Source
	Came     time.Time
	ProvedAt time.Time
}

// Verified reports whether the candidate was proved: see verdict.Verdict.Holds.
func (c CandidateRecord) Verified() bool {
	return c.Verdict != nil && c.Verdict.Verified && !c.Verdict.Masking
}

// Proving reports whether the candidate is being proved, or waits for that.
func (c CandidateRecord) Proving() bool { return c.Verdict == nil && !c.Cut }

// LosesTest reports whether a regression test of the candidate passed that is not kept yet,
// since it is still being proved: approved now, it comes without that.
func (c CandidateRecord) LosesTest() bool {
	check, ok := verdict.Find(c.Checks, verdict.Regression)
	return c.Verdict == nil && ok && check.Status == verdict.Pass
}

// Passes reports whether the checks pass, whatever kind of fix it is.
func (c CandidateRecord) Passes() bool { return c.Verdict != nil && c.Verdict.Passes() }

// Effect is the kind of fix; empty while that is not known. Older logs know only
// masking.
func (c CandidateRecord) Effect() verdict.Effect {
	switch {
	case c.Verdict == nil:
		return ""
	case c.Verdict.Effect == "" && c.Verdict.Masking:
		return verdict.Skips
	case c.Verdict.Effect == "":
		return verdict.Repairs
	}
	return c.Verdict.Effect
}

// Test is the regression test that the candidate passes; nil without one.
func (c CandidateRecord) Test() *patch.RegressionTest {
	switch {
	case c.Asserts != nil && c.Asserts.Test != nil:
		return c.Asserts.Test
	case c.Verdict == nil:
		return nil
	}
	return c.Verdict.Test
}

// decide notes what was decided.
func (c *CandidateRecord) decide(d *Decided) {
	c.Decision, c.Reason, c.WithoutTest = d.Decision, d.Reason, d.WithoutTest
	if d.TestConfirmed {
		c.ConfirmTest()
	}
}

// ToWrite are the edits that approving the candidate writes: its own and, unless
// it was left out, that of its regression test.
func (c CandidateRecord) ToWrite() []patch.Edit {
	if t := c.Test(); t != nil && !c.WithoutTest {
		return append(slices.Clip(c.Edits), t.Edit)
	}
	return c.Edits
}

// Against is the check that says most against a candidate, and says why; false
// where none does.
func (c CandidateRecord) Against() (verdict.Check, bool) {
	for _, status := range []verdict.Status{verdict.Fail, verdict.Inconclusive, verdict.Warn} {
		for _, check := range c.Checks {
			if check.Status == status && check.Detail != "" {
				return check, true
			}
		}
	}
	return verdict.Check{}, false
}

// Masks reports whether the candidate only leaves out the work that failed, or
// hides the failure.
func (c CandidateRecord) Masks() bool { return c.Verdict != nil && c.Verdict.Masking }

// Without separates, in a detail, what a fix does from the cause of the stop.
const Without = "; without it, "

// Asks reports whether a person is asked to confirm what the candidate leaves out.
func (c CandidateRecord) Asks() bool { return c.Verdict != nil && c.Verdict.Asks() }

// confirm notes that a person has done so.
func (c *CandidateRecord) confirm() {
	if c.Verdict == nil {
		return
	}
	v := *c.Verdict
	v.Confirmed = true
	c.Verdict = &v
}

// Warns reports whether the badge of the candidate is a warning.
func (c CandidateRecord) Warns() bool { return c.Verdict != nil && c.Verdict.Warns() }

// Request is one question to a proposer.
type Request struct {
	Asked    Asked
	At       time.Time
	Probes   []Probed  // what the model looked at before it answered
	Answered *Answered // nil while it is being answered
}

// AppliedRecord is a candidate written to the source; Undone tells that it was
// taken back.
type AppliedRecord struct {
	Candidate string
	Files     []FileChange
	Judgement Judgement
	Evidence  string
	Round     int // the restart that was judged
	Stops     int // by then
	Undone    bool
	Commit    string // hash of the commit that holds the change; empty without one
	Reverted  string // hash of the commit that takes it back
	CommitErr string // why the last of these commits was not made
}

// NoticeRecord is a notice with its time.
type NoticeRecord struct {
	Notice
	At time.Time
}

// CanNow says what can be done with the target now: one that the debugger has
// lost can be obtained again in the same launch mode.
func (s State) CanNow() debugger.Abilities {
	can := s.Can
	if stop, ok := s.CurrentStop(); ok && stop.Stop.Exit != nil && stop.Stop.Exit.Signal == LostSignal {
		can.Restart = true
	}
	return can
}

// LostSignal is recorded as the signal of a target that may live, but whose debugger
// has failed.
const LostSignal = "lost"

const maxTranscript = 500

// CurrentStop returns the stop the target is held at, or ended with.
func (s State) CurrentStop() (StopRecord, bool) {
	if s.Current < 0 || s.Current >= len(s.Stops) {
		return StopRecord{}, false
	}
	return s.Stops[s.Current], true
}

// Candidate finds a candidate of any stop by its id.
func (s State) Candidate(id string) (CandidateRecord, bool) {
	for i := len(s.Stops) - 1; i >= 0; i-- {
		for j := range s.Stops[i].Candidates { // copying each record is slow
			if s.Stops[i].Candidates[j].ID == id {
				return s.Stops[i].Candidates[j], true
			}
		}
	}
	return CandidateRecord{}, false
}

// StopOf is the index of the stop that a candidate belongs to; -1 without one.
func (s State) StopOf(candidate string) int {
	return slices.IndexFunc(s.Stops, func(r StopRecord) bool {
		return slices.ContainsFunc(r.Candidates, func(c CandidateRecord) bool { return c.ID == candidate })
	})
}

// Undoable returns the last applied candidate that has not been undone.
func (s State) Undoable() (AppliedRecord, bool) {
	for _, a := range slices.Backward(s.Applied) {
		if !a.Undone {
			return a, true
		}
	}
	return AppliedRecord{}, false
}

// Consent returns the last answer on a model that runs on another machine.
func (s State) Consent(host, model string) (Consented, bool) {
	for _, c := range slices.Backward(s.Consents) {
		if c.Host == host && c.Model == model {
			return c, true
		}
	}
	return Consented{}, false
}

// Pendings returns the requests that have not been answered.
func (s State) Pendings() []Request {
	var open []Request
	for _, r := range s.Requests {
		if r.Answered == nil {
			open = append(open, r)
		}
	}
	return open
}
