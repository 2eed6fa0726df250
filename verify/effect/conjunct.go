package effect

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/pausetui/pausetui/verify/verdict"
)

// narrowed looks at an if whose old condition is only asked where a new one
// holds: where the new one does not, the old condition, which failed, is taken
// for false, and its work is left out. A condition that leads to nothing but a
// way out leaves out no work, and one with an else has another answer.
func (b walk) narrowed(old, now *ast.IfStmt) {
	if now.Else != nil || onlyLeaves(now.Body) {
		return
	}
	was, is := conjuncts(old.Cond), conjuncts(now.Cond)
	var asked []form
	for _, c := range was {
		asked = append(asked, formOf(c))
	}
	kept := 0
	for _, c := range is {
		if slices.Contains(asked, formOf(c)) {
			kept++
		}
	}
	if kept < len(was) || slices.Contains(asked, formOf(is[0])) {
		return
	}
	for _, c := range is {
		if slices.Contains(asked, formOf(c)) {
			return // what comes after the old condition is asked of values that did not fail
		}
		b.pointAt(b.after.offset(c.Pos()), b.after.line(c), verdict.Skips, "takes "+cut(b.before.code(old.Cond))+" for false unless "+cut(b.after.code(c)))
		b.report.Points[len(b.report.Points)-1].testEnd = b.after.offset(c.End())
	}
}

// conjuncts are the parts of a condition that all have to hold, in order.
func conjuncts(e ast.Expr) []ast.Expr {
	if p, ok := e.(*ast.ParenExpr); ok {
		e = p.X
	}
	if and, ok := e.(*ast.BinaryExpr); ok && and.Op == token.LAND {
		return append(conjuncts(and.X), conjuncts(and.Y)...)
	}
	return []ast.Expr{e}
}

// onlyLeaves reports whether a block does nothing but leave.
func onlyLeaves(block *ast.BlockStmt) bool {
	return len(block.List) == 1 && isLeave(block.List[0])
}
