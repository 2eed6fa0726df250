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
	for _, want := range []string{"f(1)", "returns 1", "returns 2", "3 inputs tried: 2 answered the same, 1 changed."} {
		if !strings.Contains(open, want) {
			t.Errorf("no %q in\n%s", want, open)
		}
	}
	if strings.Contains(open, "var m int") || !strings.Contains(preview, "var m int") {
		t.Errorf("review:\n%s\npreview:\n%s", open, preview)
	}
	p.Back()
	if text := strings.Join(p.View(true), "\n"); !strings.Contains(text, "var m int") {
		t.Errorf("the diff does not come back:\n%s", text)
	}
}

// An input of the page is selected, opened with all that is known of it, and closed again.
func TestAnInputIsOpened(t *testing.T) {
	c := oneFix(t, patch.Candidate{ID: "c1", Edits: []patch.Edit{{File: "a.go", Before: "package a\n", After: "package a\n\nvar m int\n"}}})
	long := "f([]string{" + strings.Repeat(`"abcdefgh", `, 40) + `"end"})`
	c.State.Stops[0].Candidates[0].Behavior = &verdict.Behavior{Status: verdict.Warn, Tried: 3, Same: 1, Changed: 2, Rows: []verdict.BehaviorRow{
		{Kind: verdict.RowChanged, Function: "f", Input: "f(nil)", Before: "returns 1", After: "returns 2", Stop: true},
		{Kind: verdict.RowChanged, Function: "f", Input: long[:60] + "…", Before: "result.a = 1", After: "result.a = 2", Whole: &verdict.WholeRow{Input: long, Before: "returns T{a: 1}", After: "returns T{a: 2}\nleaves []string{}"}}}}
	c.State.Stops[0].Candidates[0].Asserts = &session.Asserted{Test: &patch.RegressionTest{Name: "TestF"}, Rows: []int{1}}
	p := NewReview()
	p.Sync(c)
	p.Resize(60, 20)
	p.ToggleChanges()
	shown := func(what string, want ...string) {
		t.Helper()
		text := strings.Join(lines(p), "\n")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: no %q in\n%s", what, w, text)
			}
		}
	}
	shown("the list", "▸ ⚠ f(nil)", "the stop · in the test", "result.a = 2")
	p.Key(keymap.Down)
	p.Key(keymap.Down)
	shown("the second", "▸ ⚠ f([]string", "in the test")
	if row, ok := p.Changes().Row(); row != 1 || !ok || !p.Changes().InTest() {
		t.Errorf("row %d is selected, in the test: %v", row, p.Changes().InTest())
	}
	p.Key(keymap.Open)
	shown("opened", "What this changes · 2 of 2", "    \"abcdefgh\",")
	p.Key(keymap.Bottom)
	shown("at its end", `"end",`, "})", "returns T{a: 1}", "⚠ now", "returns T{a: 2}", "leaves []string{}")
	p.Key(keymap.HunkPrev)
	shown("the one before", "1 of 2", "f(nil)", "returns 2")
	for range 2 {
		if !p.Back() {
			t.Error("nothing to close")
		}
	}
	if p.Back() || p.Changes().Shown() {
		t.Error("the page is still open")
	}
	shown("the diff", "var m int")
}

func TestAConfirmedFixSaysSo(t *testing.T) {
	c := oneFix(t, patch.Candidate{ID: "c1"})
	record := &c.State.Stops[0].Candidates[0]
	for _, name := range []string{verdict.Scope, verdict.Parse, verdict.Build, verdict.Rerun} {
		record.Checks = append(record.Checks, verdict.Check{Name: name, Status: verdict.Pass})
	}
	record.Verdict = &verdict.Verdict{Checks: record.Checks, Effect: verdict.Skips, How: "returns 0 when n == 0", Masking: true}
	p := NewReview()
	for _, confirmed := range []bool{false, true} {
		record.Verdict.Confirmed = confirmed
		p.Sync(c)
		p.Resize(76, 40)
		if text := strings.Join(lines(p), "\n"); strings.Contains(text, "; confirmed") != confirmed || strings.Contains(text, "Is that right?") == confirmed {
			t.Errorf("confirmed %t:\n%s", confirmed, text)
		}
	}
}
