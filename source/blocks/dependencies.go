package blocks

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// dependencies are what one block depends on.
type dependencies struct {
	*index
	seen   map[types.Object]bool // declarations that were visited
	locals map[types.Object]bool // variables around the block that were visited
	named  map[types.Object]bool // by pause.Inputs
	vars   []*types.Var          // at package level, that it reads
	pieces map[ast.Node]bool     // of functions, that were visited
	called map[types.Object]bool // functions whose calls were visited
	parts  []part
	why    string
}

type part struct{ name, text string }

// block visits the function of a call of pause.Run, and returns its place; none
// where it cannot be said which function it is.
func (d *dependencies) block(pkg *packages.Package, decl ast.Decl, call *ast.CallExpr) token.Pos {
	info := pkg.TypesInfo
	d.named = map[types.Object]bool{}
	for _, option := range call.Args[4:] {
		d.name(info, option)
	}
	switch f := ast.Unparen(call.Args[3]).(type) {
	case *ast.FuncLit:
		d.parts = append(d.parts, part{"", d.text(f)})
		d.visit(info, f)
		d.around(info, decl, f, f)
		return f.Pos()
	case *ast.Ident:
		return d.function(info.Uses[f])
	case *ast.SelectorExpr:
		return d.function(info.Uses[f.Sel])
	}
	return token.NoPos
}

// function visits a declared function that is a block's.
func (d *dependencies) function(obj types.Object) token.Pos {
	fn, ok := obj.(*types.Func)
	if !ok || fn.Signature().Recv() != nil { // the runtime knows no place of a method value
		return token.NoPos
	}
	decl, ok := d.decls[fn.Origin()]
	if !ok {
		return token.NoPos
	}
	d.object(fn)
	return decl.node.(*ast.FuncDecl).Type.Pos()
}

// name takes the variables that an option names as inputs.
func (d *dependencies) name(info *types.Info, option ast.Expr) {
	call, ok := ast.Unparen(option).(*ast.CallExpr)
	if !ok || !isLibrary(info, call.Fun, "Inputs") {
		return
	}
	for _, arg := range call.Args {
		ast.Inspect(arg, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && info.Uses[id] != nil {
				d.named[info.Uses[id]] = true
			}
			return true
		})
	}
}

// visit adds what a piece of code refers to.
func (d *dependencies) visit(info *types.Info, code ast.Node) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if obj := info.Uses[n]; obj != nil {
				d.object(obj)
			}
		case *ast.CallExpr:
			d.handedOver(info, n)
		}
		return true
	})
}

// handedOver adds the methods of values that are given to code outside of the user's modules,
// which may call them.
func (d *dependencies) handedOver(info *types.Info, call *ast.CallExpr) {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.Ident:
		id = f
	default:
		return
	}
	fn, ok := info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() == Library {
		return
	}
	if _, users := d.decls[fn.Origin()]; users {
		return
	}
	for _, arg := range call.Args {
		eachNamed(info.TypeOf(arg), func(named *types.Named) {
			for m := range named.Methods() {
				d.object(m)
			}
		})
	}
}

// object adds a declaration, and what it refers to.
func (d *dependencies) object(obj types.Object) {
	switch o := obj.(type) {
	case *types.PkgName:
		if o.Imported().Path() == "C" {
			d.refuse("it calls C")
		}
	case *types.Func:
		obj = o.Origin()
		if recv := o.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			for _, m := range d.methods[o.Name()] {
				d.declared(m)
			}
		}
	case *types.Var:
		obj = o.Origin()
		eachNamed(o.Type(), func(named *types.Named) { d.declared(named.Origin().Obj()) })
	}
	d.declared(obj)
}

func (d *dependencies) declared(obj types.Object) {
	decl, ok := d.decls[obj]
	if !ok || d.seen[obj] || obj.Pkg() == nil || obj.Pkg().Path() == Library {
		return
	}
	d.seen[obj] = true
	if fn, ok := decl.node.(*ast.FuncDecl); ok && fn.Body == nil {
		d.refuse("it calls %s, which is not written in Go", fn.Name.Name)
	}
	if v, ok := obj.(*types.Var); ok && isPackageLevel(v) {
		d.vars = append(d.vars, v)
		d.embeddedIn(v)
	}
	d.parts = append(d.parts, part{obj.Pkg().Path(), d.text(decl.node)})
	d.visit(decl.info, decl.node)
}

// eachNamed calls f with the named types that a type is made of.
func eachNamed(t types.Type, f func(*types.Named)) {
	for range 10 { // of [][]map[string]*T
		switch u := types.Unalias(t).(type) {
		case *types.Named:
			f(u)
			for arg := range u.TypeArgs().Types() {
				eachNamed(arg, f)
			}
			return
		case *types.Map:
			eachNamed(u.Key(), f)
			t = u.Elem()
		case interface{ Elem() types.Type }:
			t = u.Elem()
		default:
			return
		}
	}
}
