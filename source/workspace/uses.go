package workspace

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// uses walks a declaration and reports what it uses.
type uses struct {
	in    *Func
	info  *types.Info
	test  bool
	add   func(types.Object, Use)
	makes func(*types.TypeName, Use) // nil where it is not needed
	// known are names that are more than read, seen from what surrounds them.
	known map[*ast.Ident]Use
}

func newUses(in *Func, fset *token.FileSet, add func(types.Object, Use), makes func(*types.TypeName, Use)) *uses {
	file := fset.Position(in.File.FileStart).Filename
	return &uses{in: in, info: in.Package.TypesInfo, test: strings.HasSuffix(file, "_test.go"), add: add, makes: makes, known: map[*ast.Ident]Use{}}
}

func (w *uses) walk(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			w.assigned(n, n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			w.declared(n)
		case *ast.IncDecStmt:
			w.write(n.X, Use{Node: n})
		case *ast.RangeStmt:
			w.write(n.Key, Use{Node: n, Value: n.X})
			w.write(n.Value, Use{Node: n, Value: n.X, Result: 1})
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				w.mark(n.X, Use{Kind: Address, Node: n})
			}
		case *ast.CallExpr:
			w.call(n)
		case *ast.CompositeLit:
			w.literal(n)
		case *ast.Ident:
			w.name(n)
		}
		return true
	})
}

// name reports an identifier, which what surrounds it may have said more of.
func (w *uses) name(id *ast.Ident) {
	o := w.info.ObjectOf(id)
	switch o.(type) {
	case *types.Var, *types.Func:
	default:
		return
	}
	u, ok := w.known[id]
	switch {
	case ok:
	case w.info.Defs[id] != nil:
		return // a declaration without a value
	default:
		u = Use{Kind: Read, Node: id}
	}
	u.In, u.Test = w.in, w.test
	w.add(o, u)
}

// mark says of the name that an expression ends in what is done with it.
func (w *uses) mark(e ast.Expr, u Use) {
	if id := nameOf(e); id != nil {
		w.known[id] = u
	}
}

// nameOf is the name of a variable or the last part of a selector.
func nameOf(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}

// write marks what is on the left side of an assignment.
func (w *uses) write(e ast.Expr, u Use) {
	if e == nil {
		return
	}
	u.Kind = Write
	for {
		switch inner := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			e, u.Kind = inner.X, Element
			continue
		case *ast.StarExpr:
			e, u.Kind = inner.X, Element
			continue
		}
		break
	}
	w.mark(e, u)
}

func (w *uses) assigned(n ast.Node, left, right []ast.Expr) {
	for i, l := range left {
		u := Use{Node: n}
		switch {
		case len(right) == len(left):
			u.Value = right[i]
		case len(right) == 1:
			u.Value, u.Result = right[0], i
		}
		w.write(l, u)
	}
}

func (w *uses) declared(n *ast.ValueSpec) {
	if len(n.Values) > 0 {
		names := make([]ast.Expr, len(n.Names))
		for i, id := range n.Names {
			names[i] = id
		}
		w.assigned(n, names, n.Values)
		return
	}
	if n.Type != nil {
		w.made(w.info.TypeOf(n.Type), n)
	}
}

// call marks the function that is called, and what some built-in ones change.
func (w *uses) call(n *ast.CallExpr) {
	fun := ast.Unparen(n.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	w.mark(fun, Use{Kind: Call, Node: n})
	id, ok := fun.(*ast.Ident)
	if !ok || len(n.Args) == 0 {
		return
	}
	if _, ok := w.info.Uses[id].(*types.Builtin); !ok {
		return
	}
	switch id.Name {
	case "delete", "clear", "copy":
		w.mark(n.Args[0], Use{Kind: Element, Node: n})
	case "new":
		w.made(w.info.TypeOf(n.Args[0]), n)
	}
}

// literal reports the type that a literal makes and the fields it sets.
func (w *uses) literal(n *ast.CompositeLit) {
	t := w.info.TypeOf(n)
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok { // &T left out in []*T{{…}}
		t = p.Elem()
	}
	w.made(t, n)
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			w.mark(kv.Key, Use{Kind: Write, Node: kv, Value: kv.Value})
		} else if i < st.NumFields() {
			w.add(st.Field(i), Use{Kind: Write, Node: e, Value: e, In: w.in, Test: w.test})
		}
	}
}

func (w *uses) made(t types.Type, n ast.Node) {
	if w.makes == nil || t == nil {
		return
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		w.makes(named.Origin().Obj(), Use{Node: n, In: w.in, Test: w.test})
	}
}
