//go:build !unix

package testsupport

import "time"

var began = time.Now()

// CPU is the time since the process began, where the processor time is not known.
func CPU() time.Duration { return time.Since(began) }
