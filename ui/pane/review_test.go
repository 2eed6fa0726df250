package pane

import (
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/keymap"
)

func TestTheDiffComesBeforeALongExplanation(t *testing.T) {
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	why := strings.Repeat("The map is made too late. ", 40) + "That is all."
	state := session.NewState()
	state.Stops = []session.StopRecord{{Candidates: []session.CandidateRecord{{Candidate: patch.Candidate{ID: "c1", Title: "make the map", Explanation: why,
		Edits: []patch.Edit{{File: "a.go", Before: "package a\n", After: "package a\n\nvar m = map[int]int{}\n"}}}}}}}
	c := &Context{State: state, Candidate: "c1", Now: began, Keys: keys}
	p := NewReview()
	p.Sync(c)
	for _, height := range []int{6, 15, 18, 40} {
		p.Resize(76, height)
		p.Open("")
		shown := lines(p)
		at := slices.IndexFunc(shown, func(l string) bool { return strings.Contains(l, "var m = map[int]int{}") })
		if at < 0 || at > max(height/4+4, 5) {
			t.Errorf("with %d rows the change is in row %d:\n%s", height, at, strings.Join(shown, "\n"))
		}
		if _, ok := p.Key(keymap.Bottom); !ok || !strings.Contains(strings.Join(lines(p), "\n"), "That is all.") {
			t.Errorf("with %d rows the end is\n%s", height, strings.Join(lines(p), "\n"))
		}
	}
}
