package fixer

import (
	"go/ast"
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
