package main

import (
	"fmt"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// Breakpoints are listed and changed, a line is run to and a call stepped into;
// the next session of the module begins with them.
func TestDebugKeepsBreakpoints(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, endlessProgram)
	call, sum := lineOf(t, endlessProgram, "mark: call"), lineOf(t, endlessProgram, "total += v * x")
	ends := lineOf(t, endlessProgram, "mark: work ends")
	x := offline(t, dir)
	x.wait("started")
	x.keys("B")
	x.wait("No breakpoints.")
	x.keys("n")
	x.wait("new ›")
	x.keys(fmt.Sprintf("main.go:%d", sum), "\r") // set while it runs
	x.wait(fmt.Sprintf("●  1  main.go:%d", sum))
	x.keys(escape)
	x.wait("■ breakpoint 1")
	x.keys("B")
	x.wait("1 hit")
	x.keys("c")
	x.wait("condition ›")
	x.keys("v == 3 && x > 2", "\r")
	x.wait("◆  1", "if v == 3 && x > 2")
	x.keys(escape)
	x.gone("goes there")
	x.keys("c")
	x.wait("■ breakpoint 1")
	x.wait("v = 3", "v  3")

	x.keys("1", "j", "j") // two lines down, the return
	x.keys("R")
	x.wait(fmt.Sprintf("work · main.go:%d", ends))
	x.keys("o")
	x.wait("RETURNED")
	x.wait(fmt.Sprintf("main · main.go:%d", call))
	x.keys("B")
	x.wait("goes there")
	x.keys(" ") // off
	x.wait("○  1")
	x.keys(escape)
	x.gone("goes there")
	x.leave()

	x = offline(t, dir)
	x.wait("started")
	x.keys("B")
	x.wait("○  1  main.go")
	x.shows("if v == 3 && x > 2")
	x.keys(" ")
	x.gone("○  1")
	x.keys(escape)
	x.wait("■ breakpoint 1")
	x.leave()
}
