package session

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrEmpty is returned for a journal without a first event: its session was
// killed before there was anything to tell.
var ErrEmpty = errors.New("the journal is empty")

// OpenLog opens the log of a session that has ended, or was killed, to add to
// it. It returns the events so far, and how many bytes of a torn last line were
// cut off. It fails as OpenJournal does, and with ErrEmpty.
func OpenLog(path string, trusted bool, now func() time.Time) (l *Log, events []Event, cut int64, err error) {
	journal, events, cut, err := OpenJournal(path, trusted, now)
	if err != nil {
		return nil, events, 0, err
	}
	if len(events) == 0 {
		return nil, nil, cut, errors.Join(fmt.Errorf("%q: %w", path, ErrEmpty), journal.Close())
	}
	id, suffix := splitName(filepath.Base(path), events)
	return newLog(filepath.Dir(path), id, suffix, journal, slices.Clip(events)), events, cut, nil
}

// splitName tells a session's id from what its log is named after:
// "20261120-170203-2-nil-map-write.jsonl".
func splitName(base string, events []Event) (id, suffix string) {
	name := strings.TrimSuffix(base, filepath.Ext(base))
	if started, ok := events[0].Body.(*Started); ok {
		if rest, ok := strings.CutPrefix(name, started.ID+"-"); ok {
			return started.ID, rest
		}
	}
	if logName(name) {
		return name[:15], name[16:]
	}
	return name, unnamed
}

// Dir is where the log's files are.
func (l *Log) Dir() string { return l.dir }

// applyReopened forgets what ended with the process that wrote the events
// before: the target, questions, and binaries in its temporary directory.
func (s State) applyReopened(e Event, ended time.Time) State {
	s.Away += e.At.Sub(ended)
	s.Allowed, s.Consents = nil, nil // a person gives them again: a journal permits nothing
	s.Phase, s.Ended, s.Build, s.Current, s.PID = PhaseNew, nil, nil, -1, 0
	s.Requests = owned(s, s.Requests)
	for i := range s.Requests {
		if s.Requests[i].Answered == nil {
			s.Requests[i].Answered = &Answered{Request: s.Requests[i].Asked.Request, Err: "the session ended first"}
		}
	}
	s.Stops = owned(s, s.Stops)
	for i := range s.Stops {
		s.Stops[i].Candidates = slices.Clone(s.Stops[i].Candidates)
		for j := range s.Stops[i].Candidates {
			s.Stops[i].Candidates[j].reopen(s)
		}
	}
	return s
}

func (c *CandidateRecord) reopen(s State) {
	c.Cut = c.Verdict == nil // its proof had not ended
	if c.Verdict != nil {
		v := *c.Verdict
		v.Binary = ""
		c.Verdict = &v
	}
	if c.Decision == Approved && !s.IsApplied(c.ID) { // killed between the decision and the apply
		c.Decision, c.WithoutTest = "", false
	}
}

// IsApplied reports whether a candidate's change is in the source.
func (s State) IsApplied(candidate string) bool {
	return slices.ContainsFunc(s.Applied, func(a AppliedRecord) bool { return a.Candidate == candidate && !a.Undone })
}

func (a *AppliedRecord) commit(b *Committed) {
	a.CommitErr = ""
	if b.Undo {
		a.Reverted = b.Hash
		return
	}
	a.Commit = b.Hash
}
