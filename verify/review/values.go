package review

import (
	"go/ast"
	"go/types"
)

// MoreValues reports whether a package uses more function values than before: in a variable, a
// list, a result. What such a value does, its names do not show. before and after give files as
// for Retyped.
func MoreValues(before, after func(path string) map[string]string, path string) bool {
	count := func(files func(string) map[string]string) int {
		return loader{files, map[string]*types.Package{}}.load(path).values()
	}
	return count(after) > count(before)
}

// values counts the uses of function values but those that a function literal or the name
// of a function is.
func (t typed) values() (n int) {
	for _, f := range t.files {
		members := map[ast.Expr]bool{}
		for node := range ast.Preorder(f) {
			switch node := node.(type) {
			case *ast.SelectorExpr:
				members[node.Sel] = true
			case *ast.CallExpr: // of a type of functions of which only the name is known
				if typ := t.info.TypeOf(node.Fun); typ != nil && isUnknown(typ) && !t.info.Types[node.Fun].IsType() {
					n++
				}
			}
			if e, ok := node.(ast.Expr); ok && !members[e] && t.isValue(e) {
				n++
			}
		}
	}
	return n
}

// isValue reports whether an expression is a function value, and not that of a literal or a
// name of a function.
func (t typed) isValue(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncLit, *ast.ParenExpr:
		return false
	case *ast.Ident, *ast.SelectorExpr:
		if _, variable := t.object(e).(*types.Var); !variable {
			return false
		}
	case *ast.IndexExpr:
		if _, generic := t.object(e.X).(*types.Func); generic {
			return false
		}
	}
	if id, ok := e.(*ast.Ident); ok && t.info.Defs[id] != nil {
		return false
	}
	typ := t.info.TypeOf(e)
	if typ == nil || t.info.Types[e].IsType() {
		return false
	}
	_, function := typ.Underlying().(*types.Signature)
	return function
}
