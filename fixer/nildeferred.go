package fixer

import (
	"go/ast"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
)

// nilDeferred explains a stop at the brace that ends a function by the nil function that it
// has deferred; false where the stop is no such one. Which of several was called is known by
// their values only.
func (f nilRules) nilDeferred() bool {
	body := f.Case.Code.EndingAt(f.frame.File, f.frame.Line, debugger.LiteralDepth(f.frame.Function))
	_, calls := workspace.Deferred(f.home.Info(), body)
	fact := func(d *ast.DeferStmt) tri { return f.isNil(f.home.Of(d.Call), f.at, d.Call.Fun) }
	calls = slices.DeleteFunc(calls, func(d *ast.DeferStmt) bool { return fact(d) == no })
	if len(calls) > 1 {
		calls = slices.DeleteFunc(calls, func(d *ast.DeferStmt) bool { return fact(d) != yes })
	}
	if len(calls) != 1 {
		return false
	}
	call := calls[0].Call
	s := suspect{Place: f.home.Of(call), expr: call, bad: call.Fun, fact: fact(calls[0])}
	text := f.Text(s.bad)
	f.chosen, f.guessed = s, nil
	f.diagnosis = evidence.Diagnosis{Expr: text, Value: "nil", Sentence: "the deferred function " + text + " is nil"}
	if s.fact != yes {
		f.diagnosis.Sentence = "a deferred function is nil: probably " + text
	}
	f.dry = true // a guard would go where the call is deferred, not where it failed
	nilOrigin(f.proposal, s, f.trace(s.Place, f.at, s.bad))
	if f.diagnosis.Origin == "" {
		f.diagnosis.Origin = f.RelWhere(call.Pos())
	}
	return true
}
