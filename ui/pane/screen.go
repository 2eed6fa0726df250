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

// first is the first line of the screen that is shown: what is below the lines of a
// program matters more than what is above.
func (p *Output) first() int {
	if p.screen.Alternate {
		return 0
	}
	used := p.screen.Y + 1
	for i, l := range p.screen.Lines {
		if l != "" {
			used = max(used, i+1)
		}
	}
	return max(used-p.height, 0)
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
