package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// copiedBuilder: a strings.Builder was copied after it was written to: it was
// passed by value, or is part of a receiver that is a copy.
func (f libraryRules) copiedBuilder(p place, call *ast.CallExpr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	root := ast.Unparen(sel.X)
	for {
		x, isSel := root.(*ast.SelectorExpr)
		if !isSel {
			break
		}
		root = ast.Unparen(x.X)
	}
	id, ok := root.(*ast.Ident)
	if !ok {
		return
	}
	v, ok := p.info().ObjectOf(id).(*types.Var)
	if !ok || isPointer(v.Type()) {
		return
	}
	fn, calls, index := f.paramOf(p, v)
	d, isDecl := fn.(*ast.FuncDecl)
	if !isDecl {
		return
	}
	f.diagnosis.Expr = f.text(sel.X)
	f.diagnosis.Sentence = fmt.Sprintf("%s is a copy of a strings.Builder: %s (%s) gets %s by value", f.text(sel.X), funcName(d), f.where(d.Pos()), v.Name())
	f.diagnosis.Origin = f.relWhere(d.Pos())
	if index < 0 {
		f.pointerMethods(p, d)
		return
	}
	f.pointerParameter(p, d, v, calls, index)
}

// pointerMethods gives all methods of a type pointer receivers.
func (f libraryRules) pointerMethods(p place, d *ast.FuncDecl) {
	t := named(p.info().TypeOf(d.Recv.List[0].Type))
	if t == nil {
		return
	}
	ch := f.change()
	f.each(func(q place) {
		for _, decl := range q.file.Decls {
			m, ok := decl.(*ast.FuncDecl)
			if !ok || m.Recv == nil {
				continue
			}
			if n, isNamed := types.Unalias(q.info().TypeOf(m.Recv.List[0].Type)).(*types.Named); isNamed && n.Origin() == t.Origin() {
				ch.insert(m.Recv.List[0].Type.Pos(), "*")
			}
		}
	})
	f.offer(idea{rule: "library/pointer-methods", title: fmt.Sprintf("give the methods of %s a pointer receiver", t.Obj().Name()), weight: origin, change: ch,
		why: "A method that changes its value needs the value itself, not a copy of it."})
}

// pointerParameter makes a function take a pointer to what it takes by value.
func (f libraryRules) pointerParameter(p place, d *ast.FuncDecl, v *types.Var, calls []place, index int) {
	ch := f.change()
	for _, field := range d.Type.Params.List {
		for _, n := range field.Names {
			if p.info().Defs[n] == types.Object(v) {
				if len(field.Names) > 1 {
					return
				}
				ch.insert(field.Type.Pos(), "*")
			}
		}
	}
	// Where the parameter is passed on as an address, it is one now.
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND && p.object(u.X) == types.Object(v) {
			ch.replace(u.Pos(), u.X.Pos(), "")
		}
		return true
	})
	for _, c := range calls {
		args := c.node().(*ast.CallExpr).Args
		if index >= len(args) || !addressable(args[index]) {
			return
		}
		if c.declaration() == d && c.object(args[index]) == types.Object(v) {
			continue
		}
		ch.insert(args[index].Pos(), "&")
	}
	f.offer(idea{rule: "library/pointer-parameter", title: fmt.Sprintf("pass a pointer to %s", funcName(d)), weight: origin, change: ch,
		why: fmt.Sprintf("%s changes what it is given; that takes the variable itself, not a copy.", funcName(d))})
}
