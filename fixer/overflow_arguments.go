package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// recursions lists the calls of the cycle's function in itself.
func (o *overflow) recursions(t cycleFunc) []place {
	var list []place
	ast.Inspect(bodyOf(t.fn), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && o.callsSelf(t, call) {
			list = append(list, t.of(call))
		}
		return true
	})
	return list
}

func (o *overflow) callsSelf(t cycleFunc, call *ast.CallExpr) bool {
	switch fn := t.fn.(type) {
	case *ast.FuncDecl:
		callee := t.callee(call)
		return callee != nil && o.same(originOf(callee), originOf(t.info().Defs[fn.Name]))
	case *ast.FuncLit:
		for _, lit := range o.flowOf().callees(t.place, call) {
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
	for _, field := range typeOfFunc(t.fn).Params.List {
		for _, n := range field.Names {
			v, _ := t.info().Defs[n].(*types.Var)
			list = append(list, v)
		}
	}
	return list
}

// sameArgument: a call passes a parameter on as it is, where a part of it was
// meant.
func (o *overflow) sameArgument(t cycleFunc) {
	line := o.c.Stop.Frames[t.frame].Line
	for _, r := range o.recursions(t) {
		if o.line(r.node().Pos()) <= line && line <= o.line(r.node().End()) {
			o.sameArgumentOf(cycleFunc{place: r, fn: t.fn, frame: t.frame}, r.node().(*ast.CallExpr))
		}
	}
}

func (o *overflow) sameArgumentOf(t cycleFunc, call *ast.CallExpr) {
	for _, p := range o.params() {
		if !p.same() {
			continue
		}
		for i, v := range o.parameters(t) {
			if v == nil || v != p.v || i >= len(call.Args) || call.Ellipsis.IsValid() {
				continue
			}
			o.halves(t, call, i)
			id, isIdent := ast.Unparen(call.Args[i]).(*ast.Ident)
			if !isIdent || t.info().ObjectOf(id) != types.Object(v) {
				continue
			}
			o.elementInstead(t, call, i, v)
			o.siblingInstead(t, call, i, v)
			o.restInstead(t, call, i, v)
		}
	}
}

// offerPart offers to pass a part of a parameter on, in place of the whole.
func (o *overflow) offerPart(t cycleFunc, call *ast.CallExpr, i int, name, part string, w weight, why string) {
	was := o.diagnosis
	o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end: %s (%s) gets %s as it is, not a part of it", funcName(t.fn), short(o.text(call)), o.where(call.Pos()), name)
	o.diagnosis.Origin = o.relWhere(call.Pos())
	change := o.change().replace(call.Args[i].Pos(), call.Args[i].End(), part)
	if !o.offer(idea{rule: "overflow/offer-part", title: fmt.Sprintf("go on with %s instead of %s", part, name), weight: w, change: change, why: why}) && !o.dry {
		o.diagnosis = was
	}
}

// elementInstead passes the element of the loop around the call.
func (o *overflow) elementInstead(t cycleFunc, call *ast.CallExpr, i int, v *types.Var) {
	l, ok := t.loop().(*ast.RangeStmt)
	if !ok {
		return
	}
	for _, e := range []ast.Expr{l.Value, l.Key} {
		id, isIdent := e.(*ast.Ident)
		if !isIdent || id.Name == "_" {
			continue
		}
		obj := t.info().ObjectOf(id)
		if obj == nil {
			continue
		}
		if types.AssignableTo(obj.Type(), v.Type()) {
			o.offerPart(t, call, i, v.Name(), id.Name, origin-1, fmt.Sprintf("The loop takes %s apart; each call goes on with its own %s.", short(o.text(l.X)), id.Name))
			continue
		}
		if fields := fieldsFor(obj.Type(), v.Type(), nil); len(fields) == 1 {
			o.offerPart(t, call, i, v.Name(), id.Name+"."+fields[0], origin-1,
				fmt.Sprintf("The loop takes %s apart; each call goes on with what its %s holds.", short(o.text(l.X)), id.Name))
		}
	}
}

// siblingInstead passes the one field that no other call of the function takes,
// where the others take its siblings: any field that ends the recursion would pass.
func (o *overflow) siblingInstead(t cycleFunc, call *ast.CallExpr, i int, v *types.Var) {
	taken := map[string]bool{}
	for _, r := range o.recursions(t) {
		args := r.node().(*ast.CallExpr).Args
		if i < len(args) {
			if sel, isSel := ast.Unparen(args[i]).(*ast.SelectorExpr); isSel && r.object(sel.X) == types.Object(v) {
				taken[sel.Sel.Name] = true
			}
		}
	}
	if left := fieldsFor(v.Type(), v.Type(), taken); len(taken) > 0 && len(left) == 1 {
		o.offerPart(t, call, i, v.Name(), v.Name()+"."+left[0], origin, "The call goes on with the next one instead of the same one again.")
	}
}

// fieldsFor lists the fields of a struct that can be used as a value of a type,
// but for those that are taken or lead back.
func fieldsFor(t, as types.Type, taken map[string]bool) []string {
	st, ok := underStruct(t)
	if !ok {
		return nil
	}
	var list []string
	for field := range st.Fields() {
		if name := field.Name(); !taken[name] && !isParentName(name) && types.AssignableTo(field.Type(), as) {
			list = append(list, name)
		}
	}
	return list
}

func isParentName(name string) bool {
	switch strings.ToLower(name) {
	case "parent", "prev", "previous", "owner", "up", "root", "back":
		return true
	}
	return false
}

// restInstead passes the rest of a slice or string, or the number before, to a
// function that ends for an empty one or for the first number.
func (o *overflow) restInstead(t cycleFunc, call *ast.CallExpr, i int, v *types.Var) {
	base := o.baseCase(t, v)
	if !o.endsFor(t, base, v) || len(o.found) > 0 {
		return
	}
	text, what := "", ""
	switch u := v.Type().Underlying().(type) {
	case *types.Slice:
		text, what = v.Name()+"[1:]", "what is left of it"
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			text, what = v.Name()+"[1:]", "what is left of it"
		case u.Info()&types.IsInteger != 0:
			text, what = v.Name()+"-1", "the number before"
		}
	}
	if text == "" {
		return
	}
	o.offerPart(t, call, i, v.Name(), text, origin+2, fmt.Sprintf("The function ends when %s (%s); each call now gets %s.", o.text(base), o.where(base.Pos()), what))
}

// halves: a search between two bounds goes on with the middle as it is, which
// for two neighbors is the lower bound again.
func (o *overflow) halves(t cycleFunc, call *ast.CallExpr, i int) {
	id, ok := ast.Unparen(call.Args[i]).(*ast.Ident)
	if !ok {
		return
	}
	src := o.trace(t.place, -1, id)
	b, ok := ast.Unparen(orNil(src.expr)).(*ast.BinaryExpr)
	if !ok || src.declaration() != t.declaration() || !isInteger(t.info().TypeOf(id)) {
		return
	}
	half := false
	ast.Inspect(b, func(n ast.Node) bool {
		if d, isBinary := n.(*ast.BinaryExpr); isBinary && (d.Op == token.QUO || d.Op == token.SHR) {
			half = true
		}
		return true
	})
	if !half {
		return
	}
	o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end: %s (%s) gets the same bounds again, because %s is the lower one", funcName(t.fn), short(o.text(call)), o.where(call.Pos()), id.Name)
	o.offer(idea{rule: "overflow/halves", title: fmt.Sprintf("go on after %s", id.Name), weight: origin, change: o.change().insert(id.End(), "+1"),
		why: fmt.Sprintf("%s itself has been looked at; the rest begins at %s+1.", id.Name, id.Name)})
}
