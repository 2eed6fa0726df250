package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/pausetui/pausetui/ui/compose"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/text"
)

func (c *common) drawDialog(lines []string) ([]string, *tea.Cursor) {
	t := c.ctx.Theme
	r, body := c.dialogRect()
	w := r.W - 4
	if !c.inSight() {
		lines = compose.Dim(t, lines)
	}
	over := compose.Box(t, r, compose.Frame{Title: text.Line(c.dialog.Title()), Border: t.Focus, Name: t.FocusTitle}, body)
	out := compose.Overlay(lines, over, r, c.width)
	x, y, ok := c.dialog.Cursor(w)
	if !ok {
		return out, nil
	}
	return out, tea.NewCursor(r.X+2+x, r.Y+1+y)
}

// inSight reports whether what lies below the dialog is to be seen: the diff that
// is decided on, the colors that are chosen.
func (c *common) inSight() bool {
	switch c.dialog.(type) {
	case *dialog.Confirm:
		return c.reviewing
	case *dialog.Themes:
		return true
	}
	return false
}

// overKeys reports whether the dialog is where the keys and the command line are, which do
// nothing now and are not shown.
func (c *common) overKeys() bool {
	_, asks := c.dialog.(*dialog.Confirm)
	return asks && (c.reviewing || c.commanding)
}

// dialogRect is where the dialog is, with its border, and what it shows.
func (c *common) dialogRect() (layout.Rect, []string) {
	margin, above := 8, 4
	if c.width < 62 {
		margin, above = 4, 3
	}
	if d, ok := c.dialog.(*dialog.Confirm); ok && d.Compact {
		margin = 4
	}
	w := c.dialog.Width(c.width - margin)
	body := c.dialog.View(c.ctx.Theme, w, c.height-above)
	r := layout.Rect{W: w + 4, H: len(body) + 2}
	r.X, r.Y = (c.width-r.W)/2, max((c.height-r.H)/3, 0)
	switch c.dialog.(type) {
	case *dialog.Confirm:
		if c.overKeys() {
			r.Y = c.height - r.H
		}
	case *dialog.Themes:
		r.X = c.width - r.W
		r.Y = max(c.lay.Bottom.Y-r.H, 0)
	}
	return r, body
}
