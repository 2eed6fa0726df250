package scores

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/prompt"
	"github.com/pausetui/pausetui/ui/text"
)

// line is the filter that is being typed.
func (m *model) line() *prompt.Line {
	if m.view == casesView {
		return &m.shown.filter
	}
	return &m.filter
}

func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	m.note = ""
	if k.String() == "ctrl+c" {
		return tea.Quit
	}
	b, _ := m.keys.Find(k.String())
	if m.typing {
		return m.typed(k, b.Action)
	}
	if m.moved(b.Action) {
		return nil
	}
	switch b.Action {
	case keymap.Quit:
		return tea.Quit
	case keymap.Back:
		return m.back()
	case keymap.Help:
		m.under, m.view, m.scroll = m.view, helpView, 0
	case keymap.Filter:
		m.typing = m.view == matrixView || m.view == casesView
	}
	switch m.view {
	case matrixView:
		m.keyInMatrix(b.Action)
	case casesView:
		return m.keyInCases(b.Action)
	case cellView:
		return m.keyInCell(b.Action)
	}
	return nil
}

// typed takes a key for the filter.
func (m *model) typed(k tea.KeyPressMsg, a keymap.Action) tea.Cmd {
	switch {
	case a == keymap.Open || a == keymap.Back && m.line().Text() == "":
		m.typing = false
	case a == keymap.Back:
		m.line().Set("")
		m.typing = false
		m.count()
	case k.Text == "" && m.moved(a):
	default:
		m.line().Key(k)
		m.count()
	}
	return nil
}

// back goes one step back: out of the cell, of the cases, of a filter, and of the
// screen.
func (m *model) back() tea.Cmd {
	switch {
	case m.view == helpView:
		m.view, m.scroll = m.under, 0
	case m.view == cellView:
		m.stop()
		m.view = casesView
		m.shown.lines.at = max(slices.IndexFunc(m.shown.cases.List, func(c Case) bool { return c.Number == m.cell.of.Number }), 0)
	case m.line().Text() != "" && !(m.view == casesView && m.line().Text() == m.shown.order.given):
		m.line().Set("")
		m.count()
	case m.view == casesView:
		m.view = matrixView
	default:
		return tea.Quit
	}
	return nil
}

// moved moves the cursor, or scrolls.
func (m *model) moved(a keymap.Action) bool {
	page := max(m.height-8, 1)
	by, ok := map[keymap.Action]int{keymap.Up: -1, keymap.Down: 1, keymap.PageUp: -page, keymap.PageDown: page, keymap.Top: -1 << 30, keymap.Bottom: 1 << 30}[a]
	if ok {
		m.move(by)
		return true
	}
	if step, ok := map[keymap.Action]int{keymap.Left: -1, keymap.Right: 1}[a]; ok && m.view == matrixView {
		m.column = min(max(m.column+step, 0), max(m.columns()-1, 0))
		return true
	}
	return false
}

func (m *model) move(n int) {
	switch {
	case m.view == casesView:
		m.shown.lines.move(n, len(m.shown.cases.List))
	case m.view != matrixView:
		m.scroll = max(min(m.scroll+n, 1<<30), 0)
	case m.inClasses:
		m.classes.move(n, len(m.matrix.Classes))
	default:
		m.rows.move(n, len(m.matrix.Rows))
	}
}

func (m *model) keyInMatrix(a keymap.Action) {
	switch a {
	case keymap.PaneNext, keymap.PanePrev:
		m.inClasses = !m.inClasses && len(m.matrix.Classes) > 0
		m.column = 0
	case keymap.View:
		m.sortHere()
	case keymap.Open:
		m.open()
	}
}

// sortHere sorts by the column of the cursor; classes again by their names where
// they are sorted by it already.
func (m *model) sortHere() {
	if m.inClasses {
		if m.byColumn == m.column {
			m.byColumn = -1
		} else {
			m.byColumn = m.column
		}
		m.count()
		return
	}
	if m.column >= len(m.matrix.Scores) {
		return
	}
	of := m.matrix.Scores[m.column]
	m.score, m.column, m.byColumn = of.Key, 0, -1
	m.count()
	m.note = "sorted by " + of.Title + ", the best first"
}

func (m *model) sortClasses() {
	if m.byColumn < 0 || m.byColumn >= len(m.matrix.Rows) {
		return
	}
	slices.SortStableFunc(m.matrix.Classes, func(a, b Class) int { return cmp.Compare(a.Figures[m.byColumn].Good, b.Figures[m.byColumn].Good) })
}

// open shows the cases of the row, or those of the class in the column.
func (m *model) open() {
	given, at := "", m.rows.at
	for _, word := range strings.Fields(m.filter.Text()) {
		if strings.HasPrefix(word, "class:") {
			given = strings.TrimSpace(given + " " + word)
		}
	}
	if m.inClasses {
		if m.classes.at >= len(m.matrix.Classes) {
			return
		}
		given, at = "class:"+m.matrix.Classes[m.classes.at].Name, m.column
	}
	if at >= len(m.matrix.Rows) {
		m.note = "no model matches the filter"
		return
	}
	m.shown.row, m.view, m.shown.lines = m.matrix.Rows[at], casesView, list{}
	m.shown.order.given = given
	m.shown.filter.Set(given)
	m.count()
}

func (m *model) keyInCases(a keymap.Action) tea.Cmd {
	switch a {
	case keymap.View:
		m.note = m.shown.order.next()
		m.count()
	case keymap.Open:
		if m.shown.lines.at < len(m.shown.cases.List) {
			m.view = cellView
			return m.read()
		}
	}
	return nil
}

func (m *model) keyInCell(a keymap.Action) tea.Cmd {
	switch a {
	case keymap.Following, keymap.Previous:
		before := m.shown.lines.at
		m.shown.lines.move(map[bool]int{true: 1, false: -1}[a == keymap.Following], len(m.shown.cases.List))
		if m.shown.lines.at != before {
			return m.read()
		}
		m.note = "no more cases in this list"
	case keymap.HunkNext, keymap.HunkPrev:
		m.section(a == keymap.HunkNext)
	case keymap.Split:
		m.split, m.cell.width = !m.split, 0
	case keymap.Copy:
		if diff := m.cell.diff(); diff != "" {
			m.note = "the first fix's patch is in the clipboard"
			return tea.SetClipboard(diff)
		}
		m.note = "this case has no fix to copy"
	}
	return nil
}

// section goes to the next part of the cell, or to the one before.
func (m *model) section(next bool) {
	at, found := m.cell.sections, -1
	for i, line := range at {
		if next && line > m.scroll {
			found = i
			break
		}
		if !next && line < m.scroll {
			found = i
		}
	}
	if found >= 0 {
		m.scroll = at[found]
	}
}

// hints are the keys of the view for the bottom line, the more important ones
// first: what has no room is left out.
func (m *model) hints() string {
	line, used := "", 1
	for _, h := range m.offered() {
		key := m.keys.Key(h.action)
		need := text.Width(key) + 1 + text.Width(h.words) + 2
		if key == "" || used+need > m.width {
			continue
		}
		line += m.theme.Key.Render(key) + " " + m.theme.Dim.Render(h.words) + "  "
		used += need
	}
	return line
}

type hint struct {
	action keymap.Action
	words  string
}

func (m *model) offered() []hint {
	switch {
	case m.typing:
		return []hint{{keymap.Open, "done"}, {keymap.Back, "clear"}}
	case m.view == matrixView && m.inClasses:
		return []hint{{keymap.Open, "its cases"}, {keymap.View, "sort"}, {keymap.Filter, "filter"}, {keymap.PaneNext, "models"}, {keymap.Quit, "leave"}, {keymap.Help, "help"}}
	case m.view == matrixView:
		return []hint{{keymap.Open, "its cases"}, {keymap.View, "sort"}, {keymap.Filter, "filter"}, {keymap.PaneNext, "classes"}, {keymap.Quit, "leave"}, {keymap.Help, "help"}}
	case m.view == casesView:
		return []hint{{keymap.Open, "open"}, {keymap.Back, "back"}, {keymap.View, "sort"}, {keymap.Filter, "filter"}, {keymap.Help, "help"}, {keymap.Quit, "leave"}}
	case m.view == cellView:
		return []hint{{keymap.Back, "back"}, {keymap.HunkNext, "next part"}, {keymap.Following, "next case"}, {keymap.Previous, "previous"}, {keymap.Split, "split"}, {keymap.Copy, "copy patch"}, {keymap.Quit, "leave"}}
	}
	return []hint{{keymap.Back, "back"}}
}
