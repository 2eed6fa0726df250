package fixer

import (
	"go/ast"
	"go/parser"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// A value that came with an error, or an ok, from one call is refused after the checks of that
// error: a guard between the call and its checks would take the error's place.

// preempts reports whether a guard before a statement would stand between a call that gave one
// of its variables and a check of the error that came with it: one that leaves, so that it is
// there for just that value.
func (f *proposal) preempts(at syntax.Place, anchor ast.Stmt, cond string) bool {
	if len(at.Path) < 2 {
		return false
	}
	for _, s := range syntax.Statements(at.Path[1]) {
		as, ok := s.(*ast.AssignStmt)
		if !ok || as.Pos() >= anchor.Pos() {
			continue
		}
		for _, l := range as.Lhs {
			if id, ok := l.(*ast.Ident); ok && syntax.Mentions(cond, id.Name) && slices.ContainsFunc(at.ChecksOf(as, at.Object(l)), func(check ast.Stmt) bool {
				return check.Pos() >= anchor.Pos() && syntax.Leaves([]ast.Stmt{check})
			}) {
				return true
			}
		}
	}
	return false
}

// whatCameWith are the errors and oks that the calls gave along with the variables of an
// expression.
func (f fixer) whatCameWith(s analysis.Suspect) map[types.Object]bool {
	found := map[types.Object]bool{}
	ast.Inspect(s.Expr, func(n ast.Node) bool {
		id, isName := n.(*ast.Ident)
		if !isName {
			return true
		}
		v, isVar := s.Info().ObjectOf(id).(*types.Var)
		if !isVar || v.IsField() || syntax.IsGlobal(v) {
			return true
		}
		if d, ok := f.Definition(s.Place, v, id.Pos()); ok {
			if as, ok := d.Stmt.(*ast.AssignStmt); ok {
				for _, o := range d.Alongside(as, v) {
					found[o] = true
				}
			}
		}
		return true
	})
	return found
}

// exitsWithout are the exits where what an expression says is nil: none of them reads
// anything through it.
func (f *exitFinder) exitsWithout(p syntax.Place, m message, missing string) []exit {
	f.Missing = missing
	defer func() { f.Missing = "" }()
	m = f.readable(m, message{syntax.Percent(missing) + " is nil", nil})
	return slices.DeleteFunc(f.exits(p, m, ""), func(e exit) bool {
		return goesThrough("func() {\n"+e.lines+"\n}", missing)
	})
}

// readable is a message, or another one where it reads something through what is nil.
func (f *exitFinder) readable(m, other message) message {
	if slices.ContainsFunc(m.args, func(a string) bool { return goesThrough(a, f.Missing) }) {
		return other
	}
	return m
}

// goesThrough reports whether an expression follows another one: x.f, x.f(), *x, x[i], x().
func goesThrough(text, base string) bool {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return false
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		var through ast.Expr
		switch n := n.(type) {
		case *ast.SelectorExpr:
			through = n.X
		case *ast.StarExpr:
			through = n.X
		case *ast.IndexExpr:
			through = n.X
		case *ast.CallExpr:
			through = n.Fun
		}
		found = found || through != nil && types.ExprString(ast.Unparen(through)) == base
		return !found
	})
	return found
}
