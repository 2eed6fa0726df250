package verify

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/review"
	"github.com/pausetui/pausetui/verify/syntax"
)

// withSite has the statement that failed, and the calls that led to it, marked where they
// stand, also in files that the candidate does not change: a program that ends well
// without them may have been kept from it in ways that no edit of the code around shows.
func (a *attempt) withSite(changes []effect.Change) []effect.Change {
	s, ok := a.v.Site()
	_, failing := a.v.Failing()
	if !ok || s.Line == 0 || !s.Class.HasStatement() || a.mayBeOneTooMany() || !a.mustMove() || strings.HasSuffix(s.File, "_test.go") || !a.v.Subject.Workspace.Owns(s.File) {
		return changes
	}
	if failing {
		if operations[s.Class] == review.Indexing { // see retypes
			changes, _ = a.with(changes, s.File)
		}
		return changes
	}
	files := []string{s.File}
	for _, f := range a.v.Subject.Stop.Frames {
		if !slices.Contains(files, f.File) && f.Line > 0 && a.v.Own(f) && filepath.IsAbs(f.File) && strings.HasSuffix(f.File, ".go") && !strings.HasSuffix(f.File, "_test.go") {
			files = append(files, f.File)
		}
	}
	for _, file := range files {
		var i int
		if changes, i = a.with(changes, file); i < 0 {
			continue
		}
		// A panic of the program's own is not work, nor is the call of what panics.
		changes[i].Runs, changes[i].Way = true, !execute.OwnPanic(s.Class)
	}
	return changes
}

// with adds a file that is not among the changes, and returns its place; -1 where it cannot
// be read.
func (a *attempt) with(changes []effect.Change, file string) ([]effect.Change, int) {
	if i := slices.IndexFunc(changes, func(c effect.Change) bool { return a.v.Subject.Workspace.Abs(c.File) == file }); i >= 0 {
		return changes, i
	}
	text, err := a.v.Source(file, nil)
	if err != nil {
		return changes, -1
	}
	return append(changes, placed(a.v.Target, effect.Change{Change: syntax.Change{File: a.v.Subject.Workspace.Rel(file), Before: text, After: text}})), len(changes)
}

// operations are those that fail in the classes of stops in which the type of what they work
// on decides whether they do.
var operations = map[debugger.Class]review.Operation{debugger.NilDereference: review.Dereference, debugger.IndexOutOfRange: review.Indexing,
	debugger.SliceBounds: review.Indexing, debugger.DivideByZero: review.Division, debugger.TypeAssertion: review.Assertion}

// retypes notes how the operation that failed means something else for the types of the
// candidate, and where it may take a slice beyond a length.
func (a *attempt) retypes() {
	s, ok := a.v.Site()
	if !ok || s.Line == 0 || operations[s.Class] == 0 || a.candidate.Source.Provider == patch.BuiltinProvider || !a.v.Subject.Workspace.Owns(s.File) {
		return
	}
	file := a.v.Subject.Workspace.Rel(s.File)
	failed := review.Failed{Package: importPath(a.v.Target, path.Dir(filepath.ToSlash(file))), File: file, Line: s.Line, Operation: operations[s.Class]}
	how, beyond := review.Retyped(filesOf(a.patched, false), filesOf(a.patched, true), failed)
	a.retyped = how
	if s.Class == debugger.SliceBounds {
		a.report.Points = append(a.report.Points, beyond...)
	}
}

// recalls notes how calls that stand as they did call something else with the candidate.
func (a *attempt) recalls() {
	if a.retyped != "" || a.candidate.Source.Provider == patch.BuiltinProvider {
		return
	}
	dirs := a.directories()
	for _, f := range a.v.Subject.Stop.Frames {
		if dir := path.Dir(filepath.ToSlash(a.v.Subject.Workspace.Rel(f.File))); a.v.Own(f) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir) // that calls what is edited
		}
	}
	for _, dir := range dirs {
		how, locks := review.Recalled(filesOf(a.patched, false), filesOf(a.patched, true), importPath(a.v.Target, dir))
		if how != "" {
			a.retyped, a.satisfied = how, locks
			return
		}
	}
}
