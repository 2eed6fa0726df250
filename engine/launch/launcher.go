// Package launch builds and launches targets, finds those that were started elsewhere,
// and has the target of a proved candidate ready before it is approved.
package launch

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

// Launcher builds and launches targets.
type Launcher struct {
	*loop.Loop
	Blocks     *program.Blocks
	Breaks     *target.Breakpoints
	Inspection *look.Inspection
	Judging    *judge.Judging
	Muting     *target.Muting
	Program    *program.Program
	Repros     *judge.Repros
	Runner     *target.Runner
	Traces     *target.Tracepoints
	Settings   func() console.Settings // of the command line

	Prelaunched *Prelaunched // nil without one
	Standby     *delve.Standby
	opened      bool            // the snapshot that the session goes on from was shown
	First       []session.Input // typed into the target of a session that was resumed
}

// Build builds the target outside Run's goroutine and then calls next, on Run's goroutine.
// What runs or is held goes on meanwhile.
func (ln *Launcher) Build(reason string, next func()) {
	ln.Runner.Busy = true
	ln.Append(session.EngineActor, &session.BuildStarted{Reason: reason})
	spec := ln.Program.Spec
	ln.Program.Binaries++
	spec.Output = filepath.Join(ln.Temp, fmt.Sprintf("target-%d", ln.Program.Binaries))
	ln.Job(func() {
		result, err := build.Build(ln.Ctx, spec, func(p build.Progress) {
			ln.SetLive(func(l *live.State) { l.Build = &p })
		})
		ln.SetLive(func(l *live.State) { l.Build = nil })
		ln.Post(func() { ln.built(result, err, next) })
	})
}

func (ln *Launcher) built(result build.Result, err error, next func()) {
	ln.Runner.Busy = false
	if err != nil {
		failed := buildFailed(err)
		if ln.thawed() {
			ln.unbuilt(failed)
			return
		}
		ln.Append(session.EngineActor, failed)
		if ln.Judging.Watched != nil {
			why := failed.Message
			if refused := (*build.Error)(nil); errors.As(err, &refused) {
				why = "it does not compile"
			}
			ln.Judging.Judge(session.NotReached, why)
		}
		return
	}
	ln.Program.Binary = result
	ln.Program.Sources.Built(ln.Opts.Now().Add(-result.Took))
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

// LaunchFirst launches the target of a fresh session, or of one that goes on.
func (ln *Launcher) LaunchFirst() { ln.Launch(ln.First) }

// Launch starts the built binary under the debugger and lets it run, replaying
// recorded input. The round before must have ended.
func (ln *Launcher) Launch(input []session.Input) {
	ln.Runner.Busy = true
	if gate := ln.Opts.Target.Gate; gate != nil {
		ln.Opts.Target.Gate = nil
		ln.Job(func() {
			select {
			case <-gate:
			case <-ln.Ctx.Done():
			}
			ln.Post(func() { ln.Launch(input) })
		})
		return
	}
	ln.Runner.Rounds++
	if a := ln.takePrelaunched(); a != nil {
		a.round.Number, a.round.Pending = ln.Runner.Rounds, input
		ln.launched(a.round, a.Target, nil, a.took)
		return
	}
	r, config, err := ln.newRound(ln.Program.Binary.Binary, ln.Repros.PlanOfRound(ln.Judging.Watched != nil))
	if err != nil {
		ln.Runner.Busy = false
		ln.Program.LoadCode()
		ln.Append(session.EngineActor, &session.LaunchFailed{Message: err.Error(), Hint: advice.Of(err)})
		return
	}
	r.Number, r.Pending, ln.opened = ln.Runner.Rounds, input, true
	began := ln.Opts.Now()
	ln.Runner.Launching = r
	ln.Job(func() {
		t, err := ln.obtain(config)
		if err == nil {
			r.Target = t
		}
		ln.Post(func() { ln.launched(r, t, err, ln.Since(began)) })
	})
}

// newRound prepares a run of a binary.
func (ln *Launcher) newRound(binary string, plan repro.Plan) (*target.Round, delve.Config, error) {
	r := &target.Round{Plan: plan, Frozen: ln.thawed()}
	r.Ctx, r.Cancel = context.WithCancel(ln.Ctx)
	r.Buffer = output.New(0, func() { ln.SetLive(func(l *live.State) { l.OutputV++ }) })
	config, err := ln.launchConfig(r, binary)
	if err != nil {
		r.Cancel()
	}
	return r, config, err
}

func (ln *Launcher) launchConfig(r *target.Round, binary string) (delve.Config, error) {
	var out io.Writer = r.Buffer
	if r.Plan.Command != "" && r.Plan.After != "" {
		r.Printed = repro.NewWatcher(r.Plan.After)
		out = io.MultiWriter(r.Buffer, r.Printed)
	}
	config := delve.Config{UserDirs: ln.Workspace.UserDirs(), PackageDir: ln.PackageDir, CheckGoVersion: true, Panics: ln.Opts.Target.Panics, Traced: ln.Traces.Into(r.Buffer), Record: ln.Opts.Target.Record,
		Failures: ln.stopsAtFailures(), Filter: ln.Program.PanicFilter(), Muted: ln.Muting.Mutes, Standby: ln.Standby, Listing: !ln.Opts.Target.Headless}
	if !ln.Opts.Target.Mode.Builds() || r.Frozen {
		config.Local = ln.Program.Local()
	}
	if r.Frozen {
		config.Local = program.OfClone(config.Local, ln.Program.Own.Info, ln.Workspace.Root)
	}
	if !ln.Opts.Target.Mode.Starts() || r.Frozen {
		return config, nil
	}
	// A program that draws below what is printed may never ask for another size.
	r.Opened, r.Shown = cmp.Or(ln.Runner.Room, sandbox.Size{Cols: pty.Cols, Rows: pty.Rows}), ln.Runner.Room
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
	config.Binary, config.Args, config.Env, config.Dir = binary, ln.Opts.Target.Args, append(ln.Environment(), ln.Blocks.Environment()...), ln.WorkDir()
	config.Stdin, config.TTY = stdin, cmp.Or(ln.Opts.Target.TTY, terminal.Path())
	return config, nil
}

func (ln *Launcher) launched(r *target.Round, t look.Target, err error, took time.Duration) {
	ln.Runner.Busy, ln.Runner.Launching = false, nil
	ln.Blocks.Begin()
	ln.Program.LoadCode() // not before: the debugger needs the processor to read the program
	if err != nil {
		r.Cancel()
		r.Console.Drain()
		ln.Append(session.EngineActor, &session.LaunchFailed{Message: err.Error(), Hint: advice.Of(err)})
		return
	}
	ln.Runner.Round = r
	ln.Inspection.Begin(t, r.Buffer)
	ln.Append(session.EngineActor, &session.Launched{PID: t.PID(), Round: r.Number, Took: took, Abilities: ln.Abilities(r)})
	ln.Opts.Mark("launched")
	if r.Number > 1 {
		ln.Opts.Mark("restarted")
	}
	t.SubstitutePaths(ln.Settings().SubstitutePath)
	ln.Program.Learn(t)
	ln.Program.SayWhat(t, ln.Runner.Rounds == 1)
	if t.Abilities().Run {
		ln.Breaks.SetAgain()
	}
	if !ln.Opts.Target.Mode.Starts() || r.Frozen {
		ln.showFound(r)
		return
	}
	ln.Blocks.Describe()
	ln.Judging.AwaitTest(r)
	ln.Judging.AwaitLine(r)
	first := ln.Breaks.FirstMove()
	ln.Append(session.EngineActor, &session.Resumed{Motion: first.Motion, Words: target.MoveWords(first)})
	ln.Runner.LetRun(r, first)
	if r.Interrupted {
		ln.Runner.Interrupt()
	}
	ln.Repros.Reproduce(r.Ctx, r)
	if input := r.Pending; len(input) > 0 {
		ln.Notice("info", "what was typed before is typed again", "restart -noinput starts without it")
		ln.Job(func() {
			if ln.Opts.Target.Emulate && input[0].Cols > 0 {
				r.AwaitDrawing()
			}
			r.Console.Replay(r.Ctx, input, func() time.Duration { return ln.Runner.Fitted(r) }, func(k session.Input) {
				ln.Post(func() {
					if ln.Runner.Round != r {
						return
					}
					r.Pending = r.Pending[1:]
					ln.Append(session.EngineActor, &k)
					if len(r.Pending) == 0 { // what was typed last is taken before the size changes
						ln.After(target.MaxPause, func() { ln.Runner.Fit(r) })
					}
				})
			})
		})
	}
}

// Abilities are those of the target and of how it is made; nil for those of a
// target that is built here.
func (ln *Launcher) Abilities(r *target.Round) *debugger.Abilities {
	can := r.Target.Abilities()
	if r.Frozen {
		can = ofSnapshot(can)
	}
	if r.Moment != nil {
		can.Of, can.Reverse, can.Restart = session.OfPast, true, false
	}
	can.Rebuild = can.Restart && ln.Program.Spec.Package != "" && ln.Opts.Target.Mode.Starts()
	if can == debugger.Built {
		return nil
	}
	return &can
}

// CompareInputs calls next, on Run's goroutine, with whether the sources on disk are
// still what a binary was made from.
func (ln *Launcher) CompareInputs(inputs string, next func(same bool)) {
	ln.Runner.Busy = true
	ln.Job(func() {
		now, err := build.Inputs(ln.Ctx, ln.Program.Spec)
		ln.Post(func() {
			ln.Runner.Busy = false
			next(err == nil && now == inputs)
		})
	})
}
