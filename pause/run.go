package pause

import (
	"context"
	"sync/atomic"
	"time"
)

// tracking is set where blocks are watched: under pausetui, and after Guard.
var tracking atomic.Bool

// Run calls f as a block of work and returns its result. The intent says in a
// sentence what the block is meant to do. Blocks can be nested (f must use the
// context it is given) and can run in any number of goroutines. Without options
// and without pausetui, Run only calls f.
//
// The id distinguishes the block from the others in the same block, or in the
// program. Keep it when the code changes.
func Run[T any](ctx context.Context, id, intent string, f func(context.Context) (T, error), options ...Option) (T, error) {
	if len(options) == 0 && !tracking.Load() {
		return f(ctx)
	}
	b := block{id: id, intent: intent}
	for i := range options {
		b.take(&options[i])
	}
	if !tracking.Load() {
		return attempt(ctx, &b, f)
	}
	return tracked(ctx, &b, f)
}

// block is one call of Run.
type block struct {
	id, intent string
	inputs     []any
	always     bool
	asError    bool
	retries    int
	backoff    time.Duration
	handler    func(*PanicError) error
}

// An Option changes what Run does. The zero value changes nothing.
type Option struct {
	inputs  []any
	always  bool
	asError bool
	retries int
	backoff time.Duration
	handler func(*PanicError) error
}

// take adds an option. It copies field by field so that a block without options
// on the heap stays on the stack.
func (b *block) take(o *Option) {
	b.inputs = append(b.inputs, o.inputs...)
	b.always = b.always || o.always
	b.asError = b.asError || o.asError
	if o.retries > 0 {
		b.retries, b.backoff = o.retries, o.backoff
	}
	if o.handler != nil {
		b.handler = o.handler
	}
}

// Inputs names the values that the block depends on. A stored result is used
// only if they are the same as when it was stored.
func Inputs(values ...any) Option { return Option{inputs: values} }

// Always runs the block every time: its result is not stored.
func Always() Option { return Option{always: true} }

// AsError turns a panic of the block into an error, a [*PanicError].
func AsError() Option { return Option{asError: true} }

// Retry calls the block again after a panic, up to the given number of times. It waits
// for backoff before the first retry and doubles the wait before each further one,
// up to a minute. If the context ends meanwhile, Run returns its cause and the
// panic as an error. A panic of the last attempt propagates unchanged, unless AsError
// or Handle is given.
func Retry(times int, backoff time.Duration) Option {
	return Option{retries: max(times, 0), backoff: max(backoff, 0)}
}

// Handle calls h after a panic of the block. Run returns the zero result and the
// error that h returns, which may be nil. A panic of h itself is an error.
func Handle(h func(*PanicError) error) Option { return Option{handler: h} }

// maxBackoff is the longest wait between two attempts.
const maxBackoff = time.Minute

// attempt calls f as often as the block's options say.
func attempt[T any](ctx context.Context, b *block, f func(context.Context) (T, error)) (T, error) {
	wait := b.backoff
	for range b.retries {
		result, err, caught := catch(ctx, b, f)
		if caught == nil {
			return result, err
		}
		if !sleep(ctx, wait) {
			var zero T
			return zero, b.settle(caught, context.Cause(ctx))
		}
		wait = min(2*wait, maxBackoff)
	}
	if !b.asError && b.handler == nil {
		return f(ctx)
	}
	result, err, caught := catch(ctx, b, f)
	if caught == nil {
		return result, err
	}
	var zero T
	return zero, b.settle(caught, nil)
}

// catch calls f and recovers its panic.
func catch[T any](ctx context.Context, b *block, f func(context.Context) (T, error)) (result T, err error, caught *PanicError) { //nolint:staticcheck // the panic is no error of f
	returned := false
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil { // nil: runtime.Goexit
			caught = newPanicError(b, value)
		}
	}()
	result, err = f(ctx)
	returned = true
	return result, err, nil
}

// sleep waits, and reports whether the context still lives.
func sleep(ctx context.Context, d time.Duration) bool {
	if ctx.Err() != nil {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
