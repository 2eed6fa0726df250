package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine"
)

// A target that draws gets keys and pastes as its modes ask for them.
func TestAScreenGetsKeysInItsModes(t *testing.T) {
	f := sceneDrawing()
	s := play(t, f, 80, 24)
	fmt.Fprint(f.out, "\x1b[?1h\x1b[?2004h")
	s.press("i", "up")
	if got := f.last(); got != (engine.Type{Text: "\x1bOA"}) {
		t.Errorf("up is %#v", got)
	}
	s.send(tea.PasteMsg{Content: "a\x1b[201~b"})
	if got := f.last(); got != (engine.Type{Text: "\x1b[200~ab\x1b[201~"}) {
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
		if got := screenKey(want, false); got != key {
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
