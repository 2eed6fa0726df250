package common

import (
	tea "charm.land/bubbletea/v2"
	"github.com/pausetui/pausetui/ui/compose"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/text"
)

// DrawDialog puts the dialog over a screen. It returns where its cursor is, too; nil for nowhere.
func (c *Common) DrawDialog(lines []string) ([]string, *tea.Cursor) {
	t := c.Ctx.Theme
	r, body := c.DialogRect()
	w := r.W - 4
	if !c.inSight() {
		lines = compose.Dim(t, lines)
	}
	over := compose.Box(t, r, compose.Frame{Title: text.Line(c.Dialog.Title()), Border: t.Focus, Name: t.FocusTitle}, body)
	out := compose.Overlay(lines, over, r, c.Width)
	x, y, ok := c.Dialog.Cursor(w)
	if !ok {
		return out, nil
	}
	return out, tea.NewCursor(r.X+2+x, r.Y+1+y)
}

// inSight reports whether what lies below the dialog is to be seen: the diff that
// is decided on, the colors that are chosen.
func (c *Common) inSight() bool {
	switch c.Dialog.(type) {
	case *dialog.Confirm:
		return c.Reviewing
	case *dialog.Themes:
		return true
	}
	return false
}

// OverKeys reports whether the dialog is where the keys and the command line are, which do
// nothing now and are not shown.
func (c *Common) OverKeys() bool {
	_, asks := c.Dialog.(*dialog.Confirm)
	return asks && (c.Reviewing || c.Commanding)
}

// DialogRect is where the dialog is, with its border, and what it shows.
func (c *Common) DialogRect() (layout.Rect, []string) {
	margin, above := 8, 4
	if c.Width < 62 {
		margin, above = 4, 3
	}
	if d, ok := c.Dialog.(*dialog.Confirm); ok && d.Compact {
		margin = 4
	}
	w := c.Dialog.Width(c.Width - margin)
	body := c.Dialog.View(c.Ctx.Theme, w, c.Height-above)
	r := layout.Rect{W: w + 4, H: len(body) + 2}
	r.X, r.Y = (c.Width-r.W)/2, max((c.Height-r.H)/3, 0)
	switch c.Dialog.(type) {
	case *dialog.Confirm:
		if c.OverKeys() {
			r.Y = c.Height - r.H
		}
	case *dialog.Themes:
		r.X = c.Width - r.W
		r.Y = max(c.Lay.Bottom.Y-r.H, 0)
	}
	return r, body
}
