package engine

import (
	"errors"
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// handle carries out an intent.
func (e *Engine) handle(i Intent) {
	switch i := i.(type) {
	case Run:
		e.resume(debugger.Move(i))
	case Halt:
		e.wantHalt = e.round != nil && e.round.running
		e.halt()
	case Restart:
		e.restart()
	case Type:
		e.typeInto(i.Text)
	case Evaluate:
		e.command(i)
	case CancelCommand:
		e.cancelCommand()
	case ToggleBreakpoint, SetBreakpoint, AmendBreakpoint, EnableBreakpoint, ClearBreakpoint:
		e.breakpointIntent(i)
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
	e.ending = session.Ended(q)
	e.quitting = true
}

// resume lets the target go on.
func (e *Engine) resume(m debugger.Move) {
	r := e.round
	switch {
	case e.busy:
		e.refuse(errors.New("the target is being built"))
		return
	case r == nil || r.ended:
		e.refuse(debugger.WithHint(debugger.ErrGone, "r starts it again"))
		return
	case r.running:
		e.refuse(debugger.ErrRunning)
		return
	}
	e.append(e.opts.Actor, &session.Resumed{Motion: m.Motion, Goroutine: m.Goroutine, Words: moveWords(m)})
	e.letRun(r, m)
}

// letRun runs the target until its next stop, beside Run.
func (e *Engine) letRun(r *round, m debugger.Move) {
	e.stop.resumed()
	e.endTalk()
	e.moves()
	r.running, r.since = true, e.opts.Now()
	e.setLive(func(l *Live) { l.Running = e.opts.Now() })
	e.job(func() {
		stop, err := r.target.Move(e.ctx, m)
		completeFailure(e.ctx, r.target, &stop)
		e.post(func() { e.stopped(r, stop, err) })
	})
	e.watchAlive(r)
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
		e.refuse(debugger.WithHint(debugger.ErrGone, "r starts it again"))
		return
	}
	if e.opts.Stdin != "" {
		e.refuse(errors.New("the target reads its input from " + e.opts.Stdin))
		return
	}
	e.append(e.opts.Actor, &session.Input{After: e.since(r.launched), Text: text})
	r.console.send(text)
}
