package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
)

// model is the root: it routes, and holds what panes share.
type model struct {
	base  context.Context // ends with the program; reads of the target wait on it
	face  engine.Client
	opts  Options
	keys  keymap.Table
	paint *paint
	pace  *pace
	reads *reads

	width, height int
	look          look
	lay           layout.Layout

	ctx    *pane.Context
	panes  panes
	focus  int
	shape  shape
	recent []string // actions chosen in the palette, the newest first

	clicked lastClick
	finding finding // a file or symbol
	seeking seeking // a definition, or callers

	attention attention
	hinting   bool // the hint of the first start is shown
	// review is open when reviewing; its hunks left out are ctx.Draft.
	reviewing bool
	picked    bool   // the person chose the candidate
	follow    string // the candidate whose successor is to be opened when it comes

	dialog     dialog.Dialog
	consent    asking    // whether a prompt may leave this machine
	deafUntil  time.Time // keys are ignored until then
	command    commandLine
	began      time.Time // when this screen was made: what is older is no news
	commanding bool
	filtering  *filter
	typing     bool // keys go to the target

	said       notice
	heldFocus  int       // the focus at the last stop
	resumedAt  time.Time // when the target last went on
	motion     debugger.Motion
	ticking    bool
	past       *past                // the earlier stop that is being looked at; nil in the present
	wantHolder debugger.GoroutineID // who has what it waits for is being looked for
	wantUser   debugger.GoroutineID // whose stack is being read, to go to its innermost frame of the user's
	quitting   bool
	patience   time.Duration // how long the engine may take to end the session
	over       *overMsg
}

// notice is a word on the bottom line, until the next key.
type notice struct{ level, text string }

// panes are all panes, by name and by number.
type panes struct {
	source     *pane.Source
	stack      *pane.Stack
	locals     *pane.Locals
	goroutines *pane.Goroutines
	output     *pane.Output
	fixes      *pane.Fixes
	log        *pane.Log
	review     *pane.Review
	broken     *pane.Broken
}

func newPanes() panes {
	return panes{pane.NewSource(), pane.NewStack(), pane.NewLocals(), pane.NewGoroutines(), pane.NewOutput(),
		pane.NewFixes(), pane.NewLog(), pane.NewReview(), pane.NewBroken()}
}

// at returns the pane of a number.
func (p *panes) at(n int) pane.Pane {
	return []pane.Pane{p.source, p.source, p.stack, p.locals, p.goroutines, p.output, p.fixes, p.log}[n]
}

func newModel(ctx context.Context, face engine.Client, opts Options, keys keymap.Table) *model {
	m := &model{base: ctx, face: face, opts: opts, keys: keys, reads: &reads{}, panes: newPanes(), focus: layout.Output,
		heldFocus: layout.Source, command: newCommandLine(), began: opts.Clock(), patience: 5 * time.Second, look: look{dark: true, profile: colorprofile.TrueColor}}
	if opts.Dark != nil {
		m.look.dark = *opts.Dark
	}
	m.ctx = &pane.Context{State: session.NewState(), Now: opts.Clock(), Keys: keys, Store: inspect.NewStore(), Sources: face.Sources()}
	m.ctx.Store.Formats = opts.Formats
	m.recall()
	m.setTheme()
	return m
}

// Init asks for the background's colour.
func (m *model) Init() tea.Cmd {
	cmd := tea.Batch(m.attention.ask(), m.countStart())
	if m.opts.Dark != nil {
		return cmd
	}
	return tea.Batch(cmd, tea.RequestBackgroundColor)
}

// screen is what fills the terminal now.
func (m *model) screen() layout.Screen {
	if m.past != nil {
		return layout.Held
	}
	switch m.ctx.State.Phase {
	case session.PhaseNew, session.PhaseBuilding:
		return layout.Building
	case session.PhaseBroken:
		return layout.Broken
	case session.PhaseStopped:
		return layout.Held
	case session.PhaseExited:
		return layout.Gone
	case session.PhaseEnded:
		if m.ctx.Held && !m.ctx.Stop.Stop.Ended() {
			return layout.Held
		}
		return layout.Gone
	}
	if m.lingers() {
		return layout.Held
	}
	return layout.Flow
}

// linger is how long the screen of a stop stays after the target went on, so
// that a step does not flicker.
const linger = 250 * time.Millisecond

func (m *model) lingers() bool {
	return m.ctx.State.Phase == session.PhaseRunning && m.ctx.Held && !m.ctx.Stop.Stop.Ended() &&
		m.ctx.Now.Sub(m.resumedAt) < linger
}

// facts is what decides which keys do something.
func (m *model) facts() keymap.Facts {
	s := m.ctx.State
	c, known := s.Candidate(m.ctx.Candidate)
	_, undoable := s.Undoable()
	_, _, line := m.panes.source.Line()
	_, diagnostic := m.panes.broken.Selected()
	_, filters := m.panes.at(m.focus).(pane.Filterer)
	_, value := m.value()
	return keymap.Facts{
		Phase: s.Phase, Can: s.CanNow(), Pane: m.focus, Crash: s.CaseIndex() >= 0, LivesOn: m.ctx.Held && m.ctx.Stop.Stop.LivesOn(), Muted: len(s.Mutes),
		Candidate: known, Decided: known && c.Decision != "", Review: m.reviewing,
		Hunks: m.panes.review.Hunks(), Candidates: len(m.panes.fixes.Order()),
		Prompt: m.prompt() != "" || m.asksModels(), Blocked: known && len(pane.Blocked(c)) > 0, Line: line && (m.ctx.Held || m.focus == layout.Source), Changes: m.panes.source.Changes(), Away: m.panes.source.Visits() > 0, Searching: m.panes.source.Filter() != "", Value: value, Waits: m.waits(), Undoable: undoable,
		Diagnostic: diagnostic && s.Phase == session.PhaseBroken, Filter: filters,
		Asking: len(s.Pendings()) > 0, Talked: len(s.Questions) > 0, Profiles: m.askers(),
		Past: m.past != nil, Earlier: m.earlier() >= 0, Stops: len(m.stopsSoFar()),
		CameBack: s.Judged != nil && s.Judged.Judgement == session.CameBack,
		Screen:   m.screenFacts(),
	}
}

// prompt is the text that the selected candidate's proposer was sent.
func (m *model) prompt() string {
	c, ok := m.ctx.State.Candidate(m.ctx.Candidate)
	if !ok {
		return ""
	}
	for _, r := range m.ctx.State.Requests {
		if r.Asked.Request == c.Request {
			return r.Asked.Prompt
		}
	}
	return ""
}
