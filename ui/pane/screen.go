package pane

import (
	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/debugger/output"
)

// Screen is what the target draws; false while it prints lines, or where those
// are shown.
func (p *Output) Screen() (output.Screen, bool) { return p.screen, p.drawn }

// Draws reports whether the target draws a screen now, and the pane shows it where
// it follows.
func (p *Output) Draws(c *Context) bool {
	if c.Output == nil || p.filter != "" {
		return false
	}
	_, drawn := c.Output.Screen()
	return drawn
}

// first is the first line of the screen that is shown. Below the lines of a program,
// the end matters more than the beginning. A program that has the whole screen is
// seen where its cursor is, and not where it has drawn nothing.
func (p *Output) first() int {
	begin, end := len(p.screen.Lines), 0 // of what is drawn
	for i, l := range p.screen.Lines {
		if l != "" {
			begin, end = min(begin, i), i+1
		}
	}
	if !p.screen.Alternate {
		return max(max(end, p.screen.Y+1)-p.height, 0)
	}
	top := 0
	if p.screen.Cursor {
		top = p.screen.Y + 1 - p.height
	}
	return max(top, min(begin, end-p.height), 0)
}

// drawScreen draws as much of the target's screen as there is room for.
func (p *Output) drawScreen() []string {
	lines := p.screen.Lines[p.first():]
	lines = lines[:min(len(lines), p.height)]
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = ansi.Truncate(l, p.width, "")
	}
	return out
}

// Cursor is where the target's cursor is in the pane; false while it is hidden or
// not in sight.
func (p *Output) Cursor() (x, y int, shown bool) {
	y = p.screen.Y - p.first()
	return p.screen.X, y, p.drawn && p.screen.Cursor && y >= 0 && y < p.height && p.screen.X < p.width
}
