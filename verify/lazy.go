package verify

import (
	"context"
	"sync"
)

// lazy computes a value once, for the first caller that asks. A computation that its
// context ended is not kept: the next one who asks starts over.
type lazy[T any] struct {
	once  sync.Once
	gate  chan struct{} // holds one token while no call computes
	done  bool
	value T
	err   error
}

func (l *lazy[T]) get(ctx context.Context, compute func(context.Context) (T, error)) (T, error) {
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

func (l *lazy[T]) open() {
	l.once.Do(func() {
		l.gate = make(chan struct{}, 1)
		l.gate <- struct{}{}
	})
}

// inherit takes over what another one has computed, before anybody asks.
func (l *lazy[T]) inherit(from *lazy[T]) {
	from.open()
	select {
	case <-from.gate:
		l.value, l.err, l.done = from.value, from.err, from.done
		from.gate <- struct{}{}
	default: // being computed
	}
}

// keyed is a lazy value for each key.
type keyed[T any] struct {
	mu     sync.Mutex
	values map[string]*lazy[T]
}

func (k *keyed[T]) at(key string) *lazy[T] {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.values == nil {
		k.values = map[string]*lazy[T]{}
	}
	if k.values[key] == nil {
		k.values[key] = &lazy[T]{}
	}
	return k.values[key]
}
