package browser

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session/index"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

const (
	twoColumns = 90 // cells from which the preview has room beside the list
	headRows   = 2  // the query, and what it found
	footRows   = 1
)

// rows is how many sessions the list shows.
func (m *model) rows() int {
	rows := m.height - headRows - footRows
	if m.width < twoColumns {
		rows -= m.previewRows()
	}
	return max(rows, 1)
}

// previewRows is how many rows the preview has below the list where there is no
// room beside it.
func (m *model) previewRows() int {
	if m.height < 16 {
		return 0
	}
	return m.height / 2
}

// View draws the screen.
func (m *model) View() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	if m.width <= 0 || m.height <= 0 {
		return v
	}
	var lines []string
	switch m.view {
	case listView:
		lines = m.drawList()
		_, x := m.query.View(m.width - 4)
		v.Cursor = tea.NewCursor(x+2, 0)
	case sessionView:
		lines = m.drawSession()
	case statsView:
		lines = m.drawStats()
	case helpView:
		lines = m.scrolled(m.help())
	}
	for len(lines) < m.height-footRows {
		lines = append(lines, "")
	}
	lines = append(lines[:m.height-footRows], m.foot())
	for i := range lines {
		lines[i] = text.Fit(lines[i], m.width)
	}
	v.SetContent(printable.Screen(strings.Join(lines, "\n")))
	return v
}

func (m *model) foot() string {
	t := m.pane.Theme
	switch {
	case m.confirm != "":
		return " " + t.WarnStrong.Render("delete "+text.Line(m.confirm)+"?") + t.Dim.Render(" its log, output and sources; ") + t.Key.Render("y") + t.Dim.Render(" deletes them, any other key keeps them")
	case m.note != "":
		return " " + t.Warn.Render(text.Line(m.note))
	}
	return " " + m.hints()
}

func (m *model) drawList() []string {
	t := m.pane.Theme
	typed, _ := m.query.View(m.width - 4)
	first := t.Key.Render("› ") + t.Text.Render(typed)
	if m.query.Text() == "" {
		first += t.Faint.Render("type to search: words, class:nil* outcome:fixed model:qwen* since:30d file:index.go")
	}
	lines := []string{first, m.status()}
	rows := m.rows()
	wide := m.width
	if m.width >= twoColumns {
		wide = min(max(m.width*2/5, 44), 76)
	}
	var list []string
	for i := m.top; i < len(m.list) && len(list) < rows; i++ {
		list = append(list, m.row(m.list[i], wide, i == m.cursor))
	}
	if len(m.list) == 0 {
		list = append(list, "", t.Dim.Render("  "+m.nothing()))
	}
	if m.width < twoColumns {
		for len(list) < rows {
			list = append(list, "")
		}
		lines = append(lines, list...)
		if n := m.previewRows(); n > 0 {
			lines = append(lines, t.Border.Render(strings.Repeat("─", m.width)))
			lines = append(lines, m.preview(m.width-2, n-1)...)
		}
		return lines
	}
	preview := m.preview(m.width-wide-3, rows)
	for i := range rows {
		left, right := "", ""
		if i < len(list) {
			left = list[i]
		}
		if i < len(preview) {
			right = preview[i]
		}
		lines = append(lines, text.Fit(left, wide)+t.Border.Render(" │ ")+right)
	}
	return lines
}

func (m *model) nothing() string {
	switch {
	case m.progress != nil || m.asked != m.query.Text():
		return "reading the logs…"
	case m.query.Text() == "":
		return "no sessions yet: pausetui debug makes the first"
	}
	return "nothing matches"
}

// status says what was found, what is wrong, or how the word may go on.
func (m *model) status() string {
	t := m.pane.Theme
	switch {
	case len(m.offers) > 0:
		return "  " + t.Dim.Render(text.Line(strings.Join(m.offers, "  ")))
	case m.problem != "":
		return "  " + t.Warn.Render(text.Line(m.problem))
	case m.progress != nil:
		return "  " + t.Dim.Render(fmt.Sprintf("reading the logs: %d of %d, %d MB", m.progress.Done, m.progress.Total, m.progress.Bytes>>20))
	}
	words := text.Plural(int64(m.total), "session")
	if m.total > len(m.list) {
		words += fmt.Sprintf(", the newest %d are listed", len(m.list))
	}
	return "  " + t.Dim.Render(words)
}

// row is a session in the list.
func (m *model) row(s index.Session, w int, here bool) string {
	t := m.pane.Theme
	sign := outcomeStyle(t, s.Outcome, s.Judgement).Render(outcomeSign(s))
	what := s.Class
	if what == "" {
		what = s.Outcome
	}
	at := s.Function
	if w >= 60 && s.File != "" {
		at = fmt.Sprintf("%s %s:%d", s.Function, text.Base(s.File), s.Line)
	}
	left := sign + " " + t.Text.Render(text.Line(what)) + t.Dim.Render(" "+text.Line(at))
	if s.Error != "" {
		left = t.Warn.Render("✗ "+text.Line(s.Name)) + t.Dim.Render(" "+text.Line(s.Error))
	}
	line := " " + text.Sides(left, t.Faint.Render(m.when(s.At)), w-2) + " "
	if here {
		return t.Selected.Over(text.Fit(line, w))
	}
	return line
}

// when is the time of a session: how long ago, or the day.
func (m *model) when(at time.Time) string {
	ago := m.o.Clock().Sub(at)
	switch {
	case ago < 24*time.Hour:
		return text.Ago(ago)
	case ago < 300*24*time.Hour:
		return at.Local().Format("2 Jan 15:04")
	}
	return at.Local().Format("2 Jan 2006")
}

func outcomeSign(s index.Session) string {
	switch {
	case s.Outcome == "running":
		return "●"
	case s.Judgement == "fixed" || s.Outcome == "fixed":
		return "✓"
	case s.Judgement == "came-back" || s.Outcome == "failed" || s.Outcome == "killed":
		return "✗"
	case s.Class == "":
		return "·"
	}
	return "○"
}

func outcomeStyle(t theme.Theme, outcome, judgement string) theme.Style {
	switch {
	case judgement == "fixed" || outcome == "fixed":
		return t.Good
	case judgement == "came-back" || outcome == "failed" || outcome == "killed":
		return t.Stop
	}
	return t.Dim
}

// preview is the beginning of the session under the cursor.
func (m *model) preview(w, rows int) []string {
	s, ok := m.selected()
	if !ok {
		return nil
	}
	d := m.opened[s.Name]
	if d == nil || !d.ready {
		return []string{m.pane.Theme.Faint.Render("reading…")}
	}
	lines := d.draw(m.pane, w)
	return lines[:min(rows, len(lines))]
}

func (m *model) drawSession() []string {
	s, ok := m.selected()
	if !ok {
		return nil
	}
	t := m.pane.Theme
	title := " " + t.Strong.Render(text.Line(s.Name)) + t.Dim.Render(fmt.Sprintf("  %d of %d", m.cursor+1, len(m.list)))
	other, same := m.other()
	if m.split && !same {
		title += t.Warn.Render("  no other session of this list stopped at the same fault")
	}
	lines := []string{title, t.Border.Render(strings.Repeat("─", m.width))}
	if m.split && same {
		return append(lines, m.sideBySide(s.Name, other)...)
	}
	return append(lines, m.scrolled(m.pageOf(s.Name, m.width-2))...)
}

func (m *model) pageOf(name string, w int) []string {
	d := m.opened[name]
	if d == nil || !d.ready {
		return []string{m.pane.Theme.Faint.Render("reading…")}
	}
	return d.draw(m.pane, w)
}

// sideBySide shows two sessions that stopped at the same fault.
func (m *model) sideBySide(name, other string) []string {
	half := (m.width - 3) / 2
	left, right := m.pageOf(name, half), m.pageOf(other, half)
	var lines []string
	for i := range max(len(left), len(right)) {
		l, r := "", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		lines = append(lines, text.Fit(l, half)+m.pane.Theme.Border.Render(" │ ")+text.Fit(r, half))
	}
	return m.scrolled(lines)
}

// scrolled are the lines in sight.
func (m *model) scrolled(lines []string) []string {
	rows := max(m.height-headRows-footRows, 1)
	m.scroll = min(m.scroll, max(len(lines)-rows, 0))
	shown := lines[m.scroll:min(m.scroll+rows, len(lines))]
	out := make([]string, len(shown))
	for i, l := range shown {
		out[i] = " " + l
	}
	return out
}

// help says how to search.
func (m *model) help() []string {
	t := m.pane.Theme
	lines := []string{t.Strong.Render("Search"), ""}
	for _, h := range [][2]string{
		{"index range", "sessions with words that begin so: message, function, file, code, reasons"},
		{"class:nil*", "of a class of stop"}, {"outcome:fixed", "by how the session ended; judged:came-back by what became of the fix"},
		{"model:qwen*", "asked a model; prompt:NAME with a prompt"}, {"file:index.go", "where it stopped; function:NAME, package:PATH"},
		{"effect:skips", "has a candidate of that kind"}, {"by:NAME", "who decided"}, {"since:30d", "not older; until:2026-11-01 before that day"},
		{`message:"*map*"`, "quotes hold words together; * and ? stand for anything"},
	} {
		lines = append(lines, "  "+t.Key.Render(text.Fit(h[0], 18))+t.Text.Render(h[1]))
	}
	return lines
}
