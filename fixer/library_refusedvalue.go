package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
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
		f.contextInstead(p, call, a)
		return true
	}
	s := suspect{place: p, expr: call, bad: a, fact: yes}
	src := f.trace(p, f.at, a)
	if e := ast.Unparen(orNil(src.expr)); src.file != nil && src.info().Types[e].IsNil() {
		f.note(fmt.Sprintf("nil is passed at %s", f.where(e.Pos())), e.Pos())
		f.contextAt(src.place, e, t)
	}
	f.nilRules.nilOrigin(s, src)
	if c, ok := ast.Unparen(orNil(src.expr)).(*ast.CallExpr); ok {
		f.nilRules.checkIgnoredError(src, c)
	}
	f.orBackground(p, a, t)
	if isPathOrIndex(a) {
		f.guard(p, text+" == nil", message{percent(text) + " is nil", nil}, text)
	}
	return true
}

// contextInstead writes context.Background() for a literal nil.
func (f libraryRules) contextInstead(p place, call *ast.CallExpr, a ast.Expr) {
	sig, ok := p.info().TypeOf(call.Fun).(*types.Signature)
	if !ok {
		return
	}
	for i, arg := range call.Args {
		if arg == a && i < sig.Params().Len() {
			f.contextAt(p, a, sig.Params().At(i).Type())
		}
	}
}

func (f libraryRules) contextAt(p place, e ast.Expr, t types.Type) {
	if types.TypeString(t, nil) != "context.Context" {
		return
	}
	value := pkgName(p.file, "context") + ".Background()"
	if name, ok := contextAtHand(p); ok {
		value = name
	}
	f.offer(idea{rule: "library/context-at", title: fmt.Sprintf("pass %s instead of nil", value), weight: origin - 1, change: f.change().replace(e.Pos(), e.End(), value).need(p.file, "context"),
		why: "A context must never be nil; Background is the one that is never canceled."})
}

// contextAtHand is a parameter of the function that is a context.
func contextAtHand(p place) (string, bool) {
	sig := p.signature()
	for i := 0; sig != nil && i < sig.Params().Len(); i++ {
		v := sig.Params().At(i)
		if types.TypeString(v.Type(), nil) == "context.Context" && v.Name() != "" && v.Name() != "_" {
			return v.Name(), true
		}
		if types.TypeString(v.Type(), nil) == "*net/http.Request" && v.Name() != "" {
			return v.Name() + ".Context()", true
		}
	}
	return "", false
}

// orBackground uses the background context where none was given.
func (f libraryRules) orBackground(p place, a ast.Expr, t types.Type) {
	if types.TypeString(t, nil) != "context.Context" || !isPath(a) || p.anchor() == nil {
		return
	}
	text := f.text(a)
	f.offer(idea{rule: "library/or-background", title: "use the background context where none is given", weight: soft,
		change: f.change().before(p.anchor(), fmt.Sprintf("if %s == nil {\n\t%s = %s.Background()\n}", text, text, pkgName(p.file, "context"))).need(p.file, "context"),
		why:    "Where it is nil, the background context takes its place, which nothing cancels."})
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
	switch e := ast.Unparen(orNil(src.expr)).(type) {
	case *ast.SelectorExpr:
		f.sizeRules.defaultForField(src, e)
	case *ast.CallExpr:
		f.nilRules.checkIgnoredError(src, e)
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
