package judge

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/proof"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/repro"
)

// Repros make the target fail: with the person's repro command, or with the
// request that stopped it.
type Repros struct {
	*loop.Loop
	Judging  *Judging
	Runner   *target.Runner
	captured captured
}

// Reproduce runs the repro command, once in the round, when its time has come.
func (rp *Repros) Reproduce(ctx context.Context, r *target.Round) {
	plan := r.Plan
	if plan.Command == "" {
		return
	}
	pid := r.Target.PID()
	rp.Job(func() {
		env, ok := repro.Ready(ctx, plan, pid, r.Printed)
		if !ok {
			return
		}
		rp.Post(func() { rp.Append(session.EngineActor, &session.ReproStarted{Round: r.Number, Command: plan.Command}) })
		result, err := repro.Run(ctx, plan.Command, rp.WorkDir(), append(rp.Environment(), env...))
		if errors.Is(err, context.Canceled) {
			return // the round is over
		}
		rp.Post(func() { rp.replied(r, result, err) })
	})
}

// maxReply bounds what the log keeps of a command's output, in bytes.
const maxReply = 4 << 10

// replied takes the end of the repro command.
func (rp *Repros) replied(r *target.Round, result repro.Result, err error) {
	if rp.Runner.Round != r {
		return
	}
	r.Replied = rp.Opts.Now()
	kept := result.Output[:min(len(result.Output), maxReply)]
	end := &session.ReproEnded{Round: r.Number, Exit: result.Exit, Signal: result.Signal, Output: session.Clean(string(kept)),
		Dropped: result.Dropped + int64(len(result.Output)-len(kept)), Took: result.Took}
	if err != nil {
		end.Err = err.Error()
	}
	rp.Append(session.EngineActor, end)
	rp.Judging.watchReplied(r)
}

// Capture keeps the request that a server was stopped by, where nothing else
// replays it: the proofs make it again and, if it is one that changes nothing,
// so does the restart after a candidate was applied. What the program itself has
// sent comes again by itself.
func (rp *Repros) Capture(stop debugger.Stop) {
	if !stop.LivesOn() || rp.Opts.Target.Repro.Command != "" || stop.Request == nil {
		return
	}
	request := repro.Request(*stop.Request)
	rp.captured = captured{}
	words := fmt.Sprintf("it stopped while it answered %s %s", request.Method, request.Target)
	pid := rp.Runner.Round.Target.PID()
	if request.SentBy(pid) {
		rp.Notice("info", session.Clean(words+", which it had sent itself"), "")
		return
	}
	if proof.WhyNoRerun(rp.Opts.Target.Mode) != "" {
		rp.Notice("info", session.Clean(words), "")
		return
	}
	hint := "--repro CMD makes that request again, on each start and in each proof"
	if line, ok := request.Curl(); ok {
		hint = "--repro " + repro.Quote(line) + " makes it again on each start"
	}
	switch line, err := request.Replay(); {
	case err != nil:
		words += "; the proofs cannot make that request again: " + err.Error()
	case repro.Listens && installed("curl"):
		one := len(repro.Ports(pid)) == 1
		rp.captured = captured{proofs: repro.Plan{Command: line, Captured: true, AnyPort: one}}
		if words += "; the proofs make that request again"; request.Safe() {
			rp.captured.restart = rp.captured.proofs
		}
	}
	rp.Notice("info", session.Clean(words), session.Clean(hint))
}

// captured is the last request that a server was stopped by, as commands that
// make it again; empty where there is none.
type captured struct{ proofs, restart repro.Plan }

func installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// Plan is what makes the target of a proof fail.
func (rp *Repros) Plan() repro.Plan {
	if rp.Opts.Target.Repro.Command != "" {
		return rp.Opts.Target.Repro
	}
	return rp.captured.proofs
}

// PlanOfRound is what is run with the target that is about to be launched:
// the person's command or, when a candidate is watched in it, the request that
// it was proved with.
func (rp *Repros) PlanOfRound(watched bool) repro.Plan {
	if rp.Opts.Target.Repro.Command != "" || !watched {
		return rp.Opts.Target.Repro
	}
	return rp.captured.restart
}
