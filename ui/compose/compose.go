// Package compose puts blocks of lines, boxes with borders and what lies over them
// together to a screen. It must not know what the lines say.
package compose

import (
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// Block is lines that fill a rectangle.
type Block struct {
	Rect  layout.Rect
	Lines []string
}

// Screen puts blocks that do not overlap on a screen: exactly h lines of
// exactly w cells.
func Screen(w, h int, blocks []Block) []string {
	sort.SliceStable(blocks, func(i, j int) bool { return blocks[i].Rect.X < blocks[j].Rect.X })
	out := make([]string, h)
	var b strings.Builder
	for y := range out {
		b.Reset()
		x := 0
		for _, bl := range blocks {
			r := bl.Rect
			if y < r.Y || y >= r.Y+r.H || r.X < x || r.X >= w {
				continue
			}
			b.WriteString(strings.Repeat(" ", r.X-x))
			line := ""
			if i := y - r.Y; i < len(bl.Lines) {
				line = bl.Lines[i]
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

// Frame is what is in the border of a box.
type Frame struct {
	Number, Title, Note string
	Right               string // styled, at the right end of the upper border
	Border, Name        theme.Style
	Flush               bool // no space between the border and the lines
	Thumb               pane.Extent
	Accent              theme.Style // of the thumb
}

// Box draws a border with its title around lines.
func Box(t theme.Theme, r layout.Rect, f Frame, lines []string) []string {
	if r.W < 4 || r.H < 2 {
		return nil
	}
	out := make([]string, 0, r.H)
	out = append(out, f.top(t, r.W))
	in := r.Inner()
	side, pad, room := f.Border.Render("│"), " ", in.W-2
	if f.Flush {
		pad, room = "", in.W
	}
	for i := range in.H {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		edge := side
		if f.Thumb.Covers(i, in.H) {
			edge = f.Accent.Render("┃")
		}
		out = append(out, side+pad+text.Fit(line, room)+pad+edge)
	}
	return append(out, f.Border.Render("╰"+strings.Repeat("─", r.W-2)+"╯"))
}

func (f Frame) top(t theme.Theme, w int) string {
	label, used := "", 0
	if f.Number != "" {
		label, used = f.Name.Render(f.Number)+" ", len(f.Number)+1
	}
	right, rightW := f.Right, text.Width(f.Right)
	room := w - 6 - used
	if rightW > 0 && rightW+3 > room/2+8 {
		right, rightW = "", 0
	}
	if rightW > 0 {
		room -= rightW + 1
	}
	title := text.Cut(f.Title, max(room, 0))
	label += f.Name.Render(title)
	used += text.Width(title)
	if left := room - text.Width(title) - 3; f.Note != "" && left > 3 {
		note := text.Cut(f.Note, left)
		label += t.Dim.Render(" · " + note)
		used += 3 + text.Width(note)
	}
	fill := w - 5 - used
	if rightW > 0 {
		return f.Border.Render("╭ ") + label + " " + f.Border.Render(strings.Repeat("─", max(fill-rightW-2, 0))) + " " + right + " " + f.Border.Render("─╮")
	}
	return f.Border.Render("╭ ") + label + " " + f.Border.Render(strings.Repeat("─", max(fill, 0))+"─╮")
}

// Overlay puts a box over a screen, which is w cells wide.
func Overlay(base, over []string, r layout.Rect, w int) []string {
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

// Dim takes the colors from a screen, so that what is over it is seen.
func Dim(t theme.Theme, lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = t.Faint.Render(ansi.Strip(l))
	}
	return out
}

// Centered puts lines, aligned with each other, into the middle of a rectangle.
func Centered(lines []string, r layout.Rect) []string {
	width := 0
	for _, l := range lines {
		width = max(width, text.Width(l))
	}
	indent := strings.Repeat(" ", max((r.W-width)/2, 0))
	out := make([]string, max((r.H-len(lines))*2/5, 0))
	for _, l := range lines {
		out = append(out, indent+l)
	}
	return out[:min(len(out), r.H)]
}
