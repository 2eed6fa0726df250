package engine

import (
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/session"
)

// handle carries out an intent.
func (e *Engine) handle(i intent.Intent) {
	switch i := i.(type) {
	case intent.Run:
		e.move(debugger.Move(i))
	case intent.StepOn, intent.Jump, intent.Checkpoint, intent.Halt:
		e.handleRun(i)
	case intent.Restart:
		if i.SetArgs {
			e.loop.Opts.Target.Args, e.loop.Opts.Target.Mode.ForeignArgs = i.Args, e.loop.Author.Guest
			e.loop.Append(e.loop.By(), &session.ArgumentsSet{Args: nonNil(i.Args), Foreign: e.loop.Author.Guest})
		}
		e.restart(i)
	case intent.Type:
		e.runner.TypeInto(i.Text)
	case intent.Resize:
		e.runner.Resize(i)
	case intent.Evaluate:
		e.command(i)
	case intent.CancelCommand:
		for _, l := range e.dropLines(func(target.Line) bool { return true }) {
			notRun(e.loop, l, byInterrupt)
		}
		e.shell.cancelCommand()
	case intent.Dismiss:
		e.dropLines(func(l target.Line) bool { return l.By.Name == i.Name })
		e.shell.dismiss(i.Name)
	case intent.ToggleBreakpoint, intent.SetBreakpoint, intent.AmendBreakpoint, intent.EnableBreakpoint, intent.ClearBreakpoint:
		e.breaks.Handle(i)
	case intent.Mute:
		e.muting.Mute(i)
	case intent.Unmute:
		e.muting.Unmute(i.Fingerprint)
	case intent.Consent:
		e.models.Consent(i)
	case intent.Ask:
		e.models.AskedByHand = true
		e.asking.Ask(i)
	case intent.PreviewPrompt:
		e.asking.Preview(i)
	case intent.Cancel:
		e.asking.Cancel()
	case intent.AskQuestion:
		e.models.AskedByHand = true
		e.questions.Ask(i)
	case intent.CancelQuestion:
		e.questions.Current.CancelReply()
	case intent.Snapshot:
		e.keepSnapshot()
	case intent.Note:
		e.loop.Append(e.loop.By(), &session.Notice{Level: "note", Text: i.Text, Pin: i.Pin})
	case intent.Quit:
		e.quit(i)
	default:
		e.handleReview(i)
	}
}

// handleRun carries out what moves the target beside Run.
func (e *Engine) handleRun(i intent.Intent) {
	switch i := i.(type) {
	case intent.StepOn:
		if e.runner.Stepped() {
			e.move(debugger.Move{Motion: i.Motion})
		}
	case intent.Jump:
		e.runner.Jump(i)
	case intent.Checkpoint:
		e.runner.Checkpoint(i)
	case intent.Halt:
		e.runner.Interrupt()
	}
}

// handleReview carries out what is decided about stops and candidates.
func (e *Engine) handleReview(i intent.Intent) {
	switch i := i.(type) {
	case intent.StopAt:
		e.loop.Opts.Target.Panics = i.Panics
	case intent.Prepare:
		e.launcher.Prepare(i)
	case intent.Propose:
		e.review.Propose(i)
	case intent.Approve:
		e.review.Approve(i)
	case intent.AssertRow:
		e.proofs.AssertRow(i)
	case intent.Allow:
		e.proofs.Allow(i.What)
	case intent.Compare:
		e.proofs.CompareFirst(i.Candidate)
	case intent.Confirm:
		e.review.Confirm(i.Candidate)
	case intent.Reject:
		e.review.Reject(i.Candidate, i.Reason)
	case intent.Revise:
		e.review.Revise(i)
	case intent.LeaveHunks:
		e.review.LeaveHunks(i)
	case intent.Undo:
		e.review.Undo()
	}
}

func (e *Engine) quit(q intent.Quit) {
	if e.quitting {
		return // the first Quit counts
	}
	if q.Outcome == "" {
		q.Outcome = "quit"
	}
	e.ending = session.Ended{Outcome: q.Outcome, Error: q.Error, Hint: q.Hint}
	e.runner.Kill = q.Kill
	e.quitting = true
}

// DoAs hands over an intent in a participant's name and returns at once. It does not
// know roles: package pair decides who may hand over what.
func (e *Engine) DoAs(by intent.Author, i intent.Intent) {
	e.loop.Post(func() {
		if !e.quitting { // what comes after Quit in the same batch is too late
			e.loop.As(by, func() {
				if err := e.loop.RoomFor(i); err != nil {
					e.loop.Refuse(err)
					return
				}
				e.handle(i)
			})
		}
	})
}

// Say tells the person something, with what to do about it, from any goroutine.
func (e *Engine) Say(text, hint string) {
	e.loop.Post(func() {
		if !e.quitting {
			e.loop.Notice("info", session.Clean(text), session.Clean(hint))
		}
	})
}
