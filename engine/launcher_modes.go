package engine

import (
	"context"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/debugger/trace"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/session"
)

// obtain starts or finds the target of a round.
func (ln *launcher) obtain(config delve.Config) (look.Target, error) {
	if ln.Opts.Target.Mode.Kind == session.ModeTrace {
		return ln.traceTarget(), nil
	}
	debugged := ln.debugged
	if ln.runner.launching != nil && ln.runner.launching.frozen {
		debugged = ln.openCore
	}
	t, err := debugged(config)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// debugged starts or finds a target that is, or was, a process.
func (ln *launcher) debugged(config delve.Config) (*delve.Target, error) {
	mode := ln.Opts.Target.Mode
	switch mode.Kind {
	case session.ModePast:
		ln.runner.launching.moment = ln.runner.past.first
		return ln.attach(ln.Ctx, ln.runner.launching.moment, config)
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
func (ln *launcher) showFound(r *round) {
	missed := ln.breaks.missed
	ln.breaks.missed = nil
	if ln.Opts.Target.LetRun && missed == nil && ln.State().Can.Run {
		ln.Append(session.EngineActor, &session.Resumed{Motion: debugger.Continue})
		ln.runner.letRun(r, debugger.Move{Motion: debugger.Continue})
		return
	}
	r.since = ln.Opts.Now()
	ln.Job(func() {
		found := r.target.Found
		if r.moment != nil {
			found = func(ctx context.Context) (debugger.Stop, error) { return arrive(ctx, r.target, r.moment) }
		}
		stop, err := found(ln.Ctx)
		completeHang(ln.Ctx, r.target, &stop)
		ln.Post(func() { ln.runner.moved(r, stop, err) })
	})
}

// traceTarget is the trace as a target. Its text is what the target has printed.
func (ln *launcher) traceTarget() look.Target {
	if r := ln.runner.launching; r != nil {
		_, _ = r.buffer.Write([]byte(session.Clean(ln.program.Own.Trace.Text))) // which cannot fail
	}
	return trace.NewTarget(ln.program.Own.Trace, ln.Opts.Now)
}
