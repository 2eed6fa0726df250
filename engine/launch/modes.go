package launch

import (
	"context"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/debugger/trace"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/session"
)

// obtain starts or finds the target of a round.
func (ln *Launcher) obtain(config delve.Config) (look.Target, error) {
	if ln.Opts.Target.Mode.Kind == session.ModeTrace {
		return ln.traceTarget(), nil
	}
	debugged := ln.debugged
	if ln.Runner.Launching != nil && ln.Runner.Launching.Frozen {
		debugged = ln.openCore
	}
	t, err := debugged(config)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// debugged starts or finds a target that is, or was, a process.
func (ln *Launcher) debugged(config delve.Config) (*delve.Target, error) {
	mode := ln.Opts.Target.Mode
	switch mode.Kind {
	case session.ModePast:
		ln.Runner.Launching.Moment = ln.Runner.Past.First
		return ln.attach(ln.Ctx, ln.Runner.Launching.Moment, config)
	case session.ModeAttach:
		return delve.Attach(ln.Ctx, delve.AttachConfig{PID: mode.PID, UserDirs: config.UserDirs, Local: config.Local, Panics: config.Panics, Filter: config.Filter, Muted: config.Muted, Traced: config.Traced})
	case session.ModeCore:
		return delve.Core(ln.Ctx, delve.CoreConfig{Binary: mode.Binary, Core: mode.Core, UserDirs: config.UserDirs, Local: config.Local, CheckGoVersion: true})
	case session.ModeConnect:
		return delve.Connect(ln.Ctx, delve.ConnectConfig{Addr: mode.Addr, LeaveRunning: true, UserDirs: config.UserDirs, Local: config.Local, Panics: config.Panics, Filter: config.Filter, Muted: config.Muted, Traced: config.Traced})
	}
	return delve.Launch(ln.Ctx, config)
}

// showFound shows a target that was started elsewhere where it is, or lets it go on.
func (ln *Launcher) showFound(r *target.Round) {
	missed := ln.Breaks.Missed
	ln.Breaks.Missed = nil
	if ln.Opts.Target.LetRun && missed == nil && ln.State().Can.Run {
		ln.Append(session.EngineActor, &session.Resumed{Motion: debugger.Continue})
		ln.Runner.LetRun(r, debugger.Move{Motion: debugger.Continue})
		return
	}
	r.Since = ln.Opts.Now()
	ln.Job(func() {
		found := r.Target.Found
		if r.Moment != nil {
			found = func(ctx context.Context) (debugger.Stop, error) { return arrive(ctx, r.Target, r.Moment) }
		}
		stop, err := found(ln.Ctx)
		target.CompleteHang(ln.Ctx, r.Target, &stop)
		ln.Post(func() { ln.Runner.Moved(r, stop, err) })
	})
}

// traceTarget is the trace as a target. Its text is what the target has printed.
func (ln *Launcher) traceTarget() look.Target {
	if r := ln.Runner.Launching; r != nil {
		_, _ = r.Buffer.Write([]byte(session.Clean(ln.Program.Own.Trace.Text))) // which cannot fail
	}
	return trace.NewTarget(ln.Program.Own.Trace, ln.Opts.Now)
}

// stopsAtFailures reports whether the target stops where a test fails: a mode that
// does not even stop at panics does not stop there either.
func (ln *Launcher) stopsAtFailures() bool {
	if !ln.Opts.Target.Test || ln.Opts.Target.NoFailures {
		return false
	}
	switch ln.Opts.Target.Panics {
	case debugger.PanicsFatal, debugger.PanicsOff:
		return false
	}
	return true
}

// openCore opens the core dump that the session goes on from.
func (ln *Launcher) openCore(config delve.Config) (*delve.Target, error) {
	return delve.Core(ln.Ctx, delve.CoreConfig{Binary: ln.Opts.Log.From.Binary, Core: ln.Opts.Log.From.Core, UserDirs: config.UserDirs, Local: config.Local, CheckGoVersion: true})
}

// thawed reports whether the next round shows the snapshot that the session goes
// on from: the first does.
func (ln *Launcher) thawed() bool { return ln.Opts.Log.From != nil && !ln.opened }

// unbuilt goes on with the snapshot although the source here does not compile:
// there is a stop to look at, but no fix can be proved.
func (ln *Launcher) unbuilt(failed *session.BuildFailed) {
	ln.Notice("warn", failed.Message+" here: the snapshot can be looked at, and no fix can be proved", "r builds again")
	ln.LaunchFirst()
}

// ofSnapshot are the abilities of a core dump whose program can be built here.
func ofSnapshot(can debugger.Abilities) debugger.Abilities {
	can.Restart, can.Rebuild = true, true
	can.Of = "a snapshot"
	return can
}
