package verify

import (
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// A candidate is unread code, and it may print whatever it can
// read, reversed or encoded, so that no redaction knows it. What of a failed
// check may go to another machine unseen (verdict.Check.Elsewhere) is therefore
// made of parts that the candidate's run does not choose, and never cut out of
// what it printed. What it can still choose is one of the classes, and a function
// on the stack of the stop.

// elsewhere adds to a check what may be said of it to another machine.
func elsewhere(c verdict.Check, format string, args ...any) verdict.Check {
	c.Elsewhere = fmt.Sprintf(format, args...)
	return c
}

// open is for a check that says nothing that a run has printed.
func open(c verdict.Check) verdict.Check { return elsewhere(c, "%s", c.Detail) }

// classOf says of a crash its class and place: not its message, which may be
// anything, unless it is that of the stop.
func (a *patched) classOf(c crash.Crash) string {
	text := "a stop of the class " + string(c.Class)
	if f, ok := c.Culprit(a.v.own); ok {
		text += a.v.placeOf(f)
	}
	if stop := a.v.subject.Stop.Panic; stop != nil && c.Message != "" && c.Message == stop.Message {
		text += ", with the same message"
	}
	return text
}

// placeOf says in which function a crash is, if that is one of the few on the stack of the stop.
// A line, or any other function, could stand for what the candidate has read, one for each
// character. Traces are text, and a program can print its own.
func (v *target) placeOf(f debugger.Frame) string {
	for _, at := range v.subject.Stop.Frames {
		if v.own(at) && named(at.Function) == named(f.Function) {
			return " in " + named(at.Function)
		}
	}
	return ", not in a function that led to the stop"
}

// endingClass says how a run ended, but for its exit code: that is a byte of the
// candidate's choice.
func endingClass(r sandbox.Result) string {
	if r.Alive() || r.Limit != "" || r.Signal != "" || r.ExitCode == 0 {
		return ending(r)
	}
	return "ended with an exit code that is not 0"
}
