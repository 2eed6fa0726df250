package frames

import (
	"reflect"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
)

// sizeModel is a program that keeps the window size it received last.
type sizeModel struct{ last tea.WindowSizeMsg }

func (s *sizeModel) Init() tea.Cmd  { return nil }
func (s *sizeModel) View() tea.View { return tea.View{} }
func (s *sizeModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		s.last = size
	}
	return s, nil
}

// After a new window size the size is requested once more; after the same size it is not.
func TestANewSizeIsRequestedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := &sizeModel{}
		r := &Regained{Model: inner}
		requests := func(w, h int) bool {
			_, cmd := r.Update(tea.WindowSizeMsg{Width: w, Height: h})
			return cmd != nil && reflect.DeepEqual(cmd(), tea.RequestWindowSize())
		}
		if !requests(140, 40) || !requests(185, 4) || !requests(140, 40) || requests(140, 40) {
			t.Error("a new size is not requested again, or the same one is")
		}
		if inner.last.Width != 140 {
			t.Errorf("the program has %+v", inner.last)
		}
	})
}
