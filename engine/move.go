package engine

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// resume lets the target go on. A move that may fail to begin is looked at
// first: what cannot be done leaves the stop, and its candidates, as they are.
func (e *Engine) resume(m debugger.Move) {
	r := e.round
	if e.stepsOn(m) {
		r.next = &m
		return
	}
	if err := e.movable(m.Motion); err != nil {
		e.refuse(err)
		return
	}
	m = e.completed(m)
	if !needsLook(m.Motion) {
		e.append(e.opts.Actor, &session.Resumed{Motion: m.Motion, Goroutine: m.Goroutine, Words: moveWords(m)})
		e.letRun(r, m)
		return
	}
	e.job(func() {
		err := r.target.Ready(e.ctx, m)
		e.post(func() {
			switch {
			case err != nil:
				e.refuse(err)
			case e.round != r || r.running || r.ended || e.busy: // it went on meanwhile
			default:
				e.append(e.opts.Actor, &session.Resumed{Motion: m.Motion, Goroutine: m.Goroutine, Words: moveWords(m)})
				e.letRun(r, m)
			}
		})
	})
}

// stepPatience is how long a step may take for another one to wait for it.
const stepPatience = time.Second

// stepsOn tells whether a step is asked for while one is under way: it follows
// that one, so that typing fast loses none. One is remembered: whoever holds the
// key down can let go.
func (e *Engine) stepsOn(m debugger.Move) bool {
	r := e.round
	return e.refused == nil && r != nil && r.running && m.Motion.Steps() && r.move.Motion.Steps() && e.since(r.since) < stepPatience
}

// stepOn carries out the step that was asked for, where the one before it has
// come to its end.
func (e *Engine) stepOn(r *round, stop debugger.Stop) {
	next := r.next
	r.next = nil
	if next != nil && stop.Reason == debugger.ReasonStep {
		e.resume(*next)
	}
}

// movable tells why the target cannot be moved now.
func (e *Engine) movable(m debugger.Motion) error {
	r := e.round
	switch {
	case e.busy:
		return errors.New("the target is being built")
	case r == nil || r.ended:
		return e.goneError()
	case r.running:
		return debugger.ErrRunning
	}
	can := r.target.Abilities()
	switch {
	case m.Backwards() && !can.Reverse && can.Run:
		return advice.Add(errors.New("only a recording runs backwards, and this is none"), "install rr, and start with --record")
	case !can.Run:
		return can.Refuse("run")
	case m == debugger.CallFunction && !can.Call:
		return can.Refuse("call functions")
	}
	return nil
}

func needsLook(m debugger.Motion) bool {
	return m == debugger.ContinueTo || m == debugger.CallFunction
}

// completed fills in what a move leaves open: the goroutine that is shown
// steps, whichever the debugger has chosen; and a continue goes on with a step
// that a breakpoint on another goroutine has interrupted.
func (e *Engine) completed(m debugger.Move) debugger.Move {
	record, ok := e.State().CurrentStop()
	if !ok {
		return m
	}
	stop := record.Stop
	switch m.Motion {
	case debugger.Continue:
		m.KeepStep = m.KeepStep || stop.Step != 0 && stop.Reason != debugger.ReasonHalt
	case debugger.ContinueTo, debugger.Rewind:
	default:
		if m.Goroutine == 0 && !stop.Unwinds() {
			m.Goroutine = stop.Goroutine
		}
	}
	return m
}

// letRun runs the target until its next stop, beside Run.
func (e *Engine) letRun(r *round, m debugger.Move) {
	e.stop.resumed()
	e.dropAhead()
	e.endTalk()
	e.moves()
	r.running, r.since, r.move = true, e.opts.Now(), m
	e.setLive(func(l *Live) { l.Running = e.opts.Now() })
	e.job(func() {
		stop, err := r.target.Move(e.ctx, m)
		completeFailure(e.ctx, r.target, &stop)
		e.post(func() { e.stopped(r, stop, err) })
	})
	e.watchAlive(r)
}

// goOn has the target go on after a halt that nobody but the engine wanted.
func (e *Engine) goOn(r *round) {
	m := debugger.Move{Motion: debugger.Continue, KeepStep: true}
	if r.move.Motion == debugger.ContinueTo { // its place is taken away by a halt
		m = r.move
	}
	e.letRun(r, m)
}

// moveWords says what a motion was given, for people.
func moveWords(m debugger.Move) string {
	switch {
	case m.Expr != "":
		return m.Expr
	case m.Location != "":
		return m.Location
	case m.File != "":
		return fmt.Sprintf("%s:%d", filepath.Base(m.File), m.Line)
	}
	return ""
}

// jump sets the next statement.
func (e *Engine) jump(i Jump) {
	t, err := e.held()
	if err != nil {
		e.refuse(fmt.Errorf("jump: %w", err))
		return
	}
	if can := t.Abilities(); !can.Write {
		e.refuse(errors.New(can.Cannot("be changed")))
		return
	}
	from := ""
	if record, ok := e.State().CurrentStop(); ok {
		from = e.placeOf(record.Stop)
	}
	location := i.Location
	if location == "" {
		location = fmt.Sprintf("%s:%d", i.File, i.Line)
	}
	r := e.round
	e.job(func() {
		stop, err := t.SetNext(e.ctx, i.At, location)
		e.post(func() {
			if e.round != r || r.running || r.ended {
				return
			}
			if err != nil {
				e.refuse(err)
				return
			}
			stop.At = e.opts.Now()
			e.moves()
			e.append(e.opts.Actor, &session.Jumped{Stop: stop, From: from})
			e.seeStop(stop)
		})
	})
}

// held is the target that is held now, or why there is none.
func (e *Engine) held() (target, error) {
	switch {
	case e.round == nil || e.round.ended:
		return nil, e.goneError()
	case e.round.running:
		return nil, debugger.ErrRunning
	}
	return e.round.target, nil
}
