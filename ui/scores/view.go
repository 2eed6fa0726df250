package scores

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/text"
)

const (
	headRows     = 2  // the title, and the filter or the notes
	aboutRows    = 2  // what the cursor is on
	footRows     = 1  // the keys
	ranked       = 15 // the width of a figure with its interval
	minName      = 10
	maxName      = 34
	classColumns = 22
)

// View draws the screen.
func (m *model) View() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	if m.width <= 0 || m.height <= 0 {
		return v
	}
	var lines []string
	switch {
	case m.width < layout.MinWidth || m.height < layout.MinHeight:
		lines = []string{m.theme.Warn.Render(fmt.Sprintf("%d×%d is too small: %d×%d is needed", m.width, m.height, layout.MinWidth, layout.MinHeight))}
	case m.view == matrixView:
		lines = m.drawMatrix()
	case m.view == casesView:
		lines = m.drawCases()
	case m.view == cellView:
		lines = m.drawCell()
	case m.view == helpView:
		lines = m.scrolled(m.help())
	}
	if m.typing {
		_, x := m.line().View(m.width - 3)
		v.Cursor = tea.NewCursor(x+3, 1)
	}
	for len(lines) < m.height-footRows {
		lines = append(lines, "")
	}
	foot := " " + m.hints()
	if m.note != "" {
		foot = " " + m.theme.Warn.Render(text.Line(m.note))
	}
	lines = append(lines[:m.height-footRows], foot)
	for i := range lines {
		lines[i] = text.Fit(lines[i], m.width)
	}
	v.SetContent(printable.Screen(strings.Join(lines, "\n")))
	return v
}

// scrolled are the lines from where it was scrolled to.
func (m *model) scrolled(lines []string) []string {
	m.scroll = min(m.scroll, max(len(lines)-(m.height-headRows-footRows), 0))
	var out []string
	for _, l := range lines[m.scroll:] {
		out = append(out, " "+l)
	}
	return out
}

// second is the line below the title: the filter, or a note about the run.
func (m *model) second(note string) string {
	t := m.theme
	if m.typing || m.line().Text() != "" {
		typed, _ := m.line().View(m.width - 4)
		line := " " + t.Key.Render("/ ") + t.Text.Render(typed)
		if m.line().Text() == "" {
			line += t.Faint.Render("words of a name, class:nil*")
		}
		return line
	}
	return " " + t.Dim.Render(text.Line(note))
}

func (m *model) drawMatrix() []string {
	t := m.theme
	title := t.Strong.Render("Benchmark") + t.Dim.Render("  "+text.Line(m.matrix.Title))
	note := ""
	if len(m.matrix.Notes) > 0 {
		note = m.matrix.Notes[0]
	}
	lines := []string{" " + text.Sides(title, t.Faint.Render(text.Line(m.o.Name)), m.width-2), m.second(note)}
	body := m.height - headRows - aboutRows - footRows
	scores, classes := m.scoreWidth(), m.classWidth()
	if scores+classes+3 <= m.width && len(m.matrix.Classes) > 0 {
		left, right := m.drawScores(scores, body), m.drawClasses(m.width-scores-3, body)
		for i := range body {
			lines = append(lines, text.Fit(at(left, i), scores)+t.Border.Render(" │ ")+at(right, i))
		}
	} else {
		upper := min(len(m.matrix.Rows)+1, max(body/2, 4))
		lines = append(lines, m.drawScores(m.width, upper)...)
		if rest := body - upper - 1; rest > 1 {
			lines = append(lines, "")
			lines = append(lines, m.drawClasses(m.width, rest)...)
		}
	}
	for len(lines) < headRows+body {
		lines = append(lines, "")
	}
	return append(lines, m.about()...)
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// nameWidth is the width of the names of models.
func (m *model) nameWidth(room int) int {
	w := minName
	for _, r := range m.matrix.Rows {
		w = max(w, text.Width(r.Name)+3)
	}
	return min(w, maxName, max(room-ranked-14, minName))
}

// scoreWidth is the width of the upper table with all of its scores.
func (m *model) scoreWidth() int {
	w := m.nameWidth(m.width) + 2
	for i, s := range m.matrix.Scores {
		w += scoreCells(i, s) + 1
	}
	return w
}

// scoreCells is how wide the figures of a score are. The first is the one that is
// ranked by: it has its interval.
func scoreCells(i int, s Score) int {
	if i == 0 {
		return ranked
	}
	return max(text.Width(s.Title), 5)
}

// classWidth is the width of the table of classes.
func (m *model) classWidth() int { return classColumns + 7 + 7*len(m.matrix.Rows) }

// shownColumns are the columns that have room: the first, and those around the
// cursor.
func shownColumns(room, cursor, n int, width func(int) int) []int {
	if n == 0 {
		return nil
	}
	list, left := []int{0}, room-width(0)-1
	first := 1
	for {
		used, last := 0, first
		for last < n && used+width(last)+1 <= left {
			used += width(last) + 1
			last++
		}
		if cursor < last || last == n || first >= cursor {
			for i := first; i < last; i++ {
				list = append(list, i)
			}
			return list
		}
		first++
	}
}

// drawScores draws the models by scores.
func (m *model) drawScores(w, rows int) []string {
	t := m.theme
	name := m.nameWidth(w)
	cursor := m.column
	if m.inClasses {
		cursor = 0
	}
	scores := m.matrix.Scores
	shown := shownColumns(w-name-2, cursor, len(scores), func(i int) int { return scoreCells(i, scores[i]) })
	head := " " + t.Dim.Render(text.Fit("model and prompt", name))
	for _, i := range shown {
		title := scores[i].Title
		if i == 0 {
			title += " ▾"
		}
		style := t.Dim
		if !m.inClasses && i == m.column {
			style = t.FocusTitle
		}
		cells := scoreCells(i, scores[i])
		if i > 0 {
			title = strings.Repeat(" ", cells-text.Width(title)) + title
		}
		head += " " + style.Render(text.Fit(title, cells))
	}
	if len(shown) < len(scores) {
		head += t.Faint.Render(" …")
	}
	lines := []string{head}
	m.rows.keep(rows - 1)
	for n := m.rows.top; n < len(m.matrix.Rows) && len(lines) < rows; n++ {
		r := m.matrix.Rows[n]
		here := !m.inClasses && n == m.rows.at
		line := m.mark(here) + t.Dim.Render(text.Fit(letter(n), 2)) + " " + m.named(here).Render(text.Fit(text.Line(r.Name), name-3))
		for _, i := range shown {
			words := r.Figures[i].Words
			if i == 0 {
				words += " " + r.Figures[i].Interval
			}
			line += " " + m.figure(words, r.Figures[i], scoreCells(i, scores[i]), here && i == m.column, i == 0)
		}
		lines = append(lines, line)
	}
	if len(m.matrix.Rows) == 0 {
		lines = append(lines, t.Dim.Render("  no model matches the filter"))
	}
	return lines
}

// drawClasses draws the classes by models.
func (m *model) drawClasses(w, rows int) []string {
	t := m.theme
	title := "right by class"
	name := min(classColumns, max(w-22, minName))
	head := " " + t.Dim.Render(text.Fit(title, name)) + t.Dim.Render(" cases")
	cursor := 0
	if m.inClasses {
		cursor = m.column
	}
	shown := shownColumns(w-name-8, cursor, len(m.matrix.Rows), func(int) int { return 6 })
	for _, i := range shown {
		style := t.Dim
		if m.inClasses && i == m.column {
			style = t.FocusTitle
		}
		word := letter(i)
		if i == m.byColumn {
			word += "▾"
		}
		head += " " + style.Render(strings.Repeat(" ", 6-text.Width(word))+word)
	}
	if len(shown) < len(m.matrix.Rows) {
		head += t.Faint.Render(" …")
	}
	lines := []string{head}
	m.classes.keep(rows - 1)
	for n := m.classes.top; n < len(m.matrix.Classes) && len(lines) < rows; n++ {
		c := m.matrix.Classes[n]
		here := m.inClasses && n == m.classes.at
		line := m.mark(here) + m.named(here).Render(text.Fit(text.Line(c.Name), name)) + t.Dim.Render(fmt.Sprintf(" %5d", c.Cases))
		for _, i := range shown {
			line += " " + m.figure(c.Figures[i].Words, c.Figures[i], 6, here && i == m.column, false)
		}
		lines = append(lines, line)
	}
	return lines
}

// mark is the sign of the cursor's row.
func (m *model) mark(here bool) string {
	if here {
		return m.theme.Key.Render("▸")
	}
	return " "
}

// style of something that can be told by a method.
type renderer interface{ Render(string) string }

func (m *model) named(here bool) renderer {
	if here {
		return m.theme.FocusTitle
	}
	return m.theme.Text
}

// figure draws a figure in its heat; the cursor's is between marks, which colors
// alone would not show.
func (m *model) figure(words string, f Figure, w int, here, left bool) string {
	if here {
		words = "‹" + words + "›"
	} else if !left {
		words += " "
	} else {
		words = " " + words
	}
	words = text.Cut(words, w)
	if pad := strings.Repeat(" ", w-text.Width(words)); left {
		words += pad
	} else {
		words = pad + words
	}
	if f.Good < 0 {
		return m.theme.Dim.Render(words)
	}
	style := m.theme.Heat(f.Good)
	if here {
		style = style.Bold().Underline()
	}
	return style.Render(words)
}

// letter names a row of the matrix in the table of classes: a, b, …, z, a1, ….
func letter(n int) string {
	if n < 26 {
		return string(rune('a' + n))
	}
	return fmt.Sprintf("%c%d", 'a'+n%26, n/26)
}

// about says what the cursor is on.
func (m *model) about() []string {
	t := m.theme
	if m.inClasses {
		if m.classes.at >= len(m.matrix.Classes) || m.column >= len(m.matrix.Rows) {
			return []string{"", ""}
		}
		c, r := m.matrix.Classes[m.classes.at], m.matrix.Rows[m.column]
		f := c.Figures[m.column]
		return []string{" " + t.Text.Render(text.Line(r.Name)+": "+text.Line(c.Name)) + t.Dim.Render(", "+text.Plural(int64(c.Cases), "case")),
			" " + t.Strong.Render("right "+f.Words) + t.Dim.Render(" "+f.Interval+" %, with the 95 % interval")}
	}
	if m.rows.at >= len(m.matrix.Rows) || m.column >= len(m.matrix.Scores) {
		return []string{"", ""}
	}
	r, s := m.matrix.Rows[m.rows.at], m.matrix.Scores[m.column]
	f := r.Figures[m.column]
	return []string{" " + t.Text.Render(text.Line(r.Name)) + t.Dim.Render("  "+text.Line(r.About)),
		" " + t.Strong.Render(s.Title+" "+f.Words) + t.Dim.Render(" "+f.Interval+": "+s.Says)}
}

// drawCases lists the cases of a model.
func (m *model) drawCases() []string {
	t := m.theme
	title := t.Strong.Render(text.Line(m.shown.row.Name)) + t.Dim.Render("  "+text.Plural(int64(len(m.shown.cases.List)), "open case"))
	lines := []string{" " + title, m.second(m.shown.cases.Hidden)}
	name, class := m.caseWidths()
	scores := m.shown.cases.Scores
	used := 1 + name + 1 + class
	head := " " + t.Dim.Render(text.Fit("case", name)+" "+text.Fit("class", class))
	var shown []int
	for i, s := range scores {
		w := max(text.Width(s.Title), 5)
		if used+w+1 > m.width {
			break
		}
		used += w + 1
		shown = append(shown, i)
		head += " " + t.Dim.Render(text.Fit(s.Title, w))
	}
	lines = append(lines, head)
	rows := m.height - len(lines) - footRows
	m.shown.lines.keep(rows)
	for n := m.shown.lines.top; n < len(m.shown.cases.List) && n < m.shown.lines.top+rows; n++ {
		c := m.shown.cases.List[n]
		here := n == m.shown.lines.at
		line := m.mark(here) + m.named(here).Render(text.Fit(text.Line(c.Name), name)) + " " + t.Dim.Render(text.Fit(text.Line(c.Class), class))
		for _, i := range shown {
			line += " " + m.figure(c.Figures[i].Words, c.Figures[i], max(text.Width(scores[i].Title), 5), false, false)
		}
		lines = append(lines, line)
	}
	if len(m.shown.cases.List) == 0 {
		lines = append(lines, t.Dim.Render("  no open case matches"))
	}
	return lines
}

// caseWidths are the widths of the names and classes of cases.
func (m *model) caseWidths() (name, class int) {
	name, class = minName, minName
	for _, c := range m.shown.cases.List {
		name, class = max(name, text.Width(c.Name)+1), max(class, text.Width(c.Class)+1)
	}
	if m.width < 80 {
		return min(name, m.width/2), 0
	}
	return min(name, m.width/3), min(class, m.width/5)
}

// help says what the scores and the keys mean.
func (m *model) help() []string {
	t := m.theme
	lines := []string{t.Strong.Render("Scores"), ""}
	for _, s := range m.matrix.Scores {
		for i, l := range text.Wrap(s.Says, max(m.width-14, 10), 10) {
			title := ""
			if i == 0 {
				title = s.Title
			}
			lines = append(lines, t.Key.Render(text.Fit(title, 10))+" "+t.Text.Render(l))
		}
	}
	lines = append(lines, "")
	for _, n := range m.matrix.Notes {
		for _, l := range text.Wrap(n, max(m.width-3, 10), 10) {
			lines = append(lines, t.Dim.Render(l))
		}
	}
	lines = append(lines, "", t.Strong.Render("Keys"), "")
	for _, h := range []hint{{keymap.Open, "the cases of a model, or of a class; then prompts, answers, diffs and checks of one"},
		{keymap.PaneNext, "models by scores, or classes by models"}, {keymap.View, "sort by the column of the cursor"},
		{keymap.Filter, "filter: words choose models (or cases), class:nil* chooses classes"},
		{keymap.HunkNext, "next fix, answer or prompt"}, {keymap.Following, "next case"}, {keymap.Back, "back"}, {keymap.Quit, "leave"}} {
		for i, l := range text.Wrap(h.words, max(m.width-14, 10), 10) {
			key := ""
			if i == 0 {
				key = m.keys.Key(h.action)
			}
			lines = append(lines, t.Key.Render(text.Fit(key, 10))+" "+t.Text.Render(l))
		}
	}
	return lines
}
