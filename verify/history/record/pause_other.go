//go:build go1.21 && !linux

package record

import "time"

// pause waits for a moment.
func pause() { time.Sleep(200 * time.Microsecond) }
