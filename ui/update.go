package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/asking"
	"github.com/pausetui/pausetui/ui/commandline"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/company"
	"github.com/pausetui/pausetui/ui/editor"
	"github.com/pausetui/pausetui/ui/execution"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/navigation"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/review"
	"github.com/pausetui/pausetui/ui/status"
	"github.com/pausetui/pausetui/ui/timeline"
	"github.com/pausetui/pausetui/ui/updates"
	"github.com/pausetui/pausetui/ui/values"
)

// tickMsg moves the clock while something is under way.
type tickMsg struct{}

const tick = 200 * time.Millisecond

// Update routes a message, then lets the panes take in what changed.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if personal(msg) {
		m.Attend()
	}
	m.Ctx.Now = m.Opts.Clock()
	m.execution.SettleTyping()
	if until := m.Said.Until; !until.IsZero() && m.Ctx.Now.After(until) {
		m.Said = common.Notice{}
	}
	var cmd tea.Cmd
	if !m.execution.Point(msg) {
		cmd = m.handle(msg)
	}
	typed := m.navigation.TypedInFinder()
	m.sync()
	return m, tea.Batch(cmd, typed, m.readNeeds(), m.keepTicking())
}

// personal reports whether a message is what a person did.
func personal(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg, tea.PasteMsg:
		return true
	}
	return false
}

func (m *model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.Width, m.Height = msg.Width, msg.Height
	case tea.BackgroundColorMsg, tea.ColorProfileMsg:
		m.appearance.Learn(msg)
	case tea.KeyPressMsg:
		return m.pressed(msg)
	case tea.KeyboardEnhancementsMsg:
		m.tellsKeys = msg.SupportsKeyDisambiguation()
	case tea.PasteMsg:
		return m.paste(msg.Content)
	case tea.MouseClickMsg:
		return m.click(msg.Mouse())
	case tea.MouseWheelMsg:
		m.wheel(msg.Mouse())
	case tea.MouseMotionMsg:
		m.arrangement.Drag(msg.X, msg.Y)
	case tea.MouseReleaseMsg:
		return m.arrangement.Drop()
	case tea.FocusMsg, tea.BlurMsg, tea.TerminalVersionMsg, tea.ModeReportMsg:
		m.execution.TellFocus(msg)
		m.attention.Heard(msg)
	case common.RememberedMsg:
		if msg.Err != nil {
			m.Say("warn", msg.Err.Error())
		}
	case company.RoomMsg:
		return m.company.Took(pair.View(msg))
	case updates.Msg:
		return m.absorb(msg)
	case timeline.AnswerMsg:
		m.timeline.StoreOf(msg.Tag).Take(inspect.Answer(msg))
		return m.command.ContinueCompletion()
	case commandline.HistoryMsg:
		m.command.TakeHistory(msg)
	case commandline.KnownMsg:
		return m.command.LearnedCommand(msg)
	case values.CopiedMsg:
		return m.values.Copied(msg)
	case tickMsg:
		m.ticking = false
	case updates.Over:
		return m.execution.Ended(msg)
	case navigation.IndexMsg:
		return m.navigation.Indexed(msg)
	case navigation.FoundMsg:
		m.navigation.FoundMatches(msg)
	case navigation.SoughtMsg:
		m.navigation.Sought(msg)
	case editor.EditReadyMsg:
		return m.editor.RunEditor(msg)
	case returnedMsg:
		m.returned(msg.err)
	case editor.PastDoneMsg:
		m.editor.LeftPast(msg.Err)
	case editor.EditDoneMsg:
		return m.editor.CollectEdit(msg)
	case editor.EditedMsg:
		return m.editor.Edited(msg)
	case asking.PickedMsg:
		m.models.Learned(msg)
	case execution.CallsMsg:
		m.breakpoints.ChooseCall(msg)
	case execution.GiveUpMsg:
		return tea.Quit
	}
	return nil
}

// sync lays the screen out and hands the panes what they show.
func (m *model) sync() {
	m.timeline.InPresent(m.execution.Settle)
	m.models.AskConsent()
	m.company.Sync()
	m.selection.LandAtHolder()
	m.selection.Land()
	m.breakpoints.Sync()
	c := m.Ctx
	c.Output = m.output()
	c.Reading = m.Reviewing || m.Focus == layout.Fixes
	m.command.Sync()
	in := m.layoutInput()
	m.Rows, m.Lay = in.Rows, layout.Compute(in)
	m.syncPanes()
	if in.Rows = m.rowsOf(); in.Rows != m.Rows {
		m.Rows, m.Lay = in.Rows, layout.Compute(in)
		m.syncPanes()
	}
	m.execution.FitTarget()
	m.discussion.Sync()
	m.navigation.Sync()
	m.Panes.Broken.Sync(c)
	if m.Screen() == layout.Broken {
		inner := m.Lay.Main.Inner()
		m.Panes.Broken.Resize(inner.W-2, inner.H)
	}
}

// output is what the panes are shown: as the last update had it, or as it is where no
// pump reads ahead.
func (m *model) output() pane.Printed {
	switch b := m.Engine.Output(); {
	case b == nil:
		return nil
	case m.printed.Of(b):
		return m.printed
	default:
		return b
	}
}

// syncPanes hands the panes what they show, and the room they have for it.
func (m *model) syncPanes() {
	c := m.Ctx
	c.Bare = !m.Lay.Boxed
	m.Panes.Fixes.Sync(c)
	c.Best = m.Panes.Fixes.Best()
	m.review.ChooseCandidate()
	for n := layout.Source; n <= layout.Count; n++ {
		p := m.Panes.At(n)
		p.Sync(c)
		inner := m.PaneInner(n)
		p.Resize(inner.W, inner.H)
	}
	if _, previewed := m.Preview(); m.Reviewing || previewed {
		inner := m.ReviewInner()
		m.Panes.Review.Sync(c)
		m.Panes.Review.Resize(inner.W, inner.H)
	}
}

func (m *model) layoutInput() layout.Input {
	in := layout.Input{
		Width: m.Width, Height: m.Height, Screen: m.Screen(), Focus: m.Focus, Card: m.status.CardLines(),
		Banner: m.status.Banner() != "", Review: m.Reviewing, Command: m.command.CommandRows(),
		Hint: len(m.appearance.Hint(m.Width)), Zoom: m.Shape.Zoom, Shape: m.Shape.Shape,
	}
	if m.Ctx.Split {
		in.ReviewWidth = min(review.SplitWidth, m.Width)
	}
	in.Whole = m.execution.TookOver()
	if in.Card > 0 {
		in.SmallCard = len(m.status.SmallCard(m.Width, status.SmallRows))
	}
	in.Rows, in.Values = m.rowsOf(), m.Panes.Locals.Extent().All
	in.Fixes = m.Panes.Fixes.Extent().All
	in.Empty[layout.Locals] = m.Panes.Locals.None()
	in.Empty[layout.Output] = m.Panes.Output.Empty(m.Ctx)
	in.Empty[layout.Fixes] = m.Panes.Fixes.Empty(m.Ctx)
	in.Empty[layout.Why] = m.Panes.Why.None()
	return in
}

// rowsOf is how many lines some panes have to show.
func (m *model) rowsOf() (rows [layout.Count + 1]int) {
	rows[layout.Stack] = m.Panes.Stack.Extent().All
	rows[layout.Goroutines] = m.Panes.Goroutines.Wanted()
	rows[layout.Output] = m.Panes.Output.Rows(m.Ctx)
	rows[layout.Why] = m.Panes.Why.Wanted()
	return rows
}

// readNeeds makes commands of what the visible panes want to be read.
func (m *model) readNeeds() tea.Cmd {
	needs := m.navigation.FinderNeeds()
	switch screen := m.Screen(); {
	case screen == layout.Broken:
		needs = append(needs, m.Panes.Broken.Needs()...)
	case screen == layout.Held && (m.Ctx.State.Phase == session.PhaseStopped || m.Past != nil):
		needs = append(needs, m.Panes.Source.Needs()...)
		if m.selection.WantHolder != 0 {
			needs = append(needs, m.Ctx.Store.NeedWaits()...)
		}
		for n := layout.Stack; n <= layout.Count; n++ {
			if n == layout.Stack || n == layout.Locals || !m.Lay.Panes[n].Empty() {
				needs = append(needs, m.Panes.At(n).Needs()...)
			}
		}
	case !m.Lay.Panes[layout.Source].Empty():
		needs = append(needs, m.Panes.Source.Files()...)
	}
	var cmds []tea.Cmd
	for _, n := range needs {
		if m.Ctx.Store.Begin(n) {
			cmds = append(cmds, m.timeline.Read(n))
		}
	}
	return tea.Batch(cmds...)
}

// keepTicking starts the clock while something is under way, and only then.
func (m *model) keepTicking() tea.Cmd {
	if m.ticking || m.execution.Over != nil || !m.busy() {
		return nil
	}
	m.ticking = true
	return m.Later(tick, tickMsg{})
}

func (m *model) busy() bool {
	switch m.Ctx.State.Phase {
	case session.PhaseNew, session.PhaseBuilding, session.PhaseStarting, session.PhaseRunning:
		return true
	}
	live := m.Ctx.Live
	return m.TypesAhead() || m.Quiet() || !m.Said.Until.IsZero() || len(m.Ctx.State.Pendings()) > 0 || len(live.Proving) > 0 || live.Reply != nil || live.Command != nil
}

// effect carries out what a pane asked for.
func (m *model) effect(e pane.Effect) tea.Cmd {
	switch e := e.(type) {
	case pane.SelectFrame:
		m.selection.SelectFrame(e)
	case pane.SelectCandidate:
		m.review.SelectCandidate(e.ID)
	case pane.OpenCandidate:
		m.review.Open(e.ID)
	case pane.Focus:
		m.SetFocus(e.Pane)
	case pane.Visit:
		m.navigation.OpenPlace(session.Place{File: e.File, Line: e.Line})
	case pane.Peek:
		m.Panes.Source.Peek(m.Ctx, e.File, e.Line)
	case pane.Say:
		m.Say("info", e.Text)
	default:
		return m.navigation.SourceEffect(e)
	}
	return nil
}
