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
func (b *bodyComparison) narrowed(old, now *ast.IfStmt) {
	if now.Else != nil || onlyLeaves(now.Body) {
		return
	}
	was, is := conjuncts(old.Cond), conjuncts(now.Cond)
	var texts []string
	for _, c := range was {
		texts = append(texts, b.before.code(c))
	}
	kept := 0
	for _, c := range is {
		if slices.Contains(texts, b.after.code(c)) {
			kept++
		}
	}
	if kept < len(was) || slices.Contains(texts, b.after.code(is[0])) {
		return
	}
	for _, c := range is {
		if slices.Contains(texts, b.after.code(c)) {
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

// movedInside looks for old statements that have moved into an if that was
// there before: without an else they are left out where it does not hold. It
// returns the others.
func (b *bodyComparison) movedInside(old, now ast.Stmt, left []ast.Stmt, at place) []ast.Stmt {
	o, ok := old.(*ast.IfStmt)
	g, still := now.(*ast.IfStmt)
	if !ok || !still || g.Else != nil {
		return left
	}
	var gone []ast.Stmt
	for _, s := range left {
		text := map[string]bool{b.before.code(s): true}
		if b.holdsAny(g.Body.List, text) && !b.holdsBefore(o.Body.List, text) {
			gone = append(gone, s)
		}
	}
	if len(gone) > 0 {
		inner := place{when: "unless " + b.after.code(g.Cond), last: at.last, loop: at.loop, comm: at.comm}
		b.branch(nil, nil, inner, cut(b.before.code(gone[0])), b.after.offset(g.Body.Rbrace)+1, elseBranch)
	}
	return without(left, gone)
}

// holdsBefore is holdsAny for statements of the old text.
func (b *bodyComparison) holdsBefore(list []ast.Stmt, texts map[string]bool) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool { return texts[b.before.code(s)] })
}
