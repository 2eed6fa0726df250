package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify"
	"github.com/pausetui/pausetui/verify/repro"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// openCase is one crash under review: what is asked about it and proved
// against it ends with its context.
type openCase struct {
	ctx      context.Context
	cancel   context.CancelFunc
	evidence evidence.Case
	subject  verify.Subject
	verifier *verify.Verifier
	unproved []patch.Candidate // waiting for a slot
	proving  int               // slots in use
	slow     int               // proofs that share theirs
	tests    *madeTests        // regression tests
	choose   func(context.Context, string, Profile) (Profile, string, error)
	ready    chan struct{}       // closed when found is set
	found    evidence.Case       // evidence with its Code and Diagnosis; read it after ready
	seen     map[string]string   // candidates by the change they make
	chains   map[string][]*chain // by candidate: who is to try again should it fail
	// proposers are, by candidate, who is to try again should a person reject it.
	proposers map[string][]*chain
	asking    map[string]context.CancelFunc
	opened    time.Time
	settle    time.Duration // how long after the end of the command beside the target it stopped
	count     int           // candidates of first tries
}

// headStart is what a screen has of a stop before proofs take all processors:
// values, stacks and the first goroutines are read and drawn meanwhile.
const headStart = 100 * time.Millisecond

// listingStart is what many goroutines have at most: 100,000 take about a second,
// and three beside proofs.
const listingStart = 2 * time.Second

// proofsAtOnce candidates are proved side by side: each builds on all processors
// and runs programs. One with two processors: two would bring the first verdict
// later, and leave nothing to the screen.
var proofsAtOnce = min(max(1, runtime.NumCPU()/2), 4)

// slowProof is when a proof lets the next candidate begin beside it: a target
// that hangs would keep them all waiting, each time until its limit.
const slowProof = 5 * time.Second

// codeFuture is the user's code, being loaded.
type codeFuture struct {
	done chan struct{}
	code *workspace.Code
	err  error
}

// loadCode begins to load syntax and types while the target runs, so that
// nothing waits for them at the stop.
func (e *Engine) loadCode() {
	f := &codeFuture{done: make(chan struct{})}
	e.code = f
	if e.spec.Package == "" {
		f.err = errors.New(e.own.why)
		close(f.done)
		e.sources.begin(f, workspace.LoadSpec{Dir: e.spec.Dir}, e.executable())
		return
	}
	spec := workspace.LoadSpec{Dir: e.spec.Dir, Patterns: append(strings.Fields(e.spec.Package), e.own.passes...), Tags: e.spec.Tags, Flags: build.LoadFlags(e.spec), Tests: e.spec.Test}
	e.job(func() {
		defer close(f.done)
		f.code, f.err = e.ws.Load(e.ctx, spec)
	})
	e.sources.begin(f, spec, e.executable())
}

// openCase begins the review of a crash: the built-in fixer at once, then the
// models that are asked at every stop.
func (e *Engine) openCase(stop debugger.Stop) {
	e.closeCase()
	ctx, cancel := context.WithCancel(e.ctx)
	c := &openCase{ctx: ctx, cancel: cancel, choose: e.opts.Models.Choose, ready: make(chan struct{}), tests: &madeTests{done: make(chan struct{})},
		seen: map[string]string{}, chains: map[string][]*chain{}, proposers: map[string][]*chain{}, asking: map[string]context.CancelFunc{}, opened: time.Now()}
	c.evidence = evidence.Case{Stop: stop, FromTrace: e.opts.Way.Kind == session.WayTrace, Inspect: e.heldInspector(), Workspace: e.ws, Attempts: e.attempts()}
	if e.spec.Package == "" { // no source, no fixes; that was said
		c.verifier, e.stop = nil, c
		e.propose(c)
		return
	}
	subject := e.subject(stop)
	if e.opts.Way.Kind != session.WayTrace { // which has no values to make tests of
		subject.Tests = c.tests.wait
	}
	c.settle = e.settle(e.round)
	verifier, err := verify.New(subject, e.proofOptions())
	if err != nil {
		e.notice("error", fmt.Sprintf("candidates cannot be proved: %v", err), advice.Of(err))
	}
	c.subject, c.verifier = subject, verifier
	if verifier != nil {
		e.verifiers = append(e.verifiers, verifier)
	}
	e.stop = c
	e.propose(c)
	if subject.Tests != nil {
		e.makeTests(c, subject.Run)
	}
	if e.opts.AskAtOnce {
		for _, p := range e.opts.Profiles {
			e.askProfile(c, p, "")
		}
	}
}

// closeCase ends whatever is under way for the case; its events remain.
func (e *Engine) closeCase() {
	c := e.stop
	if c == nil {
		return
	}
	e.stop = nil
	c.cancel()
	e.setLive(func(l *Live) { l.Streams, l.Proving, l.Tested, l.Waiting, l.Preview = nil, nil, nil, nil, nil })
}

func (e *Engine) subject(stop debugger.Stop) verify.Subject {
	s := verify.Subject{Workspace: e.ws, Unrunnable: e.whyNoRerun(), Control: e.controlBinary(), Build: e.spec, Binary: e.binary.Binary, Stop: stop, Ran: e.since(e.round.launched),
		Run: verify.Run{Args: e.opts.Args, Env: e.environment(), Given: e.opts.Env, Dir: e.workDir(), Stdin: e.opts.Stdin, Repro: e.plan(), Settle: e.settle(e.round)}}
	if s.Run.Stdin != "" {
		if abs, err := filepath.Abs(s.Run.Stdin); err == nil {
			s.Run.Stdin = abs
		}
	} else if e.opts.Headless {
		s.Run.Stdin = os.DevNull // as the target was launched
	}
	typed, saved := hurried(e.State().Typed)
	for _, k := range typed {
		s.Run.Input = append(s.Run.Input, verify.Keys{After: k.After, Text: k.Text})
	}
	s.Ran -= saved
	if e.opts.Repeat > 1 {
		s.Repeat = e.rounds
	}
	if s.Run.Repro.Command != "" {
		s.Ports = repro.Ports(e.round.target.PID())
	}
	return s
}

func (e *Engine) proofOptions() verify.Options {
	return verify.Options{TempDir: e.temp, AllowUnsandboxed: e.opts.AllowUnsandboxed, Allow: e.State().Allowed, Timeout: e.opts.ProofTimeout,
		OnStart: func(candidate, check string) {
			e.setLive(func(l *Live) { l.Proving = put(l.Proving, candidate, check) })
		},
		OnProgress: func(candidate, _ string, done, total int) {
			e.setLive(func(l *Live) { l.Tested = put(l.Tested, candidate, Tested{done, total}) })
		}}
}

func sandboxTier(o Options) string {
	tier, _ := sandbox.Detect()
	return string(tier)
}

// attempts are the candidates that were applied and did not help.
func (e *Engine) attempts() []evidence.Attempt {
	var list []evidence.Attempt
	s := e.State()
	for _, a := range s.Applied {
		c, ok := s.Candidate(a.Candidate)
		if ok && a.Judgement == session.CameBack {
			list = append(list, evidence.Attempt{Title: c.Title, Diff: c.Diff(), Failure: a.Evidence, Elsewhere: a.Evidence})
		}
	}
	return list
}

// builtinSource names the built-in fixer.
var builtinSource = patch.Source{Provider: "builtin", Model: "builtin/rules"}

// propose has the built-in fixer look at the stop.
func (e *Engine) propose(c *openCase) {
	request := e.asked(builtinSource, 1)
	began := e.opts.Now()
	code, found := e.code, c.evidence
	e.job(func() {
		select {
		case <-code.done:
		case <-c.ctx.Done():
			e.post(func() {
				e.append(actorEngine, &session.Answered{Request: request, Took: e.since(began), Err: "cancelled"})
			})
			return
		}
		found.Code = code.code
		diagnosis, candidates, err := fixer.Propose(c.ctx, found)
		found.Diagnosis = diagnosis
		c.found = found
		close(c.ready)
		if err == nil {
			err = code.err
		}
		e.post(func() {
			if e.stop != c {
				e.append(actorEngine, &session.Answered{Request: request, Took: e.since(began), Err: "cancelled"})
				return
			}
			if diagnosis.Sentence != "" {
				e.append(actorEngine, &session.Diagnosed{Diagnosis: diagnosis})
			}
			for _, candidate := range candidates[:min(len(candidates), e.builtinMost())] {
				e.proposed(c, request, "engine", candidate)
			}
			answered := &session.Answered{Request: request, Took: e.since(began), Candidates: len(candidates)}
			if err != nil {
				answered.Err, answered.Hint = err.Error(), advice.Of(err)
			}
			e.append(actorEngine, answered)
		})
	})
}

func (e *Engine) asked(source patch.Source, round int) string {
	e.ids.request++
	id := fmt.Sprintf("a%d", e.ids.request)
	e.append(actorEngine, &session.Asked{Request: id, Source: source, Round: round})
	return id
}

// builtinMost is how many candidates the built-in fixer may put forward: those
// of models that are asked at the same time must find room too.
func (e *Engine) builtinMost() int {
	expected := 0
	if e.opts.AskAtOnce {
		for _, p := range e.opts.Profiles {
			expected += max(p.Candidates, 1)
		}
	}
	return e.opts.MaxCandidates - min(expected, e.opts.MaxCandidates/2)
}

// proposed records a candidate and has it proved. One that makes the same
// change as an earlier one becomes a word on that. It returns the candidate's
// id, or that of its twin; empty when there are too many.
func (e *Engine) proposed(c *openCase, request, actor string, candidate patch.Candidate) string {
	if candidate.Parent == "" { // a person's own edits stay as they are
		candidate = candidate.Faithful()
	}
	change := patch.Identity(candidate)
	if twin, ok := c.seen[change]; ok {
		e.append(actor, &session.Agreed{Candidate: twin, Request: request, Source: candidate.Source})
		return twin
	}
	if candidate.Parent == "" && !e.roomFor(c, request) {
		return ""
	}
	e.ids.candidate++
	candidate.ID = fmt.Sprintf("c%d", e.ids.candidate)
	c.seen[change] = candidate.ID
	if e.ids.candidate == 1 {
		e.opts.Mark("first_candidate")
	}
	e.append(actor, &session.Proposed{Request: request, Candidate: candidate, Record: e.recordOf(candidate.Source)})
	e.prove(c, candidate)
	return candidate.ID
}

// recordOf is what was measured of a proposer on the class of the current stop;
// nil when nothing was.
func (e *Engine) recordOf(s patch.Source) *session.Record {
	stop, ok := e.State().CurrentStop()
	if e.opts.Models.Record == nil || !ok || stop.Stop.Panic == nil {
		return nil
	}
	return e.opts.Models.Record(string(stop.Stop.Panic.Class), s.Provider+"/"+s.Model, s.Prompt)
}

// roomFor holds the number of candidates to the limit; later tries do not
// count, they have a limit of their own.
func (e *Engine) roomFor(c *openCase, request string) bool {
	for _, r := range e.State().Requests {
		if r.Asked.Request == request && r.Asked.Round > 1 {
			return true
		}
	}
	if c.count >= e.opts.MaxCandidates {
		e.notice("info", fmt.Sprintf("a further candidate was left out: there are %d", c.count), "--max-candidates allows more")
		return false
	}
	c.count++
	return true
}

// prove has a candidate checked, after those that came before it.
func (e *Engine) prove(c *openCase, candidate patch.Candidate) {
	if c.verifier == nil {
		e.proved(c, candidate.ID, verdict.Verdict{}, errors.New("there is nothing to prove it with"))
		return
	}
	c.unproved = append(c.unproved, candidate)
	e.proveNext(c)
}

// proveNext runs the checks of the candidates that wait, the first proposed
// first, as many at a time as there are slots.
func (e *Engine) proveNext(c *openCase) {
	for c.proving < proofsAtOnce && len(c.unproved) > 0 {
		candidate := c.unproved[0]
		c.unproved = c.unproved[1:]
		c.proving++
		verifier := c.verifier
		slot := &slot{of: c}
		e.job(func() {
			e.giveHeadStart(c)
			defer time.AfterFunc(slowProof, func() { e.post(func() { e.shareSlot(c, slot) }) }).Stop()
			verdict, err := verifier.Check(c.ctx, candidate, func(k verdict.Check) { e.checked(c, candidate.ID, k) })
			e.post(func() {
				if e.stop == c && verifier != c.verifier && hindered(verdict, e.State().Allowed) {
					c.unproved = append(c.unproved, candidate) // the sandbox was opened meanwhile
				} else {
					e.proved(c, candidate.ID, verdict, err)
				}
				slot.leave()
				e.proveMore(c)
			})
		})
	}
}

// proveMore is proveNext, if the case is still open.
func (e *Engine) proveMore(c *openCase) {
	if e.stop == c {
		e.proveNext(c)
	}
}

// shareSlot lets the next proof begin beside a slow one, if need be once others
// share theirs no more.
func (e *Engine) shareSlot(c *openCase, s *slot) {
	if !s.share() && e.stop == c {
		time.AfterFunc(slowProof/5, func() { e.post(func() { e.shareSlot(c, s) }) })
	}
	e.proveMore(c)
}

// slot is a proof's. Only Run's goroutine uses it.
type slot struct {
	of     *openCase
	shared bool
	left   bool
}

// share lets another proof have the slot, too; false where as many are shared
// as there are.
func (s *slot) share() bool {
	switch {
	case s.left:
		return true
	case s.of.slow == proofsAtOnce:
		return false
	}
	s.shared = true
	s.of.slow++
	s.of.proving--
	return true
}

// leave gives the slot back.
func (s *slot) leave() {
	s.left = true
	if s.shared {
		s.of.slow--
	} else {
		s.of.proving--
	}
}

// giveHeadStart waits until the screen has had it, or the case is closed.
func (e *Engine) giveHeadStart(c *openCase) {
	if e.opts.Headless {
		return
	}
	for wait := headStart - time.Since(c.opened); ; wait = betweenPages {
		select {
		case <-time.After(wait):
		case <-c.ctx.Done():
			return
		}
		if !e.listed.goesOn() || time.Since(c.opened) > listingStart {
			return
		}
	}
}

// checked hands a check over to Run.
func (e *Engine) checked(c *openCase, id string, k verdict.Check) {
	e.post(func() {
		if e.stop == c {
			e.append(actorEngine, &session.Checked{Candidate: id, Check: k})
		}
	})
}

func (e *Engine) proved(c *openCase, id string, v verdict.Verdict, err error) {
	e.setLive(func(l *Live) { delete(l.Proving, id); delete(l.Tested, id) })
	if e.stop != c {
		return
	}
	if err != nil {
		v.Checks = append(v.Checks, verdict.Check{Name: verdict.Rerun, Status: verdict.Inconclusive, Detail: err.Error()})
		v.Verified = false
	}
	explainMasking(&v, e.State().Stops[e.State().CaseIndex()].Diagnosis)
	e.append(actorEngine, &session.Proved{Candidate: id, Verdict: v})
	if v.Verified {
		e.opts.Mark("verified")
	}
	e.nextRound(c, id)
}

// explainMasking adds to the masking label what stays wrong: where the bad
// value comes from.
func explainMasking(v *verdict.Verdict, d *evidence.Diagnosis) {
	if d == nil || d.Origin == "" {
		return
	}
	for i, k := range v.Checks {
		if k.Name == verdict.Masking && v.Effect == verdict.Skips {
			v.Checks[i].Detail = k.Detail + "; still, " + d.Sentence
		}
	}
}
