package effect

import (
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Ignored finds a function that calls the one of a point, which returns an error
// there, and does not look at it. It returns the caller's name and the line.
func Ignored(files map[string]string, p Point) (caller, file string, line int) {
	if !p.Exit {
		return "", "", 0
	}
	name := p.Function[strings.LastIndexByte(p.Function, '.')+1:]
	for _, file := range slices.Sorted(maps.Keys(files)) {
		s := parse(files[file])
		if s.ast == nil {
			continue
		}
		functions := s.functions()
		for _, in := range slices.Sorted(maps.Keys(functions)) {
			if at := s.drops(functions[in], name, strings.HasPrefix(p.Function, "(")); at > 0 {
				return in, file, at
			}
		}
	}
	return "", "", 0
}

// drops returns the line where a function calls another and leaves its last
// result alone; 0 if it does not.
func (s source) drops(fn *ast.FuncDecl, name string, method bool) int {
	line := 0
	is := func(e ast.Expr) bool {
		call, ok := e.(*ast.CallExpr)
		if !ok || syntax.Called(call) != name {
			return false
		}
		_, selected := call.Fun.(*ast.SelectorExpr)
		return selected == method
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			if is(n.X) {
				line = s.line(n)
			}
		case *ast.AssignStmt:
			if last, ok := n.Lhs[len(n.Lhs)-1].(*ast.Ident); ok && last.Name == "_" && len(n.Rhs) == 1 && is(n.Rhs[0]) {
				line = s.line(n)
			}
		}
		return line == 0
	})
	return line
}
