package effect

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/verdict"
)

// grown looks at an added loop or branch that makes a list longer with empty
// elements: where the others are made with values, an empty one is only a stand-in
// for the one that is missing.
func (b *function) grown(s *ast.AssignStmt, at place) {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return
	}
	list, element := b.after.appended(s)
	if !mentionsCode(at.until+" "+at.when, "len("+list+")") {
		return
	}
	if c, ok := element.(*ast.CompositeLit); !ok || len(c.Elts) > 0 || !b.filledElsewhere(list) {
		return
	}
	b.pointAt(b.after.offset(s.Pos()), b.after.line(s), verdict.Skips, "adds "+cut(b.after.code(element))+" to "+cut(list)+", whose other elements have values")
}

// appended returns the list that "x = append(x, e)" makes longer, and e.
func (s source) appended(a *ast.AssignStmt) (list string, element ast.Expr) {
	call, ok := a.Rhs[0].(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || call.Ellipsis.IsValid() {
		return "", nil
	}
	if id, ok := call.Fun.(*ast.Ident); !ok || id.Name != "append" || s.code(call.Args[0]) != s.code(a.Lhs[0]) {
		return "", nil
	}
	return s.code(a.Lhs[0]), call.Args[1]
}

// filledElsewhere reports whether the old program appends elements with fields to
// a list of that name.
func (b *function) filledElsewhere(list string) bool {
	found := false
	ast.Inspect(b.before.ast, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Rhs) != 1 || len(a.Lhs) != 1 || lastName(a.Lhs[0]) != list[strings.LastIndexByte(list, '.')+1:] {
			return !found
		}
		_, element := b.before.appended(a)
		found = found || withFields(element)
		if lit, ok := a.Rhs[0].(*ast.CompositeLit); ok {
			found = found || slices.ContainsFunc(lit.Elts, withFields)
		}
		return !found
	})
	return found
}

// withFields reports whether an expression is a composite literal with values.
func withFields(e ast.Expr) bool {
	c, ok := e.(*ast.CompositeLit)
	return ok && len(c.Elts) > 0
}
