// Package execution lets the target run and halts it, types into it, sets breakpoints,
// and ends the session.
package execution

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/review"
	"github.com/pausetui/pausetui/ui/timeline"
	"github.com/pausetui/pausetui/ui/updates"
)

// Execution follows the target: it lets it run, halts it, types into it, and
// ends the session.
type Execution struct {
	*common.Common
	Review    *review.Review
	motion    debugger.Motion // with which the target last went on
	HeldFocus int             // the focus at the last stop
	Quitting  bool
	Patience  time.Duration // how long the engine may take to end the session
	Over      *updates.Over
	agreed    uint64 // the stop that the person has agreed to lose
	fitted    fitted // the size that the target's terminal was given
}

// Unbuilt shows the program again that went on while another was built in vain.
func (ex *Execution) Unbuilt(e session.Event) {
	if _, failed := e.Body.(*session.BuildFailed); !failed {
		return
	}
	if stop, ok := ex.Ctx.State.CurrentStop(); ok && ex.Ctx.State.Phase == session.PhaseStopped {
		ex.Stopped(e.Seq, &session.Stopped{Stop: stop.Stop})
	}
}

// Stopped shows a new stop.
func (ex *Execution) Stopped(seq uint64, b *session.Stopped) {
	ex.Attend()
	ex.Ctx.Stop, ex.Ctx.Held = ex.Ctx.State.CurrentStop()
	ex.Ctx.Store.Stopped(seq, b.Stop)
	ex.Ctx.At = timeline.StopFrame(b.Stop)
	if ex.Said.Running {
		ex.Said = common.Notice{}
	}
	if ex.Typing {
		ex.interruptTyping()
	}
	switch {
	case b.Stop.Ended():
		ex.LeaveReview()
		ex.Focus = layout.Output
	case b.Stop.Crashed():
		ex.LeaveReview()
		ex.Shape.Zoom = false // what has happened is to be seen as a whole
		ex.Review.Picked = false
		ex.Focus = layout.Source
	case ex.Focus == layout.Output:
		ex.Focus = ex.HeldFocus
	}
}

// Resumed keeps the stop on the screen for a moment: a step ends soon.
func (ex *Execution) Resumed(b *session.Resumed) {
	ex.ResumedAt, ex.motion = ex.Ctx.Now, b.Motion
	ex.LeaveReview()
	if ex.Focus != layout.Output {
		ex.HeldFocus = ex.Focus
	}
	if ex.HeldFocus == layout.Fixes { // whose preview would stay in place of the source
		ex.HeldFocus = layout.Source
	}
	ex.Focus = layout.Output
	if !ex.Ctx.Held {
		return
	}
	ex.Focus = ex.HeldFocus
}

// LeaveStop forgets the stop: a new round begins.
func (ex *Execution) LeaveStop() {
	ex.Ctx.Held, ex.Ctx.Stop = false, session.StopRecord{}
	ex.Ctx.Store.Stopped(0, debugger.Stop{})
	ex.Ctx.Store.Forget()
	ex.Ctx.At = debugger.FrameRef{}
	ex.LeaveReview()
	ex.dropAhead()
	ex.Focus, ex.fitted = layout.Output, fitted{}
}

// Settle turns to the output once the target has run for a while.
func (ex *Execution) Settle() {
	if ex.Ctx.State.Phase == session.PhaseRunning && ex.Ctx.Held && !ex.Lingers() {
		ex.Ctx.Held, ex.Ctx.Stop = false, session.StopRecord{}
		ex.Ctx.Store.Stopped(0, debugger.Stop{})
		ex.Ctx.At = debugger.FrameRef{}
		ex.Focus = layout.Output
	}
}

// Reopened shows that an earlier session goes on, and not its last words.
func (ex *Execution) Reopened() {
	ex.LeaveStop()
	ex.Review.Picked, ex.Dialog = false, nil
	words := "session resumed"
	if a, ok := ex.Ctx.State.Undoable(); ok {
		words += fmt.Sprintf(": %s is applied, %s takes it back", pane.Fix(a.Candidate), ex.Keys.Key("undo"))
	}
	ex.Say("info", words)
}

// Ended is called after the session's last event.
func (ex *Execution) Ended(msg updates.Over) tea.Cmd {
	ex.Over = &msg
	if ex.Typing {
		ex.interruptTyping()
	}
	if ex.Quitting {
		return tea.Quit
	}
	e := ex.Ctx.State.Ended
	switch {
	case e != nil && e.Error != "":
		ex.PopUp(&dialog.Message{Head: "The session has ended", Lines: []string{e.Error, e.Hint, ex.keyWords() + " quits."}})
	case msg.Err != nil:
		ex.PopUp(&dialog.Message{Head: "The session is lost", Lines: []string{msg.Err.Error(),
			advice.Of(msg.Err), ex.keyWords() + " quits; the log is kept."}})
	default:
		return tea.Quit
	}
	return nil
}

func (ex *Execution) keyWords() string { return ex.Keys.Key("quit") }

// Step is a step of the goroutine and the frame that are looked at: what is
// shown is what moves. From a crash there is only a way out.
func (ex *Execution) Step(motion debugger.Motion) intent.Run {
	run := intent.Run{Motion: motion}
	if motion == debugger.Continue || motion == debugger.Rewind || ex.Ctx.Stop.Stop.Unwinds() {
		return run
	}
	run.Goroutine, run.Frame = ex.Ctx.At.Goroutine, ex.Ctx.At.Frame
	return run
}

// StepAfter hands over a step while one is under way, which the engine lets
// follow; false where that is not so.
func (ex *Execution) StepAfter(a keymap.Action) bool {
	motion, ok := Motions[a]
	if !ok || !motion.Steps() || !ex.motion.Steps() || !ex.Lingers() {
		return false
	}
	ex.Engine.Do(intent.StepOn{Motion: motion})
	return true
}

// Interrupt halts the running target; without one it asks to quit.
func (ex *Execution) Interrupt() {
	if ex.Facts().Running() {
		ex.Engine.Do(intent.Halt{})
		return
	}
	ex.AskQuit()
}

// Quit leaves, after asking where there is a target to lose.
func (ex *Execution) Quit() tea.Cmd {
	if ex.Quitting || ex.Over != nil {
		return tea.Quit
	}
	if ex.Facts().Alive() && !common.InPast(ex.Ctx.State) {
		ex.AskQuit()
		return nil
	}
	ex.Engine.Do(intent.Quit{})
	return ex.Leave()
}

// AskQuit asks whether to leave, in words that say what becomes of the target.
func (ex *Execution) AskQuit() {
	if ex.Opts.Remote != nil {
		ex.Dialog = &dialog.Confirm{Head: "Leave the session?", Body: []string{"It goes on without you."}, Yes: "leaves", Do: intent.Quit{}}
		return
	}
	body := "Nothing is running; the log is kept."
	if ex.Facts().Alive() {
		body = "Quitting ends the program. The log is kept."
	}
	mode := ex.Ctx.State.Started.Mode
	if !mode.Starts() && mode.Lives() && ex.Facts().Alive() {
		ex.askPart(mode)
		return
	}
	switch mode.Kind {
	case session.ModeCore:
		body = "The core dump stays as it is. The log is kept."
	case session.ModeTrace:
		body = "The trace is kept in the log."
	}
	ex.Dialog = &dialog.Confirm{Head: "Quit?", Body: []string{body}, Yes: "quits", Do: intent.Quit{}}
}

// askPart asks what becomes of a target that was there before us.
func (ex *Execution) askPart(mode session.LaunchMode) {
	body := []string{mode.String() + " was not started here. If it is left running, its breakpoints are removed first. The log is kept."}
	kills := "quits and kills the process"
	if mode.Kind == session.ModeConnect {
		kills = "quits and ends the server and its program"
	}
	ex.Dialog = &dialog.Confirm{Head: "Quit?", Body: body, Yes: "quits and leaves it running", Do: intent.Quit{},
		Key2: "K", Yes2: kills, Do2: intent.Quit{Kill: true}}
}

// GiveUpMsg ends the program when the engine takes too long to end.
type GiveUpMsg struct{}

// Leave waits for the engine to end the session, but not for ever.
func (ex *Execution) Leave() tea.Cmd {
	if ex.Over != nil {
		return tea.Quit
	}
	ex.Quitting = true
	ex.Say("info", "leaving…")
	return ex.Later(ex.Patience, GiveUpMsg{})
}

// StartTyping gives keys to the target.
func (ex *Execution) StartTyping() {
	ex.Typing = true
	ex.LeaveReview()
	ex.SetFocus(layout.Output)
	ex.Panes.Output.SetTyping(true)
	ex.giveAhead()
}

func (ex *Execution) stopTyping() {
	ex.Typing = false
	ex.Panes.Output.SetTyping(false)
}

// TypePaste sends a paste to the target.
func (ex *Execution) TypePaste(s string) {
	if !ex.Facts().Running() {
		ex.interruptTyping()
		ex.AheadPaste(s)
		return
	}
	ex.Engine.Do(intent.Type{Text: ex.pasted(s)})
}

// terminalKeys is what a terminal sends for keys that are no text.
var terminalKeys = map[string]string{
	"enter": "\n", "tab": "\t", "backspace": "\x7f", "delete": "\x1b[3~",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"home": "\x1b[H", "end": "\x1b[F", "pgup": "\x1b[5~", "pgdown": "\x1b[6~",
	"shift+tab": "\x1b[Z", "ctrl+space": "\x00",
}

// TypeKey sends a key to the target; esc leaves, unless the target draws a screen:
// it may want that key, too.
func (ex *Execution) TypeKey(k tea.KeyPressMsg) tea.Cmd {
	key := k.String()
	screen, drawn := ex.Panes.Output.Screen()
	if b, ok := ex.Keys.Find(key); ok && b.Action == keymap.Release || key == "esc" && !drawn {
		ex.stopTyping()
		return nil
	}
	if !ex.Facts().Running() {
		ex.interruptTyping()
		ex.AheadKey(k)
		return nil
	}
	if drawn {
		if bytes := ScreenKey(k, screen.Arrows); bytes != "" {
			ex.Engine.Do(intent.Type{Text: bytes})
		}
		return nil
	}
	switch {
	case k.Text != "":
		ex.Engine.Do(intent.Type{Text: k.Text})
	case terminalKeys[key] != "":
		ex.Engine.Do(intent.Type{Text: terminalKeys[key]})
	case len(key) == len("ctrl+c") && strings.HasPrefix(key, "ctrl+"):
		if c := key[len(key)-1]; c >= 'a' && c <= 'z' {
			ex.Engine.Do(intent.Type{Text: string(rune(c - 'a' + 1))})
		}
	}
	return nil
}

// Motions are the keys that let the target run.
var Motions = map[keymap.Action]debugger.Motion{
	keymap.Continue: debugger.Continue, keymap.Next: debugger.Next,
	keymap.StepIn: debugger.StepIn, keymap.StepOut: debugger.StepOut,
	keymap.StepInstr: debugger.StepInstruction, keymap.NextInstr: debugger.NextInstruction,
	keymap.Rewind: debugger.Rewind, keymap.RevNext: debugger.ReverseNext, keymap.RevStep: debugger.ReverseStep, keymap.RevOut: debugger.ReverseStepOut,
}
