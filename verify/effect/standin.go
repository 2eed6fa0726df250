package effect

import "go/ast"

// standsIn notes an empty value in the place of nil, in a statement that is
// otherwise as it was, where the program makes all other values of that type
// with fields: the empty one is made up.
func (b *function) standsIn(old, now ast.Stmt) {
	if b.report.Skips != "" {
		return
	}
	had := map[string]bool{}
	ast.Inspect(old, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			had[b.before.code(e)] = true
		}
		return true
	})
	was := b.before.code(old)
	ast.Inspect(now, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok || had[b.after.code(e)] || !b.emptyOfFilled(e) {
			return true
		}
		from, to := b.after.offset(e.Pos())-b.after.offset(now.Pos()), b.after.offset(e.End())-b.after.offset(now.Pos())
		text := b.after.text[b.after.offset(now.Pos()):b.after.offset(now.End())]
		if folded(text[:from]+"nil"+text[to:]) == was {
			b.report.Skips = "uses " + cut(b.after.code(e)) + " in the place of nil"
		}
		return true
	})
}

// emptyOfFilled recognizes &T{} where the old program has values of T with
// fields, and none without.
func (b *function) emptyOfFilled(e ast.Expr) bool {
	u, ok := e.(*ast.UnaryExpr)
	if !ok {
		return false
	}
	c, ok := u.X.(*ast.CompositeLit)
	if !ok || len(c.Elts) > 0 || c.Type == nil {
		return false
	}
	filled, empty := false, false
	ast.Inspect(b.before.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if n.Type != nil && b.before.code(n.Type) == b.after.code(c.Type) {
				filled, empty = filled || len(n.Elts) > 0, empty || len(n.Elts) == 0
			}
		case *ast.CallExpr:
			empty = empty || calledName(n) == "new" && len(n.Args) == 1 && b.before.code(n.Args[0]) == b.after.code(c.Type)
		}
		return true
	})
	return filled && !empty
}
