package ui

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/ui/compose"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
)

// View draws the screen.
func (m *model) View() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	v.MouseMode = m.execution.MouseMode()
	v.WindowTitle = m.attention.WindowTitle()
	v.ReportFocus = true
	if m.Width <= 0 || m.Height <= 0 {
		return v
	}
	defer m.Pace.Drawn()
	lines, cursor := m.draw()
	v.SetContent(printable.Screen(strings.Join(lines, "\n")))
	v.Cursor = cursor
	m.Paint.Await("first_frame")
	if m.Screen() == layout.Held {
		m.Paint.Await("stop_painted")
		m.selection.AwaitGoroutines()
	}
	return v
}

// draw returns exactly height lines of exactly width cells, and where the text
// cursor is.
func (m *model) draw() ([]string, *tea.Cursor) {
	if m.Lay.Small {
		return m.status.Small(), nil
	}
	var bottom []string
	if !m.OverKeys() {
		bottom = m.bar.lines(m.Lay.Bottom.W)
	}
	blocks := []compose.Block{
		{Rect: m.Lay.Status, Lines: []string{m.status.Line(m.Lay.Status.W)}},
		{Rect: m.Lay.Banner, Lines: []string{m.status.Banner()}},
		{Rect: m.Lay.Bottom, Lines: bottom},
	}
	if !m.Lay.Hint.Empty() {
		blocks = append(blocks, compose.Block{Rect: m.Lay.Hint, Lines: m.appearance.Hint(m.Lay.Hint.W)})
	}
	if !m.Lay.Card.Empty() {
		blocks = append(blocks, compose.Block{Rect: m.Lay.Card, Lines: m.status.Card(m.Lay.Card)})
		if !m.Lay.CardBox {
			blocks = blocks[1:] // the card takes the status line's place
		}
	}
	blocks = append(blocks, m.drawMiddle()...)
	cursor := m.cursor()
	if !m.Lay.Command.Empty() {
		blocks = append(blocks, compose.Block{Rect: m.Lay.Command, Lines: m.command.DrawCommand(m.Lay.Command)})
	}
	lines := compose.Screen(m.Width, m.Height, keep(blocks))
	if n := len(bottom); n > m.Lay.Bottom.H { // for a moment; nothing moves for it
		copy(lines[m.Height-n:], compose.Screen(m.Width, n, []compose.Block{{Rect: layout.Rect{W: m.Width, H: n}, Lines: bottom}}))
	}
	if m.Dialog != nil {
		return m.DrawDialog(lines)
	}
	return lines, cursor
}

func keep(blocks []compose.Block) []compose.Block {
	out := blocks[:0]
	for _, b := range blocks {
		if !b.Rect.Empty() {
			out = append(out, b)
		}
	}
	return out
}

func (m *model) drawMiddle() []compose.Block {
	switch m.Screen() {
	case layout.Building:
		return []compose.Block{{Rect: m.Lay.Main, Lines: m.status.Building(m.Lay.Main)}}
	case layout.Broken:
		return []compose.Block{{Rect: m.Lay.Main, Lines: m.status.Broken(m.Lay.Main)}}
	}
	var blocks []compose.Block
	previewed, _ := m.Preview()
	for n := layout.Source; n <= layout.Count; n++ {
		switch r := m.Lay.Panes[n]; {
		case r.Empty():
		case n == previewed && m.Ctx.Candidate != "":
			blocks = append(blocks, compose.Block{Rect: r, Lines: m.drawReview(r)})
		default:
			blocks = append(blocks, compose.Block{Rect: r, Lines: m.drawPane(n, r)})
		}
	}
	if !m.Lay.Review.Empty() {
		blocks = append(blocks, compose.Block{Rect: m.Lay.Review, Lines: m.drawReview(m.Lay.Review)})
	}
	if !m.Lay.Tabs.Empty() {
		bar, _ := m.tabs(m.Lay.Tabs.W)
		blocks = append(blocks, compose.Block{Rect: m.Lay.Tabs, Lines: []string{bar}})
	}
	return blocks
}

func (m *model) drawPane(n int, r layout.Rect) []string {
	p := m.Panes.At(n)
	focused := n == m.Focus && !m.Reviewing
	lines := p.View(focused && m.Dialog == nil)
	if m.Lay.Whole {
		return lines
	}
	if !m.Lay.Boxed {
		for i, l := range lines {
			lines[i] = " " + l
		}
		return lines
	}
	title, note := p.Title()
	if f, ok := p.(pane.Filterer); ok && f.Filter() != "" {
		if _, stays := p.(pane.Counter); !stays {
			note = "rows with " + text.Line(f.Filter())
			if v, ok := p.(pane.Viewed); ok {
				note = v.Viewed() + ", " + note
			}
		}
	}
	f := compose.Frame{Number: strconv.Itoa(n), Title: title, Note: note, Flush: n == layout.Source, Border: m.Ctx.Theme.Border, Name: m.Ctx.Theme.Dim}
	if focused {
		f.Border, f.Name = m.Ctx.Theme.Focus, m.Ctx.Theme.FocusTitle
	}
	if s, ok := p.(pane.Scroller); ok {
		f.Thumb, f.Accent = s.Extent(), f.Border
	}
	return compose.Box(m.Ctx.Theme, r, f, lines)
}

func (m *model) drawReview(r layout.Rect) []string {
	p := m.Panes.Review
	lines := p.View(m.Reviewing)
	title, _ := p.Title()
	if m.Lay.Boxed {
		t := m.Ctx.Theme
		f := compose.Frame{Title: title, Right: p.Note(), Border: t.Focus, Name: t.FocusTitle, Thumb: p.Extent(), Accent: t.Focus}
		if !m.Reviewing { // a preview: the list beside it says how it stands
			f.Right = ""
			f.Border, f.Name, f.Accent = t.Border, t.Dim, t.Border
		}
		return compose.Box(t, r, f, lines)
	}
	head := " " + text.Sides(m.Ctx.Theme.FocusTitle.Render(title), p.Note(), r.W-2)
	out := []string{head}
	for _, l := range lines {
		out = append(out, " "+l)
	}
	return out
}

// tabs is the bar of panes where not all of them fit, and the column in which
// each tab ends.
func (m *model) tabs(w int) (line string, ends [layout.Count + 1]int) {
	t := m.Ctx.Theme
	names := []string{"", "Source", "Stack", "Locals", "Goroutines", "Output", "Fixes", "Log", "Why"}
	if w < 76 || w < 84 && !m.Panes.Why.None() {
		names[layout.Goroutines] = "Gor."
	}
	line = " "
	at := 1
	for n := layout.Source; n <= layout.Count; n++ {
		if n == layout.Why && n != m.Focus && m.Panes.Why.None() {
			continue
		}
		label := strconv.Itoa(n) + " " + names[n]
		if w < 62 && n != m.Focus {
			label = strconv.Itoa(n)
		}
		if count := len(m.Panes.Fixes.Order()); n == layout.Fixes && count > 0 {
			label += " " + m.fixCount(count)
		}
		at += text.Width(label) + 2
		ends[n] = at
		if n == m.Focus {
			line += t.Tab.Render("[" + label + "]")
		} else {
			line += t.Dim.Render(" " + label + " ")
		}
	}
	return text.Fit(line, w), ends
}

// fixCount is how many candidates are verified, else how many there are.
func (m *model) fixCount(all int) string {
	verified := 0
	for _, id := range m.Panes.Fixes.Order() {
		if r, ok := m.Ctx.State.Candidate(id); ok && r.Verified() {
			verified++
		}
	}
	if verified > 0 {
		return strconv.Itoa(verified) + "✓"
	}
	return strconv.Itoa(all)
}
