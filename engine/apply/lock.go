package apply

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// errBusy is returned when another process keeps writing to the module.
var errBusy = errors.New("another pausetui is writing to this module")

// patience bounds the wait for another process, which takes milliseconds.
const patience = 5 * time.Second

// lock keeps our other processes from writing below root. The lock is on
// the directory itself and ends with the process at the latest; file systems
// without locks go without.
func lock(ctx context.Context, root string) (unlock func(), err error) {
	dir, err := os.Open(root)
	if err != nil {
		return nil, fmt.Errorf("lock the module: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return func() { _ = dir.Close() }, nil
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(errBusy, dir.Close())
		case <-time.After(5 * time.Millisecond):
		}
	}
}
