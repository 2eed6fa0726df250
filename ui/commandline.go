package ui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/complete"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/prompt"
)

// History keeps the lines of the command line between sessions.
type History interface {
	Load() ([]string, error)
	Add(line string) error
}

// commandLine is the command line with what it has answered.
type commandLine struct {
	prompt.Command
	panel    *prompt.Panel
	known    complete.Known
	asking   map[string]bool // needs that are being read
	answered uint64          // how many answers there have been
	table    *console.Table  // that Live named last
	displays []string        // names of the expressions that are displayed
	history  History         // of this module; nil for none
}

func newCommandLine() commandLine {
	c := commandLine{panel: prompt.NewPanel(), asking: map[string]bool{}}
	c.SetTable(console.NewTable())
	c.Open()
	return c
}

type (
	// historyMsg: the lines of earlier sessions were read.
	historyMsg struct {
		lines []string
		err   error
	}
	// knownMsg: something that completion needs was read.
	knownMsg struct {
		key    string
		round  int
		result any
	}
)

// openCommand opens the command line.
func (m *model) openCommand() {
	m.command.Open()
	m.command.known.Forget()
	m.commanding = true
}

// loadHistory reads the lines of earlier sessions of a module.
func (m *model) loadHistory(root string) tea.Cmd {
	if m.opts.History == nil || root == "" {
		return nil
	}
	h := m.opts.History(root)
	m.command.history = h
	return m.beside(func() tea.Msg {
		lines, err := h.Load()
		return historyMsg{lines, err}
	})
}

func (m *model) takeHistory(msg historyMsg) {
	if msg.err != nil {
		m.say("warn", msg.err.Error())
	}
	typed := m.command.Text()
	m.command.History.Set(append(msg.lines, lines(&m.command.History)...))
	if !m.commanding {
		m.command.Open()
		m.command.Set(typed)
	}
}

func lines(h *prompt.History) []string {
	out := make([]string, h.Len())
	for i := range out {
		out[i] = h.At(i)
	}
	return out
}

// commandKey edits the command line, goes through its answers, or runs it.
func (m *model) commandKey(k tea.KeyPressMsg) tea.Cmd {
	p := m.command.panel
	if p.Filtering() != nil {
		m.panelFilterKey(k)
		return nil
	}
	switch k.String() {
	case "ctrl+c":
		return m.interruptCommand()
	case "enter":
		return m.enterCommand()
	case ":":
		if m.command.Text() == "" { // it is open already
			return nil
		}
		return m.editCommand(k)
	case "pgup":
		p.Page(-1)
	case "pgdown":
		p.Page(1)
	case "shift+up", "alt+up":
		p.Move(-1)
	case "shift+down", "alt+down":
		p.Move(1)
	case "ctrl+home":
		p.ScrollBy(-1 << 30)
	case "ctrl+end":
		p.ScrollBy(1 << 30)
	case "ctrl+s":
		p.StartFilter()
	default:
		return m.editCommand(k)
	}
	return nil
}

func (m *model) editCommand(k tea.KeyPressMsg) tea.Cmd {
	switch m.command.Key(k) {
	case prompt.Complete:
		return m.completeCommand()
	case prompt.Leave:
		if !m.command.panel.Deselect() {
			m.commanding = false
		}
	case prompt.Nothing, prompt.Unknown:
	}
	return nil
}

// interruptCommand ends what is being carried out, or halts the target, or
// closes the line.
func (m *model) interruptCommand() tea.Cmd {
	running := m.facts().Running()
	if m.ctx.Live.Command != nil {
		m.face.Do(engine.CancelCommand{})
	}
	switch {
	case running:
		m.face.Do(engine.Halt{})
	case m.ctx.Live.Command != nil:
	case m.command.Text() != "":
		m.command.Open()
	default:
		m.commanding = false
	}
	return nil
}

// enterCommand runs what was typed, or opens the line of an answer that the
// cursor is on; with neither it closes the command line.
func (m *model) enterCommand() tea.Cmd {
	if _, _, ok := m.command.Searching(); !ok && m.command.Text() == "" {
		if e, l, ok := m.command.panel.Selected(); ok {
			return m.openLine(e, l)
		}
	}
	line, fresh := m.command.Enter()
	m.runCommand(line)
	if !fresh || m.command.history == nil {
		return nil
	}
	h := m.command.history
	return m.beside(func() tea.Msg {
		if err := h.Add(line); err != nil {
			return historyMsg{err: err}
		}
		return nil
	})
}

// runCommand hands a line to the engine, which knows commands and expressions;
// an empty one closes the command line.
func (m *model) runCommand(input string) {
	if input == "" {
		m.commanding = false
		return
	}
	if m.talkCommand(input) {
		return
	}
	m.face.Do(engine.Evaluate{At: m.ctx.At, Input: input})
}

func (m *model) panelFilterKey(k tea.KeyPressMsg) {
	p := m.command.panel
	switch k.String() {
	case "enter":
		p.EndFilter(true)
	case "esc", "ctrl+c":
		p.EndFilter(false)
	case "pgup":
		p.Page(-1)
	case "pgdown":
		p.Page(1)
	case "up", "shift+up":
		p.Move(-1)
	case "down", "shift+down":
		p.Move(1)
	default:
		if p.Filtering().Key(k) {
			p.Filter()
		}
	}
}

// openLine goes where a line of an answer leads.
func (m *model) openLine(e session.Evaluated, l session.Line) tea.Cmd {
	switch {
	case l.Value > 0 && l.Value <= len(e.Values):
		m.openValue(e.At, e.Values[l.Value-1])
	case l.Place != nil:
		m.openPlace(*l.Place)
	case l.Run != "":
		m.runCommand(l.Run)
	}
	return nil
}

// openPlace selects a frame, or shows a line of a file.
func (m *model) openPlace(p session.Place) {
	m.leaveReview()
	if p.Frame != nil && m.facts().Held() {
		m.selectFrame(pane.SelectFrame{At: *p.Frame})
		m.setFocus(layout.Source)
		return
	}
	if p.File != "" {
		m.panes.source.Look(m.ctx, p.File, p.Line)
		m.setFocus(layout.Source)
	}
}

// completeCommand asks for what the word at the cursor may become.
func (m *model) completeCommand() tea.Cmd {
	offers, need := m.command.known.Offers(m.command.Table(), m.command.Wanted(), m.completion())
	m.command.SetOffers(offers, need != nil)
	if need == nil || m.command.asking[need.Key] {
		return nil
	}
	if need.Store != nil {
		var cmds []tea.Cmd
		for _, n := range need.Store {
			if m.ctx.Store.Begin(n) {
				cmds = append(cmds, m.read(n))
			}
		}
		return tea.Batch(cmds...)
	}
	m.command.asking[need.Key] = true
	round, in := m.ctx.State.Round, m.face.Inspector()
	return m.beside(func() tea.Msg { return knownMsg{need.Key, round, need.Read(m.base, in)} })
}

func (m *model) completion() complete.Input {
	return complete.Input{State: m.ctx.State, Store: m.ctx.Store, At: m.ctx.At, Held: m.facts().Held()}
}

// learnedCommand takes what completion needed, and goes on with it.
func (m *model) learnedCommand(msg knownMsg) tea.Cmd {
	delete(m.command.asking, msg.key)
	m.command.known.Take(msg.round, msg.result)
	return m.continueCompletion()
}

// continueCompletion completes again what was waited for.
func (m *model) continueCompletion() tea.Cmd {
	if !m.commanding || !m.command.Waiting() {
		return nil
	}
	return m.completeCommand()
}

// evaluated does what an answer means for the screen; one of before this screen
// was there means nothing.
func (m *model) evaluated(b *session.Evaluated, fresh bool) tea.Cmd {
	m.command.answered++
	if b.Changed || changes(b.Input) && len(b.Lines) == 0 {
		m.ctx.Store.Changed()
	}
	if !fresh {
		return nil
	}
	if b.Select != nil && m.facts().Held() {
		m.selectFrame(pane.SelectFrame{At: *b.Select})
	}
	if b.Show == nil {
		return nil
	}
	if b.Edit {
		return m.editFile(b.Show.File, b.Show.Line)
	}
	m.panes.source.Look(m.ctx, b.Show.File, b.Show.Line)
	return nil
}

// editFile opens a file of the source in the editor.
func (m *model) editFile(file string, line int) tea.Cmd {
	if m.opts.Editor == "" {
		m.noEditor("$VISUAL and $EDITOR are not set.")
		return nil
	}
	return m.runEditor(editReadyMsg{editing: editing{path: file, line: line}})
}

// syncCommand hands the panel the answers.
func (m *model) syncCommand() {
	c := &m.command
	if t := m.ctx.Live.Commands; t != nil && t != c.table {
		c.table = t
		c.SetTable(*t)
	}
	if m.commanding {
		c.panel.Sync(m.ctx.State.Transcript, c.answered, m.width)
	}
}

// openValue opens a value in the locals: its variable where it is one of the
// frame's, else as an expression above them.
func (m *model) openValue(at debugger.FrameRef, v debugger.Variable) {
	if !m.facts().Held() {
		m.say("info", "the program is not paused here any more")
		return
	}
	m.ctx.At = at
	m.setFocus(layout.Locals)
	if f, ok := m.ctx.Store.Frame(at); ok && slices.ContainsFunc(f.Variables(), func(l debugger.Variable) bool { return l.Name == v.Expr && !l.Shadowed }) {
		m.panes.locals.Reveal(m.ctx, v.Expr)
		return
	}
	m.panes.locals.Show(m.ctx, pane.Root{Expr: v.Expr, At: &at})
}

// displayed keeps the displayed expressions in sight, above the variables.
func (m *model) displayed(list []session.Display) {
	var names []string
	for _, d := range list {
		name := fmt.Sprintf("%d: %s", d.ID, d.Expr)
		names = append(names, name)
		if !slices.Contains(m.command.displays, name) {
			m.panes.locals.Show(m.ctx, pane.Root{Name: name, Expr: d.Expr, Kept: true})
		}
	}
	for _, was := range m.command.displays {
		if !slices.Contains(names, was) {
			m.panes.locals.Hide(was)
		}
	}
	m.command.displays = names
}
