package filelock

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "lock")
	var all sync.WaitGroup
	var inside, done atomic.Int32
	for range 20 {
		all.Go(func() {
			err := Do(t.Context(), path, time.Minute, func() error {
				if inside.Add(1) > 1 {
					t.Error("two at a time")
				}
				done.Add(1)
				inside.Add(-1)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if done.Load() != 20 {
		t.Errorf("%d of 20 calls", done.Load())
	}
}

func TestAWaitEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	failed := errors.New("failed")
	err := Do(t.Context(), path, time.Minute, func() error {
		if err := Do(t.Context(), path, time.Millisecond, func() error { return nil }); !errors.Is(err, ErrLocked) {
			t.Errorf("while it is held: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := Do(ctx, path, time.Minute, func() error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("when it is canceled: %v", err)
		}
		return failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("the error of the call is lost: %v", err)
	}
}
