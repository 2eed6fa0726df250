package pane

import (
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/verify/verdict"
)

// oneFix is a context with one candidate, selected.
func oneFix(t *testing.T, c patch.Candidate) *Context {
	t.Helper()
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	state := session.NewState()
	state.Stops = []session.StopRecord{{Candidates: []session.CandidateRecord{{Candidate: c}}}}
	return &Context{State: state, Candidate: c.ID, Now: began, Keys: keys}
}

func TestWhatIsLeftOutIsSaid(t *testing.T) {
	c := oneFix(t, patch.Candidate{ID: "c1", Edits: []patch.Edit{{File: "a.go", Before: "package a\n" + strings.Repeat("\n", 20), After: "package a\n\nvar m int\n" + strings.Repeat("\n", 18) + "var n int\n"}}})
	p := NewReview()
	p.Sync(c)
	p.Resize(76, 40)
	for _, tt := range []struct {
		left map[int]bool
		want string
	}{
		{map[int]bool{0: true}, "Hunks are left out: enter proves"},
		{map[int]bool{0: true, 1: true}, "Every hunk is left out"},
	} {
		c.Draft = map[string]map[int]bool{"a.go": tt.left}
		p.Sync(c)
		if text := strings.Join(lines(p), "\n"); !strings.Contains(text, tt.want) {
			t.Errorf("with %v left out %q is missing:\n%s", tt.left, tt.want, text)
		}
	}
}

func TestADetailThatIsCutSaysSo(t *testing.T) {
	c := oneFix(t, patch.Candidate{ID: "c1"})
	c.State.Stops[0].Candidates[0].Checks = []verdict.Check{{Name: verdict.Rerun, Status: verdict.Fail, Detail: strings.Repeat("it still happens ", 40)}}
	p := NewReview()
	p.Sync(c)
	p.Resize(60, 40)
	if text := strings.Join(lines(p), "\n"); !strings.Contains(text, "…") {
		t.Errorf("nothing says that the detail goes on:\n%s", text)
	}
}

func TestTheDiffComesBeforeALongExplanation(t *testing.T) {
	why := strings.Repeat("The map is made too late. ", 40) + "That is all."
	c := oneFix(t, patch.Candidate{ID: "c1", Title: "make the map", Explanation: why,
		Edits: []patch.Edit{{File: "a.go", Before: "package a\n", After: "package a\n\nvar m = map[int]int{}\n"}}})
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

// The page of what a fix changes takes the place of the diff in the review, not in the
// preview beside the list.
func TestWhatAFixChanges(t *testing.T) {
	c := oneFix(t, patch.Candidate{ID: "c1", Edits: []patch.Edit{{File: "a.go", Before: "package a\n", After: "package a\n\nvar m int\n"}}})
	c.State.Stops[0].Candidates[0].Behavior = &verdict.Behavior{Status: verdict.Warn, Tried: 3, Same: 2, Changed: 1,
		Rows: []verdict.BehaviorRow{{Kind: verdict.RowChanged, Input: "f(1)", Before: "returns 1", After: "returns 2"}}}
	p := NewReview()
	p.Sync(c)
	p.Resize(60, 40)
	p.ToggleChanges()
	p.Sync(c)
	open, preview := strings.Join(p.View(true), "\n"), strings.Join(p.View(false), "\n")
	for _, want := range []string{"f(1)", "returns 1", "returns 2", "3 inputs tried: 2 answered the same, 1 answer otherwise now."} {
		if !strings.Contains(open, want) {
			t.Errorf("no %q in\n%s", want, open)
		}
	}
	if strings.Contains(open, "var m int") || !strings.Contains(preview, "var m int") {
		t.Errorf("review:\n%s\npreview:\n%s", open, preview)
	}
	p.ToggleChanges()
	if text := strings.Join(p.View(true), "\n"); !strings.Contains(text, "var m int") {
		t.Errorf("the diff does not come back:\n%s", text)
	}
}
