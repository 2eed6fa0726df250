package blocks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// globals adds how the package-level variables are set that the block reads. What
// the block reaches itself may not set one: its result would be returned without.
func (d *dependencies) globals(lit ast.Node) {
	reached := map[ast.Node]bool{}
	if lit != nil {
		reached[lit] = true
	}
	for obj := range d.seen {
		reached[d.decls[obj].node] = true
	}
	for i := 0; i < len(d.vars); i++ { // more are found on the way
		v := d.vars[i]
		if d.named[v] {
			continue
		}
		f := d.settings(v)
		if f.level == escapes {
			d.refuse("it depends on %s, a package-level variable that is passed on to where its changes cannot be followed", v.Name())
			return
		}
		for _, at := range f.places {
			for _, n := range at.path {
				if at.effect == isSet && reached[n] {
					d.refuse("it sets %s, a package-level variable", v.Name())
					return
				}
			}
			d.statement(at.site, at.path)
		}
	}
}

// statement adds the innermost statement around path[0], without the body of one
// that has others in it, and what decides whether it is run.
func (d *dependencies) statement(at site, path []ast.Node) {
	for i, n := range path {
		switch n.(type) {
		case *ast.BlockStmt, *ast.FuncDecl:
			return
		case *ast.ValueSpec, ast.Stmt:
			if len(header(n)) == 0 {
				d.piece(at, n)
			}
			d.whether(at, path[i:])
			return
		}
	}
}

// piece adds a piece of a function, and how the local variables in it are made.
func (d *dependencies) piece(at site, n ast.Node) {
	if d.pieces[n] {
		return
	}
	d.pieces[n] = true
	d.parts = append(d.parts, part{at.pkg.PkgPath, d.text(n)})
	d.visit(at.pkg.TypesInfo, n)
	d.localsOf(at, n)
}

// whether adds what decides whether path[0] is run: the statements around it, those
// that leave the function before, and the calls of the function.
func (d *dependencies) whether(at site, path []ast.Node) {
	for _, around := range path {
		for _, h := range header(around) {
			d.piece(at, h)
		}
		if fn, ok := around.(*ast.FuncDecl); ok {
			d.exits(at, fn, path[0].Pos())
			d.calls(at.pkg.TypesInfo.Defs[fn.Name])
		}
	}
}

// header is what decides how often the body of a statement is run.
func header(n ast.Node) []ast.Node {
	var parts []ast.Node
	add := func(n ast.Node, there bool) {
		if there {
			parts = append(parts, n)
		}
	}
	switch n := n.(type) {
	case *ast.IfStmt:
		add(n.Init, n.Init != nil)
		add(n.Cond, true)
	case *ast.ForStmt:
		add(n.Init, n.Init != nil)
		add(n.Cond, n.Cond != nil)
		add(n.Post, n.Post != nil)
	case *ast.RangeStmt:
		add(n.X, true)
		add(n.Key, n.Key != nil)
		add(n.Value, n.Value != nil)
	case *ast.SwitchStmt:
		add(n.Init, n.Init != nil)
		add(n.Tag, n.Tag != nil)
		for _, c := range n.Body.List {
			parts = append(parts, header(c)...)
		}
	case *ast.TypeSwitchStmt:
		add(n.Init, n.Init != nil)
		add(n.Assign, true)
	case *ast.CaseClause:
		for _, e := range n.List {
			add(e, true)
		}
	}
	return parts
}

// exits adds the conditions under which a function is left before a place, or a
// loop around it.
func (d *dependencies) exits(at site, fn *ast.FuncDecl, before token.Pos) {
	if fn.Body == nil || fn.Name.Name == "main" && fn.Recv == nil && at.pkg.Name == "main" { // then no block is run
		return
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() > before && !loops(fn, n, before) {
			return false
		}
		if parts := header(n); len(parts) > 0 && leaves(n) {
			for _, h := range parts {
				d.piece(at, h)
			}
		}
		return true
	})
}

// loops reports whether a loop holds both a node and a place.
func loops(fn *ast.FuncDecl, n ast.Node, place token.Pos) bool {
	found := false
	ast.Inspect(fn.Body, func(l ast.Node) bool {
		switch l.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			found = found || within(n.Pos(), l) && within(place, l)
		}
		return !found
	})
	return found
}

// leaves reports whether a statement contains one that goes elsewhere.
func leaves(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ReturnStmt, *ast.BranchStmt:
			found = true
		}
		return !found
	})
	return found
}

// localsOf adds how the local variables are made that a piece of code uses.
func (d *dependencies) localsOf(at site, code ast.Node) {
	info := at.pkg.TypesInfo
	ast.Inspect(code, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := info.Uses[id].(*types.Var)
		if !ok || v.IsField() || isPackageLevel(v) || d.locals[v] || isContext(v.Type()) {
			return true
		}
		d.locals[v] = true
		made := site{at.pkg, at.file, &ast.Ident{NamePos: v.Pos(), Name: v.Name()}}
		path := made.path()
		if _, param := path[min(1, len(path)-1)].(*ast.Field); param {
			path = afterLiteral(path)
		}
		d.statement(made, path)
		for _, place := range d.settings(v).places {
			d.statement(place.site, place.path)
		}
		return true
	})
}

// afterLiteral is the rest of a path that begins in the parameters of a function
// literal, from the literal on.
func afterLiteral(path []ast.Node) []ast.Node {
	for i, n := range path {
		switch n.(type) {
		case *ast.FuncLit:
			return path[i:]
		case *ast.FuncDecl:
			return nil // calls are added with the function
		}
	}
	return nil
}

// calls adds where a function is called, and with what: the function itself is
// there already.
func (d *dependencies) calls(fn types.Object) {
	if fn == nil || d.called[fn] {
		return
	}
	d.called[fn] = true
	sites := d.uses[fn]
	if f, ok := fn.(*types.Func); ok && f.Signature().Recv() != nil {
		sites = slices.Concat(sites, d.dynamic[f.Name()])
	}
	for _, use := range sites {
		path := use.path()
		call := callOf(path)
		if call == nil { // it is handed on
			d.statement(use, path)
			continue
		}
		for _, arg := range call.Args {
			d.piece(use, arg)
		}
		d.whether(use, path)
	}
}

// callOf is the call of the function that path[0] names; nil where it is not called there.
func callOf(path []ast.Node) *ast.CallExpr {
	for i, n := range path[1:] {
		switch n := n.(type) {
		case *ast.CallExpr:
			if n.Fun == path[i] {
				return n
			}
			return nil
		case *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr, *ast.ParenExpr:
		default:
			return nil
		}
	}
	return nil
}
