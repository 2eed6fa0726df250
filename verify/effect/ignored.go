package effect

import (
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Ignored finds a function that calls the one of a point, which returns an error
// there, and leaves the error alone. A call whose receiver has a type of another
// package is not found.
func Ignored(files map[string]string, p Point) (caller, file string, line int) {
	if !p.Exit {
		return "", "", 0
	}
	t := load(files)
	called := t.declared(p.Function)
	if called == nil {
		return "", "", 0
	}
	for i, f := range t.files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if at := t.drops(fn, called); at != nil {
				return syntax.NameOf(fn), t.names[i], t.fset.Position(at.Pos()).Line
			}
		}
	}
	return "", "", 0
}

// declared is the function of a name, such as "(*T).f"; nil without one.
func (t typed) declared(name string) types.Object {
	for _, f := range t.files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && syntax.NameOf(fn) == name {
				return t.info.Defs[fn.Name]
			}
		}
	}
	return nil
}

// drops is the statement in which a function calls another and leaves its last
// result alone; nil without one.
func (t typed) drops(fn *ast.FuncDecl, called types.Object) (found ast.Node) {
	is := func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		return ok && t.callee(call) == called
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			if is(n.X) {
				found = n
			}
		case *ast.AssignStmt:
			if last, ok := n.Lhs[len(n.Lhs)-1].(*ast.Ident); ok && last.Name == "_" && len(n.Rhs) == 1 && is(n.Rhs[0]) {
				found = n
			}
		}
		return found == nil
	})
	return found
}

// callee is the declared function that a call names; nil without one.
func (t typed) callee(call *ast.CallExpr) types.Object {
	of := ast.Unparen(call.Fun)
	switch generic := of.(type) {
	case *ast.IndexExpr:
		of = generic.X
	case *ast.IndexListExpr:
		of = generic.X
	}
	var o types.Object
	switch of := of.(type) {
	case *ast.Ident:
		o = t.info.Uses[of]
	case *ast.SelectorExpr:
		o = t.info.Uses[of.Sel]
	}
	if fn, ok := o.(*types.Func); ok {
		return fn.Origin()
	}
	return nil
}
