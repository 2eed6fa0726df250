package engine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/build"
)

// begin makes the first round: from a build, or by the way that was asked for.
func (e *Engine) begin() {
	way := e.opts.Way
	if way.Builds() {
		e.build("launch", e.launchFirst)
		return
	}
	if way.Kind == session.WayExec {
		e.binary = build.Result{Binary: way.Binary}
	}
	e.sources.built(e.own.info.Modified)
	e.launchFirst()
}

// comeBy comes by the target of a round.
func (e *Engine) comeBy(config delve.Config) (target, error) {
	if e.opts.Way.Kind == session.WayTrace {
		return e.traceTarget(), nil
	}
	t, err := e.debugged(config)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// debugged comes by a target that is, or was, a process.
func (e *Engine) debugged(config delve.Config) (*delve.Target, error) {
	way := e.opts.Way
	switch way.Kind {
	case session.WayAttach:
		return delve.Attach(e.ctx, delve.AttachConfig{PID: way.PID, UserDirs: config.UserDirs, Local: config.Local, Panics: config.Panics, Filter: config.Filter, Muted: config.Muted})
	case session.WayCore:
		return delve.Core(e.ctx, delve.CoreConfig{Binary: way.Binary, Core: way.Core, UserDirs: config.UserDirs, Local: config.Local, CheckGoVersion: true})
	case session.WayConnect:
		return delve.Connect(e.ctx, delve.ConnectConfig{Addr: way.Addr, LeaveRunning: true, UserDirs: config.UserDirs, Local: config.Local, Panics: config.Panics, Filter: config.Filter, Muted: config.Muted})
	}
	return delve.Launch(e.ctx, config)
}

// found shows a target of somebody else's where it stands, or lets it go on.
func (e *Engine) found(r *round) {
	missed := e.breaks.missed
	e.breaks.missed = false
	if e.opts.LetRun && !missed && e.State().Can.Run {
		e.append(actorEngine, &session.Resumed{Motion: debugger.Continue})
		e.letRun(r, debugger.Move{Motion: debugger.Continue})
		return
	}
	r.since = e.opts.Now()
	e.job(func() {
		stop, err := r.target.Found(e.ctx)
		e.post(func() { e.stopped(r, stop, err) })
	})
}

// learn takes what a target of another server's says of its program, which
// nobody could ask before.
func (e *Engine) learn(found target) {
	t, ok := found.(*delve.Target)
	if !ok || e.opts.Way.Kind != session.WayConnect {
		return
	}
	e.own.info.Build = t.Build()
	e.own = ownOf(e.own.info, e.ws)
	e.own.info.Bare = t.Bare()
	e.spec = e.buildSpec()
	e.loadCode()
}

// sayWhat tells what there is to know of a target that was not built here.
func (e *Engine) sayWhat(found target) {
	t, ok := found.(*delve.Target)
	switch {
	case e.opts.Way.Builds():
		return
	case !ok:
		e.sayTrace()
		return
	}
	if t.Bare() {
		e.notice("warn", "the program has no debug information (-ldflags=-s or -w): there are no variables, and stacks are guessed", "build it without these flags")
	}
	if t.LeavesNothing() {
		e.notice("warn", "this server serves one client: when pausetui leaves, it ends, and its program with it", "start it with --accept-multiclient")
	}
	if e.own.pkg == "" && e.rounds == 1 {
		e.notice("info", "no fixes: "+e.own.why, "")
	}
	if open(e.opts.Way.Addr) {
		e.notice("warn", "the server is on the network and does not authenticate clients: anyone who reaches its port can run anything there",
			"have it listen on localhost, and reach it through ssh -L")
	}
	e.sayAge()
}

// open tells whether an address is one of another machine's.
func open(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil || host == "" || host == "localhost" || strings.HasPrefix(addr, "unix:") {
		return false
	}
	ip := net.ParseIP(host)
	return ip == nil || !ip.IsLoopback()
}

// whyNoRerun says why the program cannot be run again in the sandbox; empty when
// it can.
func (e *Engine) whyNoRerun() string {
	switch e.opts.Way.Kind {
	case session.WayAttach:
		return "a process that was started elsewhere is not started again"
	case session.WayCore:
		return "a core dump does not say how its program was started"
	case session.WayConnect:
		return "the program of another server is not started here"
	case session.WayTrace:
		return "not run: a trace has no process"
	}
	return ""
}

// restartWay starts again what was not built here.
func (e *Engine) restartWay() {
	can := e.State().Can
	switch {
	case e.opts.Way.Kind == session.WayExec:
		e.again()()
	case e.round == nil, e.round.lost: // it could not be opened, or is to be found again
		e.closeCase()
		e.endRound()
		e.launch(nil)
	case !can.Restart:
		e.refuse(can.Refuse("be started again"))
	case e.round.running:
		e.refuse(advice.Add(debugger.ErrRunning, "halt it first: ctrl+c"))
	default:
		e.restartThere()
	}
}

// lostHint says how to come by a target again whose debugger has failed.
func (e *Engine) lostHint() string {
	switch e.opts.Way.Kind {
	case session.WayAttach:
		return "r attaches again, if the process still runs"
	case session.WayConnect:
		return "r connects again"
	case session.WayCore:
		return "r opens it again"
	}
	return "r starts it again"
}

// restartThere has another server start its program again.
func (e *Engine) restartThere() {
	r := e.round
	e.busy = true
	e.job(func() {
		err := r.target.Restart(e.ctx)
		e.post(func() {
			e.busy = false
			if e.round != r {
				return
			}
			if err != nil {
				e.refuse(fmt.Errorf("start the program again: %w", err))
				return
			}
			e.closeCase()
			e.endTalk()
			e.rounds++
			r.number, r.ended, r.ran, r.launched = e.rounds, false, 0, e.opts.Now()
			e.append(actorEngine, &session.Launched{PID: r.target.PID(), Round: r.number, Abilities: e.abilities(r.target)})
			e.append(actorEngine, &session.Resumed{Motion: debugger.Continue})
			e.letRun(r, debugger.Move{Motion: debugger.Continue})
		})
	})
}

// resumable tells whether a session of a way can go on later.
func resumable(w session.Way) error {
	if w.Kind != session.WayAttach {
		return nil
	}
	return advice.Add(errors.New("a session with a process that ran already cannot be resumed: the process is not the same any more"),
		fmt.Sprintf("attach again, if it still runs: pausetui attach %d", w.PID))
}

// part ends a round whose target is somebody else's: it runs on, unless the
// person wants it killed.
func (e *Engine) part(r *round) {
	way := e.opts.Way
	if r.target == nil || way.Starts() || !way.Lives() || r.ended {
		return
	}
	var err error
	if e.killAtEnd {
		err = r.target.Kill()
	} else {
		err = r.target.Close()
	}
	switch {
	case err != nil:
		e.notice("error", err.Error(), advice.Of(err))
	case e.killAtEnd:
		e.notice("info", way.String()+" was killed", "")
	default:
		e.notice("info", way.String()+" was left running, without a breakpoint of ours", "")
	}
}

// controlBinary makes the program that candidates are compared with: the binary
// that stopped, unless it names its source otherwise than a build here does.
func (e *Engine) controlBinary() func(context.Context) (string, error) {
	if e.opts.Way.Kind != session.WayExec || e.own.info.SourceDir() != "" && e.own.info.Setting("-trimpath") != "true" {
		return nil
	}
	spec := e.spec
	e.binaries++
	spec.Output = filepath.Join(e.temp, fmt.Sprintf("control-%d", e.binaries))
	return func(ctx context.Context) (string, error) {
		result, err := build.Build(ctx, spec, func(build.Progress) {})
		return result.Binary, err
	}
}

// appliedOnly ends an apply without a restart: the target is somebody else's.
// What its regression test says counts, where it was that which proved it.
func (e *Engine) appliedOnly(w *watch) {
	e.setWatch(w)
	why := e.whyNoRerun()
	if w.passes && w.test != "" {
		e.judgeByTest(w, why)
		return
	}
	e.judge(session.NotReached, why)
}

// sayOptimized says once that a program was built with optimisations, which
// explains what is missing.
func (e *Engine) sayOptimized(stop debugger.Stop) {
	f, ok := stop.SelectedFrame()
	if !ok || !f.User || !f.Optimized || e.saidOpt || e.opts.Way.Builds() {
		return
	}
	e.saidOpt = true
	e.notice("info", "the program was built with optimisations: variables may be missing, and lines pass in another order",
		"build it with -gcflags='all=-N -l' to see everything")
}
