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
	"github.com/pausetui/pausetui/engine/judge"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/program"
	"github.com/pausetui/pausetui/engine/target"
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
	breaks     *target.Breakpoints
	inspection *look.Inspection
	judging    *judge.Judging
	muting     *target.Muting
	program    *program.Program
	repros     *judge.Repros
	runner     *target.Runner
	traces     *target.Tracepoints
	settings   func() console.Settings // of the command line

	prelaunched *prelaunched // nil without one
	standby     *delve.Standby
	opened      bool            // the snapshot that the session goes on from was shown
	first       []session.Input // typed into the target of a session that was resumed
}

// build builds the target outside Run's goroutine and then calls next, on Run's goroutine.
// What runs or is held goes on meanwhile.
func (ln *launcher) build(reason string, next func()) {
	ln.runner.Busy = true
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
	ln.runner.Busy = false
	if err != nil {
		failed := buildFailed(err)
		if ln.thawed() {
			ln.unbuilt(failed)
			return
		}
		ln.Append(session.EngineActor, failed)
		if ln.judging.Watched != nil {
			why := failed.Message
			if refused := (*build.Error)(nil); errors.As(err, &refused) {
				why = "it does not compile"
			}
			ln.judging.Judge(session.NotReached, why)
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
	ln.runner.Busy = true
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
	ln.runner.Rounds++
	if a := ln.takePrelaunched(); a != nil {
		a.round.Number, a.round.Pending = ln.runner.Rounds, input
		ln.launched(a.round, a.target, nil, a.took)
		return
	}
	r, config, err := ln.newRound(ln.program.Binary.Binary, ln.repros.PlanOfRound(ln.judging.Watched != nil))
	if err != nil {
		ln.runner.Busy = false
		ln.program.LoadCode()
		ln.Append(session.EngineActor, &session.LaunchFailed{Message: err.Error(), Hint: advice.Of(err)})
		return
	}
	r.Number, r.Pending, ln.opened = ln.runner.Rounds, input, true
	began := ln.Opts.Now()
	ln.runner.Launching = r
	ln.Job(func() {
		t, err := ln.obtain(config)
		if err == nil {
			r.Target = t
		}
		ln.Post(func() { ln.launched(r, t, err, ln.Since(began)) })
	})
}

// newRound prepares a run of a binary.
func (ln *launcher) newRound(binary string, plan repro.Plan) (*target.Round, delve.Config, error) {
	r := &target.Round{Plan: plan, Frozen: ln.thawed()}
	r.Ctx, r.Cancel = context.WithCancel(ln.Ctx)
	r.Buffer = output.New(0, func() { ln.SetLive(func(l *live.State) { l.OutputV++ }) })
	config, err := ln.launchConfig(r, binary)
	if err != nil {
		r.Cancel()
	}
	return r, config, err
}

func (ln *launcher) launchConfig(r *target.Round, binary string) (delve.Config, error) {
	var out io.Writer = r.Buffer
	if r.Plan.Command != "" && r.Plan.After != "" {
		r.Printed = repro.NewWatcher(r.Plan.After)
		out = io.MultiWriter(r.Buffer, r.Printed)
	}
	config := delve.Config{UserDirs: ln.Workspace.UserDirs(), PackageDir: ln.PackageDir, CheckGoVersion: true, Panics: ln.Opts.Target.Panics, Traced: ln.traces.Into(r.Buffer), Record: ln.Opts.Target.Record,
		Failures: ln.stopsAtFailures(), Filter: ln.program.PanicFilter(), Muted: ln.muting.Mutes, Standby: ln.standby, Listing: !ln.Opts.Target.Headless}
	if !ln.Opts.Target.Mode.Builds() || r.Frozen {
		config.Local = ln.program.Local()
	}
	if r.Frozen {
		config.Local = program.OfClone(config.Local, ln.program.Own.Info, ln.Workspace.Root)
	}
	if !ln.Opts.Target.Mode.Starts() || r.Frozen {
		return config, nil
	}
	// A program that draws below what is printed may never ask for another size.
	r.Opened, r.Shown = cmp.Or(ln.runner.Room, sandbox.Size{Cols: pty.Cols, Rows: pty.Rows}), ln.runner.Room
	terminal, err := target.OpenTerminal(r.Ctx, out, r.Opened)
	if err != nil {
		return delve.Config{}, err
	}
	r.Console = terminal
	if ln.Opts.Target.Emulate {
		r.Buffer.Emulate(r.Opened.Cols, r.Opened.Rows, terminal.Send)
		terminal.Gone = r.Buffer.End
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
	config.Stdin, config.TTY = stdin, cmp.Or(ln.Opts.Target.TTY, terminal.Path())
	return config, nil
}

func (ln *launcher) launched(r *target.Round, t look.Target, err error, took time.Duration) {
	ln.runner.Busy, ln.runner.Launching = false, nil
	ln.blocks.Begin()
	ln.program.LoadCode() // not before: the debugger needs the processor to read the program
	if err != nil {
		r.Cancel()
		r.Console.Drain()
		ln.Append(session.EngineActor, &session.LaunchFailed{Message: err.Error(), Hint: advice.Of(err)})
		return
	}
	ln.runner.Round = r
	ln.inspection.Begin(t, r.Buffer)
	ln.Append(session.EngineActor, &session.Launched{PID: t.PID(), Round: r.Number, Took: took, Abilities: ln.abilities(r)})
	ln.Opts.Mark("launched")
	if r.Number > 1 {
		ln.Opts.Mark("restarted")
	}
	t.SubstitutePaths(ln.settings().SubstitutePath)
	ln.program.Learn(t)
	ln.program.SayWhat(t, ln.runner.Rounds == 1)
	if t.Abilities().Run {
		ln.breaks.SetAgain()
	}
	if !ln.Opts.Target.Mode.Starts() || r.Frozen {
		ln.showFound(r)
		return
	}
	ln.blocks.Describe()
	ln.judging.AwaitTest(r)
	ln.judging.AwaitLine(r)
	first := ln.breaks.FirstMove()
	ln.Append(session.EngineActor, &session.Resumed{Motion: first.Motion, Words: target.MoveWords(first)})
	ln.runner.LetRun(r, first)
	if r.Interrupted {
		ln.runner.Interrupt()
	}
	ln.repros.Reproduce(r.Ctx, r)
	if input := r.Pending; len(input) > 0 {
		ln.Notice("info", "what was typed before is typed again", "restart -noinput starts without it")
		ln.Job(func() {
			if ln.Opts.Target.Emulate && input[0].Cols > 0 {
				r.AwaitDrawing()
			}
			r.Console.Replay(r.Ctx, input, func() time.Duration { return ln.runner.Fitted(r) }, func(k session.Input) {
				ln.Post(func() {
					if ln.runner.Round != r {
						return
					}
					r.Pending = r.Pending[1:]
					ln.Append(session.EngineActor, &k)
					if len(r.Pending) == 0 { // what was typed last is taken before the size changes
						ln.After(target.MaxPause, func() { ln.runner.Fit(r) })
					}
				})
			})
		})
	}
}

// abilities are those of the target and of how it is made; nil for those of a
// target that is built here.
func (ln *launcher) abilities(r *target.Round) *debugger.Abilities {
	can := r.Target.Abilities()
	if r.Frozen {
		can = ofSnapshot(can)
	}
	if r.Moment != nil {
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
	ln.runner.Busy = true
	ln.Job(func() {
		now, err := build.Inputs(ln.Ctx, ln.program.Spec)
		ln.Post(func() {
			ln.runner.Busy = false
			next(err == nil && now == inputs)
		})
	})
}
