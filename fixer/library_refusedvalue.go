package fixer

import (
	"fmt"
	"go/ast"
)

// refusedValue: one of the arguments is nil, empty or no positive number. It is
// fixed where it comes from, or looked at before the call.
func (f libraryRules) refusedValue(p place, call *ast.CallExpr) {
	for _, a := range call.Args {
		if f.refusedNil(p, call, a) || f.refusedNumber(p, call, a) {
			return
		}
	}
}

func (f libraryRules) refusedNil(p place, call *ast.CallExpr, a ast.Expr) bool {
	t := p.info().TypeOf(a)
	if t == nil {
		return false
	}
	literal := p.info().Types[a].IsNil()
	if !literal && (!nilable(t) || f.isNil(p, f.at, a) != yes) {
		return false
	}
	text := f.text(a)
	f.diagnosis.Expr, f.diagnosis.Value, f.diagnosis.Origin = text, "nil", ""
	f.diagnosis.Sentence = fmt.Sprintf("%s is nil when it is given to %s (%s)", text, f.text(call.Fun), f.where(call.Pos()))
	if literal {
		f.diagnosis.Sentence = fmt.Sprintf("%s (%s) is given nil", f.text(call.Fun), f.where(call.Pos()))
		return true
	}
	s := suspect{place: p, expr: call, bad: a, fact: yes}
	src := f.trace(p, f.at, a)
	if e := ast.Unparen(orNil(src.expr)); src.file != nil && src.info().Types[e].IsNil() {
		f.note(fmt.Sprintf("nil is passed at %s", f.where(e.Pos())), e.Pos())
	}
	f.nilRules.nilOrigin(s, src)
	if isPathOrIndex(a) {
		f.guard(p, text+" == nil", message{percent(text) + " is nil", nil}, text)
	}
	return true
}

// refusedNumber: a number that is zero or negative, or out of bounds.
func (f libraryRules) refusedNumber(p place, call *ast.CallExpr, a ast.Expr) bool {
	t := p.info().TypeOf(a)
	if t == nil || !isInteger(t) || p.info().Types[a].Value != nil {
		return false
	}
	n, known := f.number(p, f.at, a)
	if !known || n > 0 {
		return false
	}
	text := f.text(a)
	f.diagnosis.Expr, f.diagnosis.Value = text, fmt.Sprint(n)
	f.diagnosis.Origin = ""
	f.diagnosis.Sentence = fmt.Sprintf("%s is %d when it is given to %s (%s)", text, n, f.text(call.Fun), f.where(call.Pos()))
	src := f.trace(p, f.at, a)
	if e, ok := ast.Unparen(orNil(src.expr)).(*ast.SelectorExpr); ok {
		f.sizeRules.defaultForField(src, e)
	}
	cond, m := text+" <= 0", message{percent(text) + " is %d, want a positive number", []string{text}}
	if n < 0 {
		cond, m = text+" < 0", message{percent(text) + " is %d, want no negative number", []string{text}}
	}
	if name, l := p.builtin(a); name == "len" && n == 0 {
		cond, m = text+" == 0", message{percent(f.text(l.Args[0])) + " is empty", nil}
	}
	if f.diagnosis.Origin == "" {
		f.diagnosis.Origin = f.relWhere(a.Pos())
	}
	if isPathOrIndex(a) {
		f.guard(p, cond, m, text)
	}
	return true
}
