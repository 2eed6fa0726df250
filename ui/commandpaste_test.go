package ui

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/intent"
)

// carriedOut is the lines that were handed to the engine.
func (s *stage) carriedOut() (list []string) {
	for _, i := range s.fake.intents {
		if e, ok := i.(intent.Evaluate); ok {
			list = append(list, e.Input)
		}
	}
	return list
}

// Each line of a paste is carried out as if it was typed; what follows the last end of a
// line stays to be gone on with.
func TestPastedLinesAreCarriedOut(t *testing.T) {
	s := play(t, sceneStopped(), 120, 36)
	s.press(":", "p", " ")
	s.send(tea.PasteMsg{Content: "total\r\n\n\tlocals\rwhatis t\nargs"})
	if got := s.carriedOut(); !slices.Equal(got, []string{"p total", "locals", "whatis t"}) || s.command.Text() != "args" || !s.Commanding {
		t.Errorf("%q are carried out, %q is left", got, s.command.Text())
	}
	s.send(tea.PasteMsg{Content: " -v"})
	if s.command.Text() != "args -v" {
		t.Errorf("a part of a line makes %q", s.command.Text())
	}
}

// A line that asks is asked about: those after it are not carried out unasked.
func TestAPasteStopsAtAQuestion(t *testing.T) {
	s := play(t, sceneStopped(), 120, 36)
	s.press(":")
	s.send(tea.PasteMsg{Content: "locals\nnext\nargs\nexit\n"})
	if got := s.carriedOut(); !slices.Equal(got, []string{"locals"}) || s.Dialog == nil || s.Said.Text != "2 pasted lines after this one not carried out" {
		t.Errorf("%q are carried out, dialog %v, %q", got, s.Dialog, s.Said.Text)
	}
}
