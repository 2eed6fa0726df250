package launch

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/rewind"
)

// reach is the function of package record that holds a run.
const reach = "pausetui_history.Reach"

// attach debugs a run that is held at a moment.
func (ln *Launcher) attach(ctx context.Context, m *rewind.Moment, config delve.Config) (*delve.Target, error) {
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

// Back takes a round to the moment that a motion backward leads to.
func (ln *Launcher) Back(r *target.Round, m debugger.Move) {
	here := ln.State()
	begun, ok := ln.Runner.Past.Past.Trail.Back(m.Motion, target.PlaceOf(here, r.Moment.Begun()), target.StopsAt(here))
	if !ok {
		r.Ahead = nil
		ln.Runner.Refuse(target.ErrNotBefore)
		return
	}
	ln.GoBack(r, m, begun)
}

// GoBack takes a round to another moment: another run takes its place.
func (ln *Launcher) GoBack(r *target.Round, m debugger.Move, begun uint64) {
	rn, run := ln.Runner, ln.Runner.Past
	stop, _ := rn.State().CurrentStop()
	config, err := ln.launchConfig(r, "")
	if err != nil {
		rn.Refuse(err)
		return
	}
	rn.Append(rn.By(), &session.Resumed{Motion: m.Motion, Goroutine: m.Goroutine})
	rn.Leave(r, m)
	rn.Job(func() {
		moment, t, now, err := ln.goTo(run, begun, config)
		rn.Post(func() {
			if rn.Round != r {
				target.ClosePast(moment, t)
				return
			}
			if err != nil {
				r.Ahead = nil
				rn.Moved(r, stop.Stop, nil)
				rn.Refuse(fmt.Errorf("go back: %w", err))
				return
			}
			was, wasHeld := r.Target, r.Moment
			r.Target, r.Moment = t, moment
			ln.Inspection.Begin(t, r.Buffer)
			ln.Breaks.SetAgain()
			rn.Moved(r, now, nil)
			rn.Job(func() { target.ClosePast(wasHeld, was) })
		})
	})
}

// goTo runs the program to a moment, and debugs it there.
func (ln *Launcher) goTo(run *target.PastRun, begun uint64, config delve.Config) (*rewind.Moment, look.Target, debugger.Stop, error) {
	m, err := run.Past.Go(ln.Ctx, begun)
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
		target.ClosePast(m, t)
		return nil, nil, debugger.Stop{}, err
	}
	return m, t, stop, nil
}
