package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/appearance"
	"github.com/pausetui/pausetui/ui/arrangement"
	"github.com/pausetui/pausetui/ui/asking"
	"github.com/pausetui/pausetui/ui/attention"
	"github.com/pausetui/pausetui/ui/commandline"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/company"
	"github.com/pausetui/pausetui/ui/editor"
	"github.com/pausetui/pausetui/ui/execution"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/navigation"
	"github.com/pausetui/pausetui/ui/options"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/review"
	"github.com/pausetui/pausetui/ui/status"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/timeline"
	"github.com/pausetui/pausetui/ui/updates"
	"github.com/pausetui/pausetui/ui/values"
)

// model is the root of the screen. It routes messages to its parts, and draws
// what they show. Each part has one job, fields and a file; all of them share
// what is in common.
type model struct {
	*common.Common
	appearance  *appearance.Appearance
	arrangement *arrangement.Arrangement
	attention   *attention.Attention
	bar         *bar
	breakpoints *execution.Breakpoints
	command     *commandline.CommandLine
	company     *company.Company
	discussion  *asking.Discussion
	editor      *editor.Editor
	execution   *execution.Execution
	models      *asking.Models
	navigation  *navigation.Navigation
	review      *review.Review
	selection   *timeline.Selection
	status      *status.Status
	timeline    *timeline.Timeline
	values      *values.Values

	visited   *live.Past       // the newest session in the past that this screen has shown
	awaited   *live.Past       // the one that waits until nobody is typing
	printed   *updates.Printed // nil where no pump reads ahead
	clicked   lastClick
	tellsKeys bool      // the terminal reports alt and escape differently
	began     time.Time // when this screen was made: what is older is no news
	ticking   bool
}

func newModel(ctx context.Context, e live.Client, opts options.Screen, keys keymap.Table) *model {
	c := &common.Common{Base: ctx, Engine: e, Opts: opts, Keys: keys, Reads: &common.Reads{}, Panes: common.NewPanes(), Window: common.Window{Focus: layout.Output}}
	c.Ctx = &pane.Context{State: session.NewState(), Now: opts.Clock(), Keys: keys, Store: inspect.NewStore(), Sources: e.Sources()}
	c.Ctx.Store.Formats = opts.Formats
	m := newParts(c)
	m.began = opts.Clock()
	c.Facts = m.facts
	if opts.Dark != nil {
		m.appearance.Look.Learn(*opts.Dark)
	}
	m.appearance.Recall()
	m.appearance.SetTheme()
	return m
}

// newParts returns a model of parts that know those they use.
func newParts(c *common.Common) *model {
	m := &model{Common: c}
	m.appearance = appearance.New(c)
	m.arrangement = &arrangement.Arrangement{Common: c}
	m.attention = &attention.Attention{Common: c}
	m.selection = &timeline.Selection{Common: c}
	m.timeline = &timeline.Timeline{Common: c, Selection: m.selection}
	m.review = &review.Review{Common: c}
	m.editor = &editor.Editor{Common: c, Review: m.review}
	m.execution = &execution.Execution{Common: c, Review: m.review, HeldFocus: layout.Source, Patience: 5 * time.Second}
	m.breakpoints = &execution.Breakpoints{Common: c, Execution: m.execution}
	m.navigation = &navigation.Navigation{Common: c, Execution: m.execution, Selection: m.selection}
	m.command = commandline.New(c)
	m.discussion = &asking.Discussion{Common: c, Command: m.command, Selection: m.selection}
	m.command.Execution = m.execution
	m.command.Editor, m.command.Navigation = m.editor, m.navigation
	m.command.Selection, m.command.Timeline = m.selection, m.timeline
	m.models = &asking.Models{Common: c, Discussion: m.discussion, Execution: m.execution}
	m.values = &values.Values{Common: c, Command: m.command, Timeline: m.timeline}
	m.company = &company.Company{Common: c, Navigation: m.navigation, Review: m.review, Values: m.values, Answered: map[string]bool{}}
	m.command.Takers = []func(string) (tea.Cmd, bool){m.company.TakeCommand, m.discussion.TakeCommand}
	if c.Opts.Seat != nil {
		m.company.Back, m.company.CaughtUp = c.Opts.Seat.Was(), c.Opts.Seat.State().Seq
	}
	m.bar = &bar{Common: c, command: m.command, company: m.company}
	m.status = &status.Status{Common: c, Timeline: m.timeline}
	return m
}

// Init asks for the background's color.
func (m *model) Init() tea.Cmd {
	cmd := tea.Batch(m.attention.Ask(), m.appearance.CountStart())
	if m.Opts.Dark != nil {
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
	s := m.Ctx.State
	c, known := s.Candidate(m.Ctx.Candidate)
	_, undoable := s.Undoable()
	_, _, line := m.Panes.Source.Line()
	_, diagnostic := m.Panes.Broken.Selected()
	_, filters := m.Panes.At(m.Focus).(pane.Filterer)
	_, value := m.values.Value()
	stop, _ := s.CurrentStop()
	return keymap.Facts{
		Phase: s.Phase, Can: s.CanNow(), Pane: m.Focus, Crash: s.CaseIndex() >= 0 && !common.InPast(s), AtCrash: stop.Stop.Crashed() && !common.InPast(s), Stopped: stopWords[stop.Stop.Reason], LivesOn: m.Ctx.Held && m.Ctx.Stop.Stop.LivesOn() && !m.Ctx.Stop.Stop.Hangs(), Muted: len(s.Mutes),
		Candidate: known, Decided: review.Decided(s, c), Asks: c.Asks(), Review: m.Reviewing,
		Page: m.Reviewing && m.Panes.Review.Changes().Shown(), Rows: m.Panes.Review.Changes().Rows(), Row: m.Panes.Review.Changes().Opened(), InTest: m.Panes.Review.Changes().InTest(),
		Hunks: m.Panes.Review.Hunks(), Candidates: len(m.Panes.Fixes.Order()),
		Prompt: m.models.Prompt() != "" || m.models.AsksModels(), Blocked: known && len(pane.Blocked(c)) > 0, Line: line && (m.Ctx.Held || m.Focus == layout.Source), Changes: m.Panes.Source.Changes(), Away: m.Panes.Source.Visits() > 0, Elsewhere: m.selection.Elsewhere(), Foreign: m.Ctx.Held && m.Ctx.At.Goroutine != m.Ctx.Stop.Stop.Goroutine, Searching: m.Panes.Source.Filter() != "", Value: value, Waits: m.selection.Waits(), Undoable: undoable,
		Found: !s.Started.Mode.Builds(), Diagnostic: diagnostic && m.Screen() == layout.Broken, Unbuilt: s.Phase == session.PhaseStopped && m.Screen() == layout.Broken, Filter: filters,
		Asking: len(s.Pendings()) > 0, Talked: len(s.Questions) > 0, Profiles: m.models.Askers(),
		Past: m.Past != nil, History: common.InPast(s), Earlier: m.timeline.Earlier() >= 0, Stops: len(m.timeline.StopsSoFar()),
		Typing: m.Typing,
		Stdin:  text.Line(s.Started.Stdin), Unseen: m.arrangement.Unseen(),
		Looks:    m.company.Looks(),
		CameBack: s.Judged != nil && s.Judged.Judgement == session.CameBack,
		Screen:   m.arrangement.ScreenFacts(),
	}
}
