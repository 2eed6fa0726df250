package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// recoveringProgram recovers panics at two places, each twice.
const recoveringProgram = `package main

import (
	"errors"
	"fmt"
)

func attempt(name string, f func()) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Println(name, "gave up:", p)
		}
	}()
	f()
}

func parse() { panic(errors.New("no such unit")) }

func count() {
	var seen map[string]int
	seen["x"]++
}

func main() {
	for _, name := range []string{"first", "second"} {
		attempt(name, parse)
		attempt(name, count)
	}
	fmt.Println("all is well")
}
`

// A place that is muted is passed from then on, in later sessions of the module
// too, until it is unmuted.
func TestDebugPassesMutedPlaces(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, recoveringProgram)
	start := func(args ...string) *terminal {
		return startTerminal(t, dir, 140, 40, nil, append([]string{"debug", "--offline", "--panics", "all"}, args...)...)
	}
	x := start(".")
	x.wait("no such unit")
	x.wait("m mute")
	x.keys("m")
	x.wait("Mute main.go:17?")
	x.keys("\x1b[B", "\r")
	x.wait("muted: main.go:17")
	x.keys("c")
	x.wait("nil-map-write")
	x.keys("c")
	x.wait("second gave up: no such unit")
	x.wait("nil-map-write")
	x.leave()

	y := start(".")
	y.wait("nil-map-write")
	y.keys("m")
	y.wait("Mute main.go:21?")
	y.keys("\r") // in this session
	y.wait("muted: main.go:21")
	y.keys("c")
	y.wait("EXITED")
	y.keys("\x10")
	y.wait("Commands")
	y.keys("muted", "\r")
	y.wait("passed 2× · module")
	y.wait("passed 1× · session")
	y.keys("\x1b[B", "\r")
	y.wait("no longer muted: main.go:17")
	y.leave()

	z := start("--panics-not", "example.org/none,.", ".")
	z.wait("all is well")
	z.wait("EXITED")
	z.leave()

	if kept, err := filepath.Glob(filepath.Join(os.Getenv("XDG_STATE_HOME"), t.Name(), "pausetui", "mutes", "*")); err != nil || len(kept) > 0 {
		t.Errorf("kept %v, %v", kept, err)
	}
}
