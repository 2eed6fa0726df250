package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	modpath "golang.org/x/mod/module"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/build"
)

// begin makes the first round: from a build, or in the launch mode that was asked for.
func (e *Engine) begin() {
	mode := e.loop.Opts.Target.Mode
	if mode.Builds() {
		e.launcher.Build("launch", e.launcher.LaunchFirst)
		return
	}
	if mode.Kind == session.ModeExec {
		e.program.Binary = build.Result{Binary: mode.Binary}
	}
	e.program.Sources.Built(e.program.Own.Info.Modified)
	e.launcher.LaunchFirst()
}

// restart builds if a source changed, then starts the target from its
// beginning. The old one stays as it is until the build has succeeded.
func (e *Engine) restart(how intent.Restart) {
	switch {
	case e.runner.Busy:
		e.loop.Refuse(errors.New("the program is being built"))
		return
	case how.From != "" && e.runner.Past != nil:
		e.backTo(how.From)
		return
	case how.From != "":
		e.restartFrom(how.From)
		return
	}
	again := e.again()
	if how.NoInput {
		again = e.againWith(nil)
	}
	if !e.loop.Opts.Target.Mode.Builds() && e.program.Binary.Inputs == "" {
		e.restartInMode(again)
		return
	}
	if how.NoBuild && e.program.Binary.Binary != "" {
		e.breaks.AsBuilt = true
		again()
		return
	}
	if e.program.Binary.Binary == "" {
		e.launcher.Build("retry", again)
		return
	}
	e.launcher.CompareInputs(e.program.Binary.Inputs, func(same bool) {
		if !same {
			e.launcher.Build("restart", again)
			return
		}
		e.program.Sources.Built(e.loop.Opts.Now())
		again()
	})
}

// rebuildUnoptimized starts the target again with packages of libraries compiled
// without optimization, now and at every build of the session.
func (e *Engine) rebuildUnoptimized(patterns []string) {
	if !e.loop.Opts.Target.Mode.Builds() {
		e.loop.Refuse(advice.Add(errors.New("this program was not built here"), "build it with -gcflags='all=-N -l'"))
		return
	}
	for _, p := range patterns {
		if err := modpath.CheckImportPath(strings.TrimSuffix(p, "/...")); err != nil {
			e.loop.Refuse(advice.Add(fmt.Errorf("rebuild: %w", err), "name packages by their import paths: strings, example.com/lib/..."))
			return
		}
	}
	if e.runner.Busy {
		e.loop.Refuse(errors.New("the program is being built"))
		return
	}
	e.program.Unoptimize(patterns)
	e.launcher.Build("restart", e.again())
}

// again returns what ends this round and starts the next, with the input
// recorded up to now.
func (e *Engine) again() func() {
	return e.againWith(e.runner.Recorded())
}

// againWith returns what ends this round and starts the next, with some input.
func (e *Engine) againWith(input []session.Input) func() {
	return func() {
		e.proofs.Close()
		e.endRound()
		e.launcher.Launch(input)
	}
}

// restartFrom goes to a moment of a recorded target.
func (e *Engine) restartFrom(position string) {
	t, err := e.runner.Held()
	if err != nil {
		e.loop.Refuse(fmt.Errorf("restart from %s: %w", position, err))
		return
	}
	r, post := e.runner.Round, e.loop.PostAs()
	e.loop.Job(func() {
		stop, err := t.RestartFrom(e.loop.Ctx, position)
		post(func() {
			if e.runner.Round != r || r.Running {
				return
			}
			if err != nil {
				e.loop.Refuse(err)
				return
			}
			e.proofs.Close()
			e.inspection.LeaveStop()
			e.shell.atStop(stop)
			e.loop.Append(e.loop.By(), &session.Stopped{Stop: stop, Ran: r.Ran})
			e.inspection.EnterStop(stop)
		})
	})
}

// restartInMode starts again what was not built here; again does so for a binary.
func (e *Engine) restartInMode(again func()) {
	can := e.State().Can
	switch {
	case e.loop.Opts.Target.Mode.Kind == session.ModeExec:
		again()
	case e.runner.Round == nil, e.runner.Round.Lost: // it could not be opened, or is to be found again
		e.proofs.Close()
		e.endRound()
		e.launcher.Launch(nil)
	case !can.Restart:
		e.loop.Refuse(can.Refuse("be started again"))
	case e.runner.Round.Running:
		e.loop.Refuse(advice.Add(debugger.ErrRunning, "halt it first: ctrl+c"))
	default:
		e.restartThere()
	}
}

// restartThere has another server start its program again.
func (e *Engine) restartThere() {
	r := e.runner.Round
	e.runner.Busy = true
	e.loop.Job(func() {
		err := r.Target.Restart(e.loop.Ctx)
		e.loop.Post(func() {
			e.runner.Busy = false
			if e.runner.Round != r {
				return
			}
			if err != nil {
				e.loop.Refuse(fmt.Errorf("start the program again: %w", err))
				return
			}
			e.proofs.Close()
			e.questions.End()
			e.runner.Rounds++
			r.Number, r.Ended, r.Ran = e.runner.Rounds, false, 0
			e.loop.Append(session.EngineActor, &session.Launched{PID: r.Target.PID(), Round: r.Number, Abilities: e.launcher.Abilities(r)})
			e.breaks.SetAgain()
			e.loop.Append(session.EngineActor, &session.Resumed{Motion: debugger.Continue})
			e.runner.LetRun(r, debugger.Move{Motion: debugger.Continue})
		})
	})
}

// repeat runs a target that has ended without a stop again, as often as was
// asked for.
func (e *Engine) repeat(stop debugger.Stop) {
	s := e.State()
	switch {
	case !stop.Ended() || e.loop.Opts.Target.Repeat <= 1 || e.runner.Rounds > e.loop.Opts.Target.Repeat || !e.loop.Opts.Target.Mode.Starts():
	case slices.ContainsFunc(s.Stops, func(r session.StopRecord) bool { return r.Stop.Crashed() }):
	case e.runner.Rounds == e.loop.Opts.Target.Repeat:
		e.loop.Notice("info", fmt.Sprintf("%d runs ended without a stop", e.runner.Rounds), "")
	default:
		e.again()()
	}
}
