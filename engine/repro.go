package engine

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/repro"
)

// reproduce runs the command that makes the target fail beside it, once in the
// round, when its time has come.
func (e *Engine) reproduce(ctx context.Context, r *round) {
	plan := r.plan
	if plan.Command == "" {
		return
	}
	pid := r.target.PID()
	e.job(func() {
		env, ok := repro.Ready(ctx, plan, pid, r.printed)
		if !ok {
			return
		}
		e.post(func() { e.append(actorEngine, &session.ReproStarted{Round: r.number, Command: plan.Command}) })
		result, err := repro.Run(ctx, plan.Command, e.workDir(), append(e.environment(), env...))
		if errors.Is(err, context.Canceled) {
			return // the round is over
		}
		e.post(func() { e.replied(r, result, err) })
	})
}

// maxReply bounds what the log keeps of a command's output, in bytes.
const maxReply = 4 << 10

// replied takes the end of the command beside the target.
func (e *Engine) replied(r *round, result repro.Result, err error) {
	if e.round != r {
		return
	}
	r.replied = e.opts.Now()
	kept := result.Output[:min(len(result.Output), maxReply)]
	end := &session.ReproEnded{Round: r.number, Exit: result.Exit, Signal: result.Signal, Output: session.Clean(string(kept)),
		Dropped: result.Dropped + int64(len(result.Output)-len(kept)), Took: result.Took}
	if err != nil {
		end.Err = err.Error()
	}
	e.append(actorEngine, end)
	e.watchReplied(r)
}

// leastGrace is how long a target has to live on, at least, after the command
// beside it has ended.
const leastGrace = 500 * time.Millisecond

// settle is how long after the end of that command the target stopped.
func (e *Engine) settle(r *round) time.Duration {
	if r.replied.IsZero() {
		return 0
	}
	return max(e.since(r.replied), 0)
}

// watchReplied judges a restart by the command beside it: as in the proof, it
// has to end as it did there, and the target has to live on.
func (e *Engine) watchReplied(r *round) {
	w := e.watch
	if w == nil || !w.passes || w.ending == nil || !w.ending.Alive || r.replied.IsZero() || !r.running {
		return
	}
	since := r.since
	e.after(max(leastGrace, 2*w.settle), func() {
		if e.watch != w || e.round != r || !r.running || !r.since.Equal(since) {
			return
		}
		end := e.State().Replied
		words := session.ReplyWords(*end)
		if w.ending.Reply != nil && (end.Err != "" || *w.ending.Reply != end.Exit) {
			e.judge(session.NotReached, fmt.Sprintf("%s, in the proof with %d", words, *w.ending.Reply))
			return
		}
		e.judge(session.Fixed, words+", and the target lives on, as in the proof")
	})
}

// capture keeps the request that a server was stopped by, where nothing else
// replays it: the proofs make it again and, if it is one that changes nothing,
// so does the restart after a candidate was applied.
func (e *Engine) capture(stop debugger.Stop) {
	if !stop.LivesOn() || e.opts.Repro.Command != "" || stop.Request == nil {
		return
	}
	request := repro.Request(*stop.Request)
	e.captured = captured{}
	words := fmt.Sprintf("it stopped while it answered %s %s", request.Method, request.Target)
	hint := "--repro CMD makes that request again, on each start and in each proof"
	if line, ok := request.Curl(); ok {
		hint = "--repro " + repro.Quote(line) + " makes it again on each start"
	}
	if line, ok := request.Replay(); ok && repro.Listens && installed("curl") {
		e.captured = captured{proofs: repro.Plan{Command: line, Captured: true}}
		if words += "; the proofs make that request again"; request.Safe() {
			e.captured.restart = e.captured.proofs
		}
	}
	e.notice("info", session.Clean(words), session.Clean(hint))
}

// captured is the last request that a server was stopped by, as commands that
// make it again; empty where there is none.
type captured struct{ proofs, restart repro.Plan }

func installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// plan is what makes the target of a proof fail.
func (e *Engine) plan() repro.Plan {
	if e.opts.Repro.Command != "" {
		return e.opts.Repro
	}
	return e.captured.proofs
}

// planOfRound is what is run beside the target that is about to be launched:
// the person's command or, when a candidate is watched in it, the request that
// it was proved with.
func (e *Engine) planOfRound(watched bool) repro.Plan {
	if e.opts.Repro.Command != "" || !watched {
		return e.opts.Repro
	}
	return e.captured.restart
}
