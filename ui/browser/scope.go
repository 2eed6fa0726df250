package browser

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/session/index"
)

// scope narrows what was searched for to what the session under the cursor is
// about, one step wider with each press of the key, and then to all again.
type scope struct {
	base   string // the query before
	anchor index.Session
	level  int
	query  string // what the level made of it; another one has been typed since
}

// widen goes to the next level that has something to filter by.
func (m *model) widen() tea.Cmd {
	s, ok := m.selected()
	if m.scope.query != m.query.Text() || m.scope.level == 0 {
		if !ok {
			return nil
		}
		m.scope = scope{base: m.query.Text(), anchor: s}
	}
	for {
		m.scope.level++
		query, last := m.scope.next()
		if query == "" && !last {
			continue
		}
		if last {
			m.scope.level, query = 0, m.scope.base
		}
		m.scope.query = query
		m.query.Set(query)
		return m.search()
	}
}

// next is the query of the level: the same fault, the same function, the same
// class. It is empty where the session has none, and last after all of them.
func (s scope) next() (query string, last bool) {
	levels := []struct{ field, value string }{{"fingerprint", s.anchor.Fingerprint}, {"function", s.anchor.Function}, {"class", s.anchor.Class}}
	if s.level > len(levels) {
		return "", true
	}
	l := levels[s.level-1]
	if l.value == "" {
		return "", false
	}
	value := strings.Map(func(r rune) rune {
		if r == '*' || r == '"' { // which mean something in a query
			return '?'
		}
		return r
	}, l.value)
	if strings.ContainsRune(value, ' ') {
		value = `"` + value + `"`
	}
	return strings.TrimSpace(s.base+" "+l.field+":"+value) + " ", false
}
