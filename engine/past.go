package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify"
	"github.com/pausetui/pausetui/verify/history"
	"github.com/pausetui/pausetui/verify/past"
	"github.com/pausetui/pausetui/verify/rewind"
)

// timeTravel leads from a crash to earlier moments. The past is a session of its own, of a run
// in the sandbox, that keeps no log; the program that is paused stays as it is.
type timeTravel struct {
	e *Engine

	of      *verify.Verifier // of the crash that the fields below belong to
	past    *rewind.Past     // nil before it is needed
	differs bool             // its runs are not the same: there is none
	last    *askedHistory    // that was asked for last
	marked  *target.Checkpoints
}

// askedHistory is a history, as it was shown, and the question.
type askedHistory struct {
	history.Query
	shown []evidence.HistoryRow
}

// asked notes which history the rows of Back are of.
func (j *timeTravel) asked(v *verify.Verifier, q history.Query, shown []evidence.HistoryRow) {
	j.at(v)
	j.last = &askedHistory{q, shown}
}

func (j *timeTravel) at(v *verify.Verifier) {
	if j.of != v {
		*j = timeTravel{e: j.e, of: v, marked: &target.Checkpoints{}}
	}
}

// LeadsBack implements console.Host.
func (h host) LeadsBack(m debugger.Motion) bool { return h.e.leadsBack(m) }

// Back implements console.Host.
func (h host) Back(ctx context.Context, to debugger.Motion, where string) error {
	if h.e.runner.Past != nil && console.IsCheckpoint(where) {
		_, err := h.act(ctx, func() { h.e.backTo(where) })
		return err
	}
	if h.e.runner.Past != nil {
		return errors.New("this is the past already: rev next, rev step, rev stepout and rewind go back further")
	}
	if h.e.shell.writer().Guest {
		return errHostGoes
	}
	v, err := h.e.verifierNow(ctx)
	if err != nil {
		return err
	}
	j := &h.e.shell.timeTravel
	j.at(v)
	h.Progress("recording the run")
	begun, err := j.moment(ctx, v, to, where)
	if err != nil {
		return err
	}
	h.Progress("going back")
	return j.begin(ctx, begun)
}

// open has the program be run again, if it can be.
func (j *timeTravel) open(ctx context.Context, v *verify.Verifier) (err error) {
	switch {
	case j.differs:
		return rewind.ErrDiffers
	case j.past == nil:
		j.past, err = v.Past(ctx)
		j.differs = errors.Is(err, rewind.ErrDiffers)
	}
	return err
}

// moment is how many steps had begun at the moment that is meant.
func (j *timeTravel) moment(ctx context.Context, v *verify.Verifier, to debugger.Motion, where string) (begun uint64, err error) {
	if row, err := strconv.Atoi(where); err == nil {
		return j.ofRow(ctx, v, row)
	}
	if where != "" {
		if begun, err = j.marked.Find(where); err != nil {
			return 0, err
		}
	}
	if err := j.open(ctx, v); err != nil {
		return 0, err
	}
	switch {
	case where != "":
		return begun, nil
	case to == "":
		return j.past.Failed, nil
	}
	site, _ := j.past.Trail.Site(j.past.Failed)
	begun, ok := j.past.Trail.Back(to, past.Place{Begun: j.past.Stopped, File: site.File, Line: site.Line}, target.StopsAt(j.e.State()))
	if !ok {
		return 0, target.ErrNotBefore
	}
	return begun, nil
}

var errHostGoes = errors.New("the past is shown on the host's screen: ask the host to go there")

// ofRow is the moment of a row of the history that was asked for last, or else of the one that
// was recorded of the value that stopped the program.
func (j *timeTravel) ofRow(ctx context.Context, v *verify.Verifier, row int) (uint64, error) {
	asked := j.last
	if asked == nil {
		observed := j.e.observed()
		if observed == nil {
			return 0, errors.New("no history was asked for: why EXPR shows one")
		}
		q, err := j.e.whyOf(ctx, debugger.FrameRef{}, "")
		if err != nil {
			return 0, err
		}
		q.Exact = true
		asked = &askedHistory{q, observed.Rows}
	}
	if row < 1 || row > len(asked.shown) {
		return 0, fmt.Errorf("the last history ends with row %d", len(asked.shown))
	}
	h, err := v.Moments(ctx, asked.Query)
	if err != nil {
		return 0, err
	}
	if !sameEvent(asked.shown, h.Rows, row) {
		return 0, fmt.Errorf("row %d is not in a new run: %w", row, rewind.ErrDiffers)
	}
	if err := j.open(ctx, v); err != nil {
		return 0, err
	}
	r := h.Rows[row-1]
	if r.Each {
		return r.Begun, nil
	}
	begun, ok := j.past.Before(r)
	if !ok {
		return 0, target.ErrNotBefore
	}
	return begun, nil
}

// sameEvent reports whether a row of two histories, counted from 1, tells the same.
func sameEvent(shown, now []evidence.HistoryRow, row int) bool {
	if row > min(len(shown), len(now)) {
		return false
	}
	a, b := shown[row-1], now[row-1]
	return a.Kind == b.Kind && a.File == b.File && a.Line == b.Line && a.Text == b.Text
}

// begin starts the session in the past. It ends when its frontend quits, or with the crash.
func (j *timeTravel) begin(ctx context.Context, begun uint64) error {
	e := j.e
	run := &target.PastRun{Past: j.past, Checkpoints: j.marked, Paused: pausedFrame(e.State())}
	moment, err := j.past.Go(ctx, begun)
	if err != nil {
		return err
	}
	run.First = moment
	inner, err := e.inPast(run)
	if err != nil {
		moment.Close()
		return err
	}
	if dropped := e.shell.leaves(); len(dropped) > 0 {
		inner.loop.Append(session.EngineActor, &session.Notice{Level: "warn", Text: "not run: " + strings.Join(dropped, ", "), Hint: "typed before the past was there: type it here, or after the return"})
	}
	here := &live.Past{Client: inner}
	e.loop.Job(func() {
		over, cancel := context.WithCancel(e.loop.Ctx)
		stop := context.AfterFunc(j.past.Over(), cancel)
		_ = inner.Run(over) // what it could not do, it has said
		stop()
		cancel()
		_ = scratch.Remove(inner.loop.Opts.Log.Dir)
		e.loop.SetLive(func(l *live.State) {
			if l.Past == here {
				l.Past = nil
			}
		})
	})
	e.loop.SetLive(func(l *live.State) { l.Past = here })
	return nil
}

// inPast makes the session in the past.
func (e *Engine) inPast(run *target.PastRun) (*Engine, error) {
	dir, err := loop.MakeTemp()
	if err != nil {
		return nil, err
	}
	t := e.loop.Opts.Target
	opts := options.Session{Now: e.loop.Opts.Now, Version: e.loop.Opts.Version, Actor: e.loop.Opts.Actor, Console: e.loop.Opts.Console, Log: options.Log{Dir: dir},
		Target: options.Target{Dir: t.Dir, Package: t.Package, Args: t.Args, Test: t.Test, WorkDir: t.WorkDir, Panics: t.Panics, Filter: t.Filter, Mode: session.LaunchMode{Kind: session.ModePast, ForeignArgs: t.Mode.ForeignArgs}}}
	log, err := session.CreateLog(dir, e.loop.Opts.Now)
	if err != nil {
		return nil, errors.Join(err, scratch.Remove(dir))
	}
	inner, err := newEngine(opts.WithDefaults(), e.loop.Workspace, e.program.Own, log)
	if err != nil {
		return nil, errors.Join(err, scratch.Remove(dir))
	}
	inner.runner.Past = run
	inner.loop.Append(session.EngineActor, inner.started(""))
	if !run.Past.Alike {
		inner.loop.Append(session.EngineActor, &session.Notice{Level: "warn", Text: "values differ from run to run (clock, random numbers): the paused program may have had others"})
	}
	if run.Past.Several {
		inner.loop.Append(session.EngineActor, &session.Notice{Level: "warn", Text: "the program fails there several times, and panics at which it did not stop are not counted: this may be another one", Hint: "--panics all stops at each"})
	}
	for _, b := range e.State().Breakpoints {
		if b.Watch == "" {
			inner.breaks.Last = max(inner.breaks.Last, b.ID)
			inner.loop.Append(session.EngineActor, &session.BreakpointSet{Breakpoint: b})
		}
	}
	return inner, nil
}

// LeadsBack reports whether a line of the command line is a motion backward.
func LeadsBack(line string) bool {
	if name, _, _ := strings.Cut(line, " "); name == "back" {
		return true
	}
	for _, l := range backLines {
		if l == line {
			return true
		}
	}
	return false
}

// backLines are the motions backward as lines of the command line.
var backLines = map[debugger.Motion]string{debugger.Rewind: "rewind", debugger.ReverseNext: "rev next", debugger.ReverseStep: "rev step", debugger.ReverseStepOut: "rev stepout"}

// leadsBack reports whether a motion leads to a run in the past: the program itself was not
// recorded.
func (e *Engine) leadsBack(m debugger.Motion) bool {
	s := e.State()
	return backLines[m] != "" && !s.Can.Reverse && e.mayGoBack(s)
}

// move lets the target go on, or leads into the past.
func (e *Engine) move(m debugger.Move) {
	switch {
	case e.leadsBack(m.Motion) && e.loop.Author.Guest:
		e.loop.Refuse(errHostGoes)
		return
	case e.leadsBack(m.Motion) && e.shell.goesBack():
		return
	case e.leadsBack(m.Motion):
		e.shell.command(intent.Evaluate{Input: backLines[m.Motion]})
		return
	case e.shell.goesBack(): // the person means the moment that is on its way
		e.loop.Refuse(errors.New("an earlier moment is being recorded: the program stays where it is until that ends"))
		return
	}
	e.runner.Resume(m)
}

// goesBack reports whether a line that leads into the past is under way, or waits. A second
// one would lead there again after the return.
func (s *shell) goesBack() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return LeadsBack(s.now.Input) || slices.ContainsFunc(s.waiting(), LeadsBack)
}

// mayGoBack reports whether earlier moments can be looked at in a run of their own.
func (e *Engine) mayGoBack(s session.State) bool {
	stop, ok := s.CurrentStop()
	return ok && stop.Stop.Crashed() && e.runner.Past == nil
}

// pausedFrame is the frame that panicked, of the stop that is shown.
func pausedFrame(s session.State) debugger.Frame {
	rec, ok := s.CurrentStop()
	if !ok || rec.Stop.Panic == nil || rec.Stop.Panic.Culprit < 0 || rec.Stop.Panic.Culprit >= len(rec.Stop.Frames) {
		return debugger.Frame{}
	}
	return rec.Stop.Frames[rec.Stop.Panic.Culprit]
}

// backTo takes a session in the past to a checkpoint.
func (e *Engine) backTo(name string) {
	if _, err := e.runner.Held(); err != nil {
		e.loop.Refuse(fmt.Errorf("restart from %s: %w", name, err))
		return
	}
	begun, err := e.runner.Past.Checkpoints.Find(name)
	if err != nil {
		e.loop.Refuse(err)
		return
	}
	e.launcher.GoBack(e.runner.Round, debugger.Move{Motion: debugger.Rewind}, begun)
}
