package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pausetui/pausetui/config/userstate"
	"github.com/pausetui/pausetui/debugger"
)

// hits is how often the conditional breakpoint is reached before it counts.
const hits = 5_000

// loop reaches a line many times, and then panics so that both tools stop.
const loop = `package main

func main() {
	for i := range HITS {
		tick(i)
	}
	panic("done")
}

//go:noinline
func tick(i int) int {
	return i + 1
}
`

// conditional: what a condition that is never true costs in a loop, against the
// same in dlv. Both are the time with the breakpoint less the time without.
func (b bench) conditional() (ours, theirs time.Duration, err error) {
	c := bench{tool: b.tool, dir: filepath.Join(b.dir, "..", "loop"), state: filepath.Join(b.dir, "..", "loop-state")}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return 0, 0, err
	}
	err = errors.Join(
		os.WriteFile(filepath.Join(c.dir, "go.mod"), []byte("module example.org/perf\n\ngo 1.26\n"), 0o600),
		os.WriteFile(filepath.Join(c.dir, "main.go"), []byte(strings.ReplaceAll(loop, "HITS", fmt.Sprint(hits))), 0o600))
	if err != nil {
		return 0, 0, err
	}
	run := func(list ...debugger.Breakpoint) (time.Duration, error) {
		root, err := filepath.EvalSymlinks(c.dir)
		if err == nil { // else the breakpoints of the last run were there
			err = os.RemoveAll(c.state)
		}
		if err == nil {
			err = userstate.Open(filepath.Join(c.state, "pausetui")).Breakpoints().Save(root, list)
		}
		if err != nil {
			return 0, err
		}
		marks, err := c.session(nil)
		return marks["stopped"] - marks["launched"], err
	}
	without, err := run()
	if err != nil {
		return 0, 0, err
	}
	with, err := run(debugger.Breakpoint{Location: "main.tick", Cond: "i == -1"})
	if err != nil {
		return 0, 0, err
	}
	binary := filepath.Join(b.dir, "..", "looping")
	if err := command(c.dir, "go", "build", "-gcflags=example.org/perf/...=-N -l", "-ldflags=-compressdwarf=false", "-o", binary, "."); err != nil {
		return 0, 0, err
	}
	plain, err := c.dlv("continue\nexit\n", "exec", binary)
	if err != nil {
		return 0, 0, err
	}
	conditional, err := c.dlv("break main.tick if i == -1\ncontinue\nexit\n", "exec", binary)
	return with - without, conditional - plain, err
}
