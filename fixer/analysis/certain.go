package analysis

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/workspace"
)

// certain reports whether a variable has, where it is used, the value that one
// statement gave it: no other statement can have come between the two.
func certain(f *Analysis, d code.Source, v *types.Var, use syntax.Place) bool {
	if d.Stmt == nil || d.File == nil {
		return false
	}
	writes := otherWrites(f, d, v)
	switch {
	case len(writes) == 0 && syntax.Contains(d.Stmt, v.Pos()): // its declaration
		return true
	case syntax.IsGlobal(v) || !dominates(d, use):
		return false
	}
	return !slices.ContainsFunc(writes, func(w ast.Node) bool {
		u, address := w.(*ast.UnaryExpr)
		switch at := w.Pos(); {
		case at < d.Stmt.Pos():
			return false
		case at < use.Node().Pos() && !(address && u.X == use.Node()): // not taken only now
			return true
		default:
			return slices.ContainsFunc(use.Path, func(n ast.Node) bool {
				return repeats(n) && syntax.Contains(n, at) && !syntax.Contains(n, d.Stmt.Pos())
			})
		}
	})
}

// otherWrites lists what else may give a variable a value. What cannot give the
// bad value does not count: it did not run last.
func otherWrites(f *Analysis, d code.Source, v *types.Var) []ast.Node {
	var list []ast.Node
	other := func(n ast.Node) bool { return !syntax.Contains(d.Stmt, n.Pos()) && !syntax.Contains(n, d.Stmt.Pos()) }
	good := func(n ast.Node) bool {
		return f.CannotBe != nil && slices.ContainsFunc(f.Definitions(d.Place, v), func(o code.Source) bool { return o.Stmt == n && f.CannotBe(o) })
	}
	for _, u := range f.Case.Code.Index().Uses(v) {
		if (u.Kind == workspace.Write || u.Kind == workspace.Address) && other(u.Node) && !good(u.Node) {
			list = append(list, u.Node)
		}
	}
	return list
}

// dominates reports whether the statement of a definition has run whenever the
// use is reached: the use is in the block of the statement.
func dominates(d code.Source, use syntax.Place) bool {
	path := d.Of(d.Stmt).Path
	for i, n := range path {
		switch n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause, *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.File:
			if i > 0 || d.Kind == code.FromRange {
				return syntax.Contains(n, use.Node().Pos())
			}
		}
	}
	return false
}

// repeats reports whether a node runs what is in it more than once, or at
// another time.
func repeats(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
		return true
	case *ast.BranchStmt:
		return n.Tok == token.GOTO
	}
	return false
}
