package browser

import (
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
)

// key takes a key. In the list what can be typed belongs to the query.
func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	m.note = ""
	if m.confirm != "" {
		name := m.confirm
		m.confirm = ""
		if k.String() == "y" {
			return m.remove(name)
		}
		m.note = "kept"
		return nil
	}
	if k.String() == "ctrl+c" {
		return tea.Quit
	}
	if m.view == listView {
		return m.keyInList(k)
	}
	return m.keyInView(k)
}

func (m *model) keyInList(k tea.KeyPressMsg) tea.Cmd {
	b, _ := m.keys.Find(k.String())
	switch {
	case k.Text == "" && m.move(b.Action):
		return m.look()
	case b.Action == keymap.Open:
		if _, ok := m.selected(); ok {
			m.view, m.scroll = sessionView, 0
		}
		return m.look()
	case b.Action == keymap.Back:
		if m.query.Text() == "" {
			return tea.Quit
		}
		m.query.Set("")
		return m.search()
	case b.Action == keymap.PaneNext:
		return m.complete()
	case b.Action == keymap.SessionStats:
		m.view, m.scroll, m.stats = statsView, 0, nil
		return m.count()
	case b.Action == keymap.SessionDelete:
		return m.askDelete()
	case b.Action == keymap.SessionScope:
		return m.widen()
	case b.Action == keymap.SessionHelp:
		m.view = helpView
		return nil
	}
	before := m.query.Text()
	if b.Action == keymap.Filter && before == "" { // as elsewhere; what is typed belongs to the query already
		return nil
	}
	m.query.Key(k)
	m.offers = nil
	if m.query.Text() == before {
		return nil
	}
	return tea.Batch(m.search(), m.suggest())
}

// move moves the cursor of the list.
func (m *model) move(a keymap.Action) bool {
	page := max(m.rows()-1, 1)
	by, ok := map[keymap.Action]int{keymap.Up: -1, keymap.Down: 1, keymap.PageUp: -page, keymap.PageDown: page}[a]
	if !ok {
		return false
	}
	m.cursor = min(max(m.cursor+by, 0), max(len(m.list)-1, 0))
	m.keepInSight()
	return true
}

func (m *model) keyInView(k tea.KeyPressMsg) tea.Cmd {
	b, _ := m.keys.Find(k.String())
	switch b.Action {
	case keymap.Back, keymap.Quit, keymap.Left, keymap.Filter:
		m.view, m.scroll = listView, 0
	case keymap.Up:
		m.scrollBy(-1)
	case keymap.Down:
		m.scrollBy(1)
	case keymap.PageUp:
		m.scrollBy(-m.height / 2)
	case keymap.PageDown, keymap.Hunk:
		m.scrollBy(m.height / 2)
	case keymap.Top:
		m.scroll = 0
	case keymap.Bottom:
		m.scrollBy(1 << 30)
	case keymap.Following, keymap.Previous:
		step := map[bool]keymap.Action{true: keymap.Down, false: keymap.Up}[b.Action == keymap.Following]
		m.move(step)
		m.scroll = 0
		return m.look()
	case keymap.SessionDelete:
		return m.askDelete()
	}
	if m.view == sessionView {
		return m.keyInSession(b.Action)
	}
	return nil
}

// keyInSession takes the keys of a session that is open.
func (m *model) keyInSession(a keymap.Action) tea.Cmd {
	s, ok := m.selected()
	if !ok {
		return nil
	}
	switch a {
	case keymap.Split:
		m.split = !m.split
		return m.look()
	case keymap.Edit:
		return m.edit(filepath.Join(m.o.Logs, s.Name+".md"))
	case keymap.Copy:
		if text := m.documents.opened[s.Name].patch(); text != "" {
			m.note = "the patch is in the clipboard"
			return tea.SetClipboard(text)
		}
		m.note = "this session has no fix to copy"
	case keymap.Restart:
		m.choice = Choice{Session: s.Name}
		return tea.Quit
	case keymap.Approve:
		c := m.documents.opened[s.Name].best()
		if c == "" {
			m.note = "this session has no fix to propose again"
			return nil
		}
		m.choice = Choice{Session: s.Name, Apply: c}
		return tea.Quit
	}
	return nil
}

// other is the session before the selected one that stopped at the same fault;
// without one, the next in the list that did.
func (m *model) other() (string, bool) {
	s, ok := m.selected()
	if !ok || s.Fingerprint == "" {
		return "", false
	}
	for _, o := range m.list[m.cursor+1:] {
		if o.Fingerprint == s.Fingerprint {
			return o.Name, true
		}
	}
	for _, o := range m.list[:m.cursor] {
		if o.Fingerprint == s.Fingerprint {
			return o.Name, true
		}
	}
	return "", false
}

func (m *model) askDelete() tea.Cmd {
	s, ok := m.selected()
	switch {
	case !ok:
	case s.Outcome == string(session.Running):
		m.note = "it is running: end it first"
	default:
		m.confirm = s.Name
	}
	return nil
}

func (m *model) scrollBy(n int) { m.scroll = max(m.scroll+n, 0) }

func (m *model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	by := map[tea.MouseButton]int{tea.MouseWheelUp: -3, tea.MouseWheelDown: 3}[msg.Button]
	if m.view == listView {
		m.cursor = min(max(m.cursor+by/3, 0), max(len(m.list)-1, 0))
		m.keepInSight()
		return m.look()
	}
	m.scrollBy(by)
	return nil
}

// keepInSight scrolls the list to the cursor.
func (m *model) keepInSight() {
	rows := max(m.rows(), 1)
	m.top = min(m.top, m.cursor)
	m.top = max(m.top, m.cursor-rows+1, 0)
}

// hints are the keys of the view for the bottom line, the more important ones
// first: what has no room is left out.
func (m *model) hints() string {
	t := m.pane.Theme
	line, used := "", 1
	add := func(a keymap.Action, words string) {
		key := m.keys.Key(a)
		need := text.Width(key) + 1 + text.Width(words) + 2
		if key == "" || used+need > m.width {
			return
		}
		line += t.Key.Render(key) + " " + t.Dim.Render(words) + "  "
		used += need
	}
	switch m.view {
	case listView:
		add(keymap.Open, "open")
		add(keymap.Back, map[bool]string{true: "leave", false: "clear"}[m.query.Text() == ""])
		add(keymap.SessionScope, "same fault")
		add(keymap.SessionStats, "statistics")
		add(keymap.SessionHelp, "help")
		add(keymap.PaneNext, "complete")
		add(keymap.SessionDelete, "delete")
	case sessionView:
		add(keymap.Back, "list")
		add(keymap.Approve, "propose again")
		add(keymap.Restart, "resume")
		add(keymap.Copy, "copy patch")
		add(keymap.Split, "compare")
		add(keymap.Following, "next")
		add(keymap.Edit, "editor")
	default:
		add(keymap.Back, "list")
	}
	return line
}
