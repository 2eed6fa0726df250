// Package filelock lets one process at a time do something, by a lock on a file. The lock
// ends with the process, however that ends. The package must not know what a lock
// protects.
package filelock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// ErrLocked is returned where others held the lock for as long as was waited.
var ErrLocked = errors.New("another process holds the lock")

// retry is how often a lock is tried.
const retry = 2 * time.Millisecond

// Do calls f while no other process or goroutine is in such a call for the same
// file, which it makes if there is none. It waits at most so long. Where the file
// system has no locks, it calls f without one.
func Do(ctx context.Context, path string, wait time.Duration, f func() error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	lock := flock.New(path, flock.SetPermissions(0o600))
	switch _, err := lock.TryLockContext(waiting, retry); {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: %q", ErrLocked, path)
	case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.ENOLCK):
	case err != nil:
		return err
	}
	return errors.Join(f(), lock.Close())
}
