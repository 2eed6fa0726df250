//go:build !linux

package supervise

// Resident is not known here.
func Resident(int) int64 { return 0 }

// Available is not known here.
func Available() int64 { return 0 }
