package session

import (
	"context"
	"slices"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/verdict"
)

// maxCandidates bounds the candidates of a stop: a journal may come from
// elsewhere, and each takes the time of all before it.
const maxCandidates = 1000

// NewState returns the state before the first event.
func NewState() State { return State{Phase: PhaseNew, Current: -1, Can: debugger.Built} }

// Fold applies events in order. A state that begins is nobody else's: its lists grow in place,
// as those of a journal with many thousand stops have to.
func Fold(s State, events []Event) State {
	s, _ = fold(context.Background(), s, events) // which does not end
	return s
}

func fold(ctx context.Context, s State, events []Event) (State, error) {
	s.own = s.Seq == 0
	for _, e := range events {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		s = s.Apply(e)
	}
	s.own = false
	return s, nil
}

// added is a list of the state's with one more.
func added[T any](s State, list []T, one T) []T {
	if s.own {
		return append(list, one)
	}
	return append(slices.Clip(list), one)
}

// owned is a list of the state's that may be changed.
func owned[T any](s State, list []T) []T {
	if s.own {
		return list
	}
	return slices.Clone(list)
}

// Apply returns the state after the event. Unknown kinds only move the clock.
func (s State) Apply(e Event) State {
	before := s.Last
	s.Seq, s.Last = e.Seq, e.At
	if endsProofs(e.Body) {
		s = s.updateCase(cutProofs)
	}
	switch b := e.Body.(type) {
	case *Started:
		s.Started, s.Opened = *b, e.At
	case *BuildStarted, *BuildFinished, *BuildFailed, *LaunchFailed, *Launched, *Resumed, *Input, *ReproStarted, *ReproEnded, *OutputKept, *Allowed, *Consented, *Ended:
		s = s.applyRun(b)
	case *Stopped:
		s = s.applyStopped(e, b)
	case *Jumped:
		ran := time.Duration(0)
		if was, ok := s.CurrentStop(); ok {
			ran = was.Ran
		}
		s = s.applyStopped(e, &Stopped{Stop: b.Stop, Ran: ran})
	case *Diagnosed:
		d := b.Diagnosis
		s = s.updateCase(func(r *StopRecord) { r.Diagnosis = &d }) // the program may have gone on meanwhile
	case *Muted, *Unmuted:
		s = s.applyMute(b)
	case *BreakpointSet, *BreakpointCleared:
		s = s.applyBreakpoint(b)
	case *Evaluated:
		s.Transcript = added(s, s.Transcript, *b)
		if extra := len(s.Transcript) - maxTranscript; extra > 0 {
			s.Transcript = s.Transcript[extra:]
		}
	case *ArgumentsSet:
		s.Started.Args, s.Started.Mode.ForeignArgs = b.Args, b.Foreign
	case *Displayed:
		s.Displays = b.List
	case *Asked, *Prompted, *Answered, *Proposed, *Agreed, *TestsMade, *Checked, *Proved, *Compared, *Asserted, *Decided:
		s = s.applyReview(e, b)
	case *Seen, *SourcesKept:
		s = s.applySeen(b)
	case *Probed, *Questioned, *Replied:
		s = s.applyTalk(e, b)
	case *Applying, *Applied, *Undone, *ApplyFailed, *Judged, *Committed, *CommitFailed:
		s = s.applyPatch(b)
	case *Reopened:
		s = s.applyReopened(e, before)
	case *Notice:
		s.Notices = added(s, s.Notices, NoticeRecord{Notice: *b, At: e.At})
	}
	return s
}

// endsProofs reports whether the proofs under way end with an event: their verdict is
// not awaited any more.
func endsProofs(body Body) bool {
	switch b := body.(type) {
	case *BuildStarted, *Launched, *Applying, *Ended:
		return true
	case *Stopped:
		return b.Stop.Crashed()
	}
	return false
}

// cutProofs marks the candidates of a stop that have no verdict.
func cutProofs(r *StopRecord) {
	r.Candidates = slices.Clone(r.Candidates)
	for i := range r.Candidates {
		r.Candidates[i].Cut = r.Candidates[i].Verdict == nil
	}
}

func (s State) applyRun(body Body) State {
	switch b := body.(type) {
	case *BuildStarted:
		if s.under = ""; s.Phase == PhaseStopped || s.Phase == PhaseRunning {
			s.under = s.Phase
		}
		s.Phase, s.Build = PhaseBuilding, nil
	case *BuildFinished:
		s.Phase, s.Binary = PhaseStarting, *b
		if s.FirstBuild == 0 {
			s.FirstBuild = b.Took
		}
	case *BuildFailed:
		if s.Phase, s.Build = PhaseBroken, b; s.under != "" {
			s.Phase = s.under
		}
	case *LaunchFailed:
		s.Phase, s.Build = PhaseBroken, &BuildFailed{Message: b.Message, Hint: b.Hint, Built: true}
	case *Launched:
		s.Phase, s.Round, s.PID, s.Can = PhaseStarting, b.Round, b.PID, b.Can()
		s.Current, s.Typed, s.Repro, s.Replied = -1, nil, nil, nil
	case *Resumed:
		s.Phase, s.Current, s.Build = PhaseRunning, -1, nil
	case *Input:
		s.Typed = added(s, s.Typed, *b)
	case *ReproStarted:
		s.Repro = b
	case *ReproEnded:
		s.Replied = b
	case *OutputKept:
		s.Output = *b
	case *Allowed:
		s.Allowed = added(s, s.Allowed, b.What)
	case *Consented:
		s.Consents = added(s, s.Consents, *b)
	case *Ended:
		s.Phase, s.Ended = PhaseEnded, b
	}
	return s
}

func (s State) applyStopped(e Event, b *Stopped) State {
	s.Stops = added(s, s.Stops, StopRecord{Stop: b.Stop, Round: s.Round, Ran: b.Ran, At: e.At})
	s.Current = len(s.Stops) - 1
	s.Phase = PhaseStopped
	if b.Stop.Ended() {
		s.Phase = PhaseExited
	}
	s.under = s.Phase
	return s
}

func (s State) applyBreakpoint(body Body) State {
	switch b := body.(type) {
	case *BreakpointSet:
		i := slices.IndexFunc(s.Breakpoints, func(x breakpoint) bool { return x.ID == b.Breakpoint.ID })
		if i < 0 {
			s.Breakpoints = added(s, s.Breakpoints, b.Breakpoint)
			return s
		}
		s.Breakpoints = owned(s, s.Breakpoints)
		s.Breakpoints[i] = b.Breakpoint
	case *BreakpointCleared:
		s.Breakpoints = slices.DeleteFunc(owned(s, s.Breakpoints), func(x breakpoint) bool { return x.ID == b.ID })
	}
	return s
}

func (s State) applyReview(e Event, body Body) State {
	switch b := body.(type) {
	case *Asked:
		s.Requests = added(s, s.Requests, Request{Asked: *b, At: e.At})
	case *Prompted:
		s = s.updateQuestion(b.Request, func(q *QuestionRecord) { q.Source, q.Prompt = b.Source, b.Prompt })
		s = s.updateRequest(b.Request, func(r *Request) { r.Asked.Source, r.Asked.Prompt, r.Asked.Why = b.Source, b.Prompt, b.Why })
	case *Answered:
		s = s.updateRequest(b.Request, func(r *Request) { r.Answered = b })
	case *Proposed:
		record := CandidateRecord{Candidate: b.Candidate, Request: b.Request, Record: b.Record, Came: e.At}
		s = s.updateCase(func(r *StopRecord) {
			if len(r.Candidates) < maxCandidates {
				r.Candidates = append(slices.Clip(r.Candidates), record)
			}
		})
	case *TestsMade:
		s = s.updateCase(func(r *StopRecord) { r.Tests = *b })
	case *Agreed:
		s = s.updateCandidate(b.Candidate, func(c *CandidateRecord) {
			if c.Also = added(s, c.Also, b.Source); b.Again {
				c.Verdict = nil
			}
		})
	case *Checked:
		s = s.updateCandidate(b.Candidate, func(c *CandidateRecord) { c.Checks, c.Cut = setCheck(c.Checks, b.Check), false })
	case *Proved:
		v := b.Verdict
		s = s.updateCandidate(b.Candidate, func(c *CandidateRecord) {
			c.Verdict, c.Checks, c.ProvedAt, c.Cut = &v, v.Checks, e.At, false
			c.noteErrors()
		})
	case *Compared:
		behavior := b.Behavior
		s = s.updateCandidate(b.Candidate, func(c *CandidateRecord) {
			c.Behavior = &behavior
			c.noteErrors()
		})
	case *Asserted:
		s = s.updateCandidate(b.Candidate, func(c *CandidateRecord) {
			if c.Decision != Approved { // what is written is what was read
				c.Asserts = b
			}
		})
	case *Decided:
		switch b.Decision {
		case Edited: // which decides on nothing: what became of it is another candidate
		case Confirmed:
			s = s.updateCandidate(b.Candidate, (*CandidateRecord).confirm)
		default:
			s = s.updateCandidate(b.Candidate, func(c *CandidateRecord) { c.decide(b) })
		}
	}
	return s
}

func (s State) applyPatch(body Body) State {
	switch b := body.(type) {
	case *Applying:
		s.Pending = b
	case *Applied:
		s.Pending, s.Judged = nil, nil
		s.Applied = added(s, s.Applied, AppliedRecord{Candidate: b.Candidate, Files: b.Files})
	case *Undone:
		s.Pending = nil
		s = s.updateApplied(b.Candidate, func(a *AppliedRecord) { a.Undone = true })
		s = s.updateCandidate(b.Candidate, func(c *CandidateRecord) { c.Decision = "" })
		s.Judged = s.judgedBefore(b.Candidate)
	case *ApplyFailed:
		s.Pending = nil
		if !b.Undo {
			s = s.updateCandidate(b.Candidate, func(c *CandidateRecord) { c.Decision = "" })
		}
	case *Committed:
		s = s.updateApplied(b.Candidate, func(a *AppliedRecord) { a.commit(b) })
	case *CommitFailed:
		s = s.updateApplied(b.Candidate, func(a *AppliedRecord) { a.CommitErr = b.Err })
	case *Judged:
		if s.stands(b) {
			s.Judged = b
			s = s.updateApplied(b.Candidate, func(a *AppliedRecord) {
				a.Judgement, a.Evidence, a.Round, a.Stops = b.Judgement, b.Evidence, s.Round, len(s.Stops)
			})
		}
	}
	return s
}

// judgedBefore is the judgement that counts once a candidate is undone: that of the
// change before it, which is still applied.
func (s State) judgedBefore(undone string) *Judged {
	if s.Judged == nil || s.Judged.Candidate != undone {
		return s.Judged
	}
	if a, ok := s.Undoable(); ok && a.Judgement != "" {
		return &Judged{Candidate: a.Candidate, Judgement: a.Judgement, Evidence: a.Evidence}
	}
	return nil
}

// CaseIndex is the index of the newest stop that candidates belong to: the
// last crash; -1 without one.
func (s State) CaseIndex() int {
	for i := len(s.Stops) - 1; i >= 0; i-- {
		if s.Stops[i].Stop.Crashed() {
			return i
		}
	}
	return -1
}

func (s State) updateStop(i int, change func(*StopRecord)) State {
	if i < 0 || i >= len(s.Stops) {
		return s
	}
	s.Stops = owned(s, s.Stops)
	change(&s.Stops[i])
	return s
}

func (s State) updateCase(change func(*StopRecord)) State {
	return s.updateStop(s.CaseIndex(), change)
}

func (s State) updateRequest(id string, change func(*Request)) State {
	s.Requests = owned(s, s.Requests)
	for i := range s.Requests {
		if s.Requests[i].Asked.Request == id {
			change(&s.Requests[i])
		}
	}
	return s
}

func (s State) updateCandidate(id string, change func(*CandidateRecord)) State {
	for i := range s.Stops {
		j := slices.IndexFunc(s.Stops[i].Candidates, func(c CandidateRecord) bool { return c.ID == id })
		if j < 0 {
			continue
		}
		return s.updateStop(i, func(r *StopRecord) {
			r.Candidates = slices.Clone(r.Candidates)
			change(&r.Candidates[j])
		})
	}
	return s
}

func (s State) updateApplied(candidate string, change func(*AppliedRecord)) State {
	s.Applied = owned(s, s.Applied)
	for i := len(s.Applied) - 1; i >= 0; i-- {
		if s.Applied[i].Candidate == candidate {
			change(&s.Applied[i])
			break
		}
	}
	return s
}

// stands reports whether a judgement counts. A run that shows nothing does not take
// back what an earlier one has shown: logs of earlier versions end with such a
// judgement.
func (s State) stands(b *Judged) bool {
	if b.Judgement != NotReached {
		return true
	}
	for _, a := range slices.Backward(s.Applied) {
		if a.Candidate == b.Candidate {
			return a.Judgement != Fixed && a.Judgement != CameBack
		}
	}
	return true
}

func setCheck(checks []verdict.Check, c verdict.Check) []verdict.Check {
	checks = slices.Clone(checks)
	for i := range checks {
		if checks[i].Name == c.Name {
			checks[i] = c
			return checks
		}
	}
	return append(checks, c)
}

// Size of a candidate in lines, for ranking and for show.
func Size(c patch.Candidate) (added, removed int) {
	for _, e := range c.Edits {
		a, r := patch.Count(e)
		added, removed = added+a, removed+r
	}
	return added, removed
}
