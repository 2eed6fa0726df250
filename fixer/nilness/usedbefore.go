package nilness

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// usedBefore reports whether a statement that ran just before the node's has read
// through the same local pointer: then that was not nil. It speaks where no value
// is known, as of a pasted trace.
func usedBefore(p syntax.Place, e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := p.Object(name).(*types.Var)
	if !ok || v.Parent() == nil || v.Parent() == v.Pkg().Scope() || !syntax.IsPointer(v.Type()) {
		return false
	}
	for i := 0; i+1 < len(p.Path); i++ {
		if _, ok := p.Path[i].(*ast.FuncLit); ok {
			return false // it may run much later
		}
		list := syntax.Statements(p.Path[i+1])
		_, at := syntax.Within(list, p.Path[i].Pos())
		for _, s := range slices.Backward(list[:max(at, 0)]) {
			if mayChange(p, s, v) {
				return false
			}
			if readsThrough(p, s, v) {
				return true
			}
		}
	}
	return false
}

// mayChange reports whether a statement may give a variable another value: it sets it, or
// hands its address out.
func mayChange(p syntax.Place, s ast.Stmt, v *types.Var) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				found = found || p.Object(left) == v
			}
		case *ast.RangeStmt:
			found = found || n.Key != nil && p.Object(n.Key) == v || n.Value != nil && p.Object(n.Value) == v
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && p.Object(ast.Unparen(n.X)) == v
		}
		return !found
	})
	return found
}

// readsThrough reports whether a statement, when it has run, has read a field of what a
// variable points at.
func readsThrough(p syntax.Place, s ast.Stmt, v *types.Var) (found bool) {
	var always ast.Node
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.AssignStmt, *ast.IncDecStmt, *ast.DeclStmt:
		always = s
	case *ast.IfStmt: // its init and condition run always
		if s.Init != nil && readsThrough(p, s.Init, v) {
			return true
		}
		always = s.Cond
	case *ast.SwitchStmt:
		if s.Tag != nil {
			always = s.Tag
		}
	}
	return always != nil && reads(p, always, v)
}

// reads reports whether a node, when it has run, has read a field of what a variable
// points at.
func reads(p syntax.Place, n ast.Node, v *types.Var) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR { // what is right of it may not run
				found = found || reads(p, n.X, v)
				return false
			}
		case *ast.StarExpr:
			found = found || p.Object(ast.Unparen(n.X)) == v
		case *ast.SelectorExpr:
			s := p.Info().Selections[n]
			found = found || s != nil && s.Kind() == types.FieldVal && p.Object(ast.Unparen(n.X)) == v
		}
		return !found
	})
	return found
}
