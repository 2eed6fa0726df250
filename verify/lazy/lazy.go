// Package lazy computes values once, for the first that asks.
package lazy

import (
	"context"
	"sync"
)

// Value computes a value once, for the first caller that asks. A computation that its
// context ended is not kept: the next one who asks starts over.
type Value[T any] struct {
	once  sync.Once
	gate  chan struct{} // holds one token while no call computes
	done  bool
	value T
	err   error
}

// Get returns the value, or the error that came of computing it.
func (l *Value[T]) Get(ctx context.Context, compute func(context.Context) (T, error)) (T, error) {
	l.open()
	var zero T
	select {
	case <-l.gate:
		defer func() { l.gate <- struct{}{} }()
	case <-ctx.Done():
		return zero, ctx.Err()
	}
	if l.done {
		return l.value, l.err
	}
	value, err := compute(ctx)
	if ctx.Err() != nil {
		return zero, ctx.Err()
	}
	l.value, l.err, l.done = value, err, true
	return value, err
}

func (l *Value[T]) open() {
	l.once.Do(func() {
		l.gate = make(chan struct{}, 1)
		l.gate <- struct{}{}
	})
}

// Inherit takes over what another one has computed, before anybody asks. It reports
// whether there was something.
func (l *Value[T]) Inherit(from *Value[T]) bool {
	from.open()
	select {
	case <-from.gate:
		l.value, l.err, l.done = from.value, from.err, from.done
		from.gate <- struct{}{}
	default: // being computed
	}
	return l.done
}

// Map is a lazy value for each key.
type Map[T any] struct {
	mu     sync.Mutex
	values map[string]*Value[T]
}

// At returns the value of a key.
func (k *Map[T]) At(key string) *Value[T] {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.values == nil {
		k.values = map[string]*Value[T]{}
	}
	if k.values[key] == nil {
		k.values[key] = &Value[T]{}
	}
	return k.values[key]
}
