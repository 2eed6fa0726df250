package browser

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/index"
)

const (
	most     = 500 // sessions that are listed; the query narrows down
	maxOffer = 20
	// maxOpened bounds the sessions that are held in memory: those near the cursor,
	// and the one that is compared.
	maxOpened = 8
)

// Answers of commands.
type (
	found struct {
		query   string
		list    []index.Session
		total   int
		problem string
	}
	read struct {
		name     string
		document *document
	}
	counted struct {
		query   string
		stats   *index.Stats
		problem string
	}
	offered struct {
		head     string
		offers   []string
		complete bool
	}
	refreshed struct {
		changed bool
		err     error
	}
	deleted struct{ note string }
)

// refresh keeps the index up to date until ctx ends.
func (m *model) refresh(ctx context.Context, send func(tea.Msg)) {
	m.o.Index.Watch(ctx, func() {
		c, err := m.o.Index.Refresh(ctx, func(p index.Progress) { send(p) })
		if ctx.Err() == nil {
			send(refreshed{c.Read+c.Removed > 0, err})
		}
	})
}

// search asks for the sessions that the query wants.
func (m *model) search() tea.Cmd {
	text, now, ctx, x := m.query.Text(), m.o.Clock(), m.ctx, m.o.Index
	return func() tea.Msg {
		q, err := index.ParseQuery(begun(text), now)
		if err != nil {
			return found{query: text, problem: words(err)}
		}
		list, total, err := x.Search(ctx, q, most, 0)
		f := found{query: text, list: list, total: total}
		if err != nil {
			f.problem = words(err)
		}
		return f
	}
}

// begun is a query whose last filter is still being typed: its value may go on.
func begun(query string) string {
	word := query[strings.LastIndexByte(query, ' ')+1:]
	field, value, isFilter := strings.Cut(word, ":")
	if !isFilter || value == "" || field == "since" || field == "until" || strings.ContainsAny(value, `*"`) {
		return query
	}
	return query + "*"
}

func (m *model) found(f found) tea.Cmd {
	if f.query != m.query.Text() {
		return nil
	}
	m.answered.problem = f.problem
	if f.problem != "" {
		return nil // what was found last stays in sight
	}
	was, had := m.selected()
	for _, s := range m.list { // what has changed is read again
		if d := m.documents.opened[s.Name]; d != nil && s.Outcome == string(session.Running) {
			d.stale = true
		}
	}
	sameQuery := m.answered.query == f.query
	m.list, m.answered.total, m.answered.query, m.cursor = f.list, f.total, f.query, 0
	for i, s := range m.list {
		if had && sameQuery && same(s, was) {
			m.cursor = i
		}
	}
	m.keepInSight()
	return m.look()
}

// same tells whether s is the session that was: one that runs is renamed when its
// class is known.
func same(s, was index.Session) bool {
	return s.Name == was.Name || was.Outcome == string(session.Running) && s.At.Equal(was.At)
}

// look reads the log of the session under the cursor, and then of the one that it
// is compared with, if they are not there yet: one at a time, so that a walk
// through the list does not read all that it passes.
func (m *model) look() tea.Cmd {
	s, ok := m.selected()
	if !ok || m.documents.reading != "" {
		return nil
	}
	name := s.Name
	if !m.wants(name) {
		if name, ok = m.other(); !ok || !m.split || !m.wants(name) {
			return nil
		}
	}
	if s.Name == name && s.Outcome == "unreadable" { // the index says why
		m.documents.opened[name] = &document{problem: s.Error}
		return nil
	}
	if d := m.documents.opened[name]; d != nil {
		d.stale = false // until it changes again meanwhile
	}
	m.documents.reading = name
	path := filepath.Join(m.o.Logs, name+".jsonl")
	return func() tea.Msg { return read{name, load(path)} }
}

func (m *model) wants(name string) bool {
	d := m.documents.opened[name]
	return d == nil || d.stale
}

// read takes a log that was read.
func (m *model) read(r read) tea.Cmd {
	m.documents.reading = ""
	if s, ok := m.selected(); ok && s.Name == r.name && m.view == sessionView && m.atEnd() {
		m.scrollBy(1 << 30) // a live session is followed
	}
	m.documents.keep(r.name, r.document)
	return m.look()
}

// atEnd tells whether the end of the open session is in sight, and not all of it.
func (m *model) atEnd() bool {
	s, _ := m.selected()
	d := m.documents.opened[s.Name]
	return d != nil && m.scroll > 0 && m.scroll >= len(d.lines)-m.pageRows()
}

// count asks for the statistics of the query.
func (m *model) count() tea.Cmd {
	text, now, ctx, x := m.query.Text(), m.o.Clock(), m.ctx, m.o.Index
	return func() tea.Msg {
		q, err := index.ParseQuery(begun(text), now)
		if err != nil {
			return counted{query: text, problem: words(err)}
		}
		s, err := x.Stats(ctx, q)
		if err != nil {
			return counted{query: text, problem: words(err)}
		}
		return counted{query: text, stats: &s}
	}
}

// suggest asks how the filter that is being typed may go on.
func (m *model) suggest() tea.Cmd {
	head, ctx, x := m.query.Head(), m.ctx, m.o.Index
	word := head[strings.LastIndexByte(head, ' ')+1:]
	if len(word) < 2 {
		return nil
	}
	return func() tea.Msg { return offered{head: head, offers: offers(ctx, x, word)} }
}

// complete is suggest for a person who asks: what can only go on one way is
// completed.
func (m *model) complete() tea.Cmd {
	head, ctx, x := m.query.Head(), m.ctx, m.o.Index
	word := head[strings.LastIndexByte(head, ' ')+1:]
	return func() tea.Msg { return offered{head, offers(ctx, x, word), true} }
}

// offers are the filters and values that a word may become.
func offers(ctx context.Context, x *index.Index, word string) []string {
	var list []string
	field, value, isFilter := strings.Cut(word, ":")
	if !isFilter {
		for _, f := range index.Fields() {
			if strings.HasPrefix(f, word) {
				list = append(list, f+":")
			}
		}
		return list
	}
	values, _ := x.Values(ctx, field, value, maxOffer)
	for _, v := range values {
		if strings.ContainsRune(v, ' ') {
			v = `"` + v + `"`
		}
		list = append(list, field+":"+v)
	}
	return list
}

// offer completes the word before the cursor as far as it can only go on one way,
// and shows the offers where there are several.
func (m *model) offer(offers []string) tea.Cmd {
	m.offers = nil
	if len(offers) == 0 {
		return nil
	}
	head := m.query.Head()
	start := strings.LastIndexByte(head, ' ') + 1
	common := offers[0]
	for _, o := range offers[1:] {
		for !strings.HasPrefix(o, common) {
			common = common[:len(common)-1]
		}
	}
	if len(offers) == 1 && !strings.HasSuffix(common, ":") {
		common += " "
	}
	if len(offers) > 1 {
		m.offers = offers
	}
	if len(common) <= len(head)-start {
		return nil
	}
	m.query.ReplaceHead(head[:start] + common)
	return m.search()
}

// remove deletes the files of a session that has ended.
func (m *model) remove(name string) tea.Cmd {
	logs, ctx, x := m.o.Logs, m.ctx, m.o.Index
	delete(m.documents.opened, name)
	return func() tea.Msg {
		if err := session.Remove(logs, name); err != nil {
			return deleted{words(err)}
		}
		if _, err := x.Refresh(ctx, nil); err != nil {
			return deleted{words(err)}
		}
		return deleted{"deleted " + name}
	}
}

// words are an error for the note line.
func words(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) && errors.Is(err, os.ErrPermission) {
		return "not allowed: " + path.Path
	}
	return err.Error()
}
