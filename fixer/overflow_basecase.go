package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// endsFor reports whether a condition compares a parameter, or its length, with
// a constant.
func (o *overflow) endsFor(t cycleFunc, base ast.Expr, v *types.Var) bool {
	b, ok := ast.Unparen(orNil(base)).(*ast.BinaryExpr)
	if !ok || t.info().Types[b.Y].Value == nil && o.text(b.Y) != "nil" {
		return false
	}
	x := ast.Unparen(b.X)
	if name, call := t.builtin(x); name == "len" {
		x = call.Args[0]
	}
	return t.object(x) == types.Object(v)
}

// baseCase finds the condition on a parameter under which the function returns
// without calling itself.
func (o *overflow) baseCase(t cycleFunc, v *types.Var) ast.Expr {
	var found ast.Expr
	for _, s := range bodyOf(t.fn).List {
		is, ok := s.(*ast.IfStmt)
		if !ok || found != nil || len(is.Body.List) == 0 {
			continue
		}
		_, returns := is.Body.List[len(is.Body.List)-1].(*ast.ReturnStmt)
		if !returns || !mentionsObject(t.place, is.Cond, v) {
			continue
		}
		self := false
		ast.Inspect(is.Body, func(n ast.Node) bool {
			if call, isCall := n.(*ast.CallExpr); isCall && o.callsSelf(t, call) {
				self = true
			}
			return true
		})
		if !self {
			found = is.Cond
		}
	}
	return found
}

// passesBase: the values run past the one for which the function ends.
func (o *overflow) passesBase(t cycleFunc) {
	for _, p := range o.params() {
		delta, last, ok := p.difference()
		if !ok || delta == 0 {
			continue
		}
		base, isBinary := ast.Unparen(orNil(o.baseCase(t, p.v))).(*ast.BinaryExpr)
		if !isBinary || base.Op != token.EQL || t.object(base.X) != types.Object(p.v) {
			continue
		}
		end, isConst := constantInt(t.place, base.Y)
		if !isConst {
			continue
		}
		o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end: it ends for %s only (%s), and %s is %d by now", funcName(t.fn), o.text(base), o.where(base.Pos()), p.name, last)
		o.diagnosis.Origin = o.relWhere(base.Pos())
		op, past := "<=", delta < 0 && last < end
		if delta > 0 {
			op, past = ">=", last > end
		}
		if past && (delta == 1 || delta == -1) {
			o.refuseStart(t, p, base, delta, end) // it began beyond the end
		} else if past {
			o.offer(idea{rule: "overflow/passes-base", title: fmt.Sprintf("end the recursion for %s %s %s", p.name, op, o.text(base.Y)), weight: soft, change: o.change().replace(base.OpPos, base.OpPos+2, op),
				why: fmt.Sprintf("%s passed by %d without being equal to it; what it should give there is for you to say.", p.name, end)})
		}
	}
}

// refuseStart returns an error for a value from which the recursion cannot
// come to its end, where the function can return one.
func (o *overflow) refuseStart(t cycleFunc, p param, base *ast.BinaryExpr, delta, end int64) {
	body := bodyOf(t.fn)
	op, want := "<", "at least"
	if delta > 0 {
		op, want = ">", "at most"
	}
	first := t.of(body.List[0])
	e, ok := o.errorReturn(first, message{fmt.Sprintf("%s is %%d, want %s %d", p.name, want, end), []string{p.name}}, "")
	if !ok {
		return
	}
	ch := o.change().before(body.List[0], fmt.Sprintf("if %s %s %s {\n\t%s\n}", p.name, op, o.text(base.Y), e.lines)).need(t.file, e.imports...)
	o.offer(idea{rule: "overflow/refuse-start", title: fmt.Sprintf("return an error for %s %s %s", p.name, op, o.text(base.Y)), weight: handled, change: ch,
		why: fmt.Sprintf("From there the recursion never comes to %s; %s says so.", o.text(base), funcName(t.fn))})
}
