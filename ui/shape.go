package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/preferences"
)

// shape is what the person has made of the layout, and is making of it now.
type shape struct {
	layout.Shape
	zoom   bool
	beside int       // the pane that was looked at last beside the source
	drag   *dragging // a border that the mouse holds; nil without one
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

// shapeAction carries out what changes the layout; done is false for the rest.
func (m *model) shapeAction(a keymap.Action) (cmd tea.Cmd, done bool) {
	if p, ok := places[a]; ok {
		return m.reshape(m.shape.With(m.focus, p)), true
	}
	switch a {
	case keymap.Zoom:
		m.shape.zoom = !m.shape.zoom
	case keymap.Larger:
		return m.reshape(m.shape.Grow(m.lay, m.resized(), resizeStep)), true
	case keymap.Smaller:
		return m.reshape(m.shape.Grow(m.lay, m.resized(), -resizeStep)), true
	case keymap.ResetLayout:
		m.shape.zoom = false
		return m.reshape(layout.Shape{}), true
	default:
		return nil, false
	}
	return nil, true
}

// resized is the pane that the keys make larger: the open candidate stands where
// the source does.
func (m *model) resized() int {
	if m.reviewing {
		return layout.Source
	}
	return m.focus
}

// reshape takes another layout, and remembers it.
func (m *model) reshape(s layout.Shape) tea.Cmd {
	if s == m.shape.Shape {
		return nil
	}
	m.shape.Shape = s
	return m.remember(func(kept *preferences.Screen) { kept.Layout = s })
}

// hasPanes tells whether the screen is made of panes.
func (m *model) hasPanes() bool {
	s := m.screen()
	return s != layout.Building && s != layout.Broken
}

// grab takes hold of the border below the pointer; false when there is none.
func (m *model) grab(x, y int) bool {
	d, ok := m.lay.DividerAt(x, y)
	if ok {
		m.shape.drag = &dragging{divider: d, x: x, y: y, before: m.shape.Shape}
	}
	return ok
}

// drag moves the border that is held.
func (m *model) drag(x, y int) {
	d := m.shape.drag
	if d == nil {
		return
	}
	by := x - d.x
	if d.divider.Vertical {
		by = y - d.y
	}
	m.shape.Shape = d.before.Drag(d.divider, by)
}

// drop lets go of it.
func (m *model) drop() tea.Cmd {
	d := m.shape.drag
	m.shape.drag = nil
	if d == nil || m.shape.Shape == d.before {
		return nil
	}
	s := m.shape.Shape
	return m.remember(func(kept *preferences.Screen) { kept.Layout = s })
}

func (m *model) screenFacts() keymap.Screen {
	return keymap.Screen{Panes: m.hasPanes(), Divided: len(m.lay.Dividers) > 0, Wide: m.lay.Wide && m.screen() == layout.Held && !m.reviewing,
		Zoomed: m.shape.zoom, Shaped: m.shape.Shape != layout.Shape{}}
}
