//go:build !linux

package delve

// monotonic is not known here.
func monotonic() int64 { return 0 }
