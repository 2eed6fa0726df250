package fixer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// dies reports whether what is assigned to path, a variable of the function or a field
// of one, at that position is certainly lost when the function ends: nothing that comes
// after it uses the value but to read or write its entries and its other fields. Who is
// given the whole may keep it.
func (f *code) dies(p place, v *types.Var, path ast.Expr, at token.Pos) bool {
	root := bodyOf(p.function())
	if root == nil {
		return false
	}
	again := f.repeats(p, root, v, at)
	certain := true
	var around []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		around = append(around, n)
		id, ok := n.(*ast.Ident)
		if ok && p.info().Uses[id] == v && f.mayKeep(p, around, path, id.Pos() > at || again) {
			certain = false
		}
		return true
	})
	return certain
}

// repeats reports whether the position is in a loop in which the variable lives on.
func (f *code) repeats(p place, root ast.Node, v *types.Var, at token.Pos) bool {
	found := false
	ast.Inspect(root, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			found = found || contains(n, at) && !contains(n, v.Pos())
		}
		return true
	})
	return found
}

// mayKeep reports whether a use of a variable, the last node of around, may hand on the
// value at path, which is the variable or a field of it. Before that is set, only its
// address leads there.
func (f *code) mayKeep(p place, around []ast.Node, path ast.Expr, later bool) bool {
	use, i := chainOf(p, around)
	if !f.leadsTo(use, path) {
		return false // another field
	}
	for _, n := range around {
		if _, ok := n.(*ast.FuncLit); ok {
			return true // which may run at any time
		}
	}
	if i == 0 {
		return later
	}
	switch n := around[i-1].(type) {
	case *ast.UnaryExpr:
		return n.Op == token.AND
	case *ast.SliceExpr:
		return true
	case *ast.SelectorExpr: // a method
		s := p.info().Selections[n]
		return later || s == nil || isPointerReceiver(s)
	}
	return later && !f.onlyLooks(p, around[i-1], use, path)
}

// chainOf is the longest chain of fields that begins with the last node of around, and
// where that is.
func chainOf(p place, around []ast.Node) (use ast.Expr, i int) {
	i = len(around) - 1
	use = around[i].(ast.Expr)
	for ; i > 0; i-- {
		if _, ok := around[i-1].(*ast.ParenExpr); ok {
			continue
		}
		sel, ok := around[i-1].(*ast.SelectorExpr)
		if !ok || p.info().Selections[sel] == nil || p.info().Selections[sel].Kind() != types.FieldVal {
			break
		}
		use = sel
	}
	return use, i
}

// onlyLooks reports whether the node around a use takes no more than entries of it, or
// sets it.
func (f *code) onlyLooks(p place, n ast.Node, use, path ast.Expr) bool {
	switch n := n.(type) {
	case *ast.IndexExpr:
		return contains(n.X, use.Pos()) && f.sameText(use, path)
	case *ast.AssignStmt:
		return slices.ContainsFunc(n.Lhs, func(l ast.Expr) bool { return contains(l, use.Pos()) })
	case *ast.RangeStmt:
		return f.sameText(use, path)
	case *ast.BinaryExpr:
		return true
	case *ast.CallExpr:
		id, ok := ast.Unparen(n.Fun).(*ast.Ident)
		if !ok {
			return false
		}
		b, ok := p.info().Uses[id].(*types.Builtin)
		return ok && slices.Contains([]string{"len", "delete", "clear"}, b.Name())
	}
	return false
}

// leadsTo reports whether a chain of fields is path or a part of it, or it a part of
// the chain.
func (f *code) leadsTo(use, path ast.Expr) bool {
	for _, pair := range [][2]ast.Expr{{use, path}, {path, use}} {
		for e := ast.Unparen(pair[0]); ; {
			if f.sameText(e, pair[1]) {
				return true
			}
			sel, ok := e.(*ast.SelectorExpr)
			if !ok {
				break
			}
			e = ast.Unparen(sel.X)
		}
	}
	return false
}

func (f *code) sameText(a, b ast.Expr) bool { return f.text(ast.Unparen(a)) == f.text(ast.Unparen(b)) }

// isPointerReceiver reports whether a method takes the address of its operand.
func isPointerReceiver(s *types.Selection) bool {
	sig, ok := s.Obj().Type().(*types.Signature)
	return ok && sig.Recv() != nil && isPointer(sig.Recv().Type())
}
