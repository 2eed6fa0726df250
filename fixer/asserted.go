package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// askedForNil keeps the test that follows an assertion: "v := x.(*T)" and then
// "if v != nil" was meant to ask whether x is a *T.
func (f typeRules) askedForNil(a assertion) {
	as, ok := a.anchor().(*ast.AssignStmt)
	if !ok || as.Tok != token.DEFINE || len(as.Lhs) != 1 || len(as.Rhs) != 1 || ast.Unparen(as.Rhs[0]) != ast.Expr(a.x) {
		return
	}
	next, ok := nextStatement(a.of(as), as).(*ast.IfStmt)
	if !ok || next.Init != nil {
		return
	}
	cond, ok := ast.Unparen(next.Cond).(*ast.BinaryExpr)
	name := f.text(as.Lhs[0])
	if !ok || f.text(cond.X) != name || !a.info().Types[cond.Y].IsNil() || cond.Op != token.NEQ && cond.Op != token.EQL {
		return
	}
	grounds := fmt.Sprintf("what follows asks whether %s is nil (%s)", name, f.where(next.Pos()))
	if isError(a.info().TypeOf(a.x.X)) && implementsError(a.want) {
		call := fmt.Sprintf("%s.As(%s, &%s)", pkgName(a.file, "errors"), f.text(a.x.X), name)
		if cond.Op == token.EQL {
			call = "!" + call
		}
		ch := f.change().replace(as.Pos(), as.End(), fmt.Sprintf("var %s %s", name, f.text(a.x.Type))).replace(cond.Pos(), cond.End(), call).need(a.file, "errors")
		f.offer(idea{rule: "assert/asked-for-nil", title: "look for the error with errors.As, also when it is wrapped", weight: origin - 2, change: ch, grounds: grounds,
			why: fmt.Sprintf("The error is a %s, maybe around the one that is looked for; errors.As finds that; for all others the variable is nil.", a.actual)})
		return
	}
	f.offer(idea{rule: "assert/asked-for-nil", title: fmt.Sprintf("let %s be nil for what is not a %s", name, f.text(a.x.Type)), weight: origin - 2, grounds: grounds,
		change: f.change().insert(as.Lhs[0].End(), ", _"), why: "With a second result the assertion does not panic but gives nil, which is asked for."})
}

// guardElements asks for the type of what a list holds too, where the list's
// own type was not asked for either. They are refused as the list is.
func (f typeRules) guardElements(ch *change, a assertion, list string, as exit) bool {
	fn := a.function()
	var loop *ast.RangeStmt
	ast.Inspect(bodyOf(fn), func(node ast.Node) bool {
		r, ok := node.(*ast.RangeStmt)
		if ok && loop == nil && r.Value != nil && (f.text(r.X) == list && r.Pos() > a.x.Pos() || contains(r.X, a.x.Pos())) {
			loop = r
		}
		return true
	})
	if loop == nil {
		return false
	}
	element := a.object(loop.Value)
	done := map[string]bool{}
	changed := false
	ast.Inspect(loop.Body, func(node ast.Node) bool {
		x, ok := node.(*ast.TypeAssertExpr)
		if !ok || x.Type == nil || a.object(x.X) != element || element == nil || done[f.text(x)] {
			return true
		}
		changed = f.guardElement(ch, a, x, as) || changed
		done[f.text(x)] = true
		return false
	})
	return changed
}

func (f typeRules) guardElement(ch *change, a assertion, x *ast.TypeAssertExpr, as exit) bool {
	at := a.of(x)
	anchor := at.anchor()
	if set, ok := anchor.(*ast.AssignStmt); ok && len(set.Lhs) == 2 && len(set.Rhs) == 1 && set.Rhs[0] == ast.Expr(x) || anchor == nil || !hoistable(at, anchor) {
		return false
	}
	other := assertion{suspect: suspect{place: at, expr: x, bad: x.X}, x: x, want: a.info().TypeOf(x.Type)}
	there := a.of(anchor)
	ways := f.exits(there, f.assertionMessage(other), "")
	n := slices.IndexFunc(ways, func(e exit) bool { return e.edit == nil && leavesBy(e) == leavesBy(as) })
	if n < 0 {
		n = slices.IndexFunc(ways, func(e exit) bool { return e.edit == nil })
	}
	if n < 0 {
		return false
	}
	ok := f.flag(there)
	name := fresh(there, "item", "element", "entry")
	ch.before(anchor, fmt.Sprintf("%s, %s := %s\nif !%s {\n\t%s\n}", name, ok, f.text(x), ok, indented(ways[n].lines))).
		replace(x.Pos(), x.End(), name).need(a.file, ways[n].imports...)
	return true
}

// leavesBy is the word by which an exit leaves: "return", "continue", or what it calls.
func leavesBy(e exit) string {
	lines := strings.Split(strings.TrimSpace(e.lines), "\n")
	word, _, _ := strings.Cut(strings.TrimSpace(lines[len(lines)-1]), " ")
	return word
}
