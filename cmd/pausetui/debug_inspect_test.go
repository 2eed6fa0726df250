package main

import (
	"regexp"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// Other goroutines and big values can be looked into.
func TestDebugInspects(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	x := startTerminal(t, program(t, crowdProgram), 140, 50, nil, "debug", "--offline", ".")
	x.wait("nil-map-write")
	x.wait("waitForever")
	x.keys("3") // locals
	x.wait("numbers")
	x.keys("/", "n", "u", "m", "b", "\r")
	x.keys("g", "l")
	x.wait("[0]")
	x.keys("G") // the end of the collection, which nobody had to load
	x.waitMatch(regexp.MustCompile(`\[4999\] +14997`))
	x.keys("g", "h")
	x.gone("[0]")
	x.leave()
}

func TestDebugSelectsAGoroutine(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	x := offline(t, program(t, crowdProgram))
	x.wait("nil-map-write")
	x.wait("×3")                      // the goroutines are read
	x.keys("4", "g", "\r", "j", "\r") // the selected one stands above the list
	x.wait("▸ waitForever")
	x.wait(`"waiter `)
	x.leave()
}
