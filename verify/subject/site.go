package subject

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/source/workspace"
)

// Site is where and how the stopped target crashed.
type Site struct {
	Class    debugger.Class
	Function string // as named; empty when no frame is the user's
	File     string // absolute
	Line     int
	recurs   map[string]bool // of a stack overflow: the functions of the recursion, as named
	within   string          // of a map that is shared: the dependency whose code uses it, by its package
}

// Site returns what the stop says; false when the target did not crash.
func (v *Target) Site() (Site, bool) {
	stop := v.Subject.Stop
	if stop.Panic == nil {
		return Site{}, false
	}
	s := Site{Class: stop.Panic.Class}
	for _, f := range stop.Frames {
		if f.Index == stop.Panic.Culprit && stop.Panic.Culprit >= 0 {
			s.Function, s.File, s.Line = Named(f.Function), f.File, f.Line
		}
	}
	if s.Class == debugger.StackOverflow {
		s.recurs = debugger.Recurring(stop.Frames, v.Own)
	}
	if s.Class == debugger.ConcurrentMap {
		s.within = dependency(stop.Frames, v.Own)
	}
	return s, true
}

// wrapper ends the names of the functions that the compiler makes for deferred
// calls; the runtime's traces leave them out.
var wrapper = lazyregexp.New(`\.deferwrap\d+$`)

// Named makes function names comparable: debuggers and the runtime write type
// arguments differently.
func Named(function string) string {
	return debugger.WithoutTypeArguments(wrapper.ReplaceAllString(function, ""))
}

// Own reports whether a frame is the user's. A build with -trimpath names files
// by module path.
func (v *Target) Own(f debugger.Frame) bool {
	if filepath.IsAbs(f.File) {
		return v.Subject.Workspace.Owns(f.File)
	}
	for _, m := range v.Subject.Workspace.Modules {
		if strings.HasPrefix(f.File, m.Path+"/") {
			return true
		}
	}
	// A file that a //line directive names.
	pkg, _ := debugger.CutFunction(f.Function)
	return debugger.WrittenFile(f.File) && filepath.Dir(f.File) == "." && (pkg == "main" || v.Subject.Workspace.PackageDir(pkg) != "")
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

// At reports whether the crash is the one of the site: the same class in the same
// function. Where several goroutines are to blame, each of their user's frames
// may be the one the stop showed.
func (v *Target) At(s Site, c crash.Crash) bool {
	if !debugger.SameClass(s.Class, c.Class) {
		return false
	}
	if s.Function == "" {
		return true
	}
	if culprit, ok := c.Culprit(v.Own); ok && Named(culprit.Function) == s.Function { // but a map may be a dependency's
		return s.Class != debugger.ConcurrentMap || (s.within == "") == (dependency(c.Frames(), v.Own) == "")
	}
	if s.Class == debugger.StackOverflow && debugger.SameRecursion(s.recurs, debugger.Recurring(c.Frames(), v.Own)) {
		return true
	}
	switch s.Class {
	case debugger.Deadlock, debugger.ConcurrentMap, debugger.StackOverflow:
	default:
		return false
	}
	for _, g := range c.Goroutines {
		for _, f := range g.Frames {
			if v.Own(f) && Named(f.Function) == s.Function {
				return true
			}
		}
	}
	return false
}

// SameStatement reports whether the crash is on the statement that the stop
// showed, by the text of the line: the fingerprint's third part.
func (v *Target) SameStatement(s Site, c crash.Crash) bool {
	culprit, ok := c.Culprit(v.Own)
	if !ok || s.Line == 0 || Named(culprit.Function) != s.Function || s.Class == debugger.ConcurrentMap || s.Class == debugger.StackOverflow {
		return true // either of two that race may be caught, and a stack is full anywhere
	}
	return SameLine(s, culprit.Line)
}

// SameLine reports whether the site's statement is that of a line of its file.
func SameLine(s Site, line int) bool {
	if line == s.Line {
		return true
	}
	a, b := workspace.Line(s.File, s.Line), workspace.Line(s.File, line)
	// Of a deferred call the debugger names the defer statement, and a trace the
	// place where the function returned.
	return a == b && a != "" || strings.HasPrefix(a, "defer ")
}

// Describe quotes a crash in one line: message and place.
func (v *Target) Describe(c crash.Crash) string {
	kind := "panic: "
	switch {
	case c.Fatal:
		kind = "fatal error: "
	case c.Class == debugger.Deadlock: // that no runtime has reported
		kind = ""
	}
	text := kind + strings.SplitN(c.Message, "\n", 2)[0]
	if f, ok := c.Culprit(v.Own); ok {
		return text + " in " + f.Function + " (" + v.Place(f) + ")"
	}
	return text
}

// Place is a frame's file, as seen from the root, and line.
func (v *Target) Place(f debugger.Frame) string {
	return v.Subject.Workspace.Rel(f.File) + ":" + strconv.Itoa(f.Line)
}

// PlaceOf says in which function a crash is, if that is one of the few on the stack of the stop.
// A line, or any other function, could stand for what the candidate has read, one for each
// character. Traces are text, and a program can print its own.
func (v *Target) PlaceOf(f debugger.Frame) string {
	for _, at := range v.Subject.Stop.Frames {
		if v.Own(at) && Named(at.Function) == Named(f.Function) {
			return " in " + Named(at.Function)
		}
	}
	return ", not in a function that led to the stop"
}

// SameFault reports whether a crash is another stop of the fault that the target
// stopped at: of goroutines that misuse one WaitGroup, channel or lock, either
// may be the one that panics, in a function of its own.
func (v *Target) SameFault(s Site, c crash.Crash) bool {
	if v.At(s, c) {
		return v.SameStatement(s, c)
	}
	if !v.Subject.Stop.MayRace() || s.Class == debugger.Deadlock || !debugger.SameClass(s.Class, c.Class) {
		return false
	}
	culprit, ok := c.Culprit(v.Own)
	return ok && packageOf(culprit.Function) == packageOf(s.Function)
}

// packageOf is the import path in a function's name.
func packageOf(function string) string {
	function = Named(function)
	dir, base := path.Split(function)
	name, _, _ := strings.Cut(base, ".")
	return dir + name
}
