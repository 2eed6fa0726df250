// Package fix is the frontend without a terminal: it runs the target, waits for a
// stop, has candidates proposed and proved, and reports the best; on request it
// applies it and says what became of it. It must not know how a candidate is made
// or proved: it sends the engine intents and reads its events, as the screen does.
package fix

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// The outcomes: docs/reference/exit-codes.md.
const (
	Clean      = "clean"
	Exited     = "exited"
	Verified   = "verified"
	Fixed      = "fixed"
	AppliedOut = "applied"
	Masking    = "masking"
	Unverified = "unverified"
	Failed     = "failed"
)

// Options of a run.
type Options struct {
	Apply bool
	// AllowDeclines lets Apply take a fix that reports an error where the program
	// panicked; AllowMasking one that only leaves the work out, or hides the
	// failure.
	AllowDeclines, AllowMasking bool

	// Asserts waits until the regression test of the best fix asserts what it answers, and
	// until a second verified fix is compared with it.
	Asserts bool

	// Only is the fix that counts, of a past session; nil: whatever is proposed.
	Only *Wanted

	Timeout  time.Duration // how long the target may run without a stop; 30 s when 0
	Progress func(string)  // one line at a time; may be nil
}

// Wanted names a fix: the model of its candidate, and the fault that it is for.
type Wanted struct{ Model, Fingerprint string }

const defaultTimeout = 30 * time.Second

// driver leads one engine from launch to outcome.
type driver struct {
	options  Options
	engine   *engine.Engine
	events   []session.Event
	state    session.State
	ran      time.Time // since when the target runs without a stop
	replied  time.Time // when the repro command of this round has ended
	approved string
	undoing  bool
	repeat   int // how often the target is run until it stops
	passed   int // stops of the restart up to the last test that was passed by
	outcome  string
	failure  *Failure
	said     string
}

// Run carries out `pausetui fix`. The report is complete whatever happens; the
// error is ctx's when it was interrupted, and nil otherwise.
func Run(ctx context.Context, opts options.Session, o Options) (Report, error) {
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	opts.Target.Headless, opts.Fixes.AskAtOnce, opts.Actor = true, true, "fix"
	e, err := engine.New(ctx, opts)
	if err != nil {
		return FailedReport(opts, err), ctx.Err()
	}
	d := &driver{options: o, engine: e, state: session.NewState(), repeat: opts.Target.Repeat}
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	err = d.drive(ctx)
	runErr := <-ended
	incomplete := errors.Is(runErr, session.ErrIncomplete) // what was found is worth no less
	if runErr != nil && d.failure == nil && !incomplete {
		d.fail(runErr)
	}
	d.drain()
	report := NewReport(d.events, e.LogPath())
	if incomplete {
		report.Notices = append(report.Notices, session.Clean(runErr.Error()))
	}
	report.Outcome, report.Error = d.outcome, d.failure
	report.Hint = hint(report)
	return report, err
}

// FailedReport reports an error from before there was a session.
func FailedReport(opts options.Session, err error) Report {
	return Report{Version: 1, Outcome: Failed, Error: &Failure{Message: session.Clean(err.Error()), Hint: session.Clean(advice.Of(err))},
		Target:     Target{Package: opts.Target.Package, Args: append([]string{}, opts.Target.Args...)},
		Candidates: []Candidate{}, Stops: []Stop{}, Requests: []Request{}, Sandbox: "none"}
}

// drive follows the session until there is an outcome, and then ends it.
func (d *driver) drive(ctx context.Context) error {
	version := uint64(0)
	for d.outcome == "" {
		wait, cancel := context.WithCancel(ctx)
		if !d.ran.IsZero() {
			wait, cancel = context.WithDeadline(ctx, d.patience())
		}
		u, err := d.engine.Wait(wait, d.state.Seq, version)
		cancel()
		switch {
		case ctx.Err() != nil:
			d.outcome = d.soFar()
			return ctx.Err()
		case errors.Is(err, io.EOF):
			d.fail(errors.New("the session ended early"))
		case err != nil:
			d.timedOut()
		default:
			version = u.Live.Version
			d.follow(u)
		}
	}
	q := intent.Quit{Outcome: d.outcome}
	if d.failure != nil {
		q.Error, q.Hint = d.failure.Message, d.failure.Hint
	}
	d.engine.Do(q)
	return nil
}

func (d *driver) follow(u live.Update) {
	for _, e := range u.Events {
		d.events = append(d.events, e)
		d.state = d.state.Apply(e)
		switch b := e.Body.(type) {
		case *session.Launched:
			d.replied = time.Time{}
		case *session.ReproEnded:
			d.replied = time.Now() // the clock of e.At may be set meanwhile
		case *session.Resumed:
			d.ran = time.Now()
		case *session.Stopped:
			d.ran = time.Time{}
			if !b.Stop.Crashed() && !b.Stop.Ended() { // a breakpoint in the program itself
				d.engine.Do(intent.Run{Motion: debugger.Continue})
			}
		case *session.Notice:
			if b.Limit == session.LimitTime {
				d.timeUp(b)
			}
		}
	}
	d.progress(u)
	if d.outcome == "" {
		d.step()
	}
}

// timeUp ends the run with what there is: the session's time is used.
func (d *driver) timeUp(b *session.Notice) {
	if d.outcome = d.soFar(); d.outcome == Failed {
		d.fail(advice.Add(errors.New(b.Text), b.Hint))
	}
}

// quiet is how long a target has to live on after the repro command has ended
// until nothing more is expected of it.
const quiet = 2 * time.Second

// patience is until when the running target is waited for.
func (d *driver) patience() time.Time {
	end := d.ran.Add(d.options.Timeout)
	if soon := d.replied.Add(quiet); !d.replied.IsZero() && d.approved == "" && soon.Before(end) {
		return soon
	}
	return end
}

// drain takes what was recorded while the session ended.
func (d *driver) drain() {
	for {
		u, err := d.engine.Wait(context.Background(), d.state.Seq, ^uint64(0))
		for _, e := range u.Events {
			d.events = append(d.events, e)
			d.state = d.state.Apply(e)
		}
		if err != nil {
			return
		}
	}
}

// step looks at the state and does what comes next.
func (d *driver) step() {
	switch {
	case d.state.Build != nil:
		d.failure = &Failure{Message: brokenText(d.state), Hint: d.state.Build.Hint}
		d.outcome = Failed
		if d.approved != "" {
			d.outcome, d.failure = AppliedOut, nil
		}
	case d.approved != "":
		d.stepApplied()
	case firstCase(d.state) != nil:
		d.stepCase()
	case d.state.Phase == session.PhaseExited:
		stop, _ := d.state.CurrentStop()
		if d.state.Round < d.repeat && stop.Stop.Exit.Signal != session.LostSignal {
			return // it is run again
		}
		d.outcome = Exited
		if stop.Stop.Exit.Code == 0 && stop.Stop.Exit.Signal == "" {
			d.outcome = Clean
		}
	}
}

// brokenText names what the build complained about, up to three places.
func brokenText(s session.State) string {
	text := s.Build.Message
	for i, diag := range s.Build.Diagnostics {
		if i == 3 {
			break
		}
		place := s.Started.Workspace.Rel(diag.File)
		if place != "" {
			text += "\n" + place + ":" + itoa(diag.Line) + ": " + diag.Message
		} else {
			text += "\n" + diag.Message
		}
	}
	return text
}

// stepCase waits until everybody has answered and everything is proved.
func (d *driver) stepCase() {
	if only := d.options.Only; only != nil && firstCase(d.state).Stop.Panic.Fingerprint != only.Fingerprint {
		d.fail(advice.Add(errors.New("the program stops at another fault than the fix is for"), "pausetui fix proposes fixes for it"))
		return
	}
	if !d.settled() {
		return
	}
	if best, ok := d.first(d.applicable); ok && d.options.Apply {
		d.approved = best.ID
		d.engine.Do(intent.Approve{Candidate: best.ID})
		return
	}
	d.outcome = d.found()
}

// found is the outcome by the candidates as they stand.
func (d *driver) found() string {
	if _, ok := d.first(d.counts); ok {
		return Verified
	}
	if best, ok := d.first(session.CandidateRecord.Passes); ok && best.Masks() {
		return Masking
	}
	return Unverified
}

func (d *driver) settled() bool {
	if len(d.state.Requests) == 0 || len(d.state.Pendings()) > 0 {
		return false
	}
	wanted := d.options.Only == nil
	for _, c := range firstCase(d.state).Candidates {
		if c.Verdict == nil {
			return false
		}
		wanted = wanted || d.wanted(c)
	}
	diagnosis := firstCase(d.state).Diagnosis
	return wanted && !d.compares() && (d.options.Apply || diagnosis == nil || !diagnosis.Guess || d.state.Phase == session.PhaseExited)
}

// compares reports whether what the best candidate changes, or its test, is still being
// found out.
func (d *driver) compares() bool {
	ranked := session.Rank(firstCase(d.state).Candidates)
	if d.options.Apply || len(ranked) == 0 || !ranked[0].Passes() {
		return false
	}
	second := len(ranked) > 1 && ranked[0].Verified() && ranked[1].Verified()
	return ranked[0].Behavior == nil || d.options.Asserts && (ranked[0].Asserts == nil || second && ranked[1].Behavior == nil)
}

// first is the highest ranked candidate that will do.
func (d *driver) first(will func(session.CandidateRecord) bool) (session.CandidateRecord, bool) {
	record := firstCase(d.state)
	if record == nil {
		return session.CandidateRecord{}, false
	}
	for _, c := range session.Rank(record.Candidates) {
		if d.wanted(c) && will(c) {
			return c, true
		}
	}
	return session.CandidateRecord{}, false
}

// wanted reports whether a candidate may be taken.
func (d *driver) wanted(c session.CandidateRecord) bool {
	return d.options.Only == nil || c.Source.Model == d.options.Only.Model
}

// counts reports whether a candidate makes the outcome verified.
func (d *driver) counts(c session.CandidateRecord) bool {
	return c.Verified() || d.allowed(c)
}

// applicable reports whether Apply may take a candidate.
func (d *driver) applicable(c session.CandidateRecord) bool {
	return c.Verified() && c.Effect() == verdict.Repairs || d.allowed(c)
}

// allowed reports whether the person lets a candidate count that does not repair.
func (d *driver) allowed(c session.CandidateRecord) bool {
	switch {
	case !c.Passes():
		return false
	case c.Masks(), c.Effect() == verdict.Skips:
		return d.options.AllowMasking
	}
	return declines(c) && d.options.AllowDeclines
}

// declines reports whether a candidate passes its checks, and was seen to report an error
// where the program panicked.
func declines(c session.CandidateRecord) bool {
	return c.Passes() && c.Effect() == verdict.Declines && !c.Masks() && c.Verdict.Seen()
}

// stepApplied waits for the judgement; a fix that did not help is taken back.
func (d *driver) stepApplied() {
	for i := len(d.events) - 1; i >= 0; i-- {
		if f, ok := d.events[i].Body.(*session.ApplyFailed); ok {
			d.failure = &Failure{Message: f.Err, Hint: f.Hint}
			d.outcome = Failed
			return
		}
	}
	if d.undoing {
		if _, left := d.state.Undoable(); !left {
			d.outcome = Unverified
		}
		return
	}
	if d.state.Judged == nil {
		d.passOtherTests()
		return
	}
	switch d.state.Judged.Judgement {
	case session.Fixed:
		d.outcome = Fixed
	case session.CameBack:
		d.undoing = true
		d.engine.Do(intent.Undo{})
	default:
		d.outcome = AppliedOut
	}
}

// passOtherTests lets the restart go on from tests that fail, but for the one
// that the candidate was made for.
func (d *driver) passOtherTests() {
	if d.state.Phase != session.PhaseStopped || d.passed == len(d.state.Stops) {
		return
	}
	if stop, ok := d.state.CurrentStop(); ok && stop.Stop.Reason == debugger.ReasonTest && stop.Round > 1 {
		d.passed = len(d.state.Stops)
		d.engine.Do(intent.Run{Motion: debugger.Continue})
	}
}

// timedOut: the target still runs and nothing has stopped it.
func (d *driver) timedOut() {
	d.outcome = Clean
	switch {
	case d.approved != "":
		d.outcome = AppliedOut
	case d.state.Started.Repro != "" && d.state.Repro == nil:
		waits := "listened on a TCP port"
		if text := d.state.Started.After; text != "" {
			waits = fmt.Sprintf("printed %q", text)
		}
		d.fail(advice.Add(fmt.Errorf("the repro command was not run: within %s the program never %s", d.options.Timeout, waits),
			"--repro-after TEXT runs it once the program has printed TEXT; --timeout waits longer"))
	}
}

// soFar is the outcome of an interrupted run.
func (d *driver) soFar() string {
	if _, ok := d.state.Undoable(); ok {
		return AppliedOut
	}
	if firstCase(d.state) != nil {
		return d.found()
	}
	return Failed
}

func (d *driver) fail(err error) {
	d.outcome = Failed
	d.failure = &Failure{Message: err.Error(), Hint: advice.Of(err)}
}
