package browser

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session/index"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

const (
	twoColumns  = 90 // cells from which the preview has room next to the list
	manyColumns = 180
	headRows    = 2 // the query, and what it found
	footRows    = 1
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
// room next to it.
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
		first += t.Faint.Render("type to search: words, class:nil* judged:fixed model:qwen* since:30d file:index.go")
	}
	lines := []string{first, m.status()}
	rows, wide := m.rows(), m.width
	if m.width >= twoColumns {
		wide = max(m.width*2/5, 44)
		if m.width >= manyColumns { // the row has room for the message, and who decided
			wide = min(m.width/2, 130)
		}
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
			for _, l := range m.preview(m.width-2, n-1) {
				lines = append(lines, " "+l)
			}
		}
		return lines
	}
	preview := m.preview(m.width-wide-4, rows)
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
	case m.progress != nil || m.answered.query != m.query.Text():
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
	case m.answered.problem != "":
		return "  " + t.Warn.Render(text.Line(m.answered.problem))
	case m.progress != nil:
		return "  " + t.Dim.Render(fmt.Sprintf("reading the logs: %d of %d, %d MB", m.progress.Done, m.progress.Total, m.progress.Bytes>>20))
	}
	words := text.Plural(int64(m.answered.total), "session")
	if m.answered.total > len(m.list) {
		words += fmt.Sprintf(", the newest %d are listed", len(m.list))
	}
	line := "  " + t.Dim.Render(words)
	if len(m.offers) > 0 {
		line += t.Faint.Render("   "+m.keys.Key(keymap.PaneNext)+" ") + t.Key.Render(text.Line(strings.Join(m.offers, "  ")))
	}
	return line
}

// row is a session in the list: what stopped where, and when; and as much as has
// room of the message, the duration, who decided, the models and the target.
func (m *model) row(s index.Session, w int, here bool) string {
	t := m.pane.Theme
	sign := outcomeStyle(t, s.Outcome, s.Judgement).Render(outcomeSign(s))
	what := debugger.Class(s.Class).Words()
	if what == "" {
		what = s.Outcome
	}
	at := s.Function
	if w >= 60 && s.File != "" {
		at = fmt.Sprintf("%s %s:%d", s.Function, text.Base(s.File), s.Line)
	}
	left := sign + " " + t.Text.Render(text.Line(what)) + t.Dim.Render(" "+text.Line(at))
	message := text.Line(s.Message)
	if s.Error != "" {
		left, message = t.Warn.Render("✗ "+text.Line(s.Name))+t.Dim.Render(" "+text.Line(s.Error)), ""
	}
	right, room := m.when(s.At), w-2-text.Width(left)-2
	const short = 12 // a message in fewer cells says nothing
	if n := min(text.Width(message), room-text.Width(right)-1); n >= short {
		message = text.Cut(message, n)
		room -= n + 1
	} else {
		message = ""
	}
	for _, more := range []string{text.Duration(time.Duration(s.Seconds * float64(time.Second))), by(s.Decided), strings.Join(s.Models, " "), s.Target} {
		if more = text.Line(more); more != "" && text.Width(more)+3+text.Width(right) <= room {
			right = more + " · " + right
		}
	}
	if message != "" {
		left += t.Faint.Render(" " + message)
	}
	line := " " + text.Sides(left, t.Faint.Render(right), w-2) + " "
	if here {
		return t.Selected.Over(text.Fit(line, w))
	}
	return line
}

// by names those who decided.
func by(decided []string) string {
	if len(decided) == 0 {
		return ""
	}
	return "by " + strings.Join(decided, " ")
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
	case s.Judgement == "fixed" && len(s.Applied) > 0 || s.Outcome == "fixed": // not if it was undone
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
	d := m.documents.opened[s.Name]
	if d == nil {
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
	d := m.documents.opened[name]
	if d == nil {
		return []string{m.pane.Theme.Faint.Render("reading…")}
	}
	return d.draw(m.pane, w)
}

// maxChanges bounds what is said of two sessions above them.
const maxChanges = 8

// sideBySide shows two sessions that stopped at the same fault, below what changed.
func (m *model) sideBySide(name, other string) []string {
	half := (m.width - 3) / 2
	lines := m.changed(name, other, half)
	left, right := m.pageOf(name, half), m.pageOf(other, half)
	for i := range max(len(left), len(right)) {
		l, r := "", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		lines = append(lines, m.pair(l, r, half))
	}
	return m.scrolled(lines)
}

func (m *model) pair(left, right string, half int) string {
	return text.Fit(left, half) + m.pane.Theme.Border.Render(" │ ") + text.Fit(right, half)
}

// changed says what differs between two sessions.
func (m *model) changed(name, other string, half int) []string {
	one, two, t := m.documents.opened[name], m.documents.opened[other], m.pane.Theme
	if one == nil || two == nil {
		return nil
	}
	list := changes(one.state, two.state)
	if len(list) == 0 {
		return []string{t.Dim.Render("nothing differs but the times"), ""}
	}
	var lines []string
	for i, c := range list {
		if i == maxChanges {
			lines = append(lines, t.Faint.Render(fmt.Sprintf("⋯ %d more differences", len(list)-i)))
			break
		}
		what := text.Fit(t.Dim.Render(text.Line(c.what)), min(12, half/3)) + " "
		lines = append(lines, m.pair(what+t.Good.Render(text.Line(c.left)), what+t.Stop.Render(text.Line(c.right)), half))
	}
	return append(lines, t.Border.Render(strings.Repeat("─", max(m.width-2, 0))))
}

// pageRows is how many rows of an open session are in sight.
func (m *model) pageRows() int { return max(m.height-headRows-footRows, 1) }

// scrolled are the lines in sight.
func (m *model) scrolled(lines []string) []string {
	rows := m.pageRows()
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
		{"class:nil*", "of a class of stop"}, {"judged:fixed", "by what became of the fix; outcome:quit by how the session ended"},
		{"model:qwen*", "asked a model; prompt:NAME with a prompt"}, {"file:index.go", "where it stopped; function:NAME, package:PATH"},
		{"effect:skips", "has a fix of that kind"}, {"by:NAME", "who decided"}, {"since:30d", "not older; until:2026-11-01 before that day"},
		{`message:"*map*"`, "quotes hold words together; * and ? stand for anything"},
	} {
		const keys = 18
		for i, l := range text.Wrap(h[1], max(m.width-keys-4, 12), 20) {
			key := map[bool]string{true: h[0]}[i == 0]
			lines = append(lines, "  "+t.Key.Render(text.Fit(key, keys))+t.Text.Render(l))
		}
	}
	return lines
}
