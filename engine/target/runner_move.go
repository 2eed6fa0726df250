package target

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

// Resume lets the target go on. A move that may fail to begin is looked at
// first: what cannot be done leaves the stop, and its candidates, as they are.
func (rn *Runner) Resume(m debugger.Move) {
	r := rn.Round
	if rn.stepsOn(m) {
		if len(r.Ahead) < MaxAhead {
			r.Ahead = append(r.Ahead, ahead{m, rn.Author})
		}
		return
	}
	if err := rn.movable(m.Motion); err != nil {
		rn.Refuse(err)
		return
	}
	m = rn.completed(m)
	if r.Moment != nil && m.Motion.Backwards() {
		rn.Backwards(r, m)
		return
	}
	if !needsLook(m.Motion) {
		rn.Append(rn.By(), &session.Resumed{Motion: m.Motion, Goroutine: m.Goroutine, Words: MoveWords(m)})
		rn.LetRun(r, m)
		return
	}
	post := rn.PostAs()
	rn.Job(func() {
		err := r.Target.Ready(rn.Ctx, m)
		post(func() {
			switch {
			case err != nil:
				rn.Refuse(err)
			case rn.Round != r || r.Running || r.Ended || rn.Busy: // it went on meanwhile
			default:
				rn.Append(rn.By(), &session.Resumed{Motion: m.Motion, Goroutine: m.Goroutine, Words: MoveWords(m)})
				rn.LetRun(r, m)
			}
		})
	})
}

// StepPatience is how long a step may take for another one to wait for it.
const StepPatience = time.Second

// MaxAhead bounds the steps that wait for the one under way: what a hand types
// at once is kept, and the steps of a held key end soon after it is let go.
const MaxAhead = 8

// stepsOn reports whether a step is asked for while one is under way: it follows
// that one, so that typing fast loses none. A step back may take as long as the program.
func (rn *Runner) stepsOn(m debugger.Move) bool {
	r := rn.Round
	if rn.Refused != nil || r == nil || !r.Running || !Steps(m.Motion) || !Steps(r.Move.Motion) {
		return false
	}
	return rn.Since(r.Since) < StepPatience || r.Moment != nil && r.Move.Motion.Backwards()
}

// Stepped reports whether a step is under way, or was the last to stop the target.
func (rn *Runner) Stepped() bool {
	if r := rn.Round; r == nil || r.Running {
		return true
	}
	record, ok := rn.State().CurrentStop()
	return !ok || record.Stop.Reason == debugger.ReasonStep
}

// Steps reports whether a motion ends after one step, forward or backward.
func Steps(m debugger.Motion) bool { return m.Steps() || m.Backwards() && m != debugger.Rewind }

// StepOn carries out the next of the steps that were asked for, where the one
// before it has come to its end. Any other stop drops them.
func (rn *Runner) StepOn(r *Round, stop debugger.Stop) {
	if stop.Reason != debugger.ReasonStep || len(r.Ahead) == 0 {
		r.Ahead = nil
		return
	}
	next := r.Ahead[0]
	r.Ahead = r.Ahead[1:]
	rn.As(next.by, func() { rn.Resume(next.move) })
	if !r.Running { // it was refused
		r.Ahead = nil
	}
}

// movable tells why the target cannot be moved now.
func (rn *Runner) movable(m debugger.Motion) error {
	r := rn.Round
	switch {
	case rn.Busy:
		return errors.New("the program is being built")
	case r == nil || r.Ended:
		return rn.goneError()
	case r.Running:
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
func (rn *Runner) completed(m debugger.Move) debugger.Move {
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

// LetRun runs the target until its next stop, outside Run's goroutine.
func (rn *Runner) LetRun(r *Round, m debugger.Move) {
	if r.Moment != nil {
		r.Moment.GoesOn()
	}
	rn.Leave(r, m)
	r.Target.Announce() // it counts as running now, and may be halted
	rn.Job(func() {
		stop, err := r.Target.Move(rn.Ctx, m)
		completeFailure(rn.Ctx, r.Target, &stop)
		CompleteHang(rn.Ctx, r.Target, &stop)
		rn.Post(func() { rn.Moved(r, stop, err) })
	})
	rn.Started(r)
}

// Leave notes that a round leaves its stop for a move.
func (rn *Runner) Leave(r *Round, m debugger.Move) {
	rn.Leaving()
	now := rn.Opts.Now()
	r.Running, r.Since, r.going, r.Move = true, now, now, m
	rn.SetLive(func(l *live.State) { l.Running = now })
}

// goOn has the target go on after a halt that only the engine wanted.
func (rn *Runner) goOn(r *Round) {
	m := debugger.Move{Motion: debugger.Continue, KeepStep: true}
	if r.Move.Motion == debugger.ContinueTo { // its place is taken away by a halt
		m = r.Move
	}
	going := r.going
	rn.LetRun(r, m)
	r.going = going
	rn.SetLive(func(l *live.State) { l.Running = going })
}

// MoveWords says what a motion was given, for people.
func MoveWords(m debugger.Move) string {
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

// Jump sets the next statement.
func (rn *Runner) Jump(i intent.Jump) {
	t, err := rn.Held()
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
	r, post := rn.Round, rn.PostAs()
	rn.Job(func() {
		stop, err := t.SetNext(rn.Ctx, i.At, location)
		post(func() {
			if rn.Round != r || r.Running || r.Ended {
				return
			}
			if err != nil {
				rn.Refuse(err)
				return
			}
			stop.At = rn.Opts.Now()
			rn.Inspection.LeaveStop()
			rn.Append(rn.By(), &session.Jumped{Stop: stop, From: from})
			rn.Inspection.EnterStop(stop)
		})
	})
}

// Held is the target that is held now, or why there is none.
func (rn *Runner) Held() (look.Target, error) {
	switch {
	case rn.Round == nil || rn.Round.Ended:
		return nil, rn.goneError()
	case rn.Round.Running:
		return nil, debugger.ErrRunning
	}
	return rn.Round.Target, nil
}

// Checkpoint takes a checkpoint of a recorded target.
func (rn *Runner) Checkpoint(i intent.Checkpoint) {
	t, err := rn.Held()
	if err != nil {
		rn.Refuse(fmt.Errorf("checkpoint: %w", err))
		return
	}
	t = rn.Past.Holding(t, rn.State())
	rn.Job(func() {
		c, err := t.Checkpoint(rn.Ctx, i.Where)
		rn.Post(func() {
			if err != nil {
				rn.Refuse(err)
				return
			}
			rn.Notice("info", fmt.Sprintf("checkpoint c%d is taken: restart c%d comes back here", c.ID, c.ID), "")
		})
	})
}
