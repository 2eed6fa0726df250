//go:build race

package reexec

// detector has the race detector not sleep for a second before a helper exits.
var detector = []string{"GORACE=atexit_sleep_ms=0"}

// plain is the path of a pausetui without the race detector. If it is set, helpers run
// from that binary, which starts and reads debug information several times as fast.
// .ci/race sets it with -ldflags for tests that are not about helpers.
var plain string
