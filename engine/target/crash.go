package target

import (
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/source/workspace"
)

// sameTest reports whether two crashes are of one test, or of none.
func sameTest(a, b debugger.Stop) bool {
	if a.Test == nil || b.Test == nil {
		return a.Test == b.Test
	}
	return a.Test.Name == b.Test.Name
}

// SameCrash: the same class in the same function, the same fingerprint, or the
// same recursion.
func SameCrash(a, b debugger.Stop) bool {
	if !sameTest(a, b) {
		return false
	}
	if a.Panic.Fingerprint == b.Panic.Fingerprint {
		return true
	}
	if a.Panic.Class == debugger.StackOverflow && b.Panic.Class == a.Panic.Class {
		own := func(f debugger.Frame) bool { return f.User }
		if debugger.SameRecursion(debugger.Recurring(a.Frames, own), debugger.Recurring(b.Frames, own)) {
			return true
		}
	}
	fa, okA := a.SelectedFrame()
	fb, okB := b.SelectedFrame()
	return a.Panic.Class == b.Panic.Class && okA && okB && debugger.WrittenFunction(fa.Function) == debugger.WrittenFunction(fb.Function)
}

// Identify completes a crash with its fingerprint, which needs the source.
func Identify(stop *debugger.Stop) {
	p := stop.Panic
	if p.Culprit < 0 || p.Culprit >= len(stop.Frames) {
		p.Fingerprint = debugger.Fingerprint(p.Class, "", p.Message)
		return
	}
	f := stop.Frames[p.Culprit]
	source, err := regular.Read(f.File)
	statement := p.Message
	if err == nil {
		statement = workspace.StatementText(source, f.Line)
	}
	if stop.Test != nil { // the cases of a table fail at the same statement
		statement = stop.Test.Name + ": " + statement
	}
	p.Fingerprint = debugger.Fingerprint(p.Class, f.Function, statement)
}
