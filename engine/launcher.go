package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/program"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/pty"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/repro"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// launcher builds and launches targets.
type launcher struct {
	*loop.Loop
	blocks     *program.Blocks
	breaks     *breakpoints
	inspection *look.Inspection
	judging    *judging
	muting     *muting
	program    *program.Program
	repros     *repros
	runner     *runner
	traces     *traces
	settings   func() console.Settings // of the command line

	prelaunched *prelaunched // nil without one
	standby     *delve.Standby
	opened      bool            // the snapshot that the session goes on from was shown
	first       []session.Input // typed into the target of a session that was resumed
}

// build builds the target outside Run's goroutine and then calls next, on Run's goroutine.
// What runs or is held goes on meanwhile.
func (ln *launcher) build(reason string, next func()) {
	ln.runner.busy = true
	ln.Append(session.EngineActor, &session.BuildStarted{Reason: reason})
	spec := ln.program.Spec
	ln.program.Binaries++
	spec.Output = filepath.Join(ln.Temp, fmt.Sprintf("target-%d", ln.program.Binaries))
	ln.Job(func() {
		result, err := build.Build(ln.Ctx, spec, func(p build.Progress) {
			ln.SetLive(func(l *live.State) { l.Build = &p })
		})
		ln.SetLive(func(l *live.State) { l.Build = nil })
		ln.Post(func() { ln.built(result, err, next) })
	})
}

func (ln *launcher) built(result build.Result, err error, next func()) {
	ln.runner.busy = false
	if err != nil {
		failed := buildFailed(err)
		if ln.thawed() {
			ln.unbuilt(failed)
			return
		}
		ln.Append(session.EngineActor, failed)
		if ln.judging.watched != nil {
			why := failed.Message
			if refused := (*build.Error)(nil); errors.As(err, &refused) {
				why = "it does not compile"
			}
			ln.judging.judge(session.NotReached, why)
		}
		return
	}
	ln.program.Binary = result
	ln.program.Sources.Built(ln.Opts.Now().Add(-result.Took))
	ln.Opts.Mark("built")
	ln.Append(session.EngineActor, &session.BuildFinished{Binary: result.Binary, Inputs: result.Inputs, Took: result.Took})
	next()
}

func buildFailed(err error) *session.BuildFailed {
	f := &session.BuildFailed{Message: err.Error(), Hint: advice.Of(err)}
	var refused *build.Error
	if errors.As(err, &refused) {
		f.Diagnostics, f.Output = refused.Diagnostics, refused.Output
		f.Message = refused.Package + " cannot be built"
		if slices.ContainsFunc(refused.Diagnostics, func(d build.Diagnostic) bool { return d.File != "" }) {
			f.Message = refused.Package + " does not compile"
		}
	}
	return f
}

// launchFirst launches the target of a fresh session, or of one that goes on.
func (ln *launcher) launchFirst() { ln.launch(ln.first) }

// launch starts the built binary under the debugger and lets it run, replaying
// recorded input. The round before must have ended.
func (ln *launcher) launch(input []session.Input) {
	ln.runner.busy = true
	if gate := ln.Opts.Target.Gate; gate != nil {
		ln.Opts.Target.Gate = nil
		ln.Job(func() {
			select {
			case <-gate:
			case <-ln.Ctx.Done():
			}
			ln.Post(func() { ln.launch(input) })
		})
		return
	}
	ln.runner.rounds++
	if a := ln.takePrelaunched(); a != nil {
		a.round.number, a.round.pending = ln.runner.rounds, input
		ln.launched(a.round, a.target, nil, a.took)
		return
	}
	r, config, err := ln.newRound(ln.program.Binary.Binary, ln.repros.planOfRound(ln.judging.watched != nil))
	if err != nil {
		ln.runner.busy = false
		ln.program.LoadCode()
		ln.Append(session.EngineActor, &session.LaunchFailed{Message: err.Error(), Hint: advice.Of(err)})
		return
	}
	r.number, r.pending, ln.opened = ln.runner.rounds, input, true
	began := ln.Opts.Now()
	ln.runner.launching = r
	ln.Job(func() {
		t, err := ln.obtain(config)
		if err == nil {
			r.target = t
		}
		ln.Post(func() { ln.launched(r, t, err, ln.Since(began)) })
	})
}

// newRound prepares a run of a binary.
func (ln *launcher) newRound(binary string, plan repro.Plan) (*round, delve.Config, error) {
	r := &round{plan: plan, frozen: ln.thawed()}
	r.ctx, r.cancel = context.WithCancel(ln.Ctx)
	r.buffer = output.New(0, func() { ln.SetLive(func(l *live.State) { l.OutputV++ }) })
	config, err := ln.launchConfig(r, binary)
	if err != nil {
		r.cancel()
	}
	return r, config, err
}

func (ln *launcher) launchConfig(r *round, binary string) (delve.Config, error) {
	var out io.Writer = r.buffer
	if r.plan.Command != "" && r.plan.After != "" {
		r.printed = repro.NewWatcher(r.plan.After)
		out = io.MultiWriter(r.buffer, r.printed)
	}
	config := delve.Config{UserDirs: ln.Workspace.UserDirs(), PackageDir: ln.PackageDir, CheckGoVersion: true, Panics: ln.Opts.Target.Panics, Traced: ln.traces.into(r.buffer), Record: ln.Opts.Target.Record,
		Failures: ln.stopsAtFailures(), Filter: ln.program.PanicFilter(), Muted: ln.muting.mutes, Standby: ln.standby, Listing: !ln.Opts.Target.Headless}
	if !ln.Opts.Target.Mode.Builds() || r.frozen {
		config.Local = ln.program.Local()
	}
	if r.frozen {
		config.Local = program.OfClone(config.Local, ln.program.Own.Info, ln.Workspace.Root)
	}
	if !ln.Opts.Target.Mode.Starts() || r.frozen {
		return config, nil
	}
	// A program that draws below what is printed may never ask for another size.
	r.opened, r.shown = cmp.Or(ln.runner.room, sandbox.Size{Cols: pty.Cols, Rows: pty.Rows}), ln.runner.room
	terminal, err := openTTY(r.ctx, out, r.opened)
	if err != nil {
		return delve.Config{}, err
	}
	r.console = terminal
	if ln.Opts.Target.Emulate {
		r.buffer.Emulate(r.opened.Cols, r.opened.Rows, terminal.send)
		terminal.gone = r.buffer.End
	}
	stdin := ln.Opts.Target.Stdin
	if stdin == "" && ln.Opts.Target.Headless {
		stdin = os.DevNull
	}
	if stdin != "" {
		if stdin, err = filepath.Abs(stdin); err != nil {
			return delve.Config{}, fmt.Errorf("standard input: %w", err)
		}
	}
	config.Binary, config.Args, config.Env, config.Dir = binary, ln.Opts.Target.Args, append(ln.Environment(), ln.blocks.Environment()...), ln.WorkDir()
	config.Stdin, config.TTY = stdin, cmp.Or(ln.Opts.Target.TTY, terminal.path())
	return config, nil
}

func (ln *launcher) launched(r *round, t look.Target, err error, took time.Duration) {
	ln.runner.busy, ln.runner.launching = false, nil
	ln.blocks.Begin()
	ln.program.LoadCode() // not before: the debugger needs the processor to read the program
	if err != nil {
		r.cancel()
		r.console.drain()
		ln.Append(session.EngineActor, &session.LaunchFailed{Message: err.Error(), Hint: advice.Of(err)})
		return
	}
	ln.runner.round = r
	ln.inspection.Begin(t, r.buffer)
	ln.Append(session.EngineActor, &session.Launched{PID: t.PID(), Round: r.number, Took: took, Abilities: ln.abilities(r)})
	ln.Opts.Mark("launched")
	if r.number > 1 {
		ln.Opts.Mark("restarted")
	}
	t.SubstitutePaths(ln.settings().SubstitutePath)
	ln.program.Learn(t)
	ln.program.SayWhat(t, ln.runner.rounds == 1)
	if t.Abilities().Run {
		ln.breaks.setAgain()
	}
	if !ln.Opts.Target.Mode.Starts() || r.frozen {
		ln.showFound(r)
		return
	}
	ln.blocks.Describe()
	ln.judging.awaitTest(r)
	ln.judging.awaitLine(r)
	first := ln.breaks.firstMove()
	ln.Append(session.EngineActor, &session.Resumed{Motion: first.Motion, Words: moveWords(first)})
	ln.runner.letRun(r, first)
	if r.interrupted {
		ln.runner.interrupt()
	}
	ln.repros.reproduce(r.ctx, r)
	if input := r.pending; len(input) > 0 {
		ln.Notice("info", "what was typed before is typed again", "restart -noinput starts without it")
		ln.Job(func() {
			if ln.Opts.Target.Emulate && input[0].Cols > 0 {
				r.awaitDrawing()
			}
			r.console.replay(r.ctx, input, func() time.Duration { return ln.runner.fitted(r) }, func(k session.Input) {
				ln.Post(func() {
					if ln.runner.round != r {
						return
					}
					r.pending = r.pending[1:]
					ln.Append(session.EngineActor, &k)
					if len(r.pending) == 0 { // what was typed last is taken before the size changes
						ln.After(maxPause, func() { ln.runner.fit(r) })
					}
				})
			})
		})
	}
}

// abilities are those of the target and of how it is made; nil for those of a
// target that is built here.
func (ln *launcher) abilities(r *round) *debugger.Abilities {
	can := r.target.Abilities()
	if r.frozen {
		can = ofSnapshot(can)
	}
	if r.moment != nil {
		can.Of, can.Reverse, can.Restart = session.OfPast, true, false
	}
	can.Rebuild = can.Restart && ln.program.Spec.Package != "" && ln.Opts.Target.Mode.Starts()
	if can == debugger.Built {
		return nil
	}
	return &can
}

// compareInputs calls next, on Run's goroutine, with whether the sources on disk are
// still what a binary was made from.
func (ln *launcher) compareInputs(inputs string, next func(same bool)) {
	ln.runner.busy = true
	ln.Job(func() {
		now, err := build.Inputs(ln.Ctx, ln.program.Spec)
		ln.Post(func() {
			ln.runner.busy = false
			next(err == nil && now == inputs)
		})
	})
}
