package main

import (
	"regexp"
	"testing"
)

// far is an element beyond the first pages.
var far = regexp.MustCompile(`\[[2-9]\d\d\] +\d+`)

// Other goroutines and big values can be looked into.
func TestDebugInspects(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, program(t, crowdProgram), 140, 50, nil, "debug", "--offline", ".")
	x.wait("nil-map-write")
	x.wait("waitForever")
	x.keys("3") // locals
	x.wait("numbers")
	x.keys("/", "n", "u", "m", "b", "\r")
	x.keys("g", "l")
	x.wait("[0]")
	for i := 0; i < 200 && !far.MatchString(x.text()); i++ {
		x.keys("G", "\r") // the last row stands for what is not read yet
	}
	x.waitMatch(far)
	x.keys("g", "h")
	x.gone("[0]")
	x.leave()
}

func TestDebugSelectsAGoroutine(t *testing.T) {
	t.Parallel()
	x := offline(t, program(t, crowdProgram))
	x.wait("nil-map-write")
	x.wait("×3")                      // the goroutines are read
	x.keys("4", "g", "\r", "j", "\r") // the selected one stands above the list
	x.wait("▸ waitForever")
	x.wait(`"waiter `)
	x.leave()
}
