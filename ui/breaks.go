package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
)

// step is a step of the goroutine and the frame that are looked at: what is
// shown is what moves. From a crash there is only a way out.
func (m *model) step(motion debugger.Motion) engine.Run {
	run := engine.Run{Motion: motion}
	if motion == debugger.Continue || motion == debugger.Rewind || m.ctx.Stop.Stop.Unwinds() {
		return run
	}
	run.Goroutine, run.Frame = m.ctx.At.Goroutine, m.ctx.At.Frame
	return run
}

// stepAfter hands over a step while one is under way, which the engine lets
// follow; false where that is not so.
func (m *model) stepAfter(a keymap.Action) bool {
	motion, ok := motions[a]
	if !ok || !motion.Steps() || !m.motion.Steps() || !m.lingers() {
		return false
	}
	m.face.Do(m.step(motion))
	return true
}

// breakAction carries out what is done with lines and breakpoints.
func (m *model) breakAction(a keymap.Action) (cmd tea.Cmd, done bool) {
	file, line, ok := m.panes.source.Line()
	switch a {
	case keymap.RunTo:
		if ok {
			m.face.Do(engine.Run{Motion: debugger.ContinueTo, File: file, Line: line})
		}
	case keymap.StepCall:
		return m.readCalls(), true
	case keymap.Breaks:
		m.openBreakpoints()
	case keymap.BreakError:
		m.face.Do(engine.SetBreakpoint{Breakpoint: debugger.Breakpoint{File: file, Line: line, OnError: true}})
	case keymap.Trace:
		m.dialog = &dialog.Input{Head: "Tracepoint on " + text.Place(file, line), Body: "It prints these expressions at each hit, and goes on. Separate them with semicolons.",
			Enter: "sets it", Make: func(words string) any {
				return engine.SetBreakpoint{Breakpoint: debugger.Breakpoint{File: file, Line: line, Trace: true, Print: dialog.Expressions(words)}}
			}}
	case keymap.JumpTo:
		m.dialog = &dialog.Confirm{Head: "Jump to " + text.Place(file, line) + "?",
			Body: []string{"It becomes the next statement; nothing between here and there is run or undone. Variables that would be set on the way keep what they hold."},
			Yes:  "jumps", Do: engine.Jump{At: debugger.FrameRef{Goroutine: m.ctx.At.Goroutine}, File: file, Line: line}}
	case keymap.Checkpoint:
		m.face.Do(engine.Checkpoint{Where: text.Place(file, line)})
	default:
		return nil, false
	}
	return nil, true
}

// openBreakpoints opens the list of breakpoints.
func (m *model) openBreakpoints() {
	d := dialog.NewBreakpoints(m.breakpointRows())
	if file, line, ok := m.panes.source.Line(); ok {
		d.Turn(file, line)
	}
	m.dialog = d
}

// syncBreakpoints keeps the open list as the breakpoints are.
func (m *model) syncBreakpoints() {
	if d, ok := m.dialog.(*dialog.Breakpoints); ok {
		d.Set(m.breakpointRows(), m.ctx.At.Goroutine)
	}
}

func (m *model) breakpointRows() []dialog.BreakpointRow {
	var rows []dialog.BreakpointRow
	for _, b := range m.ctx.State.Breakpoints {
		if hits, ok := m.ctx.Live.Hits[b.ID]; ok {
			b.Hits = hits
		}
		rows = append(rows, dialog.BreakpointRow{Breakpoint: b, Sign: pane.BreakpointSign(b), Where: text.Line(pane.BreakpointPlace(b))})
	}
	return rows
}

// offer asks whether a breakpoint shall stand on the nearest line that has code,
// or at which of the places that its name means.
func (m *model) offer(b *session.Notice) {
	if b.Offer == nil || m.dialog != nil || m.typing || m.commanding || m.filtering != nil || m.quitting {
		return
	}
	if len(b.Candidates) > 0 {
		m.dialog = chooseAmong(*b.Offer, b.Candidates)
		return
	}
	m.dialog = &dialog.Confirm{Head: text.Line(b.Text), Body: []string{fmt.Sprintf("The nearest statement is on line %d.", b.Offer.Line)},
		Yes: fmt.Sprintf("sets it on line %d", b.Offer.Line), Do: engine.SetBreakpoint{Breakpoint: *b.Offer}}
}

// chooseAmong asks which place an ambiguous breakpoint means.
func chooseAmong(b debugger.Breakpoint, locations []string) *dialog.Choose {
	d := &dialog.Choose{Head: text.Line("Several places are called " + b.Location)}
	for _, location := range locations {
		b.File, b.Line, b.Place, b.Why, b.Location = "", 0, "", "", location
		var do engine.Intent = engine.SetBreakpoint{Breakpoint: b}
		if b.ID != 0 {
			do = engine.AmendBreakpoint{Breakpoint: b}
		}
		d.Choices = append(d.Choices, dialog.Choice{Words: text.Line(location), Do: do})
	}
	return d
}

// callsMsg is what a line has still to call.
type callsMsg struct {
	stop uint64
	at   debugger.FrameRef
	list []debugger.Call
	err  error
}

// readCalls reads what the line that is looked at has still to call.
func (m *model) readCalls() tea.Cmd {
	lister, ok := m.face.Inspector().(debugger.CallLister)
	if !ok {
		m.say("info", "the calls of a line are not known here")
		return nil
	}
	at, stop := m.ctx.At, m.ctx.Store.Tag().Stop
	return m.beside(func() tea.Msg {
		list, err := lister.Calls(m.base, at)
		return callsMsg{stop: stop, at: at, list: list, err: err}
	})
}

// chooseCall asks which call to step into, where there are several.
func (m *model) chooseCall(msg callsMsg) {
	into := func(c debugger.Call) engine.Run {
		return engine.Run{Motion: debugger.StepCall, Goroutine: msg.at.Goroutine, Frame: msg.at.Frame, Callee: c.PC}
	}
	switch {
	case msg.stop != m.ctx.Store.Tag().Stop || m.dialog != nil: // it went on meanwhile
	case msg.err != nil:
		m.say("error", msg.err.Error())
	case len(msg.list) == 0:
		m.say("info", "this line calls nothing more: "+m.keys.Key(keymap.Next)+" goes to the next one")
	case len(msg.list) == 1:
		m.face.Do(into(msg.list[0]))
	default:
		d := &dialog.Choose{Head: "Step into which call?"}
		for _, c := range msg.list {
			d.Choices = append(d.Choices, dialog.Choice{Words: callWords(c), Do: into(c)})
		}
		m.dialog = d
	}
}

// callWords is a call as the source writes it, and what it leads to.
func callWords(c debugger.Call) string {
	words := text.Line(c.Text)
	switch {
	case words == "" && c.Function == "":
		return "a call of a function value"
	case words == "":
		return text.Line(text.Function(c.Function))
	case c.Function == "":
		return words + "  (known when it is made)"
	}
	return words + "  " + text.Place(c.File, c.Line)
}
