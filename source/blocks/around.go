package blocks

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// around adds how the variables are made that code takes from the functions
// around it. outer is the declaration that holds the block lit.
func (d *dependencies) around(info *types.Info, outer ast.Node, lit *ast.FuncLit, code ast.Node) {
	ast.Inspect(code, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := info.Uses[id].(*types.Var)
		if !ok || v.IsField() || d.locals[v] || !within(v.Pos(), outer) || within(v.Pos(), lit) || isPackageLevel(v) || isContext(v.Type()) {
			return true
		}
		d.locals[v] = true
		d.variable(info, outer, lit, v)
		return true
	})
}

func isPackageLevel(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

func within(pos token.Pos, n ast.Node) bool { return n.Pos() <= pos && pos < n.End() }

func isContext(t types.Type) bool { return types.TypeString(t, nil) == "context.Context" }

// variable adds the statements that make a variable of the function around a
// block. A block that sets it, or whose variable differs from call to call, is
// not stored.
func (d *dependencies) variable(info *types.Info, outer ast.Node, lit *ast.FuncLit, v *types.Var) {
	var making []ast.Node
	param, loop := false, false
	ast.Inspect(outer, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			param = param || within(v.Pos(), n)
		case *ast.FuncDecl:
			param = param || n.Recv != nil && within(v.Pos(), n.Recv)
		case *ast.RangeStmt:
			loop = loop || n.Key != nil && within(v.Pos(), n.Key) || n.Value != nil && within(v.Pos(), n.Value)
		case *ast.ForStmt:
			loop = loop || n.Init != nil && within(v.Pos(), n.Init)
		}
		if made := sets(info, n, v); made != nil {
			making = append(making, made)
		}
		return true
	})
	switch {
	case d.named[v]: // its value is compared
	case loop:
		d.refuse("it depends on %s, a loop variable that pause.Inputs does not name", v.Name())
	case param && isValue(v.Type()):
		d.refuse("it depends on %s, a parameter that pause.Inputs does not name", v.Name())
	}
	if d.changes(info, lit, v) {
		d.refuse("it changes %s, which the function around it has made", v.Name())
	}
	for _, n := range making {
		if within(n.Pos(), lit) {
			d.refuse("it sets %s, a variable of the function around it", v.Name())
			return
		}
	}
	if d.named[v] {
		return
	}
	for _, n := range append(making, d.filling(outer, lit, v)...) {
		for _, n := range append(conditions(outer, lit, n), n) {
			d.parts = append(d.parts, part{v.Name(), d.text(n)})
			d.visit(info, n)
			d.around(info, outer, lit, n)
		}
	}
}

// filling returns the statements before a block whose calls set what a variable
// refers to: the entries of a map, the fields behind a pointer.
func (d *dependencies) filling(outer ast.Node, lit *ast.FuncLit, v *types.Var) []ast.Node {
	var list []ast.Node
	for _, place := range d.settings(v).places {
		i := slices.IndexFunc(place.path, func(n ast.Node) bool { _, ok := n.(ast.Stmt); return ok })
		if i < 0 || place.effect != isSet {
			continue
		}
		if n := place.path[i]; within(n.Pos(), outer) && n.End() <= lit.Pos() {
			list = append(list, n)
		}
	}
	return list
}

// conditions returns what decides whether a node is run, of the statements around it
// that do not hold the block.
func conditions(outer ast.Node, lit *ast.FuncLit, node ast.Node) []ast.Node {
	var list []ast.Node
	ast.Inspect(outer, func(n ast.Node) bool {
		if n == nil || !within(node.Pos(), n) {
			return false
		}
		if !within(lit.Pos(), n) {
			list = append(list, header(n)...)
		}
		return true
	})
	return list
}

func (d *dependencies) refuse(format string, args ...any) {
	if d.why == "" {
		d.why = fmt.Sprintf(format, args...)
	}
}

// isValue reports whether a variable of the type is what it holds, and not a
// handle to something.
func isValue(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Basic, *types.Slice, *types.Array, *types.Map, *types.Struct:
		return true
	}
	return false
}

// sets returns the part of a node that sets v, or may set it through its address; nil if
// it does not.
func sets(info *types.Info, n ast.Node, v *types.Var) ast.Node {
	is := func(e ast.Expr) bool {
		id := root(e)
		return id != nil && (info.Uses[id] == v || info.Defs[id] == v)
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, left := range n.Lhs {
			if is(left) {
				return n
			}
		}
	case *ast.ValueSpec:
		for _, name := range n.Names {
			if is(name) {
				return n
			}
		}
	case *ast.IncDecStmt:
		if is(n.X) {
			return n
		}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN && (n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)) {
			return n
		}
	case *ast.CallExpr: // append and the like have an assignment
		for _, arg := range n.Args {
			if u, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && u.Op == token.AND && is(u.X) {
				return n
			}
		}
	case *ast.SendStmt:
		if is(n.Chan) {
			return n
		}
	}
	return nil
}

// root is the variable in v, v.f, v[i], *v.
func root(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// changes reports whether code calls a method of the user's modules on v that
// sets something of its receiver.
func (d *dependencies) changes(info *types.Info, code ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(code, func(n ast.Node) bool {
		call, ok := n.(*ast.SelectorExpr)
		if !ok || found {
			return !found
		}
		id, method := root(call.X), info.Uses[call.Sel]
		if id == nil || info.Uses[id] != v || method == nil {
			return true
		}
		if fn, ok := method.(*types.Func); ok {
			method = fn.Origin()
		}
		decl, ok := d.decls[method].node.(*ast.FuncDecl)
		if !ok || decl.Recv == nil || len(decl.Recv.List[0].Names) == 0 || decl.Body == nil {
			return true
		}
		receiver, ok := d.decls[method].info.Defs[decl.Recv.List[0].Names[0]].(*types.Var)
		if !ok || isStruct(receiver.Type()) {
			return true // a copy
		}
		ast.Inspect(decl.Body, func(n ast.Node) bool {
			found = found || sets(d.decls[method].info, n, receiver) != nil
			return !found
		})
		return !found
	})
	return found
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}
