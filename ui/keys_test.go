package ui

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/editor"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/verify/verdict"
)

// intentKeys is what keys ask of the engine, by the scene they are pressed in.
var intentKeys = []struct {
	scene string
	keys  []string
	want  intent.Intent
}{
	{"stopped", []string{"c"}, nil}, // it would end the program
	{"stopped", []string{"n", "n"}, nil},
	{"stopped", []string{"c", "y"}, intent.Run{Motion: debugger.Continue}},
	{"stopped", []string{"n", "y"}, intent.Run{Motion: debugger.Next}},
	{"stopped", []string{"s", "y"}, intent.Run{Motion: debugger.StepIn}},
	{"recovered", []string{"c"}, intent.Run{Motion: debugger.Continue}},
	{"proved", []string{"6", "enter", "c"}, nil}, // a fix is open
	{"proved", []string{"6", "enter", "r"}, nil},
	{"stepped", []string{":", "c", "a", "l", "l", " ", "f", "enter"}, intent.Evaluate{At: debugger.FrameRef{Goroutine: 1, Frame: 4}, Input: "call f", Seen: 7}},
	{"file", []string{"6", "w", "y"}, intent.Allow{What: "file:/home/ann/names"}},
	{"file", []string{"6", "w", "h"}, intent.Allow{What: "files"}},
	{"blocked", []string{"6", "w", "y"}, intent.Allow{What: "network"}},
	{"stopped", []string{"o", "y"}, intent.Run{Motion: debugger.StepOut}},
	{"running", []string{"ctrl+c"}, intent.Halt{}},
	{"stopped", []string{"ctrl+c"}, nil},
	{"stopped", []string{"ctrl+c", "y"}, intent.Quit{}},
	{"stopped", []string{"k", "b"}, intent.ToggleBreakpoint{File: root() + "/index.go", Line: 42}},
	{"stopped", []string{"r"}, intent.Restart{}},
	{"exited", []string{"r"}, intent.Restart{}},
	{"broken", []string{"r"}, intent.Restart{}},
	{"building", []string{"r"}, nil},
	{"stopped", []string{"f"}, intent.Ask{}},
	{"came-back", []string{"f"}, intent.Ask{Reason: "the panic came back: same panic at index.go:43"}},
	{"running", []string{"f"}, nil},
	{"stopped", []string{"F", "q", "w", "enter"}, intent.Ask{Profiles: []string{"qwen"}}},
	{"proved", []string{"a"}, intent.Prepare{Candidate: "c1"}}, // which decides nothing
	{"proved", []string{"a", "enter"}, intent.Prepare{Candidate: "c1"}},
	{"proved", []string{"a", "a", "space", "n"}, intent.Prepare{Candidate: "c1"}},
	{"proved", []string{"a", "y"}, intent.Approve{Candidate: "c1", Test: "TestBuildIndex"}},
	{"proved", []string{"]", "a", "y"}, intent.Approve{Candidate: "c2"}},
	{"proved", []string{"]", "[", "a", "y"}, intent.Approve{Candidate: "c1", Test: "TestBuildIndex"}},
	{"proved", []string{"x", "n", "o", "enter"}, intent.Reject{Candidate: "c1", Reason: "no"}},
	{"proved", []string{"x", "n", "o", "esc"}, nil},
	{"fixed", []string{"u"}, nil},
	{"fixed", []string{"u", "enter"}, nil},
	{"fixed", []string{"u", "y"}, intent.Undo{}},
	{"stopped", []string{"u"}, nil},
	{"stopped", []string{"q"}, nil},
	{"stopped", []string{"q", "enter"}, nil},
	{"stopped", []string{"q", "y"}, intent.Quit{}},
	{"running", []string{"q", "y"}, intent.Quit{}},
	{"exited", []string{"q"}, intent.Quit{}},
	{"broken", []string{"q"}, intent.Quit{}},
	{"running", []string{"i", "h"}, intent.Type{Text: "h"}},
	{"running", []string{"i", "q"}, intent.Type{Text: "q"}},
	{"running", []string{"i", "enter"}, intent.Type{Text: "\n"}},
	{"running", []string{"i", "ctrl+c"}, intent.Type{Text: "\x03"}},
	{"running", []string{"i", "ctrl+d"}, intent.Type{Text: "\x04"}},
	{"running", []string{"i", "backspace"}, intent.Type{Text: "\x7f"}},
	{"running", []string{"i", "esc", "ctrl+c"}, intent.Halt{}},
	{"drawing", nil, intent.Resize{Cols: 116, Rows: 32}},
	{"drawing", []string{"i"}, intent.Resize{Cols: 120, Rows: 35}},
	{"drawing", []string{"i", "esc"}, intent.Type{Text: "\x1b"}}, // which the target may want
	{"drawing", []string{"i", "enter"}, intent.Type{Text: "\r"}},
	{"drawing", []string{"i", "down"}, intent.Type{Text: "\x1b[B"}},
	{"drawing", []string{"i", "ctrl+c"}, intent.Type{Text: "\x03"}},
	{"drawing", []string{"i", "shift+up"}, intent.Type{Text: "\x1b[1;2A"}},
	{"drawing", []string{"i", "ctrl+]", "ctrl+c"}, intent.Halt{}},
	{"running", []string{"i", "ctrl+]", "ctrl+c"}, intent.Halt{}},
	{"running", []string{"ctrl+]"}, nil},
	{"stopped", []string{"i"}, nil},
	{"stopped", []string{"Q"}, intent.Evaluate{At: debugger.FrameRef{Goroutine: 1, Frame: 3}, Input: "why", Seen: 7}},
	{"stopped", []string{"N"}, intent.Run{Motion: debugger.ReverseNext}},
	{"stopped", []string{":", "d", "o", "c", "enter"}, intent.Evaluate{At: debugger.FrameRef{Goroutine: 1, Frame: 3}, Input: "doc", Seen: 7}},
	{"stopped", []string{":", "n", "e", "x", "t", "enter", "y"}, intent.Evaluate{At: debugger.FrameRef{Goroutine: 1, Frame: 3}, Input: "next", Seen: 7}},
	{"stopped", []string{":", "d", "tab", "enter"}, intent.Evaluate{At: debugger.FrameRef{Goroutine: 1, Frame: 3}, Input: "doc", Seen: 7}},
	{"stopped", []string{":", "x", "enter", "up", "enter"}, intent.Evaluate{At: debugger.FrameRef{Goroutine: 1, Frame: 3}, Input: "x", Seen: 7}},
	{"stopped", []string{"2", "j", ":", "i", "enter"}, intent.Evaluate{At: debugger.FrameRef{Goroutine: 1, Frame: 4}, Input: "i", Seen: 7}},
	{"stopped", []string{":", "c", "esc"}, nil},
	{"stopped", []string{"p", "x", "enter"}, intent.Evaluate{At: debugger.FrameRef{Goroutine: 1, Frame: 3}, Input: "display -a x"}},
	{"stopped", []string{"p", "enter"}, nil},
	{"watched", []string{"3", "g", "j", "p"}, intent.Evaluate{At: debugger.FrameRef{Goroutine: 1, Frame: 3}, Input: "display -d 0"}},
	{"stopped", []string{"ctrl+p", "c", "o", "n", "t", "i", "n", "enter", "y"}, intent.Run{Motion: debugger.Continue}},
	{"running", []string{"c"}, nil},
}

func TestKeysBecomeIntents(t *testing.T) {
	for _, c := range intentKeys {
		t.Run(c.scene+" "+strings.Join(c.keys, " "), func(t *testing.T) {
			f := scenes()[c.scene]()
			s := play(t, f, 120, 36)
			s.press(c.keys...)
			if got := f.last(); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %#v, want %#v", got, c.want)
			}
		})
	}
}

// TestEveryKeyHasARow holds the contract's keys to the table.
func TestEveryKeyHasARow(t *testing.T) {
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range strings.Fields("c n s o ctrl+c b r : / j k enter esc tab 1 2 3 4 5 6 7 i ctrl+p ? f F [ ] a e x space t u P q") {
		b, ok := keys.Find(k)
		if !ok || b.Help == "" || b.Why == nil {
			t.Errorf("key %q has no row in the table", k)
		}
		if !strings.Contains(KeyTable(), "`"+k+"`") {
			t.Errorf("key %q is not in the table of docs/reference/keys.md", k)
		}
	}
}

// TestEveryKeyEverywhere presses every key in every scene: nothing may fall
// over, and nothing but y may approve, undo or quit what lives.
func TestEveryKeyEverywhere(t *testing.T) {
	keys, _ := keymap.New(nil)
	all := scenes()
	for at, name := range slices.Sorted(maps.Keys(all)) {
		for _, b := range keys.Rows() {
			for n, k := range b.Keys {
				if !testsupport.Whole() && (at+n+len(b.Action))%4 != 0 {
					continue
				}
				s := play(t, all[name](), 80, 24)
				s.press(k, k, "enter", "j", k)
				checkSize(t, s.lines(), 80, 24)
				for _, i := range s.fake.intents {
					switch i.(type) {
					case intent.Approve, intent.Undo:
						t.Errorf("%s: %s %s enter leads to %#v", name, k, k, i)
					}
				}
			}
		}
	}
}

func TestKeysAreRemapped(t *testing.T) {
	keys, err := keymap.New(map[string]string{"continue": "f5"})
	if err != nil {
		t.Fatal(err)
	}
	if b, ok := keys.Find("f5"); !ok || b.Action != keymap.Continue {
		t.Error("f5 does not continue")
	}
	if _, ok := keys.Find("c"); ok {
		t.Error("c still does something")
	}
	for _, bad := range []map[string]string{{"fly": "y"}, {"next": "c"}} {
		if _, err := keymap.New(bad); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
}

func TestPanesTakeFocus(t *testing.T) {
	s := play(t, sceneStopped(), 120, 36)
	for n := layout.Source; n <= layout.Count; n++ {
		s.press(string(rune('0' + n)))
		if s.Focus != n || s.Lay.Panes[n].Empty() {
			t.Errorf("%d does not bring its pane", n)
		}
	}
	s.press("1", "tab")
	if s.Focus != layout.Stack {
		t.Errorf("tab leads to pane %d", s.Focus)
	}
	s.press("shift+tab")
	if s.Focus != layout.Source {
		t.Errorf("shift+tab leads to pane %d", s.Focus)
	}
}

// TestHunksAreLeftAsACandidate takes a hunk out: it becomes a candidate of its
// own before it can be approved, and the review moves on to it.
func TestHunksAreLeftAsACandidate(t *testing.T) {
	f := sceneProved()
	two := originFix()
	two.Candidate.ID = "c9"
	two.Candidate.Edits = append(two.Candidate.Edits, lazyFix().Candidate.Edits[0])
	two.Candidate.Edits[1].File = "other.go"
	f.add(two)
	s := play(t, f, 120, 36)
	s.press("6", "G", "enter", "space", "a")
	want := intent.LeaveHunks{Candidate: "c9", Left: map[string][]int{"index.go": {0}}}
	if got := f.last(); !reflect.DeepEqual(got, want) {
		t.Fatalf("got %#v, want %#v", got, want)
	}
	child := two.Candidate.Without(want.Left)
	child.ID, child.Parent = "c10", "c9"
	f.add(&session.Proposed{Candidate: child})
	s.catchUp()
	if s.Ctx.Candidate != "c10" || !s.Reviewing || len(s.Ctx.Draft) != 0 {
		t.Errorf("the review is at %q", s.Ctx.Candidate)
	}
}

// TestOrderIsStableWhileReading keeps candidates in their places under the
// reader's cursor.
func TestOrderIsStableWhileReading(t *testing.T) {
	f := sceneFixes()
	s := play(t, f, 120, 36)
	s.press("6", "j")
	before := slices.Clone(s.Panes.Fixes.Order())
	better := originFix()
	better.Candidate.ID = "c5"
	f.add(better, &session.Checked{Candidate: "c5"})
	s.catchUp()
	after := s.Panes.Fixes.Order()
	if !slices.Equal(after[:len(before)], before) || after[len(after)-1] != "c5" {
		t.Errorf("%v became %v", before, after)
	}
}

// A fix that turns out better than the one being read does not move it: a line
// says so, and a key goes there.
func TestABetterFixIsAnnouncedAndOneKeyAway(t *testing.T) {
	f := sceneFixes()
	s := play(t, f, 120, 36)
	s.press("6", "j", "enter") // the second candidate, read while the others are proved
	reading := s.Ctx.Candidate
	before := slices.Clone(s.Panes.Fixes.Order())
	if strings.Contains(s.screenText(), "A better fix has come") {
		t.Fatal("announced before anything has come")
	}
	better := originFix()
	better.Candidate.ID, better.Candidate.Title = "c5", "build with terms"
	got := verdict.Verdict{Effect: verdict.Repairs, Checks: checks(rerunPass(), testsPass()), Ending: &verdict.Ending{},
		Evidence: []verdict.Evidence{{Kind: verdict.ByTests, Detail: "TestFind failed without it and passes"}, {Kind: verdict.AtOrigin}}}
	got.Verified = got.Holds()
	better.Candidate.Confidence = 100
	f.add(better, &session.Proved{Candidate: "c5", Verdict: got})
	s.catchUp()
	if s.Ctx.Candidate != reading || !slices.Equal(s.Panes.Fixes.Order()[:len(before)], before) {
		t.Errorf("%s at %v became %s at %v", reading, before, s.Ctx.Candidate, s.Panes.Fixes.Order())
	}
	if !strings.Contains(s.screenText(), "A better fix has come: ✓ repairs, build with terms. * shows it.") {
		t.Errorf("nothing is said:\n%s", s.screenText())
	}
	s.press("*")
	if s.Ctx.Candidate != "c5" || strings.Contains(s.screenText(), "A better fix has come") {
		t.Errorf("* leads to %s", s.Ctx.Candidate)
	}
}

func TestDialogsThatAppearAreDeafAtFirst(t *testing.T) {
	f := sceneStopped()
	s := play(t, f, 80, 24)
	s.send(editor.EditedMsg{Editing: editor.Editing{Candidate: "c1"}, Err: debugger.ErrGone})
	if s.Dialog == nil {
		t.Fatal("no message came")
	}
	s.send(keyPress("enter"))
	if s.Dialog == nil {
		t.Fatal("a key meant for something else closed the message")
	}
	f.clock = f.clock.Add(common.Deaf)
	s.send(keyPress("enter"))
	if s.Dialog != nil {
		t.Error("enter does not close the message")
	}
}
