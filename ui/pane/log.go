package pane

import (
	"strings"
	"time"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
)

const (
	maxLog       = 5000 // entries; the journal has them all
	maxEntryRows = 12   // of one entry
	timeWidth    = len("15:04:05 ")
)

// Log shows what has happened in the session, one line an event.
type Log struct {
	list
	c      *Context
	all    []entry
	rows   []entry // the lines of the entries, wrapped
	filter string
	follow bool
}

// entry is one line of the log.
type entry struct {
	at    time.Time
	level string // "", "good", "warn", "error", "quiet"
	text  string
	rest  bool // it goes on with the row before
}

// NewLog returns the pane.
func NewLog() *Log { return &Log{follow: true} }

// Title names the pane.
func (p *Log) Title() (string, string) { return "Log", "" }

// Append adds events.
func (p *Log) Append(events []session.Event) {
	old := len(p.all)
	for _, e := range events {
		if level, words := describe(e); words != "" {
			p.all = append(p.all, entry{at: e.At, level: level, text: text.Line(words)})
		}
	}
	if len(p.all) > maxLog {
		p.all = append([]entry(nil), p.all[len(p.all)-maxLog/2:]...)
		p.rows, old = p.rows[:0], 0
	}
	p.wrap(p.all[old:])
}

// rebuild makes all rows again.
func (p *Log) rebuild() {
	p.rows = p.rows[:0]
	p.wrap(p.all)
}

// wrap adds the rows of entries.
func (p *Log) wrap(entries []entry) {
	for _, e := range entries {
		if matches(e.text, p.filter) {
			p.rows = append(p.rows, e.wrapped(max(p.width-timeWidth, 8))...)
		}
	}
	p.setCount(len(p.rows))
	if p.follow {
		p.moveTo(len(p.rows) - 1)
	}
}

// wrapped is an entry as rows of a width.
func (e entry) wrapped(width int) []entry {
	lines := text.Wrap(e.text, width, maxEntryRows)
	rows := make([]entry, len(lines))
	for i, line := range lines {
		rows[i] = entry{at: e.at, level: e.level, text: line, rest: i > 0}
	}
	return rows
}

// Sync takes in what has happened.
func (p *Log) Sync(c *Context) { p.c = c }

// Resize says how much room there is.
func (p *Log) Resize(w, h int) {
	other := w != p.width
	p.resize(w, h)
	switch {
	case other:
		p.rebuild()
	case p.follow:
		p.moveTo(len(p.rows) - 1)
	}
}

// SetFilter keeps the lines that hold the text.
func (p *Log) SetFilter(s string) { p.filter = s; p.rebuild() }

// Filter returns the filter.
func (p *Log) Filter() string { return p.filter }

// Key moves.
func (p *Log) Key(a keymap.Action) (Effect, bool) {
	ok := p.move(a)
	p.follow = p.cursor >= len(p.rows)-1
	return nil, ok
}

// Click puts the cursor on a row.
func (p *Log) Click(y int) Effect {
	p.moveTo(p.top + y)
	p.follow = p.cursor >= len(p.rows)-1
	return nil
}

// ScrollBy scrolls.
func (p *Log) ScrollBy(n int) {
	p.scrollBy(n)
	p.follow = p.top >= len(p.rows)-p.height
}

// Needs nothing: events come by themselves.
func (p *Log) Needs() []inspect.Need { return nil }

// View draws the lines.
func (p *Log) View(focused bool) []string {
	if len(p.rows) == 0 {
		return empty(p.c, p.width, "What happens in this session will be here, line by line.")
	}
	t := p.c.Theme
	var out []string
	from, to := p.window()
	for i := from; i < to; i++ {
		e := p.rows[i]
		style := t.Text
		switch e.level {
		case "good":
			style = t.Good
		case "warn":
			style = t.Warn
		case "error":
			style = t.Stop
		case "quiet":
			style = t.Dim
		}
		at := e.at.Format("15:04:05") + " "
		if e.rest {
			at = strings.Repeat(" ", timeWidth)
		}
		line := t.Faint.Render(at) + style.Render(text.Cut(e.text, max(p.width-timeWidth, 1)))
		out = append(out, p.row(t, line, i, focused))
	}
	return out
}
