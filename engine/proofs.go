package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/options"
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

// proofs reviews crashes: it has the built-in fixer propose candidates, takes
// those of models and of the person, and has all of them checked.
type proofs struct {
	*loop.Loop
	inspection *look.Inspection
	program    *program.Program
	runner     *target.Runner
	// failed is called with a candidate whose proof has ended, for another try.
	failed func(c *openCase, candidate string)
	closed func() // called when a case was closed

	open *openCase // nil without one
	// verifiers of all stops: the binaries that they proved may be running
	verifiers  []*verify.Verifier
	candidates int // the number of the last one
	requests   int // the number of the last one
}

// openCase begins the review of a crash: the built-in fixer is asked at once.
// plan makes the program fail again. It returns nil where nothing is to be
// asked of models, for want of source.
func (pr *proofs) openCase(stop debugger.Stop, plan repro.Plan) *openCase {
	pr.close()
	ctx, cancel := context.WithCancel(pr.Ctx)
	c := &openCase{ctx: ctx, cancel: cancel, ready: make(chan struct{}), tests: &madeTests{done: make(chan struct{})},
		seen: map[string]string{}, second: map[string]secondOpinion{}, compared: map[string]bool{}, opened: time.Now()}
	c.evidence = evidence.Case{Stop: stop, FromTrace: pr.Opts.Target.Mode.Kind == session.ModeTrace, Inspect: pr.inspection.HeldInspector(), Workspace: pr.Workspace, Attempts: pr.attempts()}
	if pr.program.Spec.Package == "" { // no source, no fixes; sayWhat has reported it
		pr.open = c
		pr.propose(c)
		return nil
	}
	subject := pr.subject(stop, plan)
	if pr.Opts.Target.Mode.Kind != session.ModeTrace { // which has no values to make tests of
		subject.Tests, subject.Code = c.tests.wait, c.code
	}
	c.settle = pr.runner.Settled()
	verifier, err := verify.New(subject, pr.options())
	if err != nil {
		pr.Notice("error", fmt.Sprintf("candidates cannot be proved: %v", err), advice.Of(err))
	}
	c.subject, c.verifier = subject, verifier
	if verifier != nil {
		pr.verifiers = append(pr.verifiers, verifier)
	}
	pr.open = c
	pr.propose(c)
	if subject.Tests != nil {
		pr.makeTests(c, subject.Run)
	}
	return c
}

// close ends whatever is under way for the case; its events remain.
func (pr *proofs) close() {
	c := pr.open
	if c == nil {
		return
	}
	pr.open = nil
	c.cancel()
	pr.SetLive(func(l *live.State) {
		l.Streams, l.Proving, l.Began, l.Tested, l.Waiting, l.Preview = nil, nil, nil, nil, nil, nil
	})
	pr.closed()
}

func (pr *proofs) subject(stop debugger.Stop, plan repro.Plan) subject.Subject {
	s := subject.Subject{Workspace: pr.Workspace, Unrunnable: whyNoRerun(pr.Opts.Target.Mode), Control: pr.program.ControlBinary(), Build: pr.program.Spec, Binary: pr.program.Binary.Binary, Stop: stop, Ran: pr.runner.Round.Ran,
		Run: subject.Run{Args: pr.Opts.Target.Args, ForeignArgs: pr.Opts.Target.Mode.ForeignArgs, Env: pr.Environment(), Given: pr.Opts.Target.Env, Dir: pr.WorkDir(), Stdin: pr.Opts.Target.Stdin, Repro: plan, Settle: pr.runner.Settled(), Size: pr.runner.Round.Size}}
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
	if pr.runner.Round.Frozen {
		s.Ran = ranBefore(pr.State(), stop.Panic.Fingerprint)
	}
	if pr.Opts.Target.Repeat > 1 {
		s.Repeat = pr.runner.Rounds
	}
	s.Reported = reportedBefore(pr.Workspace, pr.State(), stop)
	s.Earlier, s.Counted = stoppedBefore(pr.State(), stop), pr.Opts.Target.Panics == debugger.PanicsAll && pr.Opts.Target.Filter.Empty()
	if s.Run.Repro.Command != "" {
		s.Ports = repro.Ports(pr.runner.Round.Target.PID())
	}
	return s
}

func (pr *proofs) options() execute.Options {
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

func sandboxTier(o options.Session) string {
	tier, _ := sandbox.Detect()
	return string(tier)
}

// attempts are the candidates that were applied and did not help.
func (pr *proofs) attempts() []evidence.Attempt {
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

// underReview reports whether a candidate belongs to the open case.
func (pr *proofs) underReview(id string) bool {
	s := pr.State()
	return pr.open != nil && s.StopOf(id) == s.CaseIndex()
}

// takeUp goes on with the numbers of a session that is resumed.
func (pr *proofs) takeUp(s session.State) {
	for _, stop := range s.Stops {
		for _, c := range stop.Candidates {
			pr.candidates = max(pr.candidates, numberOf(c.ID))
		}
	}
	for _, r := range s.Requests {
		pr.requests = max(pr.requests, numberOf(r.Asked.Request))
	}
}

// shutDown closes the verifiers.
func (pr *proofs) shutDown() error {
	var err error
	for _, v := range pr.verifiers {
		err = errors.Join(err, v.Close())
	}
	return err
}

// whyNoRerun says why the program of a launch mode cannot be run again in the sandbox; empty when
// it can.
func whyNoRerun(mode session.LaunchMode) string {
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
