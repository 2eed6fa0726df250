package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/preferences"
)

// arrangement changes the layout as the person says, by keys or with the mouse.
type arrangement struct{ *common }

// cycle goes on to the next pane: of those on the screen where several are,
// of all otherwise.
func (ar *arrangement) cycle(d int) {
	ar.leaveReview()
	several := 0
	for _, r := range ar.lay.Panes {
		if !r.Empty() {
			several++
		}
	}
	for range layout.Count {
		ar.setFocus((ar.focus-1+d+layout.Count)%layout.Count + 1)
		if ar.focus == layout.Why && ar.panes.why.None() {
			continue
		}
		if several < 2 || !ar.lay.Tabs.Empty() || !ar.lay.Panes[ar.focus].Empty() {
			return
		}
	}
}

// dragging is a border under the mouse.
type dragging struct {
	divider layout.Divider
	x, y    int          // where it was taken
	before  layout.Shape // when it was taken
}

// resizeStep is how many cells a key makes a pane wider.
const resizeStep = 4

// places are the actions that give the focused pane a place.
var places = map[keymap.Action]layout.Place{
	keymap.PaneLeft: layout.Left, keymap.PaneRight: layout.Right, keymap.PaneBelow: layout.Below, keymap.PaneHide: layout.Hidden,
}

// action carries out what changes the layout; done is false for the rest.
func (ar *arrangement) action(a keymap.Action) (cmd tea.Cmd, done bool) {
	if p, ok := places[a]; ok {
		return ar.reshape(ar.shape.With(ar.focus, p)), true
	}
	switch a {
	case keymap.Zoom:
		ar.shape.zoom = !ar.shape.zoom
	case keymap.Larger:
		return ar.reshape(ar.shape.Grow(ar.lay, ar.resized(), resizeStep)), true
	case keymap.Smaller:
		return ar.reshape(ar.shape.Grow(ar.lay, ar.resized(), -resizeStep)), true
	case keymap.ResetLayout:
		ar.shape.zoom = false
		return ar.reshape(layout.Shape{}), true
	default:
		return nil, false
	}
	return nil, true
}

// reshape takes another layout, and remembers it.
func (ar *arrangement) reshape(s layout.Shape) tea.Cmd {
	if s == ar.shape.Shape {
		return nil
	}
	ar.shape.Shape = s
	return ar.remember(func(kept *preferences.Screen) { kept.Layout = s })
}

// hasPanes reports whether the screen is made of panes.
func (ar *arrangement) hasPanes() bool {
	s := ar.screen()
	return s != layout.Building && s != layout.Broken
}

// grab takes hold of the border below the pointer; false when there is none.
func (ar *arrangement) grab(x, y int) bool {
	d, ok := ar.lay.DividerAt(x, y)
	if ok {
		ar.shape.drag = &dragging{divider: d, x: x, y: y, before: ar.shape.Shape}
	}
	return ok
}

// drag moves the border that is held.
func (ar *arrangement) drag(x, y int) {
	d := ar.shape.drag
	if d == nil {
		return
	}
	by := x - d.x
	if d.divider.Vertical {
		by = y - d.y
	}
	ar.shape.Shape = d.before.Drag(d.divider, by)
}

// drop lets go of it.
func (ar *arrangement) drop() tea.Cmd {
	d := ar.shape.drag
	ar.shape.drag = nil
	if d == nil || ar.shape.Shape == d.before {
		return nil
	}
	s := ar.shape.Shape
	return ar.remember(func(kept *preferences.Screen) { kept.Layout = s })
}

// fewRows is the height, in cells, below which the fixes take the place of the
// goroutines.
const fewRows = 28

// unseen reports whether the fixes are where the goroutines were.
func (ar *arrangement) unseen() bool {
	return len(ar.panes.fixes.Order()) > 0 && ar.lay.Around && ar.height < fewRows && ar.focus != layout.Goroutines
}

func (ar *arrangement) screenFacts() keymap.Screen {
	return keymap.Screen{Panes: ar.hasPanes(), Divided: len(ar.lay.Dividers) > 0, Wide: ar.lay.Around,
		Zoomed: ar.shape.zoom, Shaped: ar.shape.Shape != layout.Shape{}}
}
