package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/rewind"
)

// pastRun is what the rounds of a session in the past share.
type pastRun struct {
	past        *rewind.Past
	first       *rewind.Moment                // of the first round
	held        atomic.Pointer[rewind.Moment] // now
	checkpoints *checkpoints
	paused      debugger.Frame // of the program that is held at the crash, with its variables
	compared    bool
	other       bool // the runs have other values than the paused program
}

// maxValue bounds a value that is named in a notice, in bytes.
const maxValue = 40

// pausedFrame is the frame that panicked, of the stop that is shown.
func pausedFrame(s session.State) debugger.Frame {
	rec, ok := s.CurrentStop()
	if !ok || rec.Stop.Panic == nil || rec.Stop.Panic.Culprit < 0 || rec.Stop.Panic.Culprit >= len(rec.Stop.Frames) {
		return debugger.Frame{}
	}
	return rec.Stop.Frames[rec.Stop.Panic.Culprit]
}

// unlike says which value a run has, held before the statement that failed, where the paused
// program has another; empty where none is known.
func (p *pastRun) unlike(f debugger.Frame) string {
	if f.Function != p.paused.Function {
		return ""
	}
	for _, v := range f.Variables() {
		if _, words := differing(p.paused.Variables(), v); words != "" {
			return words
		}
	}
	return ""
}

// differing finds a variable among others by its name and the place where it is declared, and
// says how their values differ.
func differing(others []debugger.Variable, v debugger.Variable) (found bool, words string) {
	for _, o := range others {
		if o.Name != v.Name || o.Type != v.Type || o.DeclLine != v.DeclLine {
			continue
		}
		here, there := look.PlainText(v), look.PlainText(o)
		if here != "" && there != "" && here != there && !v.Unset && !o.Unset {
			return true, fmt.Sprintf("%s is %s here, and was %s in the paused program", v.Name, printable.Cut(here, maxValue), printable.Cut(there, maxValue))
		}
		return true, ""
	}
	return false, ""
}

// before says how far before the crash a run is after so many steps; empty where it is not
// before it.
func (p *pastRun) before(begun uint64) string {
	switch {
	case begun == p.past.Failed:
		return "before the statement that fails"
	case begun+1 == p.past.Failed:
		return "1 statement before the one that fails"
	case begun < p.past.Failed:
		return fmt.Sprintf("%d statements before the one that fails", p.past.Failed-begun)
	}
	return ""
}

// reach is the function of package record that holds a run.
const reach = "pausetui_history.Reach"

// attach debugs a run that is held at a moment.
func (ln *launcher) attach(ctx context.Context, m *rewind.Moment, config delve.Config) (*delve.Target, error) {
	return delve.Attach(ctx, delve.AttachConfig{PID: m.PID, UserDirs: config.UserDirs, Panics: config.Panics, Filter: config.Filter, Traced: config.Traced})
}

// arrive leaves the code that holds a run, for the statement before which it is held.
func arrive(ctx context.Context, t look.Target, m *rewind.Moment) (debugger.Stop, error) {
	g := debugger.GoroutineID(m.Goroutine)
	frames, _, err := t.Frames(ctx, g, debugger.Page{})
	if err != nil {
		return debugger.Stop{}, err
	}
	for _, f := range frames {
		if strings.HasSuffix(f.Function, reach) {
			if err := m.Free(); err != nil {
				return debugger.Stop{}, err
			}
			return t.Move(ctx, debugger.Move{Motion: debugger.StepOut, Goroutine: g, Frame: f.Index})
		}
	}
	return debugger.Stop{}, errors.New("the run is not held where it was to be")
}

// back takes a round to the moment that a motion backward leads to.
func (ln *launcher) back(r *round, m debugger.Move) {
	here := ln.State()
	begun, ok := ln.runner.past.past.Trail.Back(m.Motion, placeOf(here, r.moment.Begun()), stopsAt(here))
	if !ok {
		r.ahead = nil
		ln.runner.Refuse(errNotBefore)
		return
	}
	ln.goBack(r, m, begun)
}

// goBack takes a round to another moment: another run takes its place.
func (ln *launcher) goBack(r *round, m debugger.Move, begun uint64) {
	rn, run := ln.runner, ln.runner.past
	stop, _ := rn.State().CurrentStop()
	config, err := ln.launchConfig(r, "")
	if err != nil {
		rn.Refuse(err)
		return
	}
	rn.Append(rn.By(), &session.Resumed{Motion: m.Motion, Goroutine: m.Goroutine})
	rn.leave(r, m)
	rn.Job(func() {
		moment, t, now, err := ln.goTo(run, begun, config)
		rn.Post(func() {
			if rn.round != r {
				closePast(moment, t)
				return
			}
			if err != nil {
				r.ahead = nil
				rn.moved(r, stop.Stop, nil)
				rn.Refuse(fmt.Errorf("go back: %w", err))
				return
			}
			was, wasHeld := r.target, r.moment
			r.target, r.moment = t, moment
			ln.inspection.Begin(t, r.buffer)
			ln.breaks.setAgain()
			rn.moved(r, now, nil)
			rn.Job(func() { closePast(wasHeld, was) })
		})
	})
}

// goTo runs the program to a moment, and debugs it there.
func (ln *launcher) goTo(run *pastRun, begun uint64, config delve.Config) (*rewind.Moment, look.Target, debugger.Stop, error) {
	m, err := run.past.Go(ln.Ctx, begun)
	if err != nil {
		return nil, nil, debugger.Stop{}, err
	}
	t, err := ln.attach(ln.Ctx, m, config)
	if err != nil {
		m.Close()
		return nil, nil, debugger.Stop{}, err
	}
	stop, err := arrive(ln.Ctx, t, m)
	if err != nil {
		closePast(m, t)
		return nil, nil, debugger.Stop{}, err
	}
	return m, t, stop, nil
}

// closePast ends a target, and its run in the past if it is one.
func closePast(m *rewind.Moment, t look.Target) {
	if m != nil {
		m.Kill()
		defer m.Close() // not before the debugger has let go of it
	}
	if t != nil {
		_ = t.Close()
	}
}
