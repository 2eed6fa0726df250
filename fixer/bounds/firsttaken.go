package bounds

import (
	"go/ast"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// firstTaken is where a function takes the first of a list's elements for
// granted, by a constant index, when the one at hand is taken after it.
func (f indexRules) firstTaken(x indexing) syntax.Place {
	base := f.Text(x.base)
	if !syntax.IsPath(x.base) || isOSArgs(x.Place, x.base) {
		return x.Place
	}
	first := ast.Node(x.Expr)
	ast.Inspect(syntax.BodyOf(x.Function()), func(node ast.Node) bool {
		if _, closure := node.(*ast.FuncLit); closure {
			return false
		}
		ix, ok := node.(*ast.IndexExpr)
		if ok && ix.Pos() < first.Pos() && f.Text(ix.X) == base && x.Object(ix.X) == x.Object(x.base) &&
			isConstant(x.Place, ix.Index) && !f.lengthAsked(x.Of(ix), base) {
			first = ix
		}
		return true
	})
	anchor := x.Of(first).Anchor()
	if anchor == nil || !syntax.Contains(x.Of(anchor).Path[1], x.Expr.Pos()) {
		return x.Place
	}
	src := f.Trace(x.Place, -1, x.base)
	if src.Stmt != nil && src.Declaration() == x.Declaration() && src.Stmt.Pos() >= anchor.Pos() {
		return x.Place
	}
	return x.Of(anchor)
}

// lengthAsked reports whether an if or a case around the node looks at the length.
func (f indexRules) lengthAsked(p syntax.Place, base string) bool {
	for _, n := range p.Path {
		switch n := n.(type) {
		case *ast.IfStmt:
			if syntax.Mentions(f.Text(n.Cond), base) && !syntax.Contains(n.Cond, p.Node().Pos()) {
				return true
			}
		case *ast.CaseClause:
			return true
		case *ast.BinaryExpr:
			if syntax.Mentions(f.Text(n.X), "len") && n.X != p.Node() {
				return true
			}
		}
	}
	return false
}
