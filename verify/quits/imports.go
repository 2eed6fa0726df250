package quits

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Reimported says that an edit of a file has the name of an imported package mean another
// one, of the user's own modules, or a variable: unchanged statements mean something else
// by it then. own tells whether an import path is of these modules.
func Reimported(file, before, after string, own func(path string) bool) string {
	was, now := syntax.Parse(before), syntax.Parse(after)
	if was == nil || now == nil {
		return ""
	}
	from, to := was.Imports(), now.Imports()
	for _, name := range slices.Sorted(maps.Keys(from)) {
		if to[name] != from[name] && own(to[name]) && !own(from[name]) {
			return fmt.Sprintf("has %s mean another package: %s (%s)", name, to[name], file)
		}
	}
	left, calls := map[string]int{}, calledOf(was, from)
	for _, id := range shadows(was, calls) {
		left[id.Name]++
	}
	for _, id := range shadows(now, calls) {
		if left[id.Name]--; left[id.Name] < 0 {
			return fmt.Sprintf("declares a %s in the place of the package (%s:%d)", id.Name, file, now.Line(id.Pos()))
		}
	}
	return ""
}

// calledOf are the functions of imported packages that a file calls: "url.Parse".
func calledOf(s *syntax.File, imports map[string]string) map[string]bool {
	calls := map[string]bool{}
	for call := range syntax.All[*ast.CallExpr](s.AST) {
		if from := operand(call.Fun); from != nil && imports[from.Name] != "" {
			calls[from.Name+"."+syntax.Called(call)] = true
		}
	}
	return calls
}

// operand is the name before the dot in the name of a function; nil without one.
func operand(fn ast.Expr) *ast.Ident {
	if sel, ok := fn.(*ast.SelectorExpr); ok {
		name, _ := sel.X.(*ast.Ident)
		return name
	}
	return nil
}

// shadows are the declarations in functions that take the name of an imported package, and
// of which something is called where a function of the package was: url, err :=
// url.Parse(s) is common, and what is called of that has other names.
func shadows(s *syntax.File, calls map[string]bool) (list []*ast.Ident) {
	for _, d := range s.AST.Decls {
		for n := range ast.Preorder(d) {
			for id := range inFunction(n) {
				inPlace := usedAfter(d, id, func(fn ast.Expr) *ast.Ident {
					if from := operand(fn); from != nil && calls[from.Name+"."+fn.(*ast.SelectorExpr).Sel.Name] {
						return from
					}
					return nil
				})
				if inPlace && !slices.Contains(list, id) {
					list = append(list, id)
				}
			}
		}
	}
	return list
}
