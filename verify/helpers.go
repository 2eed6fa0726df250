package verify

import (
	"go/ast"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
)

// helps reports whether a file that is no test decides what tests find: its
// functions are given a test, or the failure that stopped the target was reported
// from its package, which is not that of the test.
func (a *patched) helps(file, text string) bool {
	if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
		return false
	}
	return takesTests(text) || filepath.Dir(a.v.Subject.Workspace.Abs(file)) == a.v.reporter()
}

// beside are the other files of a file's package, as they were.
func (a *patched) beside(file string) []string {
	before, _ := a.packageFiles(filepath.Dir(file))
	delete(before, filepath.ToSlash(filepath.Clean(file)))
	return slices.Collect(maps.Values(before))
}

// reporter is the directory of the function that reported the failure of a test,
// where it is another than the test's own.
func (v *Verifier) reporter() string {
	if _, failing := v.Failing(); !failing {
		return ""
	}
	reported := ""
	for _, f := range v.Subject.Stop.Frames {
		switch {
		case strings.HasSuffix(f.File, "_test.go"):
			if reported == filepath.Dir(f.File) {
				return ""
			}
			return reported
		case reported == "" && v.Subject.Workspace.Owns(f.File):
			reported = filepath.Dir(f.File)
		}
	}
	return ""
}

// takesTests reports whether a Go file names a type of package testing that reports
// failures.
func takesTests(text string) bool {
	f := syntax.Parse(text)
	if f == nil {
		return false
	}
	imports := f.Imports()
	for s := range syntax.All[*ast.SelectorExpr](f.AST) {
		x, named := s.X.(*ast.Ident)
		if named && imports[x.Name] == "testing" && slices.Contains([]string{"T", "B", "F", "TB", "M"}, s.Sel.Name) {
			return true
		}
	}
	return imports[".testing"] != ""
}
