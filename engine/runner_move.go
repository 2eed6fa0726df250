package engine

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// resume lets the target go on. A move that may fail to begin is looked at
// first: what cannot be done leaves the stop, and its candidates, as they are.
func (rn *runner) resume(m debugger.Move) {
	r := rn.round
	if rn.stepsOn(m) {
		if len(r.ahead) < maxAhead {
			r.ahead = append(r.ahead, ahead{m, rn.Author})
		}
		return
	}
	if err := rn.movable(m.Motion); err != nil {
		rn.Refuse(err)
		return
	}
	m = rn.completed(m)
	if r.moment != nil && m.Motion.Backwards() {
		rn.backwards(r, m)
		return
	}
	if !needsLook(m.Motion) {
		rn.Append(rn.By(), &session.Resumed{Motion: m.Motion, Goroutine: m.Goroutine, Words: moveWords(m)})
		rn.letRun(r, m)
		return
	}
	post := rn.PostAs()
	rn.Job(func() {
		err := r.target.Ready(rn.Ctx, m)
		post(func() {
			switch {
			case err != nil:
				rn.Refuse(err)
			case rn.round != r || r.running || r.ended || rn.busy: // it went on meanwhile
			default:
				rn.Append(rn.By(), &session.Resumed{Motion: m.Motion, Goroutine: m.Goroutine, Words: moveWords(m)})
				rn.letRun(r, m)
			}
		})
	})
}

// stepPatience is how long a step may take for another one to wait for it.
const stepPatience = time.Second

// maxAhead bounds the steps that wait for the one under way: what a hand types
// at once is kept, and the steps of a held key end soon after it is let go.
const maxAhead = 8

// stepsOn reports whether a step is asked for while one is under way: it follows
// that one, so that typing fast loses none. A step back may take as long as the program.
func (rn *runner) stepsOn(m debugger.Move) bool {
	r := rn.round
	if rn.Refused != nil || r == nil || !r.running || !steps(m.Motion) || !steps(r.move.Motion) {
		return false
	}
	return rn.Since(r.since) < stepPatience || r.moment != nil && r.move.Motion.Backwards()
}

// stepped reports whether a step is under way, or was the last to stop the target.
func (rn *runner) stepped() bool {
	if r := rn.round; r == nil || r.running {
		return true
	}
	record, ok := rn.State().CurrentStop()
	return !ok || record.Stop.Reason == debugger.ReasonStep
}

// steps reports whether a motion ends after one step, forward or backward.
func steps(m debugger.Motion) bool { return m.Steps() || m.Backwards() && m != debugger.Rewind }

// stepOn carries out the next of the steps that were asked for, where the one
// before it has come to its end. Any other stop drops them.
func (rn *runner) stepOn(r *round, stop debugger.Stop) {
	if stop.Reason != debugger.ReasonStep || len(r.ahead) == 0 {
		r.ahead = nil
		return
	}
	next := r.ahead[0]
	r.ahead = r.ahead[1:]
	rn.As(next.by, func() { rn.resume(next.move) })
	if !r.running { // it was refused
		r.ahead = nil
	}
}

// movable tells why the target cannot be moved now.
func (rn *runner) movable(m debugger.Motion) error {
	r := rn.round
	switch {
	case rn.busy:
		return errors.New("the program is being built")
	case r == nil || r.ended:
		return rn.goneError()
	case r.running:
		return debugger.ErrRunning
	}
	can := rn.State().Can
	switch {
	case m.Backwards() && !can.Reverse && can.Run:
		return advice.Add(errors.New("going back needs a crash or a recording, and this is neither"), "continue to the crash; or install rr, and start with --record")
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
func (rn *runner) completed(m debugger.Move) debugger.Move {
	record, ok := rn.State().CurrentStop()
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

// letRun runs the target until its next stop, outside Run's goroutine.
func (rn *runner) letRun(r *round, m debugger.Move) {
	if r.moment != nil {
		r.moment.GoesOn()
	}
	rn.leave(r, m)
	r.target.Announce() // it counts as running now, and may be halted
	rn.Job(func() {
		stop, err := r.target.Move(rn.Ctx, m)
		completeFailure(rn.Ctx, r.target, &stop)
		completeHang(rn.Ctx, r.target, &stop)
		rn.Post(func() { rn.moved(r, stop, err) })
	})
	rn.started(r)
}

// leave notes that a round leaves its stop for a move.
func (rn *runner) leave(r *round, m debugger.Move) {
	rn.leaving()
	now := rn.Opts.Now()
	r.running, r.since, r.going, r.move = true, now, now, m
	rn.SetLive(func(l *live.State) { l.Running = now })
}

// goOn has the target go on after a halt that only the engine wanted.
func (rn *runner) goOn(r *round) {
	m := debugger.Move{Motion: debugger.Continue, KeepStep: true}
	if r.move.Motion == debugger.ContinueTo { // its place is taken away by a halt
		m = r.move
	}
	going := r.going
	rn.letRun(r, m)
	r.going = going
	rn.SetLive(func(l *live.State) { l.Running = going })
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
func (rn *runner) jump(i intent.Jump) {
	t, err := rn.held()
	if err != nil {
		rn.Refuse(fmt.Errorf("jump: %w", err))
		return
	}
	if can := t.Abilities(); !can.Write {
		rn.Refuse(errors.New(can.Cannot("be changed")))
		return
	}
	from := ""
	if record, ok := rn.State().CurrentStop(); ok {
		from = rn.PlaceOf(record.Stop)
	}
	location := i.Location
	if location == "" {
		location = fmt.Sprintf("%s:%d", i.File, i.Line)
	}
	r, post := rn.round, rn.PostAs()
	rn.Job(func() {
		stop, err := t.SetNext(rn.Ctx, i.At, location)
		post(func() {
			if rn.round != r || r.running || r.ended {
				return
			}
			if err != nil {
				rn.Refuse(err)
				return
			}
			stop.At = rn.Opts.Now()
			rn.inspection.LeaveStop()
			rn.Append(rn.By(), &session.Jumped{Stop: stop, From: from})
			rn.inspection.EnterStop(stop)
		})
	})
}

// held is the target that is held now, or why there is none.
func (rn *runner) held() (look.Target, error) {
	switch {
	case rn.round == nil || rn.round.ended:
		return nil, rn.goneError()
	case rn.round.running:
		return nil, debugger.ErrRunning
	}
	return rn.round.target, nil
}
