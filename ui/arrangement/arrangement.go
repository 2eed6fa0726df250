// Package arrangement changes the layout as the person says, by keys or with the mouse.
package arrangement

import (
	tea "charm.land/bubbletea/v2"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/preferences"
)

// Arrangement changes the layout as the person says, by keys or with the mouse.
type Arrangement struct{ *common.Common }

// Cycle goes on to the next pane: of those on the screen where several are,
// of all otherwise.
func (ar *Arrangement) Cycle(d int) {
	ar.LeaveReview()
	several := 0
	for _, r := range ar.Lay.Panes {
		if !r.Empty() {
			several++
		}
	}
	for range layout.Count {
		ar.SetFocus((ar.Focus-1+d+layout.Count)%layout.Count + 1)
		if ar.Focus == layout.Why && ar.Panes.Why.None() {
			continue
		}
		if several < 2 || !ar.Lay.Tabs.Empty() || !ar.Lay.Panes[ar.Focus].Empty() {
			return
		}
	}
}

// resizeStep is how many cells a key makes a pane wider.
const resizeStep = 4

// places are the actions that give the focused pane a place.
var places = map[keymap.Action]layout.Place{
	keymap.PaneLeft: layout.Left, keymap.PaneRight: layout.Right, keymap.PaneBelow: layout.Below, keymap.PaneHide: layout.Hidden,
}

// Action carries out what changes the layout; done is false for the rest.
func (ar *Arrangement) Action(a keymap.Action) (cmd tea.Cmd, done bool) {
	if p, ok := places[a]; ok {
		return ar.reshape(ar.Shape.With(ar.Focus, p)), true
	}
	switch a {
	case keymap.Zoom:
		ar.Shape.Zoom = !ar.Shape.Zoom
	case keymap.Larger:
		return ar.reshape(ar.Shape.Grow(ar.Lay, ar.Resized(), resizeStep)), true
	case keymap.Smaller:
		return ar.reshape(ar.Shape.Grow(ar.Lay, ar.Resized(), -resizeStep)), true
	case keymap.ResetLayout:
		ar.Shape.Zoom = false
		return ar.reshape(layout.Shape{}), true
	default:
		return nil, false
	}
	return nil, true
}

// reshape takes another layout, and remembers it.
func (ar *Arrangement) reshape(s layout.Shape) tea.Cmd {
	if s == ar.Shape.Shape {
		return nil
	}
	ar.Shape.Shape = s
	return ar.Remember(func(kept *preferences.Screen) { kept.Layout = s })
}

// hasPanes reports whether the screen is made of panes.
func (ar *Arrangement) hasPanes() bool {
	s := ar.Screen()
	return s != layout.Building && s != layout.Broken
}

// Grab takes hold of the border below the pointer; false when there is none.
func (ar *Arrangement) Grab(x, y int) bool {
	d, ok := ar.Lay.DividerAt(x, y)
	if ok {
		ar.Shape.Drag = &common.Dragging{Divider: d, X: x, Y: y, Before: ar.Shape.Shape}
	}
	return ok
}

// Drag moves the border that is held.
func (ar *Arrangement) Drag(x, y int) {
	d := ar.Shape.Drag
	if d == nil {
		return
	}
	by := x - d.X
	if d.Divider.Vertical {
		by = y - d.Y
	}
	ar.Shape.Shape = d.Before.Drag(d.Divider, by)
}

// Drop lets go of it.
func (ar *Arrangement) Drop() tea.Cmd {
	d := ar.Shape.Drag
	ar.Shape.Drag = nil
	if d == nil || ar.Shape.Shape == d.Before {
		return nil
	}
	s := ar.Shape.Shape
	return ar.Remember(func(kept *preferences.Screen) { kept.Layout = s })
}

// fewRows is the height, in cells, below which the fixes take the place of the
// goroutines.
const fewRows = 28

// Unseen reports whether the fixes are where the goroutines were.
func (ar *Arrangement) Unseen() bool {
	return len(ar.Panes.Fixes.Order()) > 0 && ar.Lay.Around && ar.Height < fewRows && ar.Focus != layout.Goroutines
}

// ScreenFacts is what decides which keys change the layout.
func (ar *Arrangement) ScreenFacts() keymap.Screen {
	return keymap.Screen{Panes: ar.hasPanes(), Divided: len(ar.Lay.Dividers) > 0, Wide: ar.Lay.Around,
		Zoomed: ar.Shape.Zoom, Shaped: ar.Shape.Shape != layout.Shape{}}
}
