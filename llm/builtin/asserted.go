package builtin

import (
	"fmt"
	"go/ast"
	"go/token"
)

// askedForNil keeps the test that follows an assertion: "v := x.(*T)" and then
// "if v != nil" was meant to ask whether x is a *T.
func (f *fixer) askedForNil(a assertion) {
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
		f.offer(idea{title: "look for the error with errors.As, also when it is wrapped", weight: origin - 2, change: ch, grounds: grounds,
			why: fmt.Sprintf("The error is a %s, maybe around the one that is looked for; errors.As finds that, and all others go where nil was meant to go.", a.actual)})
		return
	}
	f.offer(idea{title: fmt.Sprintf("let %s be nil for what is no %s", name, f.text(a.x.Type)), weight: origin - 2, grounds: grounds,
		change: f.change().insert(as.Lhs[0].End(), ", _"), why: "With a second result the assertion does not panic but gives nil, which is asked for."})
}

// guardElements asks for the type of what a list holds too, where the list's
// own type was not asked for either. n is which of the exits is taken.
func (f *fixer) guardElements(ch *change, a assertion, list string, n int) bool {
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
		changed = f.guardElement(ch, a, x, n) || changed
		done[f.text(x)] = true
		return false
	})
	return changed
}

func (f *fixer) guardElement(ch *change, a assertion, x *ast.TypeAssertExpr, n int) bool {
	at := a.of(x)
	anchor := at.anchor()
	if as, ok := anchor.(*ast.AssignStmt); ok && len(as.Lhs) == 2 && len(as.Rhs) == 1 && as.Rhs[0] == ast.Expr(x) || anchor == nil || !hoistable(at, anchor) {
		return false
	}
	other := assertion{suspect: suspect{place: at, expr: x, bad: x.X}, x: x, want: a.info().TypeOf(x.Type)}
	there := a.of(anchor)
	ways := f.exits(there, f.assertionMessage(other), "")
	if n >= len(ways) || ways[n].edit != nil {
		return false
	}
	ok := f.flag(there)
	name := f.fresh(there, "item", "element", "entry")
	ch.before(anchor, fmt.Sprintf("%s, %s := %s\nif !%s {\n\t%s\n}", name, ok, f.text(x), ok, indented(ways[n].lines))).
		replace(x.Pos(), x.End(), name).need(a.file, ways[n].imports...)
	return true
}
