package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
)

// wheelRows is how many rows a notch of the wheel scrolls.
const wheelRows = 3

// click focuses a pane and selects the row below the pointer.
func (m *model) click(e tea.Mouse) tea.Cmd {
	if m.dialog != nil || e.Button != tea.MouseLeft || m.ctx.Now.Before(m.deafUntil) {
		return nil
	}
	p, n, inner := m.paneAt(e.X, e.Y)
	if p == nil {
		return nil
	}
	if n > 0 && !m.reviewing {
		m.setFocus(n)
	}
	if e.Y < inner.Y || e.Y >= inner.Y+inner.H {
		return nil
	}
	return m.effect(p.Click(e.Y - inner.Y))
}

// wheel scrolls what is below the pointer, focused or not.
func (m *model) wheel(e tea.Mouse) {
	if d, ok := m.dialog.(interface{ ScrollBy(int) }); ok {
		switch e.Button {
		case tea.MouseWheelUp:
			d.ScrollBy(-wheelRows)
		case tea.MouseWheelDown:
			d.ScrollBy(wheelRows)
		}
	}
	if m.dialog != nil {
		return
	}
	p, _, _ := m.paneAt(e.X, e.Y)
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
	if m.lay.Review.Contains(x, y) {
		return m.panes.review, 0, m.reviewInner()
	}
	if m.screen() == layout.Broken && m.lay.Main.Contains(x, y) {
		return m.panes.broken, 0, m.lay.Main.Inner()
	}
	for n := layout.Source; n <= layout.Count; n++ {
		if m.lay.Panes[n].Contains(x, y) {
			return m.panes.at(n), n, m.paneInner(n)
		}
	}
	return nil, 0, layout.Rect{}
}

// reviewInner is the room of the open candidate: below its title where there
// is no border.
func (m *model) reviewInner() layout.Rect {
	in := m.inner(m.lay.Review)
	if !m.lay.Wide && in.H > 0 {
		in.Y, in.H = in.Y+1, in.H-1
	}
	return in
}
