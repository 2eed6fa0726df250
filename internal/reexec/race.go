//go:build race

package reexec

// detector has the race detector not sleep for a second before a helper exits.
var detector = []string{"GORACE=atexit_sleep_ms=0"}
