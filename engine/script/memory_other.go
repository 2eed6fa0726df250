//go:build !linux

package script

import (
	"math"
	"runtime/debug"
)

// limitMemory has the process collect garbage early; a hard limit is not known here.
func limitMemory(bytes uint64) error {
	debug.SetMemoryLimit(int64(min(bytes/2, math.MaxInt64)))
	return nil
}
