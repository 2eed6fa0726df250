package overflow

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// visited: the data leads back to where it came from.
func (o *overflow) visited(t cycleFunc) {
	if len(o.recursions(t)) == 0 || o.Offered() {
		return
	}
	key := o.walked(t)
	if key == nil || !o.cyclic(key, t) {
		return
	}
	if o.existingSet(t, key) {
		return
	}
}

// walked finds the parameter that the recursion moves along: a pointer, or the
// key of something that is looked up.
func (o *overflow) walked(t cycleFunc) *types.Var {
	r, isCall := t.Node().(*ast.CallExpr)
	if !isCall {
		return nil
	}
	if d, ok := t.fn.(*ast.FuncDecl); ok && d.Recv != nil && len(d.Recv.List[0].Names) > 0 {
		if sel, isSel := ast.Unparen(r.Fun).(*ast.SelectorExpr); isSel && !o.isReceiver(t, d, sel.X) {
			v, _ := t.Info().Defs[d.Recv.List[0].Names[0]].(*types.Var)
			if v != nil && syntax.IsPointer(v.Type()) {
				return v
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
			return v
		}
	}
	return nil
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
func (o *overflow) existingSet(t cycleFunc, key *types.Var) bool {
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

// refuseCycle: a walk that can fail notes what it is done with, and a way leads
// back to what it has only begun with. That is refused by an error: what is
// begun is in the map, as false.
func (o *overflow) refuseCycle(ask syntax.Place, mark *ast.AssignStmt) {
	ix := ask.Node().(*ast.IndexExpr)
	is, ok := ask.Path[1].(*ast.IfStmt)
	if !ok || is.Cond != ast.Expr(ix) || is.Init != nil || is.Else != nil || ask.AnchorBlock() != ast.Node(syntax.BodyOf(ask.Function())) {
		return
	}
	if o.Text(mark.Rhs[0]) != "true" || !syntax.IsBool(ask.Info().TypeOf(ix)) || !o.indexedOnly(ask, ix.X) {
		return
	}
	what := o.Text(ix.Index)
	e, ok := o.ErrorReturn(ask, exits.Message{Format: "%v needs itself", Args: []string{what}}, "")
	if !ok {
		return
	}
	ended, begun := syntax.Fresh(ask, "ended", "through"), syntax.Fresh(ask, "begun", "entered")
	entry := o.Text(ix)
	ch := o.Change().Need(ask.File, e.Imports...).
		Replace(is.Cond.Pos(), is.Cond.End(), fmt.Sprintf("%s, %s := %s; %s", ended, begun, entry, ended)).
		Insert(is.Body.Rbrace+1, fmt.Sprintf(" else if %s {\n%s\n}\n%s = false\n", begun, e.Lines, entry)).
		Insert(is.Body.Rbrace+1, fmt.Sprintf("defer func() {\nif !%s { // it failed\ndelete(%s, %s)\n}\n}()", entry, o.Text(ix.X), what))
	o.Offer(proposal.Idea{Rule: "overflow/refuse-cycle", Title: fmt.Sprintf("refuse what leads back to %s: %s", what, proposal.ShortHow(e)), Weight: exits.Origin - 1, Change: ch, Grounds: e.Grounds,
		Why: fmt.Sprintf("%s can fail, and there is no right order for things that need one another. What has been begun is in %s as false; coming back to it is an error.", syntax.FuncName(ask.Function()), o.Text(ix.X))})
}

// indexedOnly reports whether a map is only ever made, and read and written by
// its keys: nothing counts it or iterates over it.
func (o *overflow) indexedOnly(p syntax.Place, m ast.Expr) bool {
	obj := p.Object(m)
	if obj == nil {
		return false
	}
	if v, ok := obj.(*types.Var); ok && !v.IsField() && !syntax.IsGlobal(v) {
		return false // a parameter, or one of a closure: others may hold it by another name
	}
	only := true
	o.Each(func(q syntax.Place) {
		ast.Inspect(q.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				only = only && !o.Same(q.Object(n.X), obj)
			case *ast.CallExpr:
				for _, a := range n.Args {
					only = only && !o.Same(q.Object(a), obj)
				}
			case *ast.ReturnStmt:
				for _, r := range n.Results {
					only = only && !o.Same(q.Object(r), obj)
				}
			}
			return only
		})
	})
	return only
}

// recursions lists the calls of the cycle's function in itself.
func (o *overflow) recursions(t cycleFunc) []syntax.Place {
	var list []syntax.Place
	ast.Inspect(syntax.BodyOf(t.fn), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && o.callsSelf(t, call) {
			list = append(list, t.Of(call))
		}
		return true
	})
	return list
}

func (o *overflow) callsSelf(t cycleFunc, call *ast.CallExpr) bool {
	switch fn := t.fn.(type) {
	case *ast.FuncDecl:
		callee := t.Callee(call)
		return callee != nil && o.Same(syntax.OriginOf(callee), syntax.OriginOf(t.Info().Defs[fn.Name]))
	case *ast.FuncLit:
		for _, lit := range o.FlowOf().Callees(t.Place, call) {
			if lit == any(fn) {
				return true
			}
		}
	}
	return false
}

// parameters lists the parameters of the cycle's function in order.
func (o *overflow) parameters(t cycleFunc) []*types.Var {
	var list []*types.Var
	for _, field := range syntax.TypeOfFunc(t.fn).Params.List {
		for _, n := range field.Names {
			v, _ := t.Info().Defs[n].(*types.Var)
			list = append(list, v)
		}
	}
	return list
}
