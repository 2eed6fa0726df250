package pause

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestRunAlone(t *testing.T) {
	ctx := context.Background()
	got, err := Run(ctx, "sum", "Add", func(context.Context) (int, error) { return 3, nil })
	if got != 3 || err != nil {
		t.Fatalf("got %d, %v", got, err)
	}
	defer func() {
		if value := recover(); value != "boom" {
			t.Errorf("recovered %v: a panic goes on unchanged", value)
		}
	}()
	_, _ = Run(ctx, "sum", "Add", func(context.Context) (int, error) { panic("boom") })
}

func TestPanicAsError(t *testing.T) {
	_, err := Run(context.Background(), "sum", "Add", func(context.Context) (int, error) { panic(fs.ErrClosed) }, AsError())
	var caught *PanicError
	if !errors.As(err, &caught) || caught.ID != "sum" || caught.Intent != "Add" || !strings.Contains(string(caught.Stack), "TestPanicAsError") {
		t.Fatalf("%v: not the panic", err)
	}
	if !errors.Is(err, fs.ErrClosed) {
		t.Errorf("%v does not wrap the panic's value", err)
	}
}

func TestRetry(t *testing.T) {
	calls := 0
	flaky := func(context.Context) (int, error) {
		if calls++; calls < 3 {
			panic("not yet")
		}
		return calls, nil
	}
	if got, err := Run(context.Background(), "get", "Fetch", flaky, Retry(5, time.Microsecond)); got != 3 || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
	calls = -10
	if _, err := Run(context.Background(), "get", "Fetch", flaky, Retry(2, 0), AsError()); err == nil || calls != -7 {
		t.Errorf("%v after call %d: three attempts expected", err, calls)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ended, "get", "Fetch", flaky, Retry(2, time.Hour)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v: the context had ended", err)
	}
}

// TestRetryPassesTheLastPanicOn: as it was, without the words of a PanicError.
func TestRetryPassesTheLastPanicOn(t *testing.T) {
	calls := 0
	defer func() {
		if value := recover(); value != "panic 3" || calls != 3 {
			t.Errorf("recovered %#v after %d calls", value, calls)
		}
	}()
	_, err := Run(context.Background(), "get", "Fetch", func(context.Context) (int, error) {
		calls++
		panic(fmt.Sprintf("panic %d", calls))
	}, Retry(2, 0))
	t.Errorf("Run returned %v", err)
}

func TestRetryWaitsTwiceAsLongEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var waited []time.Duration
		last := time.Now()
		_, err := Run(t.Context(), "get", "Fetch", func(context.Context) (int, error) {
			waited = append(waited, time.Since(last))
			last = time.Now()
			panic("not yet")
		}, Retry(4, 10*time.Second), AsError())
		if want := []time.Duration{0, 10 * time.Second, 20 * time.Second, 40 * time.Second, time.Minute}; err == nil || !slices.Equal(waited, want) {
			t.Errorf("%v: waited %v, want %v", err, waited, want)
		}
	})
}

// TestRetryStopsWaiting: when the context ends, the panic and the cause are the
// error.
func TestRetryStopsWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		_, err := Run(ctx, "get", "Fetch", func(context.Context) (int, error) { panic("not yet") }, Retry(1, time.Hour))
		var caught *PanicError
		if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &caught) || time.Since(began) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// TestGoexitIsNoPanic: the goroutine ends, without another attempt.
func TestGoexitIsNoPanic(t *testing.T) {
	for name, options := range map[string][]Option{"retry": {Retry(3, 0)}, "as error": {AsError()}, "handler": {Handle(func(*PanicError) error { return nil })}} {
		calls, returned := 0, false
		var all sync.WaitGroup
		all.Go(func() {
			_, _ = Run(context.Background(), "x", "Y", func(context.Context) (int, error) {
				calls++
				runtime.Goexit()
				return 0, nil
			}, options...)
			returned = true
		})
		all.Wait()
		if calls != 1 || returned {
			t.Errorf("%s: %d calls, returned: %v", name, calls, returned)
		}
	}
}

func TestHandler(t *testing.T) {
	boom := func(context.Context) (int, error) { panic("boom") }
	_, err := Run(context.Background(), "x", "Y", boom, Handle(func(e *PanicError) error { return nil }))
	if err != nil {
		t.Errorf("%v: the handler returned nil", err)
	}
	_, err = Run(context.Background(), "x", "Y", boom, Handle(func(e *PanicError) error { panic("in the handler") }))
	if err == nil || !strings.Contains(err.Error(), "in the handler") || !strings.Contains(err.Error(), "boom") {
		t.Errorf("%v: both panics expected", err)
	}
}

func TestHashOfInputs(t *testing.T) {
	type node struct {
		name string
		next *node
	}
	loop := &node{name: "a"}
	loop.next = loop
	same := func(a, b any) bool {
		x, err1 := hashValues([]any{a})
		y, err2 := hashValues([]any{b})
		return err1 == nil && err2 == nil && x == y
	}
	if !same(map[string]int{"a": 1, "b": 2}, map[string]int{"b": 2, "a": 1}) || !same(&node{name: "x"}, &node{name: "x"}) || !same(loop, loop) {
		t.Error("equal values differ")
	}
	if same(1, int64(1)) || same("", nil) || same([]int(nil), []int{}) || same(node{name: "x"}, node{name: "y"}) || same([]string{"ab"}, []string{"a", "b"}) {
		t.Error("different values are the same")
	}
	if _, err := hashValues([]any{make(chan int)}); err == nil {
		t.Error("a channel was hashed")
	}
}
