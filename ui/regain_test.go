package ui

import (
	"reflect"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
)

// knowsSize is a program that knows the size that it was told last.
type knowsSize struct{ last tea.WindowSizeMsg }

func (s *knowsSize) Init() tea.Cmd  { return nil }
func (s *knowsSize) View() tea.View { return tea.View{} }
func (s *knowsSize) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		s.last = size
	}
	return s, nil
}

// A size that is told late is asked for again, and one that is known is not.
func TestANewSizeIsAskedForAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := &knowsSize{}
		r := &regained{Model: inner}
		asks := func(w, h int) bool {
			_, cmd := r.Update(tea.WindowSizeMsg{Width: w, Height: h})
			return cmd != nil && reflect.DeepEqual(cmd(), tea.RequestWindowSize())
		}
		if !asks(140, 40) || !asks(185, 4) || !asks(140, 40) || asks(140, 40) {
			t.Error("a new size is not asked for again, or a known one is")
		}
		if inner.last.Width != 140 {
			t.Errorf("the program knows %+v", inner.last)
		}
	})
}
