//go:build race

package reexec

// detector has the race detector not sleep for a second before a helper exits.
var detector = []string{"GORACE=atexit_sleep_ms=0"}

// plain is a pausetui without the race detector, which then runs the helpers: they
// start, and read debug information, several times as fast. .ci/race sets it while
// it links tests that are not about helpers.
var plain string
