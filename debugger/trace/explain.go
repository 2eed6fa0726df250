package trace

import (
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// raisers are the runtime's functions that begin a panic of a class; a stack
// that a program prints of itself holds them.
var raisers = []struct {
	prefix string
	class  debugger.Class
}{
	{"runtime.goPanicIndex", debugger.IndexOutOfRange},
	{"runtime.panicIndex", debugger.IndexOutOfRange},
	{"runtime.goPanicSlice", debugger.SliceBounds},
	{"runtime.panicSlice", debugger.SliceBounds},
	{"runtime.panicdivide", debugger.DivideByZero},
	{"runtime.panicmem", debugger.NilDereference},
	{"runtime.sigpanic", debugger.NilDereference},
	{"runtime.panicdottype", debugger.TypeAssertion},
	{"runtime.panicnildottype", debugger.TypeAssertion},
	{"runtime.mapassign", debugger.NilMapWrite},
	{"internal/runtime/maps.", debugger.NilMapWrite},
	{"runtime.closechan", debugger.ClosedChannel},
	{"runtime.chansend", debugger.ClosedChannel},
	{"runtime.makeslice", debugger.NegativeSize},
	{"strings.Repeat", debugger.NegativeSize},
	{"bytes.Repeat", debugger.NegativeSize},
}

// explain finds out what a stack without the runtime's own words died of: by
// what the log said of it, and by the functions above the last panic. The rest
// are stacks that the program printed and lives on after.
func (t *Trace) explain() {
	if t.died || len(t.Goroutines) == 0 {
		return
	}
	frames := t.Goroutines[0].Frames
	at := -1
	for i, f := range frames {
		if f.Function == "panic" || f.Function == "runtime.gopanic" {
			at = i
		}
	}
	if at < 0 {
		return
	}
	t.died = true
	// Code that has recovered it prints it: the runtime would have said more.
	t.Panic.Recovered = true
	if message, class, ok := said(t.Before); ok {
		t.Panic.Message, t.Panic.Class = message, class
		t.Text = t.Before + "\n" + t.Text
		t.Truncated = t.Goroutines[0].ID == 0
		return
	}
	for _, f := range frames[at+1:] {
		if !f.Runtime && !strings.HasPrefix(f.Function, "internal/runtime/") {
			return
		}
		for _, r := range raisers {
			if strings.HasPrefix(f.Function, r.prefix) {
				t.Panic.Class = r.class
				return
			}
		}
	}
}

// said finds an error of the runtime in what a log says.
func said(line string) (message string, class debugger.Class, ok bool) {
	for _, mark := range []string{"runtime error: ", "assignment to entry in nil map", "interface conversion: ", "send on closed channel", "close of closed channel"} {
		if i := strings.Index(line, mark); i >= 0 {
			message, _, _ = strings.Cut(line[i:], `"`)
			message = strings.TrimSpace(message)
			return message, debugger.Classify(message, false, true), true
		}
	}
	return "", "", false
}

// ends reports whether the main goroutine, where it is the last one, was printed to
// its end.
func (t Trace) ends() bool {
	last := t.Goroutines[len(t.Goroutines)-1]
	if t.Race || last.ID != 1 || last.Elided || len(last.Frames) == 0 {
		return true
	}
	outermost := last.Frames[len(last.Frames)-1]
	return outermost.Runtime || outermost.Function == "main.main" || strings.Contains(outermost.Function, "init")
}
