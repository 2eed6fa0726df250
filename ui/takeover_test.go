package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/ui/execution"
)

// A target that draws gets keys and pastes as its modes ask for them.
func TestAScreenGetsKeysInItsModes(t *testing.T) {
	f := sceneDrawing()
	s := play(t, f, 80, 24)
	fmt.Fprint(f.out, "\x1b[?1h\x1b[?2004h")
	s.press("i", "up")
	if got := f.last(); got != (intent.Type{Text: "\x1bOA"}) {
		t.Errorf("up is %#v", got)
	}
	s.send(tea.PasteMsg{Content: "a\x1b[201~b"})
	if got := f.last(); got != (intent.Type{Text: "\x1b[200~ab\x1b[201~"}) {
		t.Errorf("the paste is %#v", got)
	}
	for key, want := range map[string]tea.KeyPressMsg{
		"\x1bx":     {Code: 'x', Mod: tea.ModAlt},
		"\x1b[1;6C": {Code: tea.KeyRight, Mod: tea.ModCtrl | tea.ModShift},
		"\x1b[15~":  {Code: tea.KeyF5},
		"\x1c":      {Code: '\\', Mod: tea.ModCtrl},
		"é":         {Code: 'é', Text: "é"},
		"":          {Code: tea.KeyCapsLock},
	} {
		if got := execution.ScreenKey(want, false); got != key {
			t.Errorf("%s is %q, want %q", want, got, key)
		}
	}
}

// Its cursor is shown where it is, and its screen goes with its end.
func TestAScreenIsTakenOverUntilItEnds(t *testing.T) {
	f := sceneDrawing()
	s := play(t, f, 80, 24)
	s.press("i")
	if _, c := s.draw(); c == nil || c.X != 7 || c.Y != 3 {
		t.Errorf("the cursor is %+v", c)
	}
	fmt.Fprint(f.out, "\x1b[?1049lbye\n")
	s.send(f.update())
	if text := s.screenText(); !strings.Contains(text, "bye") || !strings.Contains(text, "esc leaves") || strings.Contains(text, "Pick a fruit") {
		t.Errorf("the screen is\n%s", text)
	}
}

// What it asks for of the mouse it gets, in the sequences it understands.
func TestAScreenGetsTheMouseItAsksFor(t *testing.T) {
	f := sceneDrawing()
	s := play(t, f, 80, 24)
	s.press("i")
	click := tea.MouseClickMsg{X: 5, Y: 2, Button: tea.MouseLeft}
	drag := tea.MouseMotionMsg{X: 6, Y: 2, Button: tea.MouseLeft}
	move := tea.MouseMotionMsg{X: 7, Y: 3}
	release := tea.MouseReleaseMsg{X: 6, Y: 2, Button: tea.MouseLeft}
	wheel := tea.MouseWheelMsg{X: 1, Y: 1, Button: tea.MouseWheelDown, Mod: tea.ModCtrl}
	below := tea.MouseClickMsg{X: 5, Y: 23, Button: tea.MouseLeft}
	for _, c := range []struct {
		modes string
		msg   tea.Msg
		want  string
	}{
		{"", click, ""},
		{"\x1b[?1000h", click, "\x1b[M &#"},
		{"", release, "\x1b[M#'#"},
		{"\x1b[?1006h", click, "\x1b[<0;6;3M"},
		{"", release, "\x1b[<0;7;3m"},
		{"", wheel, "\x1b[<81;2;2M"},
		{"", below, ""},
		{"", drag, ""},
		{"\x1b[?1002h", drag, "\x1b[<32;7;3M"},
		{"", move, ""},
		{"\x1b[?1003h", move, "\x1b[<35;8;4M"},
		{"\x1b[?1000l\x1b[?1002l\x1b[?1003l", click, ""},
	} {
		fmt.Fprint(f.out, c.modes)
		s.send(f.update())
		before := len(f.intents)
		s.send(c.msg)
		got := ""
		if len(f.intents) > before {
			got = f.last().(intent.Type).Text
		}
		if got != c.want {
			t.Errorf("after %q: %#v is sent as %q, want %q", c.modes, c.msg, got, c.want)
		}
	}
	s.send(tea.BlurMsg{})
	fmt.Fprint(f.out, "\x1b[?1003h\x1b[?1004h")
	s.send(f.update())
	s.send(tea.BlurMsg{})
	if got := f.last(); got != (intent.Type{Text: "\x1b[O"}) {
		t.Errorf("the lost focus is %#v", got)
	}
	if mode := s.View().MouseMode; mode != tea.MouseModeAllMotion {
		t.Errorf("the terminal reports %v", mode)
	}
}
