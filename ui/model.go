package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/updates"
)

// model is the root of the screen. It routes messages to its parts, and draws
// what they show. Each part has one job, fields and a file; all of them share
// what is in common.
type model struct {
	*common
	appearance  *appearance
	arrangement *arrangement
	attention   *attention
	breakpoints *breakpoints
	command     *commandLine
	company     *company
	discussion  *discussion
	editor      *editor
	execution   *execution
	models      *models
	navigation  *navigation
	review      *review
	selection   *selection
	status      *status
	timeline    *timeline
	values      *values

	visited   *engine.Past     // the newest session in the past that this screen has shown
	awaited   *engine.Past     // the one that waits until nobody is typing
	printed   *updates.Printed // nil where no pump reads ahead
	clicked   lastClick
	tellsKeys bool      // the terminal reports alt and escape differently
	began     time.Time // when this screen was made: what is older is no news
	ticking   bool
}

// panes are all panes, by name and by number.
type panes struct {
	source     *pane.Source
	stack      *pane.Stack
	locals     *pane.Locals
	goroutines *pane.Goroutines
	output     *pane.Output
	fixes      *pane.Fixes
	log        *pane.Log
	why        *pane.Why
	review     *pane.Review
	broken     *pane.Broken
}

func newPanes() panes {
	return panes{pane.NewSource(), pane.NewStack(), pane.NewLocals(), pane.NewGoroutines(), pane.NewOutput(),
		pane.NewFixes(), pane.NewLog(), pane.NewWhy(), pane.NewReview(), pane.NewBroken()}
}

// at returns the pane of a number.
func (p *panes) at(n int) pane.Pane {
	return []pane.Pane{p.source, p.source, p.stack, p.locals, p.goroutines, p.output, p.fixes, p.log, p.why}[n]
}

func newModel(ctx context.Context, e engine.Client, opts Options, keys keymap.Table) *model {
	c := &common{base: ctx, engine: e, opts: opts, keys: keys, reads: &reads{}, panes: newPanes(), window: window{focus: layout.Output}}
	c.ctx = &pane.Context{State: session.NewState(), Now: opts.Clock(), Keys: keys, Store: inspect.NewStore(), Sources: e.Sources()}
	c.ctx.Store.Formats = opts.Formats
	m := newParts(c)
	m.began = opts.Clock()
	c.facts = m.facts
	if opts.Dark != nil {
		m.appearance.look.learn(*opts.Dark)
	}
	m.appearance.recall()
	m.appearance.setTheme()
	return m
}

// newParts returns a model of parts that know those they use.
func newParts(c *common) *model {
	m := &model{common: c}
	m.appearance = newAppearance(c)
	m.arrangement = &arrangement{c}
	m.attention = &attention{common: c}
	m.selection = &selection{common: c}
	m.timeline = &timeline{common: c, selection: m.selection}
	m.review = &review{common: c}
	m.editor = &editor{common: c, review: m.review}
	m.execution = &execution{common: c, review: m.review, heldFocus: layout.Source, patience: 5 * time.Second}
	m.breakpoints = &breakpoints{common: c, execution: m.execution}
	m.navigation = &navigation{common: c, execution: m.execution, selection: m.selection}
	m.command = newCommandLine(c)
	m.discussion = &discussion{common: c, command: m.command, selection: m.selection}
	m.command.execution = m.execution
	m.command.discussion, m.command.editor, m.command.navigation = m.discussion, m.editor, m.navigation
	m.command.selection, m.command.timeline = m.selection, m.timeline
	m.models = &models{common: c, discussion: m.discussion, execution: m.execution}
	m.values = &values{common: c, command: m.command, timeline: m.timeline}
	m.company = &company{common: c, navigation: m.navigation, review: m.review, values: m.values, answered: map[string]bool{}}
	m.command.company = m.company
	if c.opts.Seat != nil {
		m.company.back, m.company.caughtUp = c.opts.Seat.Was(), c.opts.Seat.State().Seq
	}
	m.status = &status{common: c, command: m.command, company: m.company, timeline: m.timeline}
	return m
}

// Init asks for the background's color.
func (m *model) Init() tea.Cmd {
	cmd := tea.Batch(m.attention.ask(), m.appearance.countStart())
	if m.opts.Dark != nil {
		return cmd
	}
	return tea.Batch(cmd, tea.RequestBackgroundColor)
}

// stopWords say where a program is held, by the reason of the stop.
var stopWords = map[debugger.Reason]string{
	debugger.ReasonPanic: "at a panic", debugger.ReasonFatal: "at a fatal error", debugger.ReasonTest: "where a test failed",
	debugger.ReasonBreakpoint: "at a breakpoint", debugger.ReasonWatch: "at a watchpoint",
}

// facts is what decides which keys do something.
func (m *model) facts() keymap.Facts {
	s := m.ctx.State
	c, known := s.Candidate(m.ctx.Candidate)
	_, undoable := s.Undoable()
	_, _, line := m.panes.source.Line()
	_, diagnostic := m.panes.broken.Selected()
	_, filters := m.panes.at(m.focus).(pane.Filterer)
	_, value := m.values.value()
	stop, _ := s.CurrentStop()
	return keymap.Facts{
		Phase: s.Phase, Can: s.CanNow(), Pane: m.focus, Crash: s.CaseIndex() >= 0 && !inPast(s), AtCrash: stop.Stop.Crashed() && !inPast(s), Stopped: stopWords[stop.Stop.Reason], LivesOn: m.ctx.Held && m.ctx.Stop.Stop.LivesOn() && !m.ctx.Stop.Stop.Hangs(), Muted: len(s.Mutes),
		Candidate: known, Decided: decided(s, c), Asks: c.Asks(), Review: m.reviewing,
		Page: m.reviewing && m.panes.review.Changes().Shown(), Rows: m.panes.review.Changes().Rows(), Row: m.panes.review.Changes().Opened(), InTest: m.panes.review.Changes().InTest(),
		Hunks: m.panes.review.Hunks(), Candidates: len(m.panes.fixes.Order()),
		Prompt: m.models.prompt() != "" || m.models.asksModels(), Blocked: known && len(pane.Blocked(c)) > 0, Line: line && (m.ctx.Held || m.focus == layout.Source), Changes: m.panes.source.Changes(), Away: m.panes.source.Visits() > 0, Elsewhere: m.selection.elsewhere(), Foreign: m.ctx.Held && m.ctx.At.Goroutine != m.ctx.Stop.Stop.Goroutine, Searching: m.panes.source.Filter() != "", Value: value, Waits: m.selection.waits(), Undoable: undoable,
		Found: !s.Started.Mode.Builds(), Diagnostic: diagnostic && m.screen() == layout.Broken, Unbuilt: s.Phase == session.PhaseStopped && m.screen() == layout.Broken, Filter: filters,
		Asking: len(s.Pendings()) > 0, Talked: len(s.Questions) > 0, Profiles: m.models.askers(),
		Past: m.past != nil, History: inPast(s), Earlier: m.timeline.earlier() >= 0, Stops: len(m.timeline.stopsSoFar()),
		Typing: m.typing,
		Stdin:  text.Line(s.Started.Stdin), Unseen: m.arrangement.unseen(),
		Looks:    m.company.looks(),
		CameBack: s.Judged != nil && s.Judged.Judgement == session.CameBack,
		Screen:   m.arrangement.screenFacts(),
	}
}
