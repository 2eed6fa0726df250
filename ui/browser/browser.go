// Package browser is the screen of past sessions: a search as you type, its results, and
// a preview of the selected session.
//
// Update and View do no I/O: searches, logs and deletions are commands, whose
// answers are dropped when the question has changed meanwhile. Everything that a
// log says is cleaned before it is drawn. The package knows the index and the
// journals, not the engine: what is to be done with a session that needs a
// target is returned to the caller.
package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/session/index"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/prompt"
	"github.com/pausetui/pausetui/ui/theme"
)

// Options are what the browser needs.
type Options struct {
	Index  *index.Index
	Logs   string // the directory of the logs
	Query  string // to begin with
	Note   string // stands at the bottom until a key is pressed
	Keys   map[string]string
	Theme  theme.Choice // Dark and Profile are asked of the terminal where they are not set
	Dark   *bool
	Editor func() []string // opens a log: the program and its arguments, asked for when it is needed; nil or empty where there is none
	Clock  func() time.Time
	Input  io.Reader
	Output io.Writer
}

// Choice is what the person wants done with a session after the browser.
type Choice struct {
	Session string // name; empty for nothing
	Apply   string // the candidate to propose again; empty to resume the session
}

// Run shows the sessions until the person leaves or ctx ends, and returns what is
// to be done next.
func Run(ctx context.Context, o Options) (Choice, error) {
	keys, err := keymap.New(o.Keys)
	if err != nil {
		return Choice{}, fmt.Errorf("key table: %w", err)
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(inner, o, keys)
	options := []tea.ProgramOption{tea.WithoutSignalHandler()}
	if o.Input != nil {
		options = append(options, tea.WithInput(o.Input))
	}
	if o.Output != nil {
		options = append(options, tea.WithOutput(o.Output))
	}
	program := tea.NewProgram(m, options...)
	stop := context.AfterFunc(ctx, program.Quit)
	var helpers sync.WaitGroup
	helpers.Go(func() {
		select {
		case <-m.listed: // first what the index has is shown
			m.refresh(inner, program.Send)
		case <-inner.Done():
		}
	})
	_, err = program.Run()
	stop()
	cancel()
	helpers.Wait()
	switch {
	case err != nil:
		return Choice{}, fmt.Errorf("show the sessions: %w", err)
	case ctx.Err() != nil:
		return Choice{}, context.Cause(ctx)
	}
	return m.choice, nil
}

// view is what fills the screen.
type view int

const (
	listView view = iota
	sessionView
	statsView
	helpView
)

// model is the program.
type model struct {
	ctx           context.Context
	o             Options
	keys          keymap.Table
	pane          *pane.Context
	choiceOfTheme theme.Choice
	width, height int

	query    prompt.Line
	listed   chan struct{} // closed when the first search has been answered
	answered answered      // what list answers
	list     []index.Session
	cursor   int
	top      int
	offers   []string
	progress *index.Progress

	documents documents
	stats     *index.Stats
	scope     scope
	view      view
	scroll    int
	split     bool
	confirm   string // name of the session whose deletion waits for y
	note      string
	choice    Choice
}

// answered is what is known of the last search.
type answered struct {
	query   string // that the list answers
	total   int    // sessions, those that the list leaves out included
	problem string // what is wrong with the query
}

// documents are the logs that were read.
type documents struct {
	opened  map[string]*document // by name; rendered for a width
	recent  []string             // names of the opened ones, the last read at the end
	reading string               // name of the one that is being read; empty for none
}

// keep takes a log that was read, and forgets the one that was read longest ago
// where there are many.
func (d *documents) keep(name string, read *document) {
	if was := d.opened[name]; was != nil {
		read.stale = was.stale
	}
	d.opened[name] = read
	d.recent = append(slices.DeleteFunc(d.recent, func(n string) bool { return n == name }), name)
	if len(d.recent) > maxOpened {
		delete(d.opened, d.recent[0])
		d.recent = d.recent[1:]
	}
}

func newModel(ctx context.Context, o Options, keys keymap.Table) *model {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	m := &model{ctx: ctx, o: o, keys: keys, pane: &pane.Context{}, listed: make(chan struct{}), note: o.Note, documents: documents{opened: map[string]*document{}}, choiceOfTheme: o.Theme.Begin(o.Dark)}
	m.setTheme()
	m.query.Set(o.Query)
	return m
}

func (m *model) setTheme() {
	m.pane.Theme = theme.Make(m.choiceOfTheme)
	for _, d := range m.documents.opened {
		d.width = 0
	}
}

// Init searches, and asks for the terminal's background.
func (m *model) Init() tea.Cmd {
	if m.o.Dark != nil {
		return m.search()
	}
	return tea.Batch(m.search(), tea.RequestBackgroundColor)
}

// Update takes a key, a size, or an answer.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.keepInSight()
	case tea.BackgroundColorMsg:
		m.choiceOfTheme.Dark, m.choiceOfTheme.Unsure = msg.IsDark(), false
		m.setTheme()
	case tea.ColorProfileMsg:
		m.choiceOfTheme.Profile = msg.Profile
		m.setTheme()
	case tea.KeyPressMsg:
		return m, m.key(msg)
	case tea.PasteMsg:
		if m.view == listView {
			m.query.Insert(msg.Content)
			return m, m.search()
		}
	case tea.MouseWheelMsg:
		return m, m.wheel(msg)
	default:
		return m, m.answer(msg)
	}
	return m, m.look()
}

// answer takes what a command has found out.
func (m *model) answer(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case found:
		select {
		case <-m.listed:
		default:
			close(m.listed)
		}
		return m.found(msg)
	case read:
		return m.read(msg)
	case counted:
		if msg.query == m.query.Text() {
			m.stats = msg.stats
			m.note = msg.problem
		}
	case offered:
		switch {
		case msg.head != m.query.Head():
		case msg.complete:
			return m.offer(msg.offers)
		default:
			m.offers = msg.offers
		}
	case index.Progress:
		m.progress = &msg
		return m.search()
	case refreshed:
		m.progress = nil
		if msg.err != nil {
			m.note = msg.err.Error()
		}
		if msg.changed {
			return m.search()
		}
	case deleted:
		m.note = msg.note
		return m.search()
	case edited:
		if msg.err != nil {
			m.note = msg.err.Error()
		}
	}
	return nil
}

// edited says that the person's editor has ended.
type edited struct{ err error }

// edit hands the terminal to the person's editor.
func (m *model) edit(file string) tea.Cmd {
	ctx, editor := m.ctx, m.o.Editor
	return func() tea.Msg {
		var program []string
		if editor != nil {
			program = editor()
		}
		if len(program) == 0 {
			return edited{errors.New("no editor: set EDITOR")}
		}
		command := exec.CommandContext(ctx, program[0], append(slices.Clone(program[1:]), file)...)
		return tea.ExecProcess(command, func(err error) tea.Msg { return edited{err} })()
	}
}

// selected is the session under the cursor.
func (m *model) selected() (index.Session, bool) {
	if m.cursor < 0 || m.cursor >= len(m.list) {
		return index.Session{}, false
	}
	return m.list[m.cursor], true
}
