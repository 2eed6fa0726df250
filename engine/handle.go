package engine

import (
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// handle carries out an intent.
func (e *Engine) handle(i Intent) {
	switch i := i.(type) {
	case Run:
		e.move(debugger.Move(i))
	case StepOn, Jump, Checkpoint, Halt:
		e.handleRun(i)
	case Restart:
		if i.SetArgs {
			e.opts.Target.Args, e.opts.Target.Mode.ForeignArgs = i.Args, e.author.Guest
			e.append(e.by(), &session.ArgumentsSet{Args: nonNil(i.Args), Foreign: e.author.Guest})
		}
		e.restart(i)
	case Type:
		e.runner.typeInto(i.Text)
	case Resize:
		e.runner.resize(i)
	case Evaluate:
		e.command(i)
	case CancelCommand:
		for _, l := range e.dropLines(func(authored) bool { return true }) {
			e.notRun(l, byInterrupt)
		}
		e.shell.cancelCommand()
	case Dismiss:
		e.dropLines(func(l authored) bool { return l.by.Name == i.Name })
		e.shell.dismiss(i.Name)
	case ToggleBreakpoint, SetBreakpoint, AmendBreakpoint, EnableBreakpoint, ClearBreakpoint:
		e.breaks.handle(i)
	case Mute:
		e.muting.mute(i)
	case Unmute:
		e.muting.unmute(i.Fingerprint)
	case Consent:
		e.models.consent(i)
	case Ask:
		e.models.askedByHand = true
		e.asking.ask(i)
	case PreviewPrompt:
		e.asking.preview(i)
	case Cancel:
		e.asking.cancel()
	case AskQuestion:
		e.models.askedByHand = true
		e.questions.ask(i)
	case CancelQuestion:
		e.questions.current.cancelReply()
	case Snapshot:
		e.keepSnapshot()
	case Note:
		e.append(e.by(), &session.Notice{Level: "note", Text: i.Text, Pin: i.Pin})
	case Quit:
		e.quit(i)
	default:
		e.handleReview(i)
	}
}

// handleRun carries out what moves the target beside Run.
func (e *Engine) handleRun(i Intent) {
	switch i := i.(type) {
	case StepOn:
		if e.runner.stepped() {
			e.move(debugger.Move{Motion: i.Motion})
		}
	case Jump:
		e.runner.jump(i)
	case Checkpoint:
		e.runner.checkpoint(i)
	case Halt:
		e.runner.interrupt()
	}
}

// handleReview carries out what is decided about stops and candidates.
func (e *Engine) handleReview(i Intent) {
	switch i := i.(type) {
	case StopAt:
		e.opts.Target.Panics = i.Panics
	case Prepare:
		e.launcher.prepare(i)
	case Propose:
		e.review.propose(i)
	case Approve:
		e.review.approve(i)
	case AssertRow:
		e.proofs.assertRow(i)
	case Allow:
		e.proofs.allow(i.What)
	case Compare:
		e.proofs.compareFirst(i.Candidate)
	case Confirm:
		e.review.confirm(i.Candidate)
	case Reject:
		e.review.reject(i.Candidate, i.Reason)
	case Revise:
		e.review.revise(i)
	case LeaveHunks:
		e.review.leaveHunks(i)
	case Undo:
		e.review.undo()
	}
}

func (e *Engine) quit(q Quit) {
	if e.quitting {
		return // the first Quit counts
	}
	if q.Outcome == "" {
		q.Outcome = "quit"
	}
	e.ending = session.Ended{Outcome: q.Outcome, Error: q.Error, Hint: q.Hint}
	e.runner.kill = q.Kill
	e.quitting = true
}
