package verify

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// A candidate is unread code, and it may print whatever it can
// read, reversed or encoded, so that no redaction knows it. What of a failed
// check may go to another machine unseen (verdict.Check.Elsewhere) is therefore
// made of parts that the candidate's run does not choose, and never cut out of
// what it printed. What it can still choose is one of the classes, and a line
// of a file that exists.

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
		text += a.placeOf(f.File, f.Line)
	}
	if stop := a.v.subject.Stop.Panic; stop != nil && c.Message != "" && c.Message == stop.Message {
		text += ", with the same message"
	}
	return text
}

// placeOf names a line of a source file that there is, with the function around
// it: traces are text, and a program can print its own.
func (a *patched) placeOf(file string, line int) string {
	if !filepath.IsAbs(file) || filepath.Ext(file) != ".go" {
		return ""
	}
	source, err := a.v.source(file, a.overlay)
	if err != nil || line < 1 || line > 1+strings.Count(source, "\n") {
		return ""
	}
	return fmt.Sprintf(" at %s:%d", a.v.subject.Workspace.Rel(file), line)
}

// endingClass says how a run ended, but for its exit code: that is a byte of the
// candidate's choice.
func endingClass(r sandbox.Result) string {
	if r.Alive() || r.Limit != "" || r.Signal != "" || r.ExitCode == 0 {
		return ending(r)
	}
	return "ended with an exit code that is not 0"
}
