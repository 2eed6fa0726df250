package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
)

// Escape and a letter, typed fast, are two keys, as far as alt means nothing with the letter.
func TestEscapeAndALetter(t *testing.T) {
	alt := func(letter rune) tea.Msg { return tea.KeyPressMsg{Code: letter, Mod: tea.ModAlt} }
	s := play(t, sceneStopped(), 120, 36)
	s.press(":", "p", " ", "x")
	s.send(alt('b'))
	if !s.Commanding {
		t.Error("alt+b leaves the command line")
	}
	s.send(alt('?'))
	if s.Commanding || s.Dialog == nil {
		t.Errorf("the command line is open: %t, dialog %v", s.Commanding, s.Dialog)
	}
	s.send(alt('c'))
	if s.Dialog == nil { // it asks whether the stop may be lost
		t.Fatal("alt+c edits the help's filter only")
	}
	s.press("esc")
	s.send(alt('c'))
	s.press("y")
	if got, want := s.fake.last(), (intent.Run{Motion: debugger.Continue}); got != want {
		t.Errorf("got %#v, want %#v", got, want)
	}

	s = play(t, sceneStopped(), 120, 36)
	s.press(":")
	s.send(tea.KeyPressMsg{Code: 'b', ShiftedCode: 'B', Mod: tea.ModAlt | tea.ModShift})
	if s.Commanding || s.Dialog == nil {
		t.Errorf("escape and B leave the command line open: %t, dialog %v", s.Commanding, s.Dialog)
	}

	s = play(t, sceneStopped(), 120, 36)
	s.send(tea.KeyboardEnhancementsMsg{Flags: ansi.KittyDisambiguateEscapeCodes})
	s.send(alt('c'))
	if s.Dialog != nil || len(s.decided()) > 0 {
		t.Error("alt+c of a terminal that tells keys apart is taken for two keys")
	}
}
