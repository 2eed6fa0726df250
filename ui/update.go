package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
)

// tickMsg moves the clock while something is under way.
type tickMsg struct{}

// answerMsg is what a read of the target, or of a file, gave.
type answerMsg inspect.Answer

const tick = 200 * time.Millisecond

// Update routes a message, then lets the panes take in what changed.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if personal(msg) {
		m.attend()
	}
	m.ctx.Now = m.opts.Clock()
	cmd := m.handle(msg)
	typed := m.typedInFinder()
	m.sync()
	return m, tea.Batch(cmd, typed, m.readNeeds(), m.keepTicking())
}

func (m *model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.look.dark = msg.IsDark()
		m.setTheme()
	case tea.ColorProfileMsg:
		m.look.profile = msg.Profile
		m.setTheme()
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg.Content)
	case tea.MouseClickMsg:
		return m.click(msg.Mouse())
	case tea.MouseWheelMsg:
		m.wheel(msg.Mouse())
	case tea.MouseMotionMsg:
		m.drag(msg.X, msg.Y)
	case tea.MouseReleaseMsg:
		return m.drop()
	case tea.FocusMsg, tea.BlurMsg, tea.TerminalVersionMsg, tea.ModeReportMsg:
		m.attention.heard(msg)
	case rememberedMsg:
		if msg.err != nil {
			m.say("warn", msg.err.Error())
		}
	case updateMsg:
		return m.absorb(msg)
	case answerMsg:
		m.storeOf(msg.Tag).Take(inspect.Answer(msg))
		return m.continueCompletion()
	case historyMsg:
		m.takeHistory(msg)
	case knownMsg:
		return m.learnedCommand(msg)
	case copiedMsg:
		return m.copied(msg)
	case tickMsg:
		m.ticking = false
	case overMsg:
		return m.ended(msg)
	case indexMsg:
		return m.indexed(msg)
	case foundMsg:
		m.foundMatches(msg)
	case soughtMsg:
		m.sought(msg)
	case editReadyMsg:
		return m.runEditor(msg)
	case editDoneMsg:
		return m.collectEdit(msg)
	case editedMsg:
		return m.edited(msg)
	case pickedMsg:
		m.learned(msg)
	case callsMsg:
		m.chooseCall(msg)
	case giveUpMsg:
		return tea.Quit
	}
	return nil
}

// sync lays the screen out and hands the panes what they show.
func (m *model) sync() {
	m.inPresent(m.settle)
	m.askConsent()
	m.landAtHolder()
	m.landInUser()
	m.syncBreakpoints()
	c := m.ctx
	c.Output = m.face.Output()
	c.Reading = m.reviewing || m.focus == layout.Fixes
	m.syncCommand()
	m.lay = layout.Compute(m.layoutInput())
	c.Bare = !m.lay.Boxed
	m.panes.fixes.Sync(c)
	c.Best = m.panes.fixes.Best()
	m.chooseCandidate()
	for n := layout.Source; n <= layout.Count; n++ {
		p := m.panes.at(n)
		p.Sync(c)
		inner := m.paneInner(n)
		p.Resize(inner.W, inner.H)
	}
	if m.reviewing {
		m.panes.review.SetPlace(m.place())
		inner := m.reviewInner()
		m.panes.review.Sync(c)
		m.panes.review.Resize(inner.W, inner.H)
	}
	m.syncTalk()
	m.syncFinder()
	m.panes.broken.Sync(c)
	if m.screen() == layout.Broken {
		inner := m.lay.Main.Inner()
		m.panes.broken.Resize(inner.W-2, inner.H)
	}
}

func (m *model) layoutInput() layout.Input {
	return layout.Input{
		Width: m.width, Height: m.height, Screen: m.screen(), Focus: m.focus, Card: m.cardLines(),
		Banner: m.banner() != "", Review: m.reviewing, Command: m.commandRows(),
		Hint: m.hintLine() != "", Beside: m.shape.beside, Zoom: m.shape.zoom, Shape: m.shape.Shape,
	}
}

// inner is the room within a pane: only larger layouts have borders.
func (m *model) inner(r layout.Rect) layout.Rect {
	if r.Empty() {
		return layout.Rect{}
	}
	if !m.lay.Boxed {
		return layout.Rect{X: r.X + 1, Y: r.Y, W: max(r.W-2, 0), H: r.H}
	}
	in := r.Inner()
	return layout.Rect{X: in.X + 1, Y: in.Y, W: max(in.W-2, 0), H: in.H}
}

// paneInner is the room within a pane by its number. Source stands right at its
// border: its first columns are marks.
func (m *model) paneInner(n int) layout.Rect {
	r := m.lay.Panes[n]
	if n == layout.Source && m.lay.Boxed && !r.Empty() {
		return r.Inner()
	}
	return m.inner(r)
}

// chooseCandidate selects the best candidate until the person chose one.
func (m *model) chooseCandidate() {
	order := m.panes.fixes.Order()
	for _, id := range order {
		if id == m.ctx.Candidate && (m.picked || m.reviewing) {
			return
		}
	}
	m.ctx.Candidate, m.picked = "", false
	if len(order) > 0 {
		m.ctx.Candidate = order[0]
	}
	m.panes.fixes.Sync(m.ctx)
}

// place is the number of the open candidate and how many there are.
func (m *model) place() (int, int) {
	order := m.panes.fixes.Order()
	for i, id := range order {
		if id == m.ctx.Candidate {
			return i + 1, len(order)
		}
	}
	return 0, len(order)
}

// readNeeds makes commands of what the visible panes want to be read.
func (m *model) readNeeds() tea.Cmd {
	needs := m.finderNeeds()
	switch screen := m.screen(); {
	case screen == layout.Broken:
		needs = append(needs, m.panes.broken.Needs()...)
	case screen == layout.Held && (m.ctx.State.Phase == session.PhaseStopped || m.past != nil):
		needs = append(needs, m.panes.source.Needs()...)
		if m.wantHolder != 0 {
			needs = append(needs, m.ctx.Store.NeedWaits()...)
		}
		for n := layout.Stack; n <= layout.Count; n++ {
			if n == layout.Stack || !m.lay.Panes[n].Empty() {
				needs = append(needs, m.panes.at(n).Needs()...)
			}
		}
	case !m.lay.Panes[layout.Source].Empty():
		needs = append(needs, m.panes.source.Files()...)
	}
	var cmds []tea.Cmd
	for _, n := range needs {
		if m.ctx.Store.Begin(n) {
			cmds = append(cmds, m.read(n))
		}
	}
	return tea.Batch(cmds...)
}

func (m *model) read(n inspect.Need) tea.Cmd {
	tag, in := m.ctx.Store.Tag(), m.inspector()
	return m.beside(func() tea.Msg { return answerMsg{Tag: tag, Key: n.Key, Result: n.Read(m.base, in)} })
}

// beside runs what may take a while, and is waited for at the end.
func (m *model) beside(do func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		if !m.reads.begin() {
			return nil
		}
		defer m.reads.end()
		return do()
	}
}

// attend has what comes drawn soon, and tells that somebody is at the keyboard,
// or looks at something new.
func (m *model) attend() {
	m.pace.answer()
	if m.opts.Attended != nil {
		m.opts.Attended()
	}
}

// keepTicking starts the clock while something is under way, and only then.
func (m *model) keepTicking() tea.Cmd {
	if m.ticking || m.over != nil || !m.busy() {
		return nil
	}
	m.ticking = true
	return m.later(tick, tickMsg{})
}

// later sends a message after a while, unless the program ends before.
func (m *model) later(d time.Duration, msg tea.Msg) tea.Cmd {
	return m.beside(func() tea.Msg {
		pause(m.base, d)
		return msg
	})
}

func (m *model) busy() bool {
	switch m.ctx.State.Phase {
	case session.PhaseNew, session.PhaseBuilding, session.PhaseStarting, session.PhaseRunning:
		return true
	}
	return len(m.ctx.State.Pendings()) > 0 || len(m.ctx.Live.Proving) > 0 || m.ctx.Live.Reply != nil
}

// effect carries out what a pane asked for.
func (m *model) effect(e pane.Effect) tea.Cmd {
	switch e := e.(type) {
	case pane.SelectFrame:
		m.selectFrame(e)
	case pane.SelectCandidate:
		m.selectCandidate(e.ID)
	case pane.OpenCandidate:
		m.openReview(e.ID)
	case pane.Focus:
		m.setFocus(e.Pane)
	case pane.Visit:
		m.openPlace(session.Place{File: e.File, Line: e.Line})
	case pane.Say:
		m.say("info", e.Text)
	default:
		return m.sourceEffect(e)
	}
	return nil
}
