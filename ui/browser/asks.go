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
		head   string
		offers []string
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
		q, err := index.ParseQuery(text, now)
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

func (m *model) found(f found) tea.Cmd {
	if f.query != m.query.Text() {
		return nil
	}
	m.problem = f.problem
	if f.problem != "" {
		return nil // what was found last stays in sight
	}
	was, had := m.selected()
	for _, s := range m.list { // what has changed is read again
		if s.Outcome == string(session.Running) {
			delete(m.opened, s.Name)
		}
	}
	sameQuery := m.asked == f.query
	m.list, m.total, m.asked, m.cursor = f.list, f.total, f.query, 0
	for i, s := range m.list {
		if had && sameQuery && s.Name == was.Name {
			m.cursor = i
		}
	}
	m.keepInSight()
	return m.look()
}

// look reads the log of the session under the cursor, if it is not there yet.
func (m *model) look() tea.Cmd {
	s, ok := m.selected()
	if !ok || m.opened[s.Name] != nil {
		return nil
	}
	m.opened[s.Name] = &document{} // it is being read
	path := filepath.Join(m.o.Logs, s.Name+".jsonl")
	return func() tea.Msg { return read{s.Name, load(path)} }
}

// count asks for the statistics of the query.
func (m *model) count() tea.Cmd {
	text, now, ctx, x := m.query.Text(), m.o.Clock(), m.ctx, m.o.Index
	return func() tea.Msg {
		q, err := index.ParseQuery(text, now)
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

// complete asks how the filter before the cursor may go on.
func (m *model) complete() tea.Cmd {
	head, ctx, x := m.query.Head(), m.ctx, m.o.Index
	word := head[strings.LastIndexByte(head, ' ')+1:]
	field, value, isFilter := strings.Cut(word, ":")
	if !isFilter {
		var offers []string
		for _, f := range index.Fields() {
			if strings.HasPrefix(f, word) {
				offers = append(offers, f+":")
			}
		}
		return m.offer(offers)
	}
	return func() tea.Msg {
		values, _ := x.Values(ctx, field, value, maxOffer)
		for i, v := range values {
			if strings.ContainsRune(v, ' ') {
				v = `"` + v + `"`
			}
			values[i] = field + ":" + v
		}
		return offered{head, values}
	}
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
	delete(m.opened, name)
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
