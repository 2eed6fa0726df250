//go:build linux && amd64

package delve

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// mine stands for the innermost frame of the program's own.
const mine = -1

// A step, or a call, of a goroutine that a signal has interrupted begins where that was, and the
// program keeps its handler of SIGTRAP.
func TestStepsBeginOutsideOfSignalHandlers(t *testing.T) {
	t.Parallel()
	target := launch(t, "interrupted")
	motions := []debugger.Move{
		{Motion: debugger.Next}, {Motion: debugger.Next, Frame: mine}, {Motion: debugger.StepIn, Frame: mine},
		{Motion: debugger.NextInstruction}, {Motion: debugger.StepOut, Frame: mine}, {Motion: debugger.CallFunction, Expr: "sum(1, 2)"},
	}
	seen := 0
	for i := range 200 {
		done := run(t, target)
		if err := target.Halt(); err != nil {
			t.Fatal(err)
		}
		await(t, done)
		frames, _, err := target.Frames(t.Context(), 1, debugger.Page{Count: 40})
		if err != nil {
			t.Fatal(err)
		}
		if !isInterrupted(frames) {
			continue
		}
		ours := slices.IndexFunc(frames, func(f debugger.Frame) bool { return strings.HasPrefix(f.Function, "main.") })
		if ours < 0 || !slices.ContainsFunc(frames, func(f debugger.Frame) bool { return f.Function == "main.main" }) {
			t.Fatalf("the frames are %q", functions(frames))
		}
		if f := frames[lastInterrupted(frames)+1]; f.Function != "" && f.Line != lineAt(t, target, f.PC) {
			t.Errorf("%s was interrupted at %#x, and is shown in line %d", f.Function, f.PC, f.Line)
		}
		m := motions[seen%len(motions)]
		if m.Goroutine = 1; m.Frame == mine {
			m.Frame = ours
		}
		stop := move(t, target, m)
		frames = stop.Frames
		if stop.Goroutine != 1 || stop.Fault != "" || isInterrupted(frames) {
			t.Errorf("%+v, halt %d: %q %q in goroutine %d at %q", m, i, stop.Reason, stop.Fault, stop.Goroutine, functions(frames))
		}
		if !catches(t, target, syscall.SIGTRAP) {
			t.Fatalf("%+v, halt %d: the program's handler of SIGTRAP is gone", m, i)
		}
		if seen++; seen == 4*len(motions) {
			return
		}
	}
	if seen < len(motions) {
		t.Skipf("only %d halts were in the handler of a signal", seen)
	}
}

func isInterrupted(frames []debugger.Frame) bool {
	return slices.ContainsFunc(frames, func(f debugger.Frame) bool { return slices.Contains(interrupted, f.Function) })
}

// lastInterrupted is the outermost frame of a signal's handler.
func lastInterrupted(frames []debugger.Frame) (at int) {
	for i, f := range frames {
		if slices.Contains(interrupted, f.Function) {
			at = i
		}
	}
	return at
}

// catches reports whether the program of a target has a handler for a signal.
func catches(t *testing.T, target *Target, sig syscall.Signal) bool {
	t.Helper()
	list, err := target.Processes(t.Context())
	if err != nil || len(list) == 0 {
		t.Fatalf("%+v, %v", list, err)
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", list[0].PID))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(text, []byte("\nSigCgt:\t"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	caught, err := strconv.ParseUint(string(line), 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return caught&(1<<(sig-1)) != 0
}
