package fixer

import (
	"go/ast"
)

// firstTaken is where a function takes the first of a list's elements for
// granted, by a constant index, when the one at hand is taken after it.
func (f indexRules) firstTaken(x indexing) place {
	base := f.text(x.base)
	if !isPath(x.base) || isOSArgs(x.place, x.base) {
		return x.place
	}
	first := ast.Node(x.expr)
	ast.Inspect(bodyOf(x.function()), func(node ast.Node) bool {
		if _, closure := node.(*ast.FuncLit); closure {
			return false
		}
		ix, ok := node.(*ast.IndexExpr)
		if ok && ix.Pos() < first.Pos() && f.text(ix.X) == base && x.object(ix.X) == x.object(x.base) &&
			isConstant(x.place, ix.Index) && !f.lengthAsked(x.of(ix), base) {
			first = ix
		}
		return true
	})
	anchor := x.of(first).anchor()
	if anchor == nil || !contains(x.of(anchor).path[1], x.expr.Pos()) {
		return x.place
	}
	src := f.trace(x.place, -1, x.base)
	if src.stmt != nil && src.declaration() == x.declaration() && src.stmt.Pos() >= anchor.Pos() {
		return x.place
	}
	return x.of(anchor)
}

// lengthAsked reports whether an if or a case around the node looks at the length.
func (f indexRules) lengthAsked(p place, base string) bool {
	for _, n := range p.path {
		switch n := n.(type) {
		case *ast.IfStmt:
			if mentions(f.text(n.Cond), base) && !contains(n.Cond, p.node().Pos()) {
				return true
			}
		case *ast.CaseClause:
			return true
		case *ast.BinaryExpr:
			if mentions(f.text(n.X), "len") && n.X != p.node() {
				return true
			}
		}
	}
	return false
}
