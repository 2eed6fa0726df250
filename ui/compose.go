package ui

import (
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// block is lines that fill a rectangle.
type block struct {
	rect  layout.Rect
	lines []string
}

// compose puts blocks that do not overlap on a screen: exactly h lines of
// exactly w cells.
func compose(w, h int, blocks []block) []string {
	sort.SliceStable(blocks, func(i, j int) bool { return blocks[i].rect.X < blocks[j].rect.X })
	out := make([]string, h)
	var b strings.Builder
	for y := range out {
		b.Reset()
		x := 0
		for _, bl := range blocks {
			r := bl.rect
			if y < r.Y || y >= r.Y+r.H || r.X < x || r.X >= w {
				continue
			}
			b.WriteString(strings.Repeat(" ", r.X-x))
			line := ""
			if i := y - r.Y; i < len(bl.lines) {
				line = bl.lines[i]
			}
			width := min(r.W, w-r.X)
			b.WriteString(text.Fit(line, width))
			x = r.X + width
		}
		b.WriteString(strings.Repeat(" ", max(w-x, 0)))
		out[y] = b.String()
	}
	return out
}

// frame is what is in the border of a box.
type frame struct {
	number, title, note string
	right               string // styled, at the right end of the upper border
	border, name        theme.Style
	flush               bool // no space between the border and the lines
	thumb               pane.Extent
	accent              theme.Style // of the thumb
}

// box draws a border with its title around lines.
func box(t theme.Theme, r layout.Rect, f frame, lines []string) []string {
	if r.W < 4 || r.H < 2 {
		return nil
	}
	out := make([]string, 0, r.H)
	out = append(out, f.top(t, r.W))
	in := r.Inner()
	side, pad, room := f.border.Render("│"), " ", in.W-2
	if f.flush {
		pad, room = "", in.W
	}
	for i := range in.H {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		edge := side
		if f.thumb.Covers(i, in.H) {
			edge = f.accent.Render("┃")
		}
		out = append(out, side+pad+text.Fit(line, room)+pad+edge)
	}
	return append(out, f.border.Render("╰"+strings.Repeat("─", r.W-2)+"╯"))
}

func (f frame) top(t theme.Theme, w int) string {
	label, used := "", 0
	if f.number != "" {
		label, used = f.name.Render(f.number)+" ", len(f.number)+1
	}
	right, rightW := f.right, text.Width(f.right)
	room := w - 6 - used
	if rightW > 0 && rightW+3 > room/2+8 {
		right, rightW = "", 0
	}
	if rightW > 0 {
		room -= rightW + 1
	}
	title := text.Cut(f.title, max(room, 0))
	label += f.name.Render(title)
	used += text.Width(title)
	if left := room - text.Width(title) - 3; f.note != "" && left > 3 {
		note := text.Cut(f.note, left)
		label += t.Dim.Render(" · " + note)
		used += 3 + text.Width(note)
	}
	fill := w - 5 - used
	if rightW > 0 {
		return f.border.Render("╭ ") + label + " " + f.border.Render(strings.Repeat("─", max(fill-rightW-2, 0))) + " " + right + " " + f.border.Render("─╮")
	}
	return f.border.Render("╭ ") + label + " " + f.border.Render(strings.Repeat("─", max(fill, 0))+"─╮")
}

// overlay puts a box over a screen, which is w cells wide.
func overlay(base, over []string, r layout.Rect, w int) []string {
	out := append([]string(nil), base...)
	for i, line := range over {
		y := r.Y + i
		if y >= len(out) {
			break
		}
		left := text.Fit(ansi.Truncate(out[y], r.X, ""), r.X)
		right := ansi.TruncateLeft(out[y], r.X+r.W, "")
		right = strings.Repeat(" ", max(w-r.X-r.W-text.Width(right), 0)) + right
		out[y] = left + "\x1b[m" + line + right
	}
	return out
}

// dim takes the colors from a screen, so that what is over it is seen.
func dim(t theme.Theme, lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = t.Faint.Render(ansi.Strip(l))
	}
	return out
}
