// Package weaken finds how an edit makes tests check less. It works on source text alone,
// and must not know what that means for a verdict.
package weaken

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Tests says, in words that follow "it", how an edit makes a test file ask less: a
// test is gone or skipped, looks at less, or expects something else. Empty when it
// only adds. after is empty for a file that is removed.
func Tests(before, after string) string {
	was, now := syntax.Parse(before), syntax.Parse(after)
	if was == nil {
		return ""
	}
	if now == nil {
		return "deletes a test file"
	}
	if constraint(before) != constraint(after) {
		return "changes when a test file is built"
	}
	there := now.Functions()
	for _, fn := range was.Declared() {
		if why := weakened(was, fn, now, there[was.NameOf(fn)]); why != "" {
			return why
		}
	}
	return ""
}

func weakened(was *syntax.File, fn *ast.FuncDecl, now *syntax.File, then *ast.FuncDecl) string {
	isTest := strings.HasPrefix(fn.Name.Name, "Test") || strings.HasPrefix(fn.Name.Name, "Fuzz") || strings.HasPrefix(fn.Name.Name, "Example")
	switch {
	case then == nil && isTest:
		return "removes the test " + fn.Name.Name
	case then == nil || was.Code(fn) == now.Code(then):
		return ""
	case skips(then) > skips(fn):
		return "skips the test " + fn.Name.Name
	case asserts(then) < asserts(fn):
		return "checks less in " + fn.Name.Name + " than before"
	case isTest:
		return "changes what " + fn.Name.Name + " expects, not what is tested"
	}
	return ""
}

// Skips counts the calls of a file that skip a test.
func Skips(text string) (n int) {
	s := syntax.Parse(text)
	if s == nil {
		return 0
	}
	for _, fn := range s.Functions() {
		n += skips(fn)
	}
	return n
}

func skips(fn *ast.FuncDecl) int { return calls(fn, "Skip", "SkipNow", "Skipf") }

func asserts(fn *ast.FuncDecl) int {
	n := calls(fn, "Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow")
	for s := range syntax.All[*ast.SelectorExpr](fn) {
		if id, ok := s.X.(*ast.Ident); ok && (id.Name == "assert" || id.Name == "require") {
			n++
		}
	}
	return n
}

// calls counts calls of methods of these names.
func calls(fn *ast.FuncDecl, names ...string) (n int) {
	for call := range syntax.All[*ast.CallExpr](fn) {
		if s, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains(names, s.Sel.Name) {
			n++
		}
	}
	return n
}

// constraint is the line that says when a file is built.
func constraint(text string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "//go:build ") {
			return strings.TrimSpace(line)
		}
		if strings.HasPrefix(line, "package ") {
			break
		}
	}
	return ""
}
