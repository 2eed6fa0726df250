package execution

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
)

// Breakpoints sets and lists breakpoints, and mutes places.
type Breakpoints struct {
	*common.Common
	Execution *Execution
}

// Action carries out what is done with lines and breakpoints.
func (bp *Breakpoints) Action(a keymap.Action) (cmd tea.Cmd, done bool) {
	file, line, ok := bp.Panes.Source.Line()
	switch a {
	case keymap.RunTo:
		if ok {
			bp.Execution.Move(intent.Run{Motion: debugger.ContinueTo, File: file, Line: line})
		}
	case keymap.StepCall:
		return bp.readCalls(), true
	case keymap.Breaks:
		bp.open()
	case keymap.BreakError:
		bp.Engine.Do(intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{File: file, Line: line, OnError: true}})
	case keymap.Trace:
		bp.Dialog = &dialog.Input{Head: "Tracepoint on " + text.Place(file, line), Body: "It prints these expressions at each hit, and goes on. Separate them with semicolons.",
			Enter: "sets it", Make: func(words string) any {
				return intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{File: file, Line: line, Trace: true, Print: dialog.Expressions(words)}}
			}}
	case keymap.JumpTo:
		bp.Dialog = &dialog.Confirm{Head: "Jump to " + text.Place(file, line) + "?",
			Body: []string{"It becomes the next statement; nothing between here and there is run or undone. Variables that would be set on the way keep their values."},
			Yes:  "jumps", Do: intent.Jump{At: debugger.FrameRef{Goroutine: bp.Ctx.At.Goroutine}, File: file, Line: line}}
	case keymap.Checkpoint:
		bp.Engine.Do(intent.Checkpoint{Where: text.Place(file, line)})
	default:
		return nil, false
	}
	return nil, true
}

// open opens the list of breakpoints.
func (bp *Breakpoints) open() {
	d := dialog.NewBreakpoints(bp.rows())
	if file, line, ok := bp.Panes.Source.Line(); ok {
		d.Turn(file, line)
	}
	bp.Dialog = d
}

// Sync keeps the open list as the breakpoints are.
func (bp *Breakpoints) Sync() {
	if d, ok := bp.Dialog.(*dialog.Breakpoints); ok {
		d.Set(bp.rows(), bp.Ctx.At.Goroutine)
	}
}

func (bp *Breakpoints) rows() []dialog.BreakpointRow {
	var rows []dialog.BreakpointRow
	for _, b := range bp.Ctx.State.Breakpoints {
		if hits, ok := bp.Ctx.Live.Hits[b.ID]; ok {
			b.Hits = hits
		}
		rows = append(rows, dialog.BreakpointRow{Breakpoint: b, Sign: pane.BreakpointSign(b), Where: text.Line(pane.BreakpointPlace(b))})
	}
	return rows
}

// Offer asks whether a breakpoint shall be set on the nearest line that has code,
// or at which of the places that its name means.
func (bp *Breakpoints) Offer(b *session.Notice) {
	if b.Offer == nil || bp.Dialog != nil || bp.Typing || bp.Commanding || bp.Filtering != nil || bp.Execution.Quitting {
		return
	}
	if len(b.Candidates) > 0 {
		bp.Dialog = chooseAmong(*b.Offer, b.Candidates)
		return
	}
	bp.Dialog = &dialog.Confirm{Head: text.Line(b.Text), Body: []string{fmt.Sprintf("The nearest statement is on line %d.", b.Offer.Line)},
		Yes: fmt.Sprintf("sets it on line %d", b.Offer.Line), Do: intent.SetBreakpoint{Breakpoint: *b.Offer}}
}

// chooseAmong asks which place an ambiguous breakpoint means.
func chooseAmong(b debugger.Breakpoint, locations []string) *dialog.Choose {
	d := &dialog.Choose{Head: text.Line("Several places are called " + b.Location)}
	for _, location := range locations {
		b.File, b.Line, b.Place, b.Why, b.Location = "", 0, "", "", location
		var do intent.Intent = intent.SetBreakpoint{Breakpoint: b}
		if b.ID != 0 {
			do = intent.AmendBreakpoint{Breakpoint: b}
		}
		d.Choices = append(d.Choices, dialog.Choice{Words: text.Line(location), Do: do})
	}
	return d
}

// CallsMsg is what a line has still to call.
type CallsMsg struct {
	stop uint64
	at   debugger.FrameRef
	list []debugger.Call
	err  error
}

// readCalls reads what the line that is looked at has still to call.
func (bp *Breakpoints) readCalls() tea.Cmd {
	lister, ok := bp.Engine.Inspector().(debugger.CallLister)
	if !ok {
		bp.Say("info", "the calls of this line are not known")
		return nil
	}
	at, stop := bp.Ctx.At, bp.Ctx.Store.Tag().Stop
	return bp.InBackground(func() tea.Msg {
		list, err := lister.Calls(bp.Base, at)
		return CallsMsg{stop: stop, at: at, list: list, err: err}
	})
}

// ChooseCall asks which call to step into, where there are several.
func (bp *Breakpoints) ChooseCall(msg CallsMsg) {
	into := func(c debugger.Call) intent.Run {
		return intent.Run{Motion: debugger.StepCall, Goroutine: msg.at.Goroutine, Frame: msg.at.Frame, Callee: c.PC}
	}
	switch {
	case msg.stop != bp.Ctx.Store.Tag().Stop || bp.Dialog != nil: // it went on meanwhile
	case msg.err != nil:
		bp.Say("error", msg.err.Error())
	case len(msg.list) == 0:
		bp.Say("info", "this line calls nothing more: "+bp.Keys.Key(keymap.Next)+" goes to the next one")
	case len(msg.list) == 1:
		bp.Execution.Move(into(msg.list[0]))
	default:
		d := &dialog.Choose{Head: "Step into which call?"}
		for _, c := range msg.list {
			d.Choices = append(d.Choices, dialog.Choice{Words: callWords(c), Do: into(c)})
		}
		bp.Dialog = d
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
