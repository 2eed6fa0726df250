package ui

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/editor"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/verify/verdict"
)

func TestMouseFocusesAndSelects(t *testing.T) {
	s := play(t, sceneProved(), 120, 36)
	stack := s.PaneInner(layout.Stack)
	s.send(tea.MouseClickMsg{X: stack.X + 2, Y: stack.Y + 2, Button: tea.MouseLeft})
	if s.Focus != layout.Stack || s.Ctx.At.Frame != 4 {
		t.Errorf("a click on the caller leads to pane %d, frame %d", s.Focus, s.Ctx.At.Frame)
	}
	fixes := s.PaneInner(layout.Fixes)
	click := tea.MouseClickMsg{X: fixes.X + 2, Y: fixes.Y + 4, Button: tea.MouseLeft}
	s.send(click)
	if s.Focus != layout.Fixes || s.Ctx.Candidate != "c2" || s.Reviewing {
		t.Errorf("a click selects %q in pane %d", s.Ctx.Candidate, s.Focus)
	}
	s.send(click)
	if !s.Reviewing {
		t.Error("a second click does not open the fix")
	}
}

// TestAClickBesideAnOpenCandidateGoesThere, as the pane's key does.
func TestAClickBesideAnOpenCandidateGoesThere(t *testing.T) {
	s := play(t, sceneProved(), 160, 45)
	s.press("6", "enter")
	locals := s.PaneInner(layout.Locals)
	s.send(tea.MouseClickMsg{X: locals.X + 2, Y: locals.Y + 1, Button: tea.MouseLeft})
	if s.Reviewing || s.Focus != layout.Locals {
		t.Errorf("a click on the variables leads to pane %d, and the candidate is open: %v", s.Focus, s.Reviewing)
	}
	if s.press("6", "enter"); !s.Reviewing {
		t.Fatal("the candidate is not open")
	}
	fixes := s.PaneInner(layout.Fixes)
	if s.send(tea.MouseClickMsg{X: fixes.X + 2, Y: fixes.Y + 4, Button: tea.MouseLeft}); !s.Reviewing || s.Ctx.Candidate != "c2" {
		t.Errorf("a click on another fix opens %q: %v", s.Ctx.Candidate, s.Reviewing)
	}
}

func TestWheelScrollsOutputAndFollowsAgain(t *testing.T) {
	f := sceneStopped()
	for i := range 100 {
		fmt.Fprintln(f.out, "row", i)
	}
	s := play(t, f, 120, 36)
	out := s.PaneInner(layout.Output)
	wheel := func(b tea.MouseButton) { s.send(tea.MouseWheelMsg{X: out.X, Y: out.Y, Button: b}) }
	wheel(tea.MouseWheelUp)
	fmt.Fprintln(f.out, "newest")
	s.send(tickMsg{})
	if strings.Contains(s.screenText(), "newest") {
		t.Error("scrolled output goes on following")
	}
	for range 3 {
		wheel(tea.MouseWheelDown)
	}
	if !strings.Contains(s.screenText(), "newest") {
		t.Error("output at its end does not follow")
	}
}

func TestOutputSaysWhatIsLeftOut(t *testing.T) {
	f := sceneRunning()
	for i := range 1_000_000 {
		fmt.Fprintln(f.out, "a row of the flood with some words in it", i)
	}
	s := play(t, f, 80, 24)
	s.press("g")
	for range 200 {
		s.press("pgdown")
		if strings.Contains(s.screenText(), "lines left out …") {
			return
		}
	}
	t.Error("no row says how much was left out")
}

// TestEditorMakesACandidate edits a candidate's file.
func TestEditorMakesACandidate(t *testing.T) {
	f := sceneProved()
	s := play(t, f, 120, 36)
	edit := originFix().Candidate.Edits[0]
	ready := editor.PrepareEdit(editor.Editing{Candidate: "c1", File: edit.File, Before: edit.After})
	if ready.Err != nil {
		t.Fatal(ready.Err)
	}
	after := strings.Replace(edit.After, "make(map[string][]int)", "map[string][]int{}", 1)
	if err := os.WriteFile(ready.Path, []byte(after), 0o600); err != nil {
		t.Fatal(err)
	}
	s.send(editor.EditDoneMsg{Editing: ready.Editing})
	want := intent.Revise{Candidate: "c1", Files: map[string]string{"index.go": after}}
	if got := f.last(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v", got)
	}
	if _, err := os.Stat(ready.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary directory is still there: %v", err)
	}
}

func TestEditorThatIsMissingOrFails(t *testing.T) {
	s := play(t, sceneProved(), 120, 36)
	s.Opts.Editor = ""
	s.press("e")
	if text := s.screenText(); !strings.Contains(text, "No editor was found.") {
		t.Errorf("the person is not notified:\n%s", text)
	}
	s = play(t, sceneProved(), 120, 36)
	ready := editor.PrepareEdit(editor.Editing{Candidate: "c1", File: "index.go", Before: "x"})
	s.send(editor.EditDoneMsg{Editing: ready.Editing, Err: errors.New("exit status 1")})
	if text := s.screenText(); !strings.Contains(text, "exit status 1") || s.fake.last() != nil {
		t.Errorf("a failed editor leads to %#v:\n%s", s.fake.last(), text)
	}
}

func TestFilters(t *testing.T) {
	s := play(t, sceneStopped(), 120, 36)
	s.press("4", "/", "c", "h", "a", "n", "enter")
	text := s.screenText()
	if !strings.Contains(text, "chan ←") || strings.Contains(text, "×10") {
		t.Errorf("goroutines are not filtered:\n%s", text)
	}
	s.press("esc")
	if !strings.Contains(s.screenText(), "×10") {
		t.Error("esc does not drop the filter")
	}
}

func TestADiffIsSplitFromAHundredColumnsOn(t *testing.T) {
	for width, want := range map[int]bool{99: false, 100: true, 120: true} {
		s := play(t, sceneProved(), width, 36)
		s.press("6", "enter", "t")
		if text := s.screenText(); s.Ctx.Split != want || strings.Contains(text, "side by side needs 100 columns") == want {
			t.Errorf("%d columns: split is %v\n%s", width, s.Ctx.Split, text)
		}
	}
}

// An edited fix names the one it was made from, and both can be decided on until one of
// them is applied.
func TestAnEditAndItsOriginal(t *testing.T) {
	f := sceneProved()
	edit := originFix()
	edit.Candidate.ID, edit.Candidate.Parent, edit.Candidate.Title = "c4", "c1", "make it (edited)"
	f.add(&session.Decided{Candidate: "c1", Decision: session.Edited}, edit, &session.Proved{Candidate: "c4", Verdict: verdict.Verdict{Verified: true, Effect: verdict.Repairs, Checks: checks(rerunPass())}})
	s := play(t, f, 120, 36)
	for _, id := range []string{"c1", "c4"} {
		s.review.Open(id)
		if why := s.facts().Decided; why != "" {
			t.Errorf("%s: %s", id, why)
		}
	}
	s.press("esc", "6")
	if !strings.Contains(s.screenText(), "made from fix 1") {
		t.Errorf("the list does not say what the edit was made from:\n%s", s.screenText())
	}
	f.add(&session.Decided{Candidate: "c4", Decision: session.Approved}, &session.Applied{Candidate: "c4"})
	s.catchUp()
	s.review.Open("c1")
	if why := s.facts().Decided; why != "fix 4 is applied in place of this one: u takes it back" {
		t.Errorf("the original: %q", why)
	}
	s.press("esc", "6")
	if !strings.Contains(s.screenText(), "– fix 4 is applied") {
		t.Errorf("the list does not say which of them is applied:\n%s", s.screenText())
	}
}

// At either end of the list the keys that go on say so.
func TestTheEndsOfTheListOfFixes(t *testing.T) {
	s := play(t, sceneProved(), 120, 36)
	for _, keys := range []struct{ key, want string }{{"]", "last fix of the list"}, {"[", "first fix of the list"}} {
		for range len(s.Panes.Fixes.Order()) {
			if strings.Contains(s.screenText(), keys.want) {
				t.Fatalf("%s: said before the end", keys.key)
			}
			s.press(keys.key)
		}
		if !strings.Contains(s.screenText(), keys.want) {
			t.Errorf("%s at the end says nothing:\n%s", keys.key, s.screenText())
		}
	}
}
