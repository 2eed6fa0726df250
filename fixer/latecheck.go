package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// checkedLate moves the statement that fails below the check of what makes it fail, where
// that comes right after it and leaves.
func (f fixer) checkedLate() {
	s := f.Chosen
	if s.Expr == nil || s.Anchor() == nil {
		return
	}
	anchor := s.Anchor()
	switch anchor.(type) {
	case *ast.AssignStmt, *ast.ExprStmt, *ast.DeclStmt, *ast.DeferStmt:
	default:
		return
	}
	var list []ast.Stmt
	for i := range len(s.Path) - 1 {
		if s.Path[i] == ast.Node(anchor) {
			list = syntax.Statements(s.Path[i+1])
		}
	}
	_, at := syntax.Within(list, anchor.Pos())
	if at < 0 || at+1 >= len(list) {
		return
	}
	check, ok := list[at+1].(*ast.IfStmt)
	if !ok || check.Init != nil || check.Else != nil || !endsHere(s.Place, check.Body) || !f.asksFor(s, check.Cond) || usesResultOf(s.Place, check, anchor) || mayAlter(s.Place, anchor, check.Cond) {
		return
	}
	text := syntax.Brief(f.Text(check.Cond))
	f.Offer(proposal.Idea{Rule: "order/checked-late", Title: fmt.Sprintf("check %s before it is used", text), Weight: exits.Origin,
		Change:  f.Change().Remove(anchor).After(check, f.Text(anchor)),
		Why:     fmt.Sprintf("The check of %s came after the statement that needs it.", text),
		Grounds: "what makes it fail is checked after it (" + f.RelWhere(check.Pos()) + ")"})
}

// endsHere reports whether a block leaves the list that it stands in.
func endsHere(p syntax.Place, block *ast.BlockStmt) bool {
	if len(block.List) == 0 {
		return false
	}
	switch last := block.List[len(block.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := last.X.(*ast.CallExpr)
		return ok && syntax.NeverReturns(p, call)
	}
	return false
}

// asksFor reports whether a condition compares what is bad at a place, a variable that it is
// worked out from, or an error that came with one.
func (f fixer) asksFor(s analysis.Suspect, cond ast.Expr) (found bool) {
	whole := wholeVariables(s.Place, s.Bad)
	maps.Copy(whole, f.whatCameWith(s))
	ast.Inspect(cond, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok {
			for _, e := range []ast.Expr{b.X, b.Y} {
				id, isName := ast.Unparen(e).(*ast.Ident)
				found = found || f.Text(e) == f.Text(s.Bad) || isName && whole[s.Info().ObjectOf(id)]
			}
		}
		return !found
	})
	return found
}

// wholeVariables are the variables in an expression whose values it takes whole: not those of
// which it takes a field or an element.
func wholeVariables(p syntax.Place, e ast.Expr) map[types.Object]bool {
	found := map[types.Object]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr, *ast.IndexExpr:
			return false
		case *ast.Ident:
			found[p.Info().ObjectOf(n)] = true
		}
		return true
	})
	return found
}

// mayAlter reports whether a statement calls something that may change what a condition reads:
// more than a variable.
func mayAlter(p syntax.Place, s ast.Stmt, cond ast.Expr) bool {
	reads, calls := false, false
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.SelectorExpr, *ast.IndexExpr, *ast.CallExpr, *ast.StarExpr:
			reads = true
		}
		return !reads
	})
	ast.Inspect(s, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		calls = calls || ok && !p.Info().Types[call.Fun].IsType()
		return !calls
	})
	return reads && calls
}

// usesResultOf reports whether a statement uses what another one defines or assigns.
func usesResultOf(p syntax.Place, s, other ast.Stmt) (found bool) {
	ast.Inspect(other, func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok {
			return !found
		}
		for _, l := range as.Lhs {
			ast.Inspect(l, func(n ast.Node) bool { // of an element or a field, what it is one of
				id, isName := n.(*ast.Ident)
				found = found || isName && syntax.MentionsObject(p, s, p.Info().ObjectOf(id))
				return !found
			})
		}
		return !found
	})
	return found
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
