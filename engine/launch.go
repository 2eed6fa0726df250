package engine

import (
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
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/repro"
)

// round is one life of the target, from launch to its end.
type round struct {
	number   int
	target   target
	console  *tty
	buffer   *output.Buffer
	launched time.Time
	running  bool
	move     debugger.Move   // the last one, or the one under way
	next     *debugger.Move  // a step that was asked for while one was under way; nil for none
	pending  []session.Input // recorded input that is not typed again yet
	since    time.Time       // when it last began to run
	ran      time.Duration   // in all before that, not counting when it was held
	ended    bool
	lost     bool               // the debugger has failed; the target may live
	plan     repro.Plan         // what is run beside it
	printed  *repro.Watcher     // nil unless something is to be run once a text was printed
	replied  time.Time          // when the command beside the target has ended; zero before
	ctx      context.Context    // of what belongs to the round: the replay of input
	cancel   context.CancelFunc // ends it
}

// build builds the target beside Run and then calls next, on Run's goroutine.
// What runs or is held goes on meanwhile.
func (e *Engine) build(reason string, next func()) {
	e.busy = true
	e.append(actorEngine, &session.BuildStarted{Reason: reason})
	spec := e.spec
	e.binaries++
	spec.Output = filepath.Join(e.temp, fmt.Sprintf("target-%d", e.binaries))
	e.job(func() {
		result, err := build.Build(e.ctx, spec, func(p build.Progress) {
			e.setLive(func(l *Live) { l.Build = &p })
		})
		e.setLive(func(l *Live) { l.Build = nil })
		e.post(func() { e.built(result, err, next) })
	})
}

func (e *Engine) built(result build.Result, err error, next func()) {
	e.busy = false
	if err != nil {
		e.append(actorEngine, buildFailed(err))
		if e.watch != nil {
			e.judge(session.NotReached, "it does not compile")
		}
		return
	}
	e.binary = result
	e.sources.built(e.opts.Now().Add(-result.Took))
	e.opts.Mark("built")
	e.append(actorEngine, &session.BuildFinished{Binary: result.Binary, Inputs: result.Inputs, Took: result.Took})
	next()
}

func buildFailed(err error) *session.BuildFailed {
	f := &session.BuildFailed{Message: err.Error(), Hint: advice.Of(err)}
	var refused *build.Error
	if errors.As(err, &refused) {
		f.Diagnostics, f.Output = refused.Diagnostics, refused.Output
		f.Message = fmt.Sprintf("%s does not compile", refused.Package)
	}
	return f
}

// launchFirst launches the target of a fresh session, or of one that goes on.
func (e *Engine) launchFirst() { e.launch(e.first) }

// launch starts the built binary under the debugger and lets it run, replaying
// recorded input. The round before must have ended.
func (e *Engine) launch(input []session.Input) {
	e.busy = true
	e.rounds++
	if a := e.takeAhead(); a != nil {
		a.round.number, a.round.pending = e.rounds, input
		e.launched(a.round, a.target, nil, a.took)
		return
	}
	r, config, err := e.newRound(e.binary.Binary, e.planOfRound(e.watch != nil))
	if err != nil {
		e.busy = false
		e.loadCode()
		e.append(actorEngine, &session.LaunchFailed{Message: err.Error(), Hint: advice.Of(err)})
		return
	}
	r.number, r.pending = e.rounds, input
	began := e.opts.Now()
	e.launching = r
	e.job(func() {
		t, err := e.comeBy(config)
		if err == nil {
			r.target = t
		}
		e.post(func() { e.launched(r, t, err, e.since(began)) })
	})
}

// newRound prepares a life of a binary.
func (e *Engine) newRound(binary string, plan repro.Plan) (*round, delve.Config, error) {
	r := &round{plan: plan}
	r.ctx, r.cancel = context.WithCancel(e.ctx)
	r.buffer = output.New(0, func() { e.setLive(func(l *Live) { l.OutputV++ }) })
	config, err := e.launchConfig(r, binary)
	if err != nil {
		r.cancel()
	}
	return r, config, err
}

func (e *Engine) launchConfig(r *round, binary string) (delve.Config, error) {
	var out io.Writer = r.buffer
	if r.plan.Command != "" && r.plan.After != "" {
		r.printed = repro.NewWatcher(r.plan.After)
		out = io.MultiWriter(r.buffer, r.printed)
	}
	config := delve.Config{UserDirs: e.ws.UserDirs(), CheckGoVersion: true, Panics: e.opts.Panics, Traced: e.traces.into(r.buffer), Record: e.opts.Record,
		Failures: e.stopsAtFailures(), Filter: e.panicFilter(), Muted: e.muting.mutes, Standby: e.standby, Listing: !e.opts.Headless}
	if !e.opts.Way.Builds() {
		config.Local = e.local()
	}
	if !e.opts.Way.Starts() {
		return config, nil
	}
	terminal, err := openTTY(r.ctx, out)
	if err != nil {
		return delve.Config{}, err
	}
	r.console = terminal
	stdin := e.opts.Stdin
	if stdin == "" && e.opts.Headless {
		stdin = os.DevNull
	}
	if stdin != "" {
		if stdin, err = filepath.Abs(stdin); err != nil {
			return delve.Config{}, fmt.Errorf("standard input: %w", err)
		}
	}
	config.Binary, config.Args, config.Env, config.Dir = binary, e.opts.Args, e.environment(), e.workDir()
	config.Stdin, config.TTY = stdin, terminal.path()
	return config, nil
}

func (e *Engine) environment() []string { return append(os.Environ(), e.opts.Env...) }

func (e *Engine) launched(r *round, t target, err error, took time.Duration) {
	e.busy, e.launching = false, nil
	e.loadCode() // not before: the debugger needs the processor to read the program
	if err != nil {
		r.cancel()
		r.console.drain()
		e.append(actorEngine, &session.LaunchFailed{Message: err.Error(), Hint: advice.Of(err)})
		return
	}
	r.launched = e.opts.Now()
	e.round = r
	e.mu.Lock()
	e.current, e.buffer = t, r.buffer
	e.mu.Unlock()
	e.append(actorEngine, &session.Launched{PID: t.PID(), Round: r.number, Took: took, Abilities: e.abilities(t)})
	e.opts.Mark("launched")
	if r.number > 1 {
		e.opts.Mark("restarted")
	}
	t.SubstitutePaths(e.shell.Settings().SubstitutePath)
	e.learn(t)
	e.sayWhat(t)
	if t.Abilities().Run {
		e.setBreakpointsAgain()
	}
	if !e.opts.Way.Starts() {
		e.found(r)
		return
	}
	e.awaitTest(r)
	first := e.firstMove()
	e.append(actorEngine, &session.Resumed{Motion: first.Motion, Words: moveWords(first)})
	e.letRun(r, first)
	e.reproduce(r.ctx, r)
	if input := r.pending; len(input) > 0 {
		e.job(func() {
			r.console.replay(r.ctx, input, func(k session.Input) {
				e.post(func() {
					if e.round != r {
						return
					}
					r.pending = r.pending[1:]
					e.append(actorEngine, &session.Input{After: e.since(r.launched), Text: k.Text})
				})
			})
		})
	}
}

// abilities are those of the target and of how it is made; nil when nothing is
// out of the ordinary.
func (e *Engine) abilities(t target) *debugger.Abilities {
	can := t.Abilities()
	can.Rebuild = can.Restart && e.spec.Package != "" && e.opts.Way.Starts()
	if can == debugger.Built {
		return nil
	}
	return &can
}

// endRound kills the target, if there is one, and reaps it.
func (e *Engine) endRound() {
	r := e.round
	if r == nil {
		return
	}
	e.keepSeen()
	e.round = nil
	e.endTalk()
	e.mu.Lock()
	e.current = nil
	e.mu.Unlock()
	e.part(r)
	r.close()
	e.traces.flush()
	e.breaks.inTarget = nil
	e.doHalted() // breakpoints wait for the next round, then
	e.wantHalt = false
}

// close ends the round's process and terminal. A process that cannot be
// killed is the supervisor's to deal with.
func (r *round) close() {
	r.cancel()
	if r.target != nil {
		_ = r.target.Close()
	}
	r.console.drain()
}

// recorded is what was typed into this round, and what of the rounds before is
// still to be typed again.
func (e *Engine) recorded() []session.Input {
	typed := slices.Clip(e.State().Typed)
	if e.round != nil {
		typed = append(typed, e.round.pending...)
	}
	return typed
}

// restart builds if a source changed, then starts the target from its
// beginning. The old one stays as it is until the build has succeeded.
func (e *Engine) restart(how Restart) {
	switch {
	case e.busy:
		e.refuse(errors.New("the target is being built"))
		return
	case how.From != "":
		e.restartFrom(how.From)
		return
	}
	if !e.opts.Way.Builds() && e.binary.Inputs == "" {
		e.restartWay()
		return
	}
	again := e.again()
	if how.NoBuild && e.binary.Binary != "" {
		e.breaks.asBuilt = true
		again()
		return
	}
	if e.binary.Binary == "" {
		e.build("retry", again)
		return
	}
	e.compareInputs(e.binary.Inputs, func(same bool) {
		if !same {
			e.build("restart", again)
			return
		}
		e.sources.built(e.opts.Now())
		again()
	})
}

// again returns what ends this round and starts the next, with the input
// recorded up to now.
func (e *Engine) again() func() {
	input := e.recorded()
	return func() {
		e.closeCase()
		e.endRound()
		e.launch(input)
	}
}

// compareInputs tells next, on Run's goroutine, whether the sources on disk are
// still what a binary was made from.
func (e *Engine) compareInputs(inputs string, next func(same bool)) {
	e.busy = true
	e.job(func() {
		now, err := build.Inputs(e.ctx, e.spec)
		e.post(func() {
			e.busy = false
			next(err == nil && now == inputs)
		})
	})
}
