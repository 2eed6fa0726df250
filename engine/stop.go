package engine

import (
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/hooks"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// stopped takes a stop of the current round, which is held or gone.
func (e *Engine) stopped(r *round, stop debugger.Stop) {
	if all := e.State().Stops; len(all) > 0 && stop.Called != "" && stop.Fault != "" && stop.Reason == debugger.ReasonStep {
		before := all[len(all)-1].Stop
		stop.Reason, stop.Breakpoint = before.Reason, before.Breakpoint // nothing was called: it is held as it was
	}
	if stop.Crashed() {
		e.loop.Opts.Mark("stopped")
		identify(&stop)
	}
	if stop.Crashed() {
		e.hooked.onStop(stop)
	}
	if stop.Ended() {
		e.program.SayRecovers(stop, r.buffer.Tail(tailBytes))
	}
	e.traces.flush()
	e.breaks.name(&stop)
	e.shell.atStop(stop)
	e.loop.Append(session.EngineActor, &session.Stopped{Stop: stop, Ran: r.ran})
	e.inspection.EnterStop(stop)
	if stop.Ended() || stop.Crashed() {
		e.runner.keepOutput(r)
	}
	e.blocks.Stopped(stop)
	e.breaks.readHits(r, stop)
	e.program.SayOptimized(stop)
	e.program.SayPanicking(stop)
	e.repros.capture(stop)
	e.shell.redisplay(stop)
	e.shell.atBreakpoint(stop)
	e.judging.stopped(stop)
	if stop.Crashed() && r.moment == nil && !e.program.SourceFixed() {
		e.snapshots.atCrash(func() { e.openCase(stop) })
	}
	e.runner.stepOn(r, stop)
	e.commandsAfter(r)
	e.repeat(r, stop)
}

// openCase begins the review of a crash.
func (e *Engine) openCase(stop debugger.Stop) {
	c := e.proofs.openCase(stop, e.repros.plan())
	if c != nil {
		e.memories.recall(c, stop)
	}
	if c != nil && e.loop.Opts.Fixes.AskAtOnce {
		e.asking.askAll(c)
	}
}

// judged runs the hooks of a judgement.
func (e *Engine) judged(j *session.Judged) {
	if c, ok := e.State().Candidate(j.Candidate); ok {
		e.hooked.later(hooks.Event{Hook: hooks.OnJudged, Candidate: hookCandidate(c.Candidate), Judgement: string(j.Judgement)})
	}
}

// leaveStop ends what belongs to a stop: the target goes on.
func (e *Engine) leaveStop() {
	e.proofs.open.resumed()
	e.launcher.dropPrelaunched()
	e.questions.end()
	e.inspection.LeaveStop()
}

// endRound ends the round, if there is one, and what belongs to it.
func (e *Engine) endRound() {
	if e.runner.round == nil {
		return
	}
	e.inspection.RecordSeen()
	e.questions.end()
	e.inspection.End()
	e.runner.end()
	e.traces.flush()
	e.breaks.inTarget = nil
	e.runner.doHalted() // breakpoints wait for the next round, then
	e.runner.wantHalt = false
}

// identify completes a crash with its fingerprint, which needs the source.
func identify(stop *debugger.Stop) {
	p := stop.Panic
	if p.Culprit < 0 || p.Culprit >= len(stop.Frames) {
		p.Fingerprint = debugger.Fingerprint(p.Class, "", p.Message)
		return
	}
	f := stop.Frames[p.Culprit]
	source, err := regular.Read(f.File)
	statement := p.Message
	if err == nil {
		statement = workspace.StatementText(source, f.Line)
	}
	if stop.Test != nil { // the cases of a table fail at the same statement
		statement = stop.Test.Name + ": " + statement
	}
	p.Fingerprint = debugger.Fingerprint(p.Class, f.Function, statement)
}
