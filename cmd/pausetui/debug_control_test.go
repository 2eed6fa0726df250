package main

import (
	"fmt"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// An endless, deaf program is halted, stepped through and looked into.
func TestDebugControlsARunningTarget(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, endlessProgram)
	call, begins := lineOf(t, endlessProgram, "mark: call"), lineOf(t, endlessProgram, "mark: work begins")
	ends := lineOf(t, endlessProgram, "mark: work ends")
	x := offline(t, dir)
	x.wait("started")
	x.keys("\x03")
	x.wait("■ halted")
	x.wait("main.main", "main      ")
	x.shows("2 Stack", "main.go")
	x.keys("c")
	x.wait("● running 2.")

	x.keys("\x03")
	x.wait("■ halted")
	x.keys(":")
	x.wait("enter runs")
	x.keys(fmt.Sprintf("break main.go:%d", call), "\r")
	x.wait(fmt.Sprintf("●%d", call))
	x.keys("continue", "\r")
	x.wait("■ breakpoint 1")
	x.wait(fmt.Sprintf("main.go:%d", call))
	x.keys("len(values)", "\r")
	x.wait("› len(values)")
	x.wait("len(values) = 3")
	x.keys("x = 5", "\r")
	x.wait("x = 5")
	x.keys("x * 100", "\r")
	x.wait("x * 100 = 500")
	x.keys("val", "\t")
	x.wait(": values")
	x.keys("[2] + 40", "\r")
	x.wait("values[2] + 40 = 43")
	x.keys("\x1b[A", "\x1b[A") // up, up
	x.wait(": x * 100")
	x.keys(escape)
	x.gone("enter runs")

	x.keys("s")
	x.wait(fmt.Sprintf("work · main.go:%d", begins), fmt.Sprintf("work · main.go:%d", begins-1))
	x.keys("1", "b") // on the cursor's line
	x.wait(fmt.Sprintf("●%d", begins), fmt.Sprintf("●%d", begins-1), "● 1", "●1")
	x.keys("o")
	x.wait(fmt.Sprintf("main · main.go:%d", call))
	x.keys("n")
	x.wait(fmt.Sprintf("main · main.go:%d", call+1))
	x.keys("c")
	x.wait("■ breakpoint 1")
	x.keys("c")
	x.wait("■ breakpoint 2")
	x.keys("1", "b") // off again
	x.keys(":")
	x.wait("enter runs")
	x.keys(fmt.Sprintf("break main.go:%d if total > 0", ends), "\r")
	x.wait(fmt.Sprintf("◆%d", ends))
	x.keys("\x1b")
	x.gone("enter runs") // a bare escape and c read at once would be alt+c
	x.keys("c")
	x.wait("■ breakpoint 3", "■ breakpoint 1")
	x.leave()
	has(t, logOf(t, dir), "x = 5", "len(values)")
}
