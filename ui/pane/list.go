package pane

import (
	"strings"

	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// list is a cursor over rows with a window that follows it.
type list struct {
	cursor, top   int
	count, height int
	width         int
}

func (l *list) resize(w, h int) { l.width, l.height = w, h; l.clamp() }

func (l *list) setCount(n int) { l.count = n; l.clamp() }

func (l *list) clamp() {
	l.cursor = max(min(l.cursor, l.count-1), 0)
	if l.cursor < l.top {
		l.top = l.cursor
	}
	if l.height > 0 && l.cursor >= l.top+l.height {
		l.top = l.cursor - l.height + 1
	}
	l.top = max(min(l.top, l.count-l.height), 0)
}

func (l *list) moveTo(i int) { l.cursor = i; l.clamp() }

// scrollBy moves the window and takes the cursor along.
func (l *list) scrollBy(n int) {
	l.top = max(min(l.top+n, l.count-l.height), 0)
	l.cursor = max(min(l.cursor, l.top+l.height-1), l.top)
	l.clamp()
}

// move carries out a movement; false when the action is none.
func (l *list) move(a keymap.Action) bool {
	switch a {
	case keymap.Up:
		l.moveTo(l.cursor - 1)
	case keymap.Down:
		l.moveTo(l.cursor + 1)
	case keymap.PageUp:
		l.moveTo(l.cursor - max(l.height-1, 1))
	case keymap.PageDown:
		l.moveTo(l.cursor + max(l.height-1, 1))
	case keymap.Top:
		l.moveTo(0)
	case keymap.Bottom:
		l.moveTo(l.count - 1)
	default:
		return false
	}
	return true
}

// Extent is the part of the rows that is shown.
func (l *list) Extent() Extent { return Extent{l.top, l.height, l.count} }

// window is the range of rows to be drawn.
func (l *list) window() (from, to int) { return l.top, min(l.top+l.height, l.count) }

// row fits a line and marks it when the cursor is on it.
func (l *list) row(t theme.Theme, line string, i int, focused bool) string {
	line = text.Fit(line, l.width)
	if focused && i == l.cursor {
		return t.Selected.Over(line)
	}
	return line
}

func wrapDim(c *Context, s string, w int) []string { return wrapStyle(c.Theme.Dim, s, w) }

// wrapStyle breaks words into lines; none for no words.
func wrapStyle(style theme.Style, s string, w int) []string {
	if s == "" {
		return nil
	}
	lines := text.Wrap(s, w, 0)
	for i, l := range lines {
		lines[i] = style.Render(l)
	}
	return lines
}

// matches reports whether a row passes a filter, without regard to case.
func matches(row, filter string) bool {
	return filter == "" || strings.Contains(strings.ToLower(row), strings.ToLower(filter))
}
