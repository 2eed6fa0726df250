package main

import (
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// Typed input reaches the target, is recorded, and is replayed after a fix.
func TestDebugTypesIntoTheTarget(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, echoProgram)
	x := offline(t, dir)
	x.wait("ready")
	x.keys("i")
	x.wait("typing into it")
	x.keys("q", "c", "\r") // no commands now
	x.wait("heard <qc>")
	x.keys(escape)
	x.gone("typing into it")
	x.keys("i")
	x.wait("typing into it")
	x.keys("b", "o", "o", "m", "\r")
	x.wait("nil-map-write")
	x.wait("✓ verified", "✓ repairs")
	x.approve()
	x.wait("counted 1") // the same input again
	x.shows("heard <qc>")
	x.wait("✓ fixed: ", "still running") // it waits for more, as it did in the proof
	x.leave()
	has(t, get(t, filepath.Join(dir, "main.go")), "make(map[string]int)")
	has(t, logOf(t, dir), "qc", "boom", "## Judgement: fixed")
}

// While typing, ctrl+c is the target's.
func TestDebugInterruptsTheTarget(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	x := offline(t, program(t, echoProgram))
	x.wait("ready")
	x.keys("i")
	x.wait("typing into it")
	x.keys("\x03")
	x.wait("killed by SIGINT")
	x.leave()
}
