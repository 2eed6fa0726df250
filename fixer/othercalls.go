package fixer

import (
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// What other calls of a function are followed by, this one may lack: this file
// finds the check after another call of the same function, or another lookup in
// the same map, and does the same.

// argumentsFor maps the text of what one call or lookup is given to the text of
// what another of the same is given.
func (f *exitFinder) argumentsFor(theirs, ours ast.Expr) (map[string]string, bool) {
	theirFun, theirArgs := callParts(theirs)
	fun, args := callParts(ours)
	if fun == nil || theirFun == nil || len(theirArgs) != len(args) {
		return nil, false
	}
	swaps := map[string]string{}
	for i, a := range theirArgs {
		swaps[f.Text(a)] = f.Text(args[i])
	}
	if a, isSel := theirFun.(*ast.SelectorExpr); isSel {
		if b, isSel := fun.(*ast.SelectorExpr); isSel {
			swaps[f.Text(a.X)] = f.Text(b.X)
		}
	}
	return swaps, true
}

// callParts splits a call or a lookup into what is called and what it is given.
func callParts(e ast.Expr) (fun ast.Expr, args []ast.Expr) {
	switch e := e.(type) {
	case *ast.CallExpr:
		return ast.Unparen(e.Fun), e.Args
	case *ast.IndexExpr:
		return ast.Unparen(e.X), []ast.Expr{e.Index}
	}
	return nil, nil
}

func namesObject(p syntax.Place, e ast.Node, obj types.Object) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && obj != nil && p.Info().ObjectOf(id) == obj {
			found = true
		}
		return !found
	})
	return found
}
