package fixer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/source/workspace"
)

// certain reports whether a variable has, where it is used, the value that one
// statement gave it: no other statement can have come between the two.
func certain(f *analysis, d source, v *types.Var, use place) bool {
	if d.stmt == nil || d.file == nil {
		return false
	}
	writes := otherWrites(f, d, v)
	switch {
	case len(writes) == 0 && contains(d.stmt, v.Pos()): // its declaration
		return true
	case isGlobal(v) || !dominates(d, use):
		return false
	}
	return !slices.ContainsFunc(writes, func(w ast.Node) bool {
		u, address := w.(*ast.UnaryExpr)
		switch at := w.Pos(); {
		case at < d.stmt.Pos():
			return false
		case at < use.node().Pos() && !(address && u.X == use.node()): // not taken only now
			return true
		default:
			return slices.ContainsFunc(use.path, func(n ast.Node) bool { return repeats(n) && contains(n, at) && !contains(n, d.stmt.Pos()) })
		}
	})
}

// otherWrites lists what else may give a variable a value. What cannot give the
// bad value does not count: it did not run last.
func otherWrites(f *analysis, d source, v *types.Var) []ast.Node {
	var list []ast.Node
	other := func(n ast.Node) bool { return !contains(d.stmt, n.Pos()) && !contains(n, d.stmt.Pos()) }
	good := func(n ast.Node) bool {
		return f.cannotBe != nil && slices.ContainsFunc(f.definitions(d.place, v), func(o source) bool { return o.stmt == n && f.cannotBe(o) })
	}
	for _, u := range f.c.Code.Index().Uses(v) {
		if (u.Kind == workspace.Write || u.Kind == workspace.Address) && other(u.Node) && !good(u.Node) {
			list = append(list, u.Node)
		}
	}
	return list
}

// dominates reports whether the statement of a definition has run whenever the
// use is reached: the use is in the block of the statement.
func dominates(d source, use place) bool {
	path := d.of2(d.stmt).path
	for i, n := range path {
		switch n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause, *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.File:
			if i > 0 || d.of == fromRange {
				return contains(n, use.node().Pos())
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
