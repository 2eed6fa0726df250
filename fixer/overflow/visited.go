package overflow

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// visited: the data leads back to where it came from.
func (o *overflow) visited(t cycleFunc) {
	if len(o.recursions(t)) == 0 || o.Offered() {
		return
	}
	key, name := o.walked(t)
	if key == nil || !o.cyclic(key, t) {
		return
	}
	if o.existingSet(t, key, name) {
		return
	}
}

// walked finds the parameter that the recursion moves along: a pointer, or the
// key of something that is looked up.
func (o *overflow) walked(t cycleFunc) (*types.Var, string) {
	r, isCall := t.Node().(*ast.CallExpr)
	if !isCall {
		return nil, ""
	}
	if d, ok := t.fn.(*ast.FuncDecl); ok && d.Recv != nil && len(d.Recv.List[0].Names) > 0 {
		if sel, isSel := ast.Unparen(r.Fun).(*ast.SelectorExpr); isSel && !o.isReceiver(t, d, sel.X) {
			v, _ := t.Info().Defs[d.Recv.List[0].Names[0]].(*types.Var)
			if v != nil && syntax.IsPointer(v.Type()) {
				return v, v.Name()
			}
		}
	}
	for i, v := range o.parameters(t) {
		if v == nil || i >= len(r.Args) {
			continue
		}
		if id, ok := ast.Unparen(r.Args[i]).(*ast.Ident); ok && t.Info().ObjectOf(id) == types.Object(v) {
			continue // passed on
		}
		switch v.Type().Underlying().(type) {
		case *types.Pointer, *types.Basic:
			return v, v.Name()
		}
	}
	return nil, ""
}

// cyclic reports whether the values of a parameter come back within the frames
// that were read.
func (o *overflow) cyclic(v *types.Var, t cycleFunc) bool {
	first := ""
	for i := 0; t.frame+i*o.step < len(o.Case.Stop.Frames) && i < 12; i++ {
		a := o.Values.Variable(t.frame+i*o.step, v.Name())
		if !a.Known {
			continue
		}
		if first == "" {
			first = ident(a.Value)
		} else if ident(a.Value) == first {
			return true
		}
	}
	return false
}

// existingSet fixes a set of what was visited that is there, but not asked, or
// not filled in time.
func (o *overflow) existingSet(t cycleFunc, key *types.Var, name string) bool {
	marks, asks := o.setUses(t, key)
	rec := o.recursions(t)[0]
	switch {
	case len(marks) > 0 && len(asks) > 0 && marks[0].Node().Pos() > rec.Node().Pos():
		as := marks[0].Node().(*ast.AssignStmt)
		stmt := rec.Top()
		if stmt == nil || marks[0].Top() != ast.Stmt(as) {
			return true
		}
		o.Diagnosis.Sentence = fmt.Sprintf("%s calls itself without end: %s (%s) comes only after the calls that lead back", syntax.FuncName(t.fn), o.Text(as), o.Where(as.Pos()))
		o.Diagnosis.Origin = o.RelWhere(as.Pos())
		o.refuseCycle(asks[0], as)
		return false
	}
	return len(marks) > 0 && len(asks) > 0
}

// setUses lists where the function writes to a map under the walked key, and
// where it looks the key up.
func (o *overflow) setUses(t cycleFunc, key *types.Var) (marks, asks []syntax.Place) {
	ast.Inspect(syntax.BodyOf(t.fn), func(n ast.Node) bool {
		ix, ok := n.(*ast.IndexExpr)
		if !ok || !syntax.MentionsObject(t.Place, ix.Index, key) || !syntax.IsMap(t.Info().TypeOf(ix.X)) {
			return true
		}
		m, _ := syntax.TypeUnder[*types.Map](t.Info().TypeOf(ix.X))
		st, isStruct := m.Elem().Underlying().(*types.Struct)
		if !syntax.IsBool(m.Elem()) && !(isStruct && st.NumFields() == 0) {
			return true
		}
		at := t.Of(ix)
		if as, isAssign := at.Path[1].(*ast.AssignStmt); isAssign && len(as.Lhs) == 1 && as.Lhs[0] == ast.Expr(ix) {
			marks = append(marks, t.Of(as))
		} else {
			asks = append(asks, at)
		}
		return true
	})
	return marks, asks
}

// isReceiver reports whether an expression is the method's own receiver.
func (o *overflow) isReceiver(t cycleFunc, d *ast.FuncDecl, e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	if s, ok := e.(*ast.StarExpr); ok {
		e = s.X
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && len(d.Recv.List[0].Names) > 0 && t.Info().ObjectOf(id) == t.Info().Defs[d.Recv.List[0].Names[0]]
}
