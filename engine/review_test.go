package engine

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
)

// proposed reports whether so many fixes are there.
func proposed(n int) func(session.State) bool {
	return func(s session.State) bool { i := s.CaseIndex(); return i >= 0 && len(s.Stops[i].Candidates) >= n }
}

// withAFix is a session at a panic for which a fix is proposed.
func withAFix(t *testing.T) (*player, session.State) {
	t.Helper()
	p := play(t, options.Session{Target: options.Target{Dir: module(t, shelves)}, Fixes: options.Fixes{MaxRounds: -1}})
	return p, p.until("a fix is proposed", proposed(1))
}

// An edited fix and the one that it was made from can both be decided on until one of
// them is applied; then the other cannot be, until that is undone.
func TestAnEditLeavesTheOriginalToDecideOn(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	p, s := withAFix(t)
	old := s.Stops[s.CaseIndex()].Candidates[0]
	files := map[string]string{}
	for _, e := range old.Edits {
		files[e.File] = e.After + "\n// edited\n"
	}
	before := len(p.handled().Stops[s.CaseIndex()].Candidates)
	p.engine.Do(intent.Revise{Candidate: old.ID, Files: files})
	s = p.until("the edit is proposed", proposed(before+1))
	list := s.Stops[s.CaseIndex()].Candidates
	edited := list[len(list)-1]
	if edited.Parent != old.ID || edited.Explanation != "" {
		t.Errorf("the edit is %+v", edited.Candidate)
	}
	if c, _ := s.Candidate(old.ID); c.Decision != "" {
		t.Errorf("the original is %s", c.Decision)
	}

	p.engine.Do(intent.Approve{Candidate: edited.ID})
	p.until("the edit is judged", func(s session.State) bool { return s.Judged != nil })
	p.engine.Do(intent.Approve{Candidate: old.ID})
	s = p.until("the original is refused", func(s session.State) bool {
		return len(s.Notices) > 0 && strings.Contains(s.Notices[len(s.Notices)-1].Text, edited.ID+" is applied in place of "+old.ID)
	})
	if len(s.Applied) != 1 {
		t.Errorf("applied: %+v", s.Applied)
	}
	p.engine.Do(intent.Undo{})
	p.until("the edit is undone", func(s session.State) bool { return s.Applied[0].Undone })
	p.engine.Do(intent.Approve{Candidate: old.ID})
	p.until("the original is applied", func(s session.State) bool { return s.IsApplied(old.ID) })
}

// The change of a rejected fix is a fix of its own again when a person makes it anew;
// that of another one is not.
func TestAnEditThatMakesTheChangeOfAnotherFix(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	p, s := withAFix(t)
	old := s.Stops[s.CaseIndex()].Candidates[0]
	before := len(p.handled().Stops[s.CaseIndex()].Candidates)
	files, back := map[string]string{}, map[string]string{}
	for _, e := range old.Edits {
		files[e.File], back[e.File] = e.After+"\n// edited\n", e.After
	}
	p.engine.Do(intent.Revise{Candidate: old.ID, Files: files})
	s = p.until("the edit is proposed", proposed(before+1))
	list := s.Stops[s.CaseIndex()].Candidates
	edited := list[len(list)-1]
	p.engine.Do(intent.Revise{Candidate: edited.ID, Files: back})
	p.until("the twin is named", func(s session.State) bool {
		return len(s.Notices) > 0 && s.Notices[len(s.Notices)-1].Text == session.Called(old.ID)+" makes the same change"
	})
	p.engine.Do(intent.Reject{Candidate: old.ID})
	p.engine.Do(intent.Revise{Candidate: edited.ID, Files: back})
	p.until("the change is proposed again", proposed(before+2))
}
