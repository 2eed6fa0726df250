package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// stopped takes what a resume has ended with.
func (e *Engine) stopped(r *round, stop debugger.Stop, err error) {
	if e.round != r { // the round was ended meanwhile
		return
	}
	r.running = false
	r.ran += e.since(r.since)
	e.setLive(func(l *Live) { l.Running = time.Time{} })
	if err != nil {
		e.lost(r, err)
		return
	}
	if stop.Crashed() {
		e.opts.Mark("stopped")
		identify(&stop)
	}
	if stop.Ended() {
		r.ended = true
		r.console.drain()
		e.sayRecovers(stop)
	}
	if e.doHalted() && stop.Reason == debugger.ReasonHalt && !e.wantHalt {
		e.goOn(r)
		return
	}
	e.wantHalt = false
	e.traces.flush()
	e.breaks.name(&stop)
	e.append(actorEngine, &session.Stopped{Stop: stop, Ran: e.since(r.launched)})
	e.seeStop(stop)
	if stop.Ended() || stop.Crashed() {
		e.keepOutput(r)
	}
	e.lookAtBreakpoints(r, stop)
	e.sayOptimized(stop)
	e.capture(stop)
	e.redisplay(stop)
	e.atBreakpoint(stop)
	e.judgeStop(stop)
	if stop.Crashed() && !e.traceMended() {
		e.openCase(stop)
	}
	e.stepOn(r, stop)
	e.repeat(r, stop)
}

// repeat runs a target that has ended without a stop again, as often as was
// asked for.
func (e *Engine) repeat(r *round, stop debugger.Stop) {
	s := e.State()
	switch {
	case !stop.Ended() || e.opts.Repeat <= 1 || e.rounds > e.opts.Repeat || !e.opts.Way.Starts():
	case slices.ContainsFunc(s.Stops, func(r session.StopRecord) bool { return r.Stop.Crashed() }):
	case e.rounds == e.opts.Repeat:
		e.notice("info", fmt.Sprintf("%d runs ended without a stop", e.rounds), "")
	default:
		e.again()()
	}
}

// lost ends a round whose debugger has failed.
func (e *Engine) lost(r *round, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	r.ended, r.lost = true, true
	e.notice("error", fmt.Sprintf("the debugger has lost the target: %v", err), e.lostHint())
	e.append(actorEngine, &session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonSignal, Selected: -1,
		Exit: &debugger.Exit{Code: -1, Signal: session.LostSignal}, At: e.opts.Now()}, Ran: e.since(r.launched)})
	if e.watch != nil {
		e.judge(session.NotReached, "the debugger has lost the target")
	}
}

// doHalted does what had to wait until the target is held, or gone, if there
// was anything.
func (e *Engine) doHalted() bool {
	todo := e.halted
	e.halted = nil
	for _, fn := range todo {
		fn()
	}
	return len(todo) > 0
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

// Sizes of what is kept of a round's output, in rows and bytes.
const (
	sideHeadRows = 2000
	sideTailRows = 8000
	tailBytes    = 4 << 10
)

// keepOutput writes the round's output beside the log, bounded.
func (e *Engine) keepOutput(r *round) {
	head := r.buffer.View(0, sideHeadRows)
	kept := &session.OutputKept{Round: r.number, Bytes: head.Bytes, Lines: head.Lines, Tail: session.Clean(r.buffer.Tail(tailBytes))}
	if head.Bytes > 0 {
		data, dropped := sideText(r.buffer, head)
		kept.Dropped = dropped
		name, err := e.log.WriteSide(fmt.Sprintf(".round%d.out", r.number), data)
		if err != nil {
			e.notice("warn", err.Error(), "")
		}
		kept.File = name
	}
	e.append(actorEngine, kept)
}

// sideText is the head and the tail with a mark between them; dropped counts
// the bytes that are in neither.
func sideText(b *output.Buffer, head output.View) (text []byte, dropped int64) {
	add := func(rows []string) {
		for _, row := range rows {
			text = append(append(text, row...), '\n')
		}
	}
	if head.Dropped == 0 && head.Total <= sideHeadRows {
		add(head.Rows)
		return text, 0
	}
	add(head.Rows)
	tail := b.View(max(head.Total-sideTailRows, sideHeadRows), sideTailRows)
	mark := len(text)
	text = append(text, fmt.Sprintf("… %d lines left out …\n", head.Dropped+int64(tail.Start-len(head.Rows)))...)
	marked := len(text) - mark
	add(tail.Rows)
	return text, max(head.Bytes-int64(len(text)-marked), 0)
}
