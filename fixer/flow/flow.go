// Package flow finds which variables, fields, parameters and results may hold the same
// channel, map, lock or group.
package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// Flow tells which variables, fields, parameters and results may hold the same
// channel, map, lock or group. It unites whatever is assigned, passed,
// returned or built into one another, without regard to order and to which
// value of a struct type a field belongs.
type Flow struct {
	parent   map[any]any
	elem     map[any]any // of a container's class: that of its elements
	Literals map[types.Object][]*ast.FuncLit
	fresh    int
	code     *code.Code
}

// resultKey is the node of a function's result.
type resultKey struct {
	fn any // types.Object or *ast.FuncLit
	i  int
}

// New computes the flow of the user's code.
func New(f *code.Code) *Flow {
	fl := &Flow{parent: map[any]any{}, elem: map[any]any{}, Literals: map[types.Object][]*ast.FuncLit{}, code: f}
	f.Each(func(p syntax.Place) { fl.collectLits(p) })
	f.Each(func(p syntax.Place) {
		for _, d := range p.File.Decls {
			fl.decl(p, d)
		}
	})
	return fl
}

// collectLits notes which function literals a variable holds.
func (fl *Flow) collectLits(p syntax.Place) {
	bind := func(name, value ast.Expr) {
		lit, ok := ast.Unparen(value).(*ast.FuncLit)
		obj := p.Object(name)
		if ok && obj != nil {
			fl.Literals[obj] = append(fl.Literals[obj], lit)
		}
	}
	ast.Inspect(p.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) {
				for i := range n.Lhs {
					bind(n.Lhs[i], n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			if len(n.Names) == len(n.Values) {
				for i := range n.Names {
					bind(n.Names[i], n.Values[i])
				}
			}
		}
		return true
	})
}

// shared reports whether values of a type can be one and the same in two places
// in a way that matters here: channels, maps, the types of package sync, and
// what holds or points to them.
func shared(t types.Type) bool {
	for range 6 {
		if t == nil {
			return false
		}
		if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
			switch n.Obj().Pkg().Path() {
			case "sync", "context":
				return true
			}
		}
		switch u := t.Underlying().(type) {
		case *types.Chan, *types.Map:
			return true
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		default:
			return false
		}
	}
	return false
}

// Find returns the class of a variable, parameter or result.
func (fl *Flow) Find(n any) any {
	for {
		p, ok := fl.parent[n]
		if !ok || p == n {
			return n
		}
		if pp, ok := fl.parent[p]; ok {
			fl.parent[n] = pp
		}
		n = p
	}
}

func (fl *Flow) unite(a, b any) {
	if a == nil || b == nil {
		return
	}
	a, b = fl.Find(a), fl.Find(b)
	if a == b {
		return
	}
	fl.parent[a] = b
	ea, hasA := fl.elem[a]
	eb, hasB := fl.elem[b]
	switch {
	case hasA && hasB:
		fl.unite(ea, eb)
	case hasA:
		fl.elem[b] = ea
	}
}

// ElemOf is the node of the elements of a container's class.
func (fl *Flow) ElemOf(n any) any {
	if n == nil {
		return nil
	}
	root := fl.Find(n)
	e, ok := fl.elem[root]
	if !ok {
		fl.fresh++
		e = fl.fresh
		fl.elem[root] = e
	}
	return fl.Find(e)
}

// node is the class of an expression; nil where it has none.
func (fl *Flow) node(p syntax.Place, e ast.Expr) any {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := p.Info().ObjectOf(e).(*types.Var); ok {
			return fl.Find(syntax.OriginOf(v))
		}
	case *ast.SelectorExpr:
		if v, ok := p.Info().ObjectOf(e.Sel).(*types.Var); ok {
			return fl.Find(syntax.OriginOf(v))
		}
	case *ast.StarExpr:
		return fl.node(p, e.X)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			return fl.node(p, e.X)
		case token.ARROW:
			return fl.ElemOf(fl.node(p, e.X))
		}
	case *ast.IndexExpr:
		return fl.ElemOf(fl.node(p, e.X))
	case *ast.SliceExpr:
		return fl.node(p, e.X)
	case *ast.TypeAssertExpr:
		return fl.node(p, e.X)
	case *ast.CompositeLit:
		return e
	case *ast.CallExpr:
		return fl.callNode(p, e)
	}
	return nil
}

func (fl *Flow) callNode(p syntax.Place, call *ast.CallExpr) any {
	if tv, ok := p.Info().Types[call.Fun]; ok && tv.IsType() && len(call.Args) == 1 {
		return fl.node(p, call.Args[0])
	}
	switch name, _ := p.Builtin(call); name {
	case "append":
		return fl.node(p, call.Args[0])
	case "":
	default:
		return call
	}
	if fns := fl.Callees(p, call); len(fns) > 0 {
		return fl.Find(resultKey{fns[0], 0})
	}
	return nil
}

// Callees are what a call may run: a declared function or method, or the
// literals that a variable holds.
func (fl *Flow) Callees(p syntax.Place, call *ast.CallExpr) []any {
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		return []any{lit}
	}
	if fn := p.Callee(call); fn != nil {
		return []any{fn.Origin()}
	}
	var list []any
	if obj := p.Object(call.Fun); obj != nil {
		for _, lit := range fl.Literals[obj] {
			list = append(list, lit)
		}
	}
	return list
}

// decl walks a declaration; fn is the function that return statements belong to.
func (fl *Flow) decl(p syntax.Place, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Body != nil {
			fl.walk(p, d.Body, syntax.OriginOf(p.Info().Defs[d.Name]))
		}
		fl.namedResults(p, syntax.OriginOf(p.Info().Defs[d.Name]), d.Type)
	case *ast.GenDecl:
		fl.walk(p, d, nil)
	}
}

// namedResults unites results with the variables that they are.
func (fl *Flow) namedResults(p syntax.Place, fn any, t *ast.FuncType) {
	if t.Results == nil {
		return
	}
	i := 0
	for _, field := range t.Results.List {
		for _, name := range field.Names {
			if obj := p.Info().Defs[name]; obj != nil && shared(obj.Type()) {
				fl.unite(obj, resultKey{fn, i})
			}
			i++
		}
	}
}

func (fl *Flow) walk(p syntax.Place, root ast.Node, fn any) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			fl.namedResults(p, n, n.Type)
			fl.walk(p, n.Body, n)
			return false
		case *ast.AssignStmt:
			fl.assign(p, n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			names := make([]ast.Expr, len(n.Names))
			for i := range n.Names {
				names[i] = n.Names[i]
			}
			fl.assign(p, names, n.Values)
		case *ast.ReturnStmt:
			fl.returned(p, n, fn)
		case *ast.CallExpr:
			fl.passed(p, n)
		case *ast.CompositeLit:
			fl.built(p, n)
		case *ast.RangeStmt:
			if n.Value != nil && shared(p.Info().TypeOf(n.Value)) {
				fl.unite(fl.node(p, n.Value), fl.ElemOf(fl.node(p, n.X)))
			}
			if n.Key != nil && syntax.IsChan(p.Info().TypeOf(n.X)) && shared(p.Info().TypeOf(n.Key)) {
				fl.unite(fl.node(p, n.Key), fl.ElemOf(fl.node(p, n.X)))
			}
		case *ast.SendStmt:
			if shared(p.Info().TypeOf(n.Value)) {
				fl.unite(fl.node(p, n.Value), fl.ElemOf(fl.node(p, n.Chan)))
			}
		}
		return true
	})
}

// Class returns the representative of an expression's class; nil without one.
func (fl *Flow) Class(p syntax.Place, e ast.Expr) any {
	n := fl.node(p, e)
	if n == nil {
		return nil
	}
	return fl.Find(n)
}
