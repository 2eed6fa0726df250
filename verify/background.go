package verify

import "context"

// background begins work that the candidates of a stop share. It goes on when
// the check that began it is over, until ctx ends or the verifier is closed.
func (v *Verifier) background(ctx context.Context, work func(context.Context)) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(v.closing, cancel)
	v.working.Go(func() {
		defer cancel()
		defer stop()
		work(ctx)
	})
}

// Prepare begins what needs no candidate, or most likely serves the next one:
// the control, the regression tests without any candidate, and the tests of the
// package that stopped. It returns at once; what it began ends with ctx or with
// Close. Check does the same where Prepare was not called.
func (v *Verifier) Prepare(ctx context.Context) {
	v.background(ctx, v.controlFirst)
	v.background(ctx, v.reproduceFirst)
	if s, ok := v.Site(); ok && s.File != "" {
		v.background(ctx, func(ctx context.Context) { v.testsFirst(ctx, map[string]string{s.File: ""}) })
	}
}

// controlFirst runs the control before the rerun, which asks again and gets
// the error, and with a probe where the rerun cannot do without one: a server
// has no end that tells something.
func (v *Verifier) controlFirst(ctx context.Context) {
	if t, ok := v.Failing(); ok {
		if v.Runs() {
			_, _ = v.retestControl(ctx, t)
		}
		return
	}
	if s, ok := v.Site(); ok && v.Detects(s) && v.Subject.Unrunnable == "" {
		v.background(ctx, func(ctx context.Context) { _, _ = v.racesBefore(ctx) })
	}
	c, err := v.controlRun(ctx)
	if s, ok := v.Site(); ok && err == nil && c.Why == "" && v.Subject.Stop.LivesOn() {
		_, _ = v.probedControl(ctx, s)
	}
}
