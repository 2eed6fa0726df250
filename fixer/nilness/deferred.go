package nilness

import (
	"go/ast"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
)

// nilDeferred explains a stop at the brace that ends a function by the nil function that it
// has deferred; false where the stop is no such one. Which of several was called is known by
// their values only.
func (f nilRules) nilDeferred() bool {
	body := f.Case.Code.EndingAt(f.Frame.File, f.Frame.Line, debugger.LiteralDepth(f.Frame.Function))
	_, calls := workspace.Deferred(f.Home.Info(), body)
	fact := func(d *ast.DeferStmt) analysis.Tri { return f.IsNil(f.Home.Of(d.Call), f.At, d.Call.Fun) }
	calls = slices.DeleteFunc(calls, func(d *ast.DeferStmt) bool { return fact(d) == analysis.No })
	if len(calls) > 1 {
		calls = slices.DeleteFunc(calls, func(d *ast.DeferStmt) bool { return fact(d) != analysis.Yes })
	}
	if len(calls) != 1 {
		return false
	}
	call := calls[0].Call
	s := analysis.Suspect{Place: f.Home.Of(call), Expr: call, Bad: call.Fun, Fact: fact(calls[0])}
	text := f.Text(s.Bad)
	f.Chosen, f.Guessed = s, nil
	f.Diagnosis = evidence.Diagnosis{Expr: text, Value: "nil", Sentence: "the deferred function " + text + " is nil"}
	if s.Fact != analysis.Yes {
		f.Diagnosis.Sentence = "a deferred function is nil: probably " + text
	}
	f.Dry = true // a guard would go where the call is deferred, not where it failed
	Origin(f.Proposal, s, f.Trace(s.Place, f.At, s.Bad))
	if f.Diagnosis.Origin == "" {
		f.Diagnosis.Origin = f.RelWhere(call.Pos())
	}
	return true
}
