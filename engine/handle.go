package engine

import (
	"errors"
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// handle carries out an intent.
func (e *Engine) handle(i Intent) {
	switch i := i.(type) {
	case Run:
		e.resume(debugger.Move(i))
	case Jump:
		e.jump(i)
	case Checkpoint:
		e.checkpoint(i)
	case Halt:
		e.wantHalt = e.round != nil && e.round.running
		e.halt()
	case Restart:
		e.restart(i)
	case Type:
		e.typeInto(i.Text)
	case Evaluate:
		e.command(i)
	case CancelCommand:
		e.cancelCommand()
	case ToggleBreakpoint, SetBreakpoint, AmendBreakpoint, EnableBreakpoint, ClearBreakpoint:
		e.breakpointIntent(i)
	case Mute:
		e.mute(i)
	case Unmute:
		e.unmute(i.Fingerprint)
	case Consent:
		e.consent(i)
	case Ask:
		e.askedByHand = true
		e.ask(i)
	case PreviewPrompt:
		e.preview(i)
	case Cancel:
		e.cancelAsking()
	case AskQuestion:
		e.askedByHand = true
		e.askQuestion(i)
	case CancelQuestion:
		e.talk.cancelReply()
	case Note:
		e.append(e.opts.Actor, &session.Notice{Level: "note", Text: i.Text})
	case Quit:
		e.quit(i)
	default:
		e.review(i)
	}
}

// review carries out what is decided about candidates.
func (e *Engine) review(i Intent) {
	switch i := i.(type) {
	case Prepare:
		e.prepare(i)
	case Approve:
		e.approve(i)
	case Allow:
		e.allow(i.What)
	case Reject:
		e.reject(i.Candidate, i.Reason)
	case Revise:
		e.revise(i)
	case LeaveHunks:
		e.leaveHunks(i)
	case Undo:
		e.undo("")
	}
}

func (e *Engine) quit(q Quit) {
	if e.quitting {
		return // the first word counts
	}
	if q.Outcome == "" {
		q.Outcome = "quit"
	}
	e.ending = session.Ended{Outcome: q.Outcome, Error: q.Error, Hint: q.Hint}
	e.killAtEnd = q.Kill
	e.quitting = true
}

func (e *Engine) halt() {
	if e.round == nil || !e.round.running {
		return
	}
	r := e.round
	e.job(func() {
		if err := r.target.Halt(); err != nil {
			e.post(func() { e.refuse(fmt.Errorf("halt the target: %w", err)) })
		}
	})
}

func (e *Engine) typeInto(text string) {
	r := e.round
	if r == nil || r.ended {
		e.refuse(e.goneError())
		return
	}
	if e.opts.Stdin != "" {
		e.refuse(errors.New("the target reads its input from " + e.opts.Stdin))
		return
	}
	if r.console == nil {
		e.refuse(e.State().Can.Refuse("be typed into: its input is not ours"))
		return
	}
	e.append(e.opts.Actor, &session.Input{After: e.since(r.launched), Text: text})
	r.console.send(text)
}

// goneError refuses what needs a target that has not ended.
func (e *Engine) goneError() error { return advice.Add(debugger.ErrGone, e.againHint()) }

// againHint is how to go on once the target has ended.
func (e *Engine) againHint() string {
	if can := e.State().Can; !can.Restart {
		return "q leaves"
	}
	return "r starts it again"
}
