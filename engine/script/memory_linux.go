package script

import (
	"fmt"
	"math"
	"runtime/debug"

	"golang.org/x/sys/unix"
)

// limitMemory has the process end when it takes more than so many bytes. Address
// space cannot be limited: Go reserves a lot of it.
func limitMemory(bytes uint64) error {
	debug.SetMemoryLimit(int64(min(bytes/2, math.MaxInt64)))
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: bytes, Max: bytes}); err != nil {
		return fmt.Errorf("limit the memory of scripts: %w", err)
	}
	return nil
}
