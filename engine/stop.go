package engine

import (
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/ask"
	"github.com/pausetui/pausetui/engine/hooks"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/session"
)

// stopped takes a stop of the current round, which is held or gone.
func (e *Engine) stopped(r *target.Round, stop debugger.Stop) {
	if all := e.State().Stops; len(all) > 0 && stop.Called != "" && stop.Fault != "" && stop.Reason == debugger.ReasonStep {
		before := all[len(all)-1].Stop
		stop.Reason, stop.Breakpoint = before.Reason, before.Breakpoint // nothing was called: it is held as it was
	}
	if stop.Crashed() {
		e.loop.Opts.Mark("stopped")
		target.Identify(&stop)
	}
	if stop.Crashed() {
		e.hooked.OnStop(stop)
	}
	if stop.Ended() {
		e.program.SayRecovers(stop, r.Buffer.Tail(target.TailBytes))
	}
	e.traces.Flush()
	e.breaks.Name(&stop)
	e.shell.atStop(stop)
	e.loop.Append(session.EngineActor, &session.Stopped{Stop: stop, Ran: r.Ran})
	e.inspection.EnterStop(stop)
	if stop.Ended() || stop.Crashed() {
		e.runner.KeepOutput(r)
	}
	e.blocks.Stopped(stop)
	e.breaks.ReadHits(r, stop)
	e.program.SayOptimized(stop)
	e.program.SayPanicking(stop)
	e.repros.Capture(stop)
	e.shell.redisplay(stop)
	e.shell.atBreakpoint(stop)
	e.judging.Stopped(stop)
	if stop.Crashed() && r.Moment == nil && !e.program.SourceFixed() {
		e.snapshots.AtCrash(func() { e.openCase(stop) })
	}
	e.runner.StepOn(r, stop)
	e.commandsAfter(r)
	e.repeat(stop)
}

// openCase begins the review of a crash.
func (e *Engine) openCase(stop debugger.Stop) {
	c := e.proofs.Begin(stop, e.repros.Plan())
	if c != nil {
		e.memories.Recall(c, stop)
	}
	if c != nil && e.loop.Opts.Fixes.AskAtOnce {
		e.asking.AskAll(c)
	}
}

// judged runs the hooks of a judgement.
func (e *Engine) judged(j *session.Judged) {
	if c, ok := e.State().Candidate(j.Candidate); ok {
		e.hooked.Later(hooks.Event{Hook: hooks.OnJudged, Candidate: ask.HookCandidate(c.Candidate), Judgement: string(j.Judgement)})
	}
}

// leaveStop ends what belongs to a stop: the target goes on.
func (e *Engine) leaveStop() {
	e.proofs.Open.Resumed()
	e.launcher.DropPrelaunched()
	e.questions.End()
	e.inspection.LeaveStop()
}

// endRound ends the round, if there is one, and what belongs to it.
func (e *Engine) endRound() {
	if e.runner.Round == nil {
		return
	}
	e.inspection.RecordSeen()
	e.questions.End()
	e.inspection.End()
	e.runner.End()
	e.traces.Flush()
	e.breaks.InTarget = nil
	e.runner.DoHalted() // breakpoints wait for the next round, then
	e.runner.WantHalt = false
}

// watchTime ends the asking when the session's time is up.
func (e *Engine) watchTime() (stop func()) {
	if e.loop.Opts.Fixes.Limits.Time <= 0 {
		return func() {}
	}
	timer := time.AfterFunc(e.loop.Opts.Fixes.Limits.Time, func() {
		e.loop.Post(func() {
			e.loop.TimeUp = true
			e.asking.Cancel()
			e.questions.Current.CancelReply()
			e.loop.SayLimit(session.LimitTime, e.loop.Ended(e.loop.TimeWords()), loop.LimitsHint)
		})
	})
	return func() { timer.Stop() }
}
