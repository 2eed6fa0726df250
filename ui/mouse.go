package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
)

// wheelRows is how many rows a notch of the wheel scrolls.
const wheelRows = 3

// doubleClick is how long after a click another one on the same cell belongs to it.
const doubleClick = 400 * time.Millisecond

// lastClick is where and when the mouse was pressed last.
type lastClick struct {
	x, y int
	at   time.Time
}

// again reports whether a click is the second of a double click, and keeps it for
// the next one.
func (c *lastClick) again(e tea.Mouse, now time.Time) bool {
	twice := c.x == e.X && c.y == e.Y && now.Sub(c.at) < doubleClick
	*c = lastClick{e.X, e.Y, now}
	if twice {
		c.at = time.Time{} // a third one begins again
	}
	return twice
}

// click does what lies below the pointer: of a dialog, a tab, a border, which it
// takes hold of, or a pane, which it focuses and whose row it selects. A double
// click on a pane's border zooms it.
func (m *model) click(e tea.Mouse) tea.Cmd {
	if m.Ctx.Now.Before(m.DeafUntil) || m.TypesAhead() {
		return nil
	}
	if e.Button == tea.MouseRight && m.Dialog == nil && !m.Reviewing {
		return m.point(e, true)
	}
	if e.Button != tea.MouseLeft {
		return nil
	}
	if m.Dialog != nil {
		return m.clickDialog(e.X, e.Y)
	}
	twice := m.clicked.again(e, m.Ctx.Now)
	if m.Commanding && m.Lay.Command.Contains(e.X, e.Y) {
		return m.command.ClickCommand(e.Y)
	}
	if n := m.tabAt(e.X, e.Y); n > 0 {
		m.SetFocus(n)
		return nil
	}
	p, n, inner := m.paneAt(e.X, e.Y)
	if m.Reviewing && n > 0 && n != layout.Fixes { // as its key does
		m.LeaveReview()
	}
	if p != nil && n > 0 && !m.Reviewing {
		m.SetFocus(n)
	}
	switch held := m.arrangement.Grab(e.X, e.Y); {
	case p == nil:
		return nil
	case e.Y >= inner.Y && e.Y < inner.Y+inner.H && !held:
		return m.clickRow(e, p, n, e.Y-inner.Y, twice)
	case twice && m.Lay.Boxed && (n > 0 || m.Reviewing):
		m.Shape.Zoom, m.Shape.Drag = !m.Shape.Zoom, nil
	}
	return nil
}

// clickRow selects a row of a pane; twice opens that of the stack.
func (m *model) clickRow(e tea.Mouse, p pane.Pane, n, row int, twice bool) tea.Cmd {
	if twice && n == layout.Stack {
		effect, _ := p.Key(keymap.Open)
		return m.effect(effect)
	}
	if _, ok := p.(pane.Pointed); ok {
		return m.point(e, e.Mod&(tea.ModCtrl|tea.ModAlt) != 0)
	}
	return m.effect(p.Click(row))
}

// point hands a click to a pane to whose columns it means something. Nothing runs by a
// click: only selects what is there.
func (m *model) point(e tea.Mouse, only bool) tea.Cmd {
	p, n, inner := m.paneAt(e.X, e.Y)
	pointed, ok := p.(pane.Pointed)
	if !ok || !inner.Contains(e.X, e.Y) {
		return nil
	}
	m.SetFocus(n)
	return m.effect(pointed.ClickAt(e.X-inner.X, e.Y-inner.Y, only))
}

// clickDialog hands a click to the dialog, if it is one within it.
func (m *model) clickDialog(x, y int) tea.Cmd {
	d, ok := m.Dialog.(dialog.Clicker)
	if !ok {
		return nil
	}
	r, _ := m.DialogRect()
	if in := r.Inner(); !in.Contains(x, y) {
		return nil
	} else {
		return m.closing(d.Click(x-in.X-1, y-in.Y))
	}
}

// tabAt is the pane whose tab is at a cell; 0 for none.
func (m *model) tabAt(x, y int) int {
	if !m.Lay.Tabs.Contains(x, y) {
		return 0
	}
	_, ends := m.tabs(m.Lay.Tabs.W)
	for n := layout.Source; n <= layout.Count; n++ {
		if x < ends[n] && x > 0 {
			return n
		}
	}
	return 0
}

// wheel scrolls what is below the pointer, focused or not.
func (m *model) wheel(e tea.Mouse) {
	if d, ok := m.Dialog.(interface{ ScrollBy(int) }); ok {
		switch e.Button {
		case tea.MouseWheelUp:
			d.ScrollBy(-wheelRows)
		case tea.MouseWheelDown:
			d.ScrollBy(wheelRows)
		}
	}
	if m.Dialog != nil {
		return
	}
	var p interface{ ScrollBy(int) }
	if below, _, _ := m.paneAt(e.X, e.Y); below != nil {
		p = below
	}
	if m.Lay.Command.Contains(e.X, e.Y) {
		p = m.command.Panel
	}
	if p == nil {
		return
	}
	switch e.Button {
	case tea.MouseWheelUp:
		p.ScrollBy(-wheelRows)
	case tea.MouseWheelDown:
		p.ScrollBy(wheelRows)
	}
}

// paneAt finds the pane at a cell, its number (0 for those without one) and
// the room within it.
func (m *model) paneAt(x, y int) (pane.Pane, int, layout.Rect) {
	if m.Lay.Review.Contains(x, y) {
		return m.Panes.Review, 0, m.ReviewInner()
	}
	if m.Screen() == layout.Broken && m.Lay.Main.Contains(x, y) {
		return m.Panes.Broken, 0, m.Lay.Main.Inner()
	}
	for n := layout.Source; n <= layout.Count; n++ {
		if m.Lay.Panes[n].Contains(x, y) {
			return m.Panes.At(n), n, m.PaneInner(n)
		}
	}
	return nil, 0, layout.Rect{}
}
