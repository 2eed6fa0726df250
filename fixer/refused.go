package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// refusedArgument: the function panics because of what it was given. That is
// fixed where it was given, if it can be seen to be a mistake there.
func (f refusalRules) refusedArgument(s panicCall) {
	var cond ast.Expr
	for i, n := range s.path {
		is, ok := n.(*ast.IfStmt)
		if ok && i > 0 && s.path[i-1] == ast.Node(is.Body) {
			cond = is.Cond
			break
		}
	}
	if cond == nil {
		return
	}
	for _, c := range conjuncts(cond) {
		f.refusedBy(s, c)
	}
}

// conjuncts splits a condition at && and ||.
func conjuncts(e ast.Expr) []ast.Expr {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		return append(conjuncts(b.X), conjuncts(b.Y)...)
	}
	return []ast.Expr{e}
}

// refusedBy handles one comparison of a parameter.
func (f refusalRules) refusedBy(s panicCall, cond ast.Expr) {
	b, ok := cond.(*ast.BinaryExpr)
	if !ok {
		return
	}
	x := ast.Unparen(b.X)
	if name, call := s.builtin(x); name == "len" {
		x = ast.Unparen(call.Args[0])
	}
	id, ok := x.(*ast.Ident)
	if !ok {
		return
	}
	v, ok := s.info().ObjectOf(id).(*types.Var)
	if !ok {
		return
	}
	arg, isParam := f.argument(s.place, f.at, v)
	if !isParam || arg.expr == nil {
		return
	}
	before := f.diagnosis
	f.diagnosis.Origin = ""
	f.diagnosis.Sentence = fmt.Sprintf("%s is refused by %s (%s) with %q", f.text(cond), funcName(s.function()), f.where(s.node().Pos()), firstLine(f.panic.Message))
	src := f.trace(s.place, f.at, id)
	f.fixGiven(src)
	if f.diagnosis.Origin == "" {
		f.note(fmt.Sprintf("it is given %s (%s)", short(f.text(arg.expr)), f.where(arg.expr.Pos())), arg.expr.Pos())
	}
	if before.Origin != "" && f.diagnosis.Origin == "" {
		f.diagnosis.Origin = before.Origin
	}
	f.guardGiven(s, b, id, arg)
}

// fixGiven fixes where a value came from: a field that is never set, an error
// that was not checked.
func (f refusalRules) fixGiven(src source) {
	e, ok := ast.Unparen(orNil(src.expr)).(*ast.SelectorExpr)
	if !ok {
		return
	}
	t, field := structOf(src.place, e)
	if t == nil {
		return
	}
	if nilable(field.Type()) {
		f.nilRules.setInConstructors(t, field, f.suspects(src, e, t, field), origin)
	} else if b, ok := typeUnder[*types.Basic](field.Type()); ok && b.Info()&types.IsNumeric != 0 {
		f.sizeRules.defaultForField(src, e)
	}
}

// guardGiven looks at a value before it is handed over.
func (f refusalRules) guardGiven(s panicCall, b *ast.BinaryExpr, id *ast.Ident, arg source) {
	if !isPathOrIndex(arg.expr) || arg.info().Types[arg.expr].Value != nil || arg.declaration() == nil {
		return
	}
	text := f.text(arg.expr)
	cond := regexp.MustCompile(`\b`+regexp.QuoteMeta(id.Name)+`\b`).ReplaceAllLiteralString(f.text(b), text)
	m, cause := f.messageOf(s)
	if cause != "" {
		m = message{percentAll(lastPart(firstLine(f.panic.Message))), nil}
	}
	for i, a := range m.args {
		if a != id.Name {
			m = message{percentAll(lastPart(firstLine(f.panic.Message))), nil}
			break
		}
		m.args[i] = text
	}
	f.guard(arg.place, cond, m, text)
}

// lastPart drops the name of a package in front of a message: "ring: no room".
func lastPart(s string) string {
	if before, after, ok := strings.Cut(s, ": "); ok && !strings.Contains(before, " ") {
		return after
	}
	return s
}
