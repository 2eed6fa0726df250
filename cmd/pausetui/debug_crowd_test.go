package main

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// crowdOf is the program that has many goroutines, with its arguments.
func crowdOf(t *testing.T, args ...string) *terminal {
	t.Helper()
	dir := program(t, get(t, filepath.Join("..", "..", "debugger", "delve", "testdata", "crowd", "main.go")))
	return startTerminal(t, dir, 160, 50, nil, append([]string{"debug", "--offline", ".", "--"}, args...)...)
}

// A hundred thousand goroutines are grouped, looked through and filtered, and
// the keys work while they come.
func TestDebugBrowsesAHundredThousandGoroutines(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	x := crowdOf(t, "crowd", "100000")
	x.wait("nil-map-write")
	x.keys("4", "j", "k")
	x.waitMatch(regexp.MustCompile(`4 Goroutines · [\d,]+ of 100,0\d\d`)) // some of them already
	x.keys("2", "j")
	x.wait("▸ main") // which did not have to wait for the rest
	x.keys("4")
	x.waitMatch(regexp.MustCompile(`4 Goroutines · 100,0\d\d by stack`))
	x.wait("×40,000 chan ←")
	x.shows("×20,000 select", "×10,000 Mutex.Lock")
	x.keys("g", "\r", "G", "k", "k", "k", "k", "k", "k", "k") // into the last of forty thousand
	x.waitMatch(regexp.MustCompile(`(?m)│ +100\d{3} `))
	x.keys("g", "\r", "/")
	x.wait("wait>5s") // the words are there to be read
	x.keys("label:tenant=acme", "\r")
	x.wait("×5,000 sleep")
	x.keys(escape)
	x.wait("×40,000 chan ←")
	x.keys("/", "func:handleQuery", "\r")
	x.wait("×10,000 Mutex.Lock")
	x.gone("×5,000")
	x.keys("J")
	x.wait("probably holds s.mu")
	x.wait("▸ hold")
	x.leave()
}

// A deadlock is drawn as the chain that it is.
func TestDebugDrawsADeadlock(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	x := crowdOf(t, "deadlock")
	x.wait("FATAL ERROR")
	x.wait("↻ 2 wait for each other")
	x.waitMatch(regexp.MustCompile(`\d+ +→ \d+ mutex from\.mu of \d+ ↺`))
	x.waitMatch(regexp.MustCompile(`└ .*→ \d+ chan done`)) // the main goroutine waits for one that waits for them
	x.keys("4", "v")
	x.wait("by stack")
	x.keys("v", "v", "v")
	x.wait("by waits")
	x.keys("J")
	x.wait("waits for", "has done")
	x.leave()
}
