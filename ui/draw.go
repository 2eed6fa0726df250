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
	v.MouseMode = m.execution.mouseMode()
	v.WindowTitle = m.attention.windowTitle()
	v.ReportFocus = true
	if m.width <= 0 || m.height <= 0 {
		return v
	}
	defer m.pace.Drawn()
	lines, cursor := m.draw()
	v.SetContent(printable.Screen(strings.Join(lines, "\n")))
	v.Cursor = cursor
	m.paint.Await("first_frame")
	if m.screen() == layout.Held {
		m.paint.Await("stop_painted")
		m.selection.awaitGoroutines()
	}
	return v
}

// draw returns exactly height lines of exactly width cells, and where the text
// cursor is.
func (m *model) draw() ([]string, *tea.Cursor) {
	if m.lay.Small {
		return m.status.drawSmall(), nil
	}
	var bottom []string
	if !m.overKeys() {
		bottom = m.status.bottom(m.lay.Bottom.W)
	}
	blocks := []compose.Block{
		{Rect: m.lay.Status, Lines: []string{m.status.statusLine(m.lay.Status.W)}},
		{Rect: m.lay.Banner, Lines: []string{m.status.banner()}},
		{Rect: m.lay.Bottom, Lines: bottom},
	}
	if !m.lay.Hint.Empty() {
		blocks = append(blocks, compose.Block{Rect: m.lay.Hint, Lines: m.appearance.hint(m.lay.Hint.W)})
	}
	if !m.lay.Card.Empty() {
		blocks = append(blocks, compose.Block{Rect: m.lay.Card, Lines: m.status.drawCard(m.lay.Card)})
		if !m.lay.CardBox {
			blocks = blocks[1:] // the card takes the status line's place
		}
	}
	blocks = append(blocks, m.drawMiddle()...)
	cursor := m.cursor()
	if !m.lay.Command.Empty() {
		blocks = append(blocks, compose.Block{Rect: m.lay.Command, Lines: m.command.drawCommand(m.lay.Command)})
	}
	lines := compose.Screen(m.width, m.height, keep(blocks))
	if n := len(bottom); n > m.lay.Bottom.H { // for a moment; nothing moves for it
		copy(lines[m.height-n:], compose.Screen(m.width, n, []compose.Block{{Rect: layout.Rect{W: m.width, H: n}, Lines: bottom}}))
	}
	if m.dialog != nil {
		return m.drawDialog(lines)
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
	switch m.screen() {
	case layout.Building:
		return []compose.Block{{Rect: m.lay.Main, Lines: m.status.drawBuilding(m.lay.Main)}}
	case layout.Broken:
		return []compose.Block{{Rect: m.lay.Main, Lines: m.status.drawBroken(m.lay.Main)}}
	}
	var blocks []compose.Block
	previewed, _ := m.preview()
	for n := layout.Source; n <= layout.Count; n++ {
		switch r := m.lay.Panes[n]; {
		case r.Empty():
		case n == previewed && m.ctx.Candidate != "":
			blocks = append(blocks, compose.Block{Rect: r, Lines: m.drawReview(r)})
		default:
			blocks = append(blocks, compose.Block{Rect: r, Lines: m.drawPane(n, r)})
		}
	}
	if !m.lay.Review.Empty() {
		blocks = append(blocks, compose.Block{Rect: m.lay.Review, Lines: m.drawReview(m.lay.Review)})
	}
	if !m.lay.Tabs.Empty() {
		bar, _ := m.tabs(m.lay.Tabs.W)
		blocks = append(blocks, compose.Block{Rect: m.lay.Tabs, Lines: []string{bar}})
	}
	return blocks
}

func (m *model) drawPane(n int, r layout.Rect) []string {
	p := m.panes.at(n)
	focused := n == m.focus && !m.reviewing
	lines := p.View(focused && m.dialog == nil)
	if m.lay.Whole {
		return lines
	}
	if !m.lay.Boxed {
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
	f := compose.Frame{Number: strconv.Itoa(n), Title: title, Note: note, Flush: n == layout.Source, Border: m.ctx.Theme.Border, Name: m.ctx.Theme.Dim}
	if focused {
		f.Border, f.Name = m.ctx.Theme.Focus, m.ctx.Theme.FocusTitle
	}
	if s, ok := p.(pane.Scroller); ok {
		f.Thumb, f.Accent = s.Extent(), f.Border
	}
	return compose.Box(m.ctx.Theme, r, f, lines)
}

func (m *model) drawReview(r layout.Rect) []string {
	p := m.panes.review
	lines := p.View(m.reviewing)
	title, _ := p.Title()
	if m.lay.Boxed {
		t := m.ctx.Theme
		f := compose.Frame{Title: title, Right: p.Note(), Border: t.Focus, Name: t.FocusTitle, Thumb: p.Extent(), Accent: t.Focus}
		if !m.reviewing { // a preview: the list beside it says how it stands
			f.Right = ""
			f.Border, f.Name, f.Accent = t.Border, t.Dim, t.Border
		}
		return compose.Box(t, r, f, lines)
	}
	head := " " + text.Sides(m.ctx.Theme.FocusTitle.Render(title), p.Note(), r.W-2)
	out := []string{head}
	for _, l := range lines {
		out = append(out, " "+l)
	}
	return out
}

// tabs is the bar of panes where not all of them fit, and the column in which
// each tab ends.
func (m *model) tabs(w int) (line string, ends [layout.Count + 1]int) {
	t := m.ctx.Theme
	names := []string{"", "Source", "Stack", "Locals", "Goroutines", "Output", "Fixes", "Log", "Why"}
	if w < 76 || w < 84 && !m.panes.why.None() {
		names[layout.Goroutines] = "Gor."
	}
	line = " "
	at := 1
	for n := layout.Source; n <= layout.Count; n++ {
		if n == layout.Why && n != m.focus && m.panes.why.None() {
			continue
		}
		label := strconv.Itoa(n) + " " + names[n]
		if w < 62 && n != m.focus {
			label = strconv.Itoa(n)
		}
		if count := len(m.panes.fixes.Order()); n == layout.Fixes && count > 0 {
			label += " " + m.fixCount(count)
		}
		at += text.Width(label) + 2
		ends[n] = at
		if n == m.focus {
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
	for _, id := range m.panes.fixes.Order() {
		if r, ok := m.ctx.State.Candidate(id); ok && r.Verified() {
			verified++
		}
	}
	if verified > 0 {
		return strconv.Itoa(verified) + "✓"
	}
	return strconv.Itoa(all)
}

// drawSmall says calmly that there is no room.
func (st *status) drawSmall() []string {
	minimum := strconv.Itoa(layout.MinWidth) + " × " + strconv.Itoa(layout.MinHeight)
	words := []string{"pausetui needs", minimum + " cells,", "this is " + strconv.Itoa(st.width) + " × " + strconv.Itoa(st.height) + ".", "Enlarge the terminal."}
	if st.width >= 56 {
		words = []string{"This terminal is too small.", "pausetui needs " + minimum + " cells; this is " + strconv.Itoa(st.width) + " × " + strconv.Itoa(st.height) + "."}
	}
	words = words[:min(len(words), st.height)]
	top := (st.height - len(words)) / 2
	out := make([]string, st.height)
	for i := range out {
		line := ""
		if j := i - top; j >= 0 && j < len(words) {
			line = strings.Repeat(" ", max((st.width-text.Width(words[j]))/2, 0)) + words[j]
		}
		out[i] = text.Fit(line, st.width)
	}
	return out
}
