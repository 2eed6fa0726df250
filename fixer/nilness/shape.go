package nilness

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// linked reports whether a struct holds pointers to its own kind.
func linked(t types.Type) bool {
	n := syntax.Named(t)
	st, ok := syntax.UnderStruct(t)
	if n == nil || !ok {
		return false
	}
	for i := range st.NumFields() {
		ft := st.Field(i).Type()
		switch u := ft.Underlying().(type) {
		case *types.Slice:
			ft = u.Elem()
		case *types.Map:
			ft = u.Elem()
		case *types.Array:
			ft = u.Elem()
		}
		if m := syntax.Named(ft); m != nil && m.Obj() == n.Obj() {
			return true
		}
	}
	return false
}

// optionalCall calls a callback, or uses an optional part, only where it is set.
func (f nilRules) optionalCall(s analysis.Suspect) {
	anchor := s.Anchor()
	if anchor == nil || !syntax.IsPathOrIndex(s.Bad) {
		return
	}
	text := f.Text(s.Bad)
	es, isExpr := anchor.(*ast.ExprStmt)
	if isExpr {
		w := exits.Soft
		if _, isFunc := s.Info().TypeOf(s.Bad).Underlying().(*types.Signature); isFunc {
			w = exits.Handled - 3 // a callback that is never set
		}
		if call, ok := es.X.(*ast.CallExpr); !ok || !isCallOn(call, s.Bad) {
			w = exits.Hiding
		}
		ch := f.Change().Replace(es.Pos(), es.End(), fmt.Sprintf("if %s != nil {\n\t%s\n}", text, f.Text(es)))
		f.Offer(proposal.Idea{Rule: "nil/optional-call", Title: fmt.Sprintf("do it only where %s is set", text), Weight: w, Change: ch,
			Why: fmt.Sprintf("Where %s is nil the statement is left out.", text)})
	}
}

func isCallOn(call *ast.CallExpr, bad ast.Expr) bool {
	fun := ast.Unparen(call.Fun)
	if fun == bad {
		return true
	}
	sel, ok := fun.(*ast.SelectorExpr)
	return ok && ast.Unparen(sel.X) == bad
}
