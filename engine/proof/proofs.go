// Package proof reviews crashes: it has the built-in fixer propose candidates, takes
// those of models and of the person, and has all of them checked.
package proof

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/program"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/repro"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
)

// Proofs reviews crashes: it has the built-in fixer propose candidates, takes
// those of models and of the person, and has all of them checked.
type Proofs struct {
	*loop.Loop
	Inspection *look.Inspection
	Program    *program.Program
	Runner     *target.Runner
	// Failed is called with a candidate whose proof has ended, for another try.
	Failed func(c *Case, candidate string)
	Closed func() // called when a case was closed

	Open *Case // nil without one
	// verifiers of all stops: the binaries that they proved may be running
	verifiers  []*verify.Verifier
	Candidates int // the number of the last one
	requests   int // the number of the last one
}

// Begin begins the review of a crash: the built-in fixer is asked at once.
// plan makes the program fail again. It returns nil where nothing is to be
// asked of models, for want of source.
func (pr *Proofs) Begin(stop debugger.Stop, plan repro.Plan) *Case {
	pr.Close()
	ctx, cancel := context.WithCancel(pr.Ctx)
	c := &Case{Ctx: ctx, cancel: cancel, Ready: make(chan struct{}), tests: &madeTests{done: make(chan struct{})},
		seen: map[string]string{}, second: map[string]secondOpinion{}, compared: map[string]bool{}, opened: time.Now()}
	c.Evidence = evidence.Case{Stop: stop, FromTrace: pr.Opts.Target.Mode.Kind == session.ModeTrace, Inspect: pr.Inspection.HeldInspector(), Workspace: pr.Workspace, Attempts: pr.attempts()}
	if pr.Program.Spec.Package == "" { // no source, no fixes; sayWhat has reported it
		pr.Open = c
		pr.propose(c)
		return nil
	}
	subject := pr.Subject(stop, plan)
	if pr.Opts.Target.Mode.Kind != session.ModeTrace { // which has no values to make tests of
		subject.Tests, subject.Code = c.tests.wait, c.code
	}
	c.Settle = pr.Runner.Settled()
	verifier, err := verify.New(subject, pr.options())
	if err != nil {
		pr.Notice("error", fmt.Sprintf("candidates cannot be proved: %v", err), advice.Of(err))
	}
	c.subject, c.Verifier = subject, verifier
	if verifier != nil {
		pr.verifiers = append(pr.verifiers, verifier)
	}
	pr.Open = c
	pr.propose(c)
	if subject.Tests != nil {
		pr.makeTests(c, subject.Run)
	}
	return c
}

// Close ends whatever is under way for the case; its events remain.
func (pr *Proofs) Close() {
	c := pr.Open
	if c == nil {
		return
	}
	pr.Open = nil
	c.cancel()
	pr.SetLive(func(l *live.State) {
		l.Streams, l.Proving, l.Began, l.Tested, l.Waiting, l.Preview = nil, nil, nil, nil, nil, nil
	})
	pr.Closed()
}

// Subject is what is proved against a crash; plan makes the program fail again.
func (pr *Proofs) Subject(stop debugger.Stop, plan repro.Plan) subject.Subject {
	s := subject.Subject{Workspace: pr.Workspace, Unrunnable: WhyNoRerun(pr.Opts.Target.Mode), Control: pr.Program.ControlBinary(), Build: pr.Program.Spec, Binary: pr.Program.Binary.Binary, Stop: stop, Ran: pr.Runner.Round.Ran,
		Run: subject.Run{Args: pr.Opts.Target.Args, ForeignArgs: pr.Opts.Target.Mode.ForeignArgs, Env: pr.Environment(), Given: pr.Opts.Target.Env, Dir: pr.WorkDir(), Stdin: pr.Opts.Target.Stdin, Repro: plan, Settle: pr.Runner.Settled(), Size: pr.Runner.Round.Size}}
	if s.Run.Stdin != "" {
		if abs, err := filepath.Abs(s.Run.Stdin); err == nil {
			s.Run.Stdin = abs
		}
	} else if pr.Opts.Target.Headless {
		s.Run.Stdin = os.DevNull // as the target was launched
	}
	typed, saved := target.Hurried(pr.State().Typed)
	for _, k := range typed {
		s.Run.Input = append(s.Run.Input, subject.Keys{After: k.After, Text: k.Text, Size: sandbox.Size{Cols: k.Cols, Rows: k.Rows}})
	}
	s.Ran -= saved
	if pr.Runner.Round.Frozen {
		s.Ran = ranBefore(pr.State(), stop.Panic.Fingerprint)
	}
	if pr.Opts.Target.Repeat > 1 {
		s.Repeat = pr.Runner.Rounds
	}
	s.Reported = reportedBefore(pr.Workspace, pr.State(), stop)
	s.Earlier, s.Counted = stoppedBefore(pr.State(), stop), pr.Opts.Target.Panics == debugger.PanicsAll && pr.Opts.Target.Filter.Empty()
	if s.Run.Repro.Command != "" {
		s.Ports = repro.Ports(pr.Runner.Round.Target.PID())
	}
	return s
}

func (pr *Proofs) options() execute.Options {
	return execute.Options{TempDir: pr.Temp, AllowUnsandboxed: pr.Opts.Proofs.AllowUnsandboxed, Allow: pr.State().Allowed, Timeout: pr.Opts.Proofs.Timeout,
		Memory: pr.Opts.Fixes.Limits.Memory, BuildMemory: pr.Opts.Fixes.Limits.Memory,
		OnStart: func(candidate, check string) {
			pr.SetLive(func(l *live.State) {
				l.Proving = live.Put(l.Proving, candidate, check)
				if _, begun := l.Began[candidate]; !begun {
					l.Began = live.Put(l.Began, candidate, pr.Opts.Now())
				}
			})
		},
		OnProgress: func(candidate, _ string, done, total int) {
			pr.SetLive(func(l *live.State) { l.Tested = live.Put(l.Tested, candidate, live.Tested{Done: done, Total: total}) })
		}}
}

// attempts are the candidates that were applied and did not help.
func (pr *Proofs) attempts() []evidence.Attempt {
	var list []evidence.Attempt
	s := pr.State()
	for _, a := range s.Applied {
		c, ok := s.Candidate(a.Candidate)
		if ok && a.Judgement == session.CameBack {
			list = append(list, evidence.Attempt{Title: c.Title, Diff: c.Diff(), Failure: a.Evidence, Elsewhere: a.Evidence})
		}
	}
	return list
}

// UnderReview reports whether a candidate belongs to the open case.
func (pr *Proofs) UnderReview(id string) bool {
	s := pr.State()
	return pr.Open != nil && s.StopOf(id) == s.CaseIndex()
}

// TakeUp goes on with the numbers of a session that is resumed.
func (pr *Proofs) TakeUp(s session.State) {
	for _, stop := range s.Stops {
		for _, c := range stop.Candidates {
			pr.Candidates = max(pr.Candidates, numberOf(c.ID))
		}
	}
	for _, r := range s.Requests {
		pr.requests = max(pr.requests, numberOf(r.Asked.Request))
	}
}

// ShutDown closes the verifiers.
func (pr *Proofs) ShutDown() error {
	var err error
	for _, v := range pr.verifiers {
		err = errors.Join(err, v.Close())
	}
	return err
}

// WhyNoRerun says why the program of a launch mode cannot be run again in the sandbox; empty when
// it can.
func WhyNoRerun(mode session.LaunchMode) string {
	switch mode.Kind {
	case session.ModeAttach:
		return "a process that was started elsewhere is not started again"
	case session.ModeCore:
		return "a core dump does not say how its program was started"
	case session.ModeConnect:
		return "the program of another server is not started here"
	case session.ModeTrace:
		return "not run: a trace has no process"
	}
	return ""
}

// numberOf is the 12 of "c12".
func numberOf(id string) int {
	n, _ := strconv.Atoi(strings.TrimLeft(id, "abcdefghijklmnopqrstuvwxyz"))
	return n
}
