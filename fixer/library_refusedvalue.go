package fixer

import (
	"fmt"
	"go/ast"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// refusedValue: one of the arguments is nil. It is fixed where it comes from, or looked at before the call.
func (f libraryRules) refusedValue(p syntax.Place, call *ast.CallExpr) {
	for _, a := range call.Args {
		if f.refusedNil(p, call, a) {
			return
		}
	}
}

func (f libraryRules) refusedNil(p syntax.Place, call *ast.CallExpr, a ast.Expr) bool {
	if !syntax.Nilable(p.Info().TypeOf(a)) || f.IsNil(p, f.At, a) != analysis.Yes {
		return false
	}
	text := f.Text(a)
	f.Diagnosis.Expr, f.Diagnosis.Value, f.Diagnosis.Origin = text, "nil", ""
	f.Diagnosis.Sentence = fmt.Sprintf("%s is nil when it is given to %s (%s)", text, f.Text(call.Fun), f.Where(call.Pos()))
	s := analysis.Suspect{Place: p, Expr: call, Bad: a, Fact: analysis.Yes}
	src := f.Trace(p, f.At, a)
	nilOrigin(f.Proposal, s, src)
	if syntax.IsPathOrIndex(a) {
		f.Guard(p, text+" == nil", exits.Message{Format: syntax.Percent(text) + " is nil", Args: nil}, text)
	}
	return true
}
