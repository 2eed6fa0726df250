package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/role"
	"github.com/pausetui/pausetui/ui/company"
	"github.com/pausetui/pausetui/ui/keymap"
)

// TestAValueIsReplacedByWhatIsTyped: E opens with the old value selected, and takes the
// line for no command.
func TestAValueIsReplacedByWhatIsTyped(t *testing.T) {
	s := play(t, sceneStopped(), 120, 36)
	s.press("3", "j", "E")
	if text := s.screenText(); !strings.Contains(text, "x.count = 0") || strings.Contains(text, "step") {
		t.Fatalf("E opens:\n%s", text)
	}
	s.press("1", "2")
	if got := s.command.Text(); got != "x.count = 12" {
		t.Errorf("after typing 12: %q", got)
	}
}

// TestManyWhoLookAtALineAreCounted: their names would hide it.
func TestManyWhoLookAtALineAreCounted(t *testing.T) {
	s := play(t, sceneStopped(), 120, 36)
	file, line, _ := s.Panes.Source.Line()
	for n, want := range map[int]string{1: "◂ g1", 8: "◂ 8"} {
		view := pair.View{Shared: true, Me: "ann", Role: role.Host}
		for i := range n {
			p := pair.Person{Name: fmt.Sprintf("g%d", i+1)}
			p.Spot.File, p.Spot.Line = file, line
			view.People = append(view.People, p)
		}
		s.send(company.RoomMsg(view))
		row := ""
		for _, l := range s.lines() {
			if l = ansi.Strip(l); strings.Contains(l, "x.terms[term] = append(") {
				row = l
			}
		}
		if !strings.Contains(row, want) || n > 1 && strings.Contains(row, "g1") {
			t.Errorf("%d look at it: %q", n, row)
		}
	}
}

// TestAConstantIsNoValue: what the panic names may be a number, which says itself.
func TestAConstantIsNoValue(t *testing.T) {
	for expr, shown := range map[string]bool{"2": false, "0": false, `"a"`: false, "i+1": true} {
		f := sceneStopped()
		body := diagnosed()
		body.Diagnosis.Expr, body.Diagnosis.Value = expr, "2"
		f.add(body)
		s := play(t, f, 120, 36)
		if got := strings.Contains(s.screenText(), expr+" = 2"); got != shown {
			t.Errorf("%s: shown is %v:\n%s", expr, got, s.screenText())
		}
	}
}

// TestAViewerIsOfferedWhatAViewerMayDo: the hints name no key that is refused.
func TestAViewerIsOfferedWhatAViewerMayDo(t *testing.T) {
	for _, keys := range [][]string{nil, {"6"}, {"6", "enter"}, {"3"}, {"4"}} {
		s := play(t, sceneProved(), 200, 60)
		s.send(company.RoomMsg(pair.View{Shared: true, Me: "bob", Role: role.Viewer, People: []pair.Person{{Name: "ann"}, {Name: "bob"}}, Driver: "ann"}))
		s.press(keys...)
		for _, h := range s.Keys.Hints(s.facts()) {
			for _, a := range []keymap.Action{keymap.Continue, keymap.Next, keymap.StepIn, keymap.Ask, keymap.Approve, keymap.Edit, keymap.Reject} {
				if h.Key == s.Keys.Key(a) {
					t.Errorf("after %v: %s %s is offered", keys, h.Key, h.Words)
				}
			}
		}
		if text := s.screenText(); !strings.Contains(text, "@ asks for the wheel") {
			t.Errorf("after %v the way to the wheel is not offered:\n%s", keys, text)
		}
		s.press("c")
		if _, runs := s.fake.last().(intent.Run); runs {
			t.Error("c runs the program")
		}
		if text := s.screenText(); !strings.Contains(text, "you are looking on: @ asks for the wheel") {
			t.Errorf("c says nothing:\n%s", text)
		}
	}
}

// TestJoinedEmojiKeepTheBorder: a row is as wide with them as terminals make it that
// count each character.
func TestJoinedEmojiKeepTheBorder(t *testing.T) {
	f := sceneStopped()
	f.out.Write([]byte("family 👩‍👩‍👧‍👦 wave 👋🏽 heart ❤️ end\n"))
	s := play(t, f, 120, 36)
	for _, l := range s.lines() {
		if n := ansi.StringWidthWc(ansi.Strip(l)); n != 120 {
			t.Errorf("%d cells: %q", n, ansi.Strip(l))
		}
	}
}
