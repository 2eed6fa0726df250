package session

import (
	"testing"

	"github.com/pausetui/pausetui/patch"
)

// One version of a change is in the source at a time; until then all can be decided on.
func TestOneVersionIsApplied(t *testing.T) {
	bodies := storyBodies()[:12] // c1 and c2 are proposed
	version := func(id, parent string) Body {
		return &Proposed{Candidate: patch.Candidate{ID: id, Parent: parent, Title: "edited", Edits: []patch.Edit{{File: "index.go", Before: "a\n", After: id + "\n"}}}}
	}
	bodies = append(bodies, &Decided{Candidate: "c1", Decision: Edited}, version("c3", "c1"), &Decided{Candidate: "c3", Decision: Edited}, version("c4", "c3"),
		version("c5", "c1"), version("c6", "c7"), version("c7", "c6"), version("c8", "gone"))
	for applied, excluded := range map[string][]string{
		"c1": {"c3", "c4", "c5"}, "c2": nil, "c3": {"c1", "c4", "c5"}, "c4": {"c1", "c3", "c5"}, "c8": nil, "no such": nil,
	} {
		events, _ := recorded(t, append(bodies[:len(bodies):len(bodies)], &Applied{Candidate: applied}))
		s := Fold(NewState(), events)
		for _, c := range s.Stops[0].Candidates {
			if c.Decision != "" {
				t.Errorf("%s is %s", c.ID, c.Decision)
			}
			want := ""
			for _, id := range excluded {
				if id == c.ID {
					want = applied
				}
			}
			if got := s.AppliedInstead(c.ID); got != want {
				t.Errorf("%s is applied: in place of %s %q, want %q", applied, c.ID, got, want)
			}
		}
		s = s.Apply(Event{Seq: s.Seq + 1, Body: &Undone{Candidate: applied}})
		for _, c := range s.Stops[0].Candidates {
			if got := s.AppliedInstead(c.ID); got != "" {
				t.Errorf("%s is undone, and %s in place of %s", applied, got, c.ID)
			}
		}
	}
}
