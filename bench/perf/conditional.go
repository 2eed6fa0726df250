package main

import (
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
func (b bench) conditional() ([]two, error) {
	c := bench{tool: b.tool, dir: filepath.Join(b.dir, "..", "loop"), state: filepath.Join(b.dir, "..", "loop-state")}
	if err := c.write(strings.ReplaceAll(loop, "HITS", fmt.Sprint(hits))); err != nil {
		return nil, err
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
		return nil, err
	}
	with, err := run(debugger.Breakpoint{Location: "main.tick", Cond: "i == -1"})
	if err != nil {
		return nil, err
	}
	binary, err := c.forDebugging()
	if err != nil {
		return nil, err
	}
	plain, err := c.dlv("continue\nexit\n", "exec", binary)
	if err != nil {
		return nil, err
	}
	conditional, err := c.dlv("break main.tick if i == -1\ncontinue\nexit\n", "exec", binary)
	return seconds(with-without, conditional-plain), err
}
