package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// optionalPart leaves out what belongs to a value that may be missing, where
// the code says that it may: a test for nil elsewhere, a literal that sets it
// to nil.
func (f nilRules) optionalPart(s suspect, src source) {
	sel, ok := ast.Unparen(s.bad).(*ast.SelectorExpr)
	if !ok {
		f.optionalReceiver(s, src)
		return
	}
	if !isPathOrIndex(s.bad) {
		return
	}
	grounds, optional := f.optionalGrounds(s, sel)
	if !optional {
		return
	}
	f.optionalTest(s, grounds)
	if es, isStmt := s.anchor().(*ast.ExprStmt); isStmt {
		if call, isCall := es.X.(*ast.CallExpr); isCall && isCallOn(call, s.bad) {
			f.around(es, f.text(s.bad), grounds)
		}
	}
	f.optionalTerm(s, grounds)
	f.optionalMap(s, grounds)
}

// optionalGrounds says what shows that a field may be nil.
func (f nilRules) optionalGrounds(s suspect, sel *ast.SelectorExpr) (string, bool) {
	t, field := structOf(s.place, sel)
	if t == nil {
		return "", false
	}
	return nilIsMeant(f.facts, field)
}

// optionalReceiver calls a method only where there is something to call it on,
// in the function that holds it as an optional part.
func (f nilRules) optionalReceiver(s suspect, src source) {
	if src.expr == nil || src.declaration() == s.declaration() {
		return
	}
	sel, ok := ast.Unparen(src.expr).(*ast.SelectorExpr)
	if !ok || !isPath(sel) {
		return
	}
	at := src.of2(sel)
	es, isStmt := at.anchor().(*ast.ExprStmt)
	if !isStmt {
		return
	}
	call, isCall := es.X.(*ast.CallExpr)
	if !isCall || !isCallOn(call, sel) {
		return
	}
	other := suspect{place: at, expr: sel, bad: sel}
	if grounds, optional := f.optionalGrounds(other, sel); optional {
		f.around(es, f.text(sel), grounds)
	}
}

// optionalTest asks a predicate only where it is set: what it would refuse
// is let through.
func (f nilRules) optionalTest(s suspect, grounds string) {
	call, ok := s.expr.(*ast.CallExpr)
	if !ok || !isBool(s.info().TypeOf(call)) {
		return
	}
	at := s.of(call)
	text := f.text(s.bad)
	if u, isNot := at.path[1].(*ast.UnaryExpr); isNot && u.Op == token.NOT {
		f.offer(idea{rule: "optional/optional-test", title: fmt.Sprintf("ask %s only where it is set", text), weight: origin, grounds: grounds,
			change: f.change().insert(u.Pos(), text+" != nil && "),
			why:    fmt.Sprintf("Where %s is nil nothing is rejected.", text)})
		return
	}
	f.offer(idea{rule: "optional/optional-test", title: fmt.Sprintf("ask %s only where it is set", text), weight: origin, grounds: grounds,
		change: f.change().insert(call.Pos(), openBefore(at)+text+" == nil || ").insert(call.End(), closeAfter(at)),
		why:    fmt.Sprintf("Where %s is nil everything is let through.", text)})
}

// openBefore is a parenthesis where a disjunction would bind too loosely.
func openBefore(at place) string {
	if b, ok := at.path[1].(*ast.BinaryExpr); ok && b.Op != token.LOR {
		return "("
	}
	return ""
}

func closeAfter(at place) string {
	return strings.ReplaceAll(openBefore(at), "(", ")")
}

// optionalTerm leaves out the term of a sum that belongs to a missing part.
func (f nilRules) optionalTerm(s suspect, grounds string) {
	anchor := s.anchor()
	var sum *ast.BinaryExpr
	var other ast.Expr
	for i := 1; i < len(s.path); i++ {
		if s.path[i] == ast.Node(anchor) {
			break
		}
		b, ok := s.path[i].(*ast.BinaryExpr)
		if !ok || b.Op != token.ADD && b.Op != token.SUB {
			continue
		}
		if b.Y == s.path[i-1] || b.Op == token.ADD && b.X == s.path[i-1] {
			sum = b
			other = b.X
			if b.X == s.path[i-1] {
				other = b.Y
			}
		}
	}
	if sum == nil || strings.Contains(f.text(other), f.text(s.bad)+".") {
		return
	}
	text := f.text(s.bad)
	switch r := anchor.(type) {
	case *ast.ReturnStmt:
		if len(r.Results) != 1 || ast.Unparen(r.Results[0]) != ast.Expr(sum) {
			return
		}
		f.offer(idea{rule: "optional/optional-term", title: fmt.Sprintf("leave out what belongs to %s where there is none", text), weight: origin + 1, grounds: grounds,
			change: f.change().before(r, fmt.Sprintf("if %s == nil {\n\treturn %s\n}", text, f.text(other))),
			why:    fmt.Sprintf("Without %s the result is %s alone.", text, f.text(other))})
	case *ast.AssignStmt:
		if len(r.Rhs) != 1 || ast.Unparen(r.Rhs[0]) != ast.Expr(sum) || len(r.Lhs) != 1 || f.text(r.Lhs[0]) != f.text(other) {
			return
		}
		f.around(r, text, grounds)
	}
}

// around makes a statement depend on a part that may be missing.
func (f nilRules) around(stmt ast.Stmt, text, grounds string) {
	f.offer(idea{rule: "optional/around", title: fmt.Sprintf("leave out what belongs to %s where there is none", text), weight: origin + 1, grounds: grounds,
		change: f.change().replace(stmt.Pos(), stmt.End(), fmt.Sprintf("if %s != nil {\n\t%s\n}", text, indented(f.dedented(stmt)))),
		why:    fmt.Sprintf("Where %s is nil, there is nothing of it to use.", text)})
}

// optionalMap passes a value on unchanged where the function that would change
// it is not set, and leaves out statements that only add to something.
func (f nilRules) optionalMap(s suspect, grounds string) {
	as, ok := s.anchor().(*ast.AssignStmt)
	if !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
		return
	}
	text := f.text(s.bad)
	if as.Tok == token.ADD_ASSIGN || as.Tok == token.SUB_ASSIGN || as.Tok == token.MUL_ASSIGN || as.Tok == token.OR_ASSIGN {
		f.around(as, text, grounds)
		return
	}
	call, isCall := ast.Unparen(as.Rhs[0]).(*ast.CallExpr)
	if !isCall || ast.Unparen(call.Fun) != ast.Unparen(s.bad) || len(call.Args) != 1 || !types.Identical(s.info().TypeOf(call), s.info().TypeOf(call.Args[0])) {
		return
	}
	name, arg := f.text(as.Lhs[0]), f.text(call.Args[0])
	if as.Tok == token.ASSIGN && name == arg {
		f.around(as, text, grounds)
		return
	}
	f.offer(idea{rule: "optional/optional-map", title: fmt.Sprintf("pass %s on where %s is not set", arg, text), weight: origin + 1, grounds: grounds,
		change: f.change().replace(as.Pos(), as.End(), fmt.Sprintf("%s %s %s\nif %s != nil {\n\t%s = %s\n}", name, as.Tok, arg, text, name, f.text(call))),
		why:    fmt.Sprintf("Without %s the value stays as it is.", text)})
}
