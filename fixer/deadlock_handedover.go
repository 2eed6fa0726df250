package fixer

import (
	"go/ast"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// handedOver reports whether a function releases a lock that it has not taken: then one that
// returns holding the lock leaves that to it, as begin does to commit. A function literal
// belongs to the function around it.
func handedOver(uses []syntax.LockUse) bool {
	takes := map[*ast.FuncDecl]bool{}
	for _, u := range uses {
		if decl := u.Declaration(); decl != nil {
			takes[decl] = takes[decl] || u.Takes()
		}
	}
	for _, taken := range takes {
		if !taken {
			return true
		}
	}
	return false
}

// givesUnlock reports whether the function of a lock returns or passes on what releases it:
// return mu.Unlock.
func (d lockWaits) givesUnlock(l syntax.LockUse) (found bool) {
	called := map[ast.Expr]bool{}
	ast.Inspect(syntax.BodyOf(l.Function()), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called[ast.Unparen(n.Fun)] = true
		case *ast.SelectorExpr:
			found = found || !called[n] && (n.Sel.Name == "Unlock" || n.Sel.Name == "RUnlock") && d.Text(n.X) == d.Text(l.Mutex)
		}
		return !found
	})
	return found
}
