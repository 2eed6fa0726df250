// Package retry repeats a request when a provider is busy or the connection is
// lost, as long as no part of the answer has been shown. It must not know which
// provider it wraps.
package retry

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/pausetui/pausetui/llm"
)

// Options bound the retries; the zero value serves.
type Options struct {
	// Attempts bounds how often a request is sent in all; 4 when zero.
	Attempts int
	// First is the wait before the second attempt, which then doubles; half a
	// second when zero. What the provider asks for goes first, where it is longer.
	First time.Duration
	// Longest bounds one wait; 30 seconds when zero. A provider that asks for
	// more is not asked again.
	Longest time.Duration
	// Total bounds the time until the last attempt begins; 2 minutes when zero.
	Total time.Duration
	// OnRetry is called before each wait, from the caller's goroutine; it may be nil.
	OnRetry func(Wait)
	// Jitter returns a number in [0,1) that spreads the waits; random when nil.
	Jitter func() float64
}

// Wait is a pause before another attempt.
type Wait struct {
	Model   string        // that is asked; as the provider names it
	Attempt int           // that follows, from 2
	Of      int           // attempts in all
	After   time.Duration // how long the pause is
	Err     error         // why
}

type notifyKey struct{}

// Notify returns a context whose requests call onRetry before each wait, in addition to
// Options.OnRetry, from the goroutine of the request.
func Notify(ctx context.Context, onRetry func(Wait)) context.Context {
	return context.WithValue(ctx, notifyKey{}, onRetry)
}

// tell tells those who want to know of a wait.
func (a *attempts) tell(ctx context.Context, w Wait) {
	if a.OnRetry != nil {
		a.OnRetry(w)
	}
	if onRetry, ok := ctx.Value(notifyKey{}).(func(Wait)); ok {
		onRetry(w)
	}
}

// Provider wraps a provider whose models are asked again.
type Provider struct {
	llm.Provider
	options Options
}

// Wrap returns the provider with retries; it is a llm.Puller if p is one.
func Wrap(p llm.Provider, o Options) llm.Provider {
	wrapped := &Provider{Provider: p, options: o.withDefaults()}
	if inner, ok := llm.Find[llm.Puller](p); ok {
		return &puller{wrapped, inner}
	}
	return wrapped
}

func (o Options) withDefaults() Options {
	if o.Attempts <= 0 {
		o.Attempts = 4
	}
	o.First = orDefault(o.First, 500*time.Millisecond)
	o.Longest = orDefault(o.Longest, 30*time.Second)
	o.Total = orDefault(o.Total, 2*time.Minute)
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	return o
}

func orDefault(d, otherwise time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return otherwise
}

// Unwrap returns the provider without retries.
func (p *Provider) Unwrap() llm.Provider { return p.Provider }

// Open implements llm.Provider. Opening is not retried: a provider that is not
// there is said at once.
func (p *Provider) Open(ctx context.Context, name string) (llm.Model, error) {
	m, err := p.Provider.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	return Model(m, p.options), nil
}

// puller is a provider that can fetch models.
type puller struct {
	*Provider
	inner llm.Puller
}

// Pull implements llm.Puller. A pull that was cut off goes on; the attempts
// count from zero whenever bytes have come.
func (p *puller) Pull(ctx context.Context, name string, onProgress func(llm.Progress)) error {
	a := attempts{Options: p.options, name: name}
	var most int64
	return a.run(ctx, func() error {
		return p.inner.Pull(ctx, name, func(now llm.Progress) {
			if now.Done > most {
				most = now.Done
				a.reset()
			}
			if onProgress != nil {
				onProgress(now)
			}
		})
	}, llm.ErrCut)
}

// Model wraps a model that is asked again.
func Model(m llm.Model, o Options) llm.Model { return &model{m, o.withDefaults()} }

type model struct {
	llm.Model
	options Options
}

// Complete implements llm.Model. Once text has been given to onText, an error
// is the end: the same answer does not come twice.
func (m *model) Complete(ctx context.Context, r llm.Request, onText func(string)) (llm.Answer, error) {
	a := attempts{Options: m.options, name: m.Info().Name}
	var answer llm.Answer
	err := a.run(ctx, func() error {
		shown := false
		var err error
		answer, err = m.Model.Complete(ctx, r, func(text string) {
			shown = true
			if onText != nil {
				onText(text)
			}
		})
		if shown && err != nil {
			return final{err}
		}
		return err
	})
	return answer, err
}

// final is an error that is not retried, whatever it is.
type final struct{ error }

// attempts are those at one request.
type attempts struct {
	Options
	name string
	made int
	wait time.Duration // before the next one, without jitter
	last time.Time     // no attempt begins later
}

// reset forgets the attempts so far.
func (a *attempts) reset() {
	a.made, a.wait, a.last = 1, a.First, time.Now().Add(a.Total)
}

// run tries until it succeeds or there is no use or time. also are errors that
// are worth another attempt here, in addition to those that always are.
func (a *attempts) run(ctx context.Context, try func() error, also ...error) error {
	a.reset()
	for {
		err := try()
		if stop := (final{}); errors.As(err, &stop) {
			return stop.error
		}
		if err == nil || ctx.Err() != nil || !worthIt(err, also) {
			return err
		}
		pause := a.pause(err)
		if a.made >= a.Attempts || pause > a.Longest || time.Now().Add(pause).After(a.last) {
			return a.given(err)
		}
		a.made++
		a.tell(ctx, Wait{Model: a.name, Attempt: a.made, Of: a.Attempts, After: pause, Err: err})
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// given says how often it was tried.
func (a *attempts) given(err error) error {
	if a.made == 1 {
		return err
	}
	return fmt.Errorf("tried %d times: %w", a.made, err)
}

// pause is how long to wait after an error: between half and all of the
// doubling wait, or what the provider asks for.
func (a *attempts) pause(err error) time.Duration {
	wait := min(a.wait, a.Longest)
	a.wait = min(2*a.wait, a.Longest)
	wait = wait/2 + time.Duration(a.Jitter()*float64(wait/2))
	var busy *llm.BusyError
	if errors.As(err, &busy) {
		wait = max(wait, busy.After)
	}
	return wait
}

// worthIt reports whether the same request may succeed later.
func worthIt(err error, also []error) bool {
	return errors.Is(err, llm.ErrBusy) || errors.Is(err, llm.ErrUnavailable) ||
		slices.ContainsFunc(also, func(other error) bool { return errors.Is(err, other) })
}

// sleep waits, or returns why not.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
