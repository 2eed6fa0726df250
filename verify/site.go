package verify

import (
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/source/workspace"
)

// site is where and how the stopped target crashed.
type site struct {
	class    debugger.Class
	function string // as named; empty when no frame is the user's
	file     string // absolute
	line     int
	recurs   map[string]bool // of a stack overflow: the functions of the recursion, as named
	within   string          // of a map that is shared: the dependency whose code uses it, by its package
}

// site returns what the stop says; false when the target did not crash.
func (v *target) site() (site, bool) {
	stop := v.subject.Stop
	if stop.Panic == nil {
		return site{}, false
	}
	s := site{class: stop.Panic.Class}
	for _, f := range stop.Frames {
		if f.Index == stop.Panic.Culprit && stop.Panic.Culprit >= 0 {
			s.function, s.file, s.line = named(f.Function), f.File, f.Line
		}
	}
	if s.class == debugger.StackOverflow {
		s.recurs = debugger.Recurring(stop.Frames, v.own)
	}
	if s.class == debugger.ConcurrentMap {
		s.within = dependency(stop.Frames, v.own)
	}
	return s, true
}

// wrapper ends the names of the functions that the compiler makes for deferred
// calls; the runtime's traces leave them out.
var wrapper = lazyregexp.New(`\.deferwrap\d+$`)

// named makes function names comparable: debuggers and the runtime write type
// arguments differently.
func named(function string) string {
	return debugger.WithoutTypeArguments(wrapper.ReplaceAllString(function, ""))
}

// own reports whether a frame is the user's. A build with -trimpath names files
// by module path.
func (v *target) own(f debugger.Frame) bool {
	if filepath.IsAbs(f.File) {
		return v.subject.Workspace.Owns(f.File)
	}
	for _, m := range v.subject.Workspace.Modules {
		if strings.HasPrefix(f.File, m.Path+"/") {
			return true
		}
	}
	// A file that a //line directive names.
	pkg, _ := debugger.CutFunction(f.Function)
	return debugger.WrittenFile(f.File) && filepath.Dir(f.File) == "." && (pkg == "main" || v.subject.Workspace.PackageDir(pkg) != "")
}

// dependency is the package whose code is the innermost but for the standard library's;
// empty where that is the user's.
func dependency(frames []debugger.Frame, own func(debugger.Frame) bool) string {
	for _, f := range frames {
		pkg, _ := debugger.CutFunction(f.Function)
		switch first, _, _ := strings.Cut(pkg, "/"); {
		case own(f):
			return ""
		case strings.Contains(first, "."):
			return pkg
		}
	}
	return ""
}

// at reports whether the crash is the one of the site: the same class in the same
// function. Where several goroutines are to blame, each of their user's frames
// may be the one the stop showed.
func (v *target) at(s site, c crash.Crash) bool {
	if !debugger.SameClass(s.class, c.Class) {
		return false
	}
	if s.function == "" {
		return true
	}
	if culprit, ok := c.Culprit(v.own); ok && named(culprit.Function) == s.function { // but a map may be a dependency's
		return s.class != debugger.ConcurrentMap || (s.within == "") == (dependency(c.Frames(), v.own) == "")
	}
	if s.class == debugger.StackOverflow && debugger.SameRecursion(s.recurs, debugger.Recurring(c.Frames(), v.own)) {
		return true
	}
	switch s.class {
	case debugger.Deadlock, debugger.ConcurrentMap, debugger.StackOverflow:
	default:
		return false
	}
	for _, g := range c.Goroutines {
		for _, f := range g.Frames {
			if v.own(f) && named(f.Function) == s.function {
				return true
			}
		}
	}
	return false
}

// sameStatement reports whether the crash is on the statement that the stop
// showed, by the text of the line: the fingerprint's third part.
func (v *target) sameStatement(s site, c crash.Crash) bool {
	culprit, ok := c.Culprit(v.own)
	if !ok || s.line == 0 || named(culprit.Function) != s.function || s.class == debugger.ConcurrentMap || s.class == debugger.StackOverflow {
		return true // either of two that race may be caught, and a stack is full anywhere
	}
	return sameLine(s, culprit.Line)
}

// sameLine reports whether the site's statement is that of a line of its file.
func sameLine(s site, line int) bool {
	if line == s.line {
		return true
	}
	a, b := workspace.Line(s.file, s.line), workspace.Line(s.file, line)
	// Of a deferred call the debugger names the defer statement, and a trace the
	// place where the function returned.
	return a == b && a != "" || strings.HasPrefix(a, "defer ")
}

// describe quotes a crash in one line: message and place.
func (v *target) describe(c crash.Crash) string {
	kind := "panic: "
	switch {
	case c.Fatal:
		kind = "fatal error: "
	case c.Class == debugger.Deadlock: // that no runtime has reported
		kind = ""
	}
	text := kind + strings.SplitN(c.Message, "\n", 2)[0]
	if f, ok := c.Culprit(v.own); ok {
		return text + " in " + f.Function + " (" + place(v, f) + ")"
	}
	return text
}

func place(v *target, f debugger.Frame) string {
	return v.subject.Workspace.Rel(f.File) + ":" + itoa(f.Line)
}
