// Package nilness has the rules for nil values: pointers, functions and interfaces that
// are used, maps that are written to, channels that are waited on.
package nilness

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
)

// withArticle puts a or an before the name of a kind or a type.
func withArticle(name string) string {
	if name != "" && strings.ContainsRune("aeioAEIO", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

func lastName(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			return lastName(e.Args[0])
		}
		return lastName(e.Fun)
	case *ast.IndexExpr:
		return lastName(e.X)
	}
	return ""
}

// nilRules: a nil pointer, function or interface is used.
type nilRules struct{ makers }

// Dereference explains a nil pointer, function or interface that was used, and offers
// fixes.
func Dereference(p *proposal.Proposal) {
	f := nilRules{makers{p}}
	if f.nilDeferred() {
		return
	}
	s, ok := f.Choose(f.dereferences)
	if !ok {
		return
	}
	text := f.Text(s.Bad)
	f.Diagnosis = evidence.Diagnosis{Expr: text, Value: "nil", Sentence: text + " is nil"}
	if _, made := ast.Unparen(s.Bad).(*ast.CallExpr); made {
		f.Diagnosis.Sentence = text + " returned nil"
		f.Given(s.Place, s.Bad)
	}
	f.CannotBe = f.givesNoNil
	src := f.Trace(s.Place, f.At, s.Bad)
	f.TreatAlike(s.Place, s.Bad, "nil", "missing")
	Origin(f.Proposal, s, src)
	f.refuseNil(s, src)
	f.optionalCall(s)
	if f.Diagnosis.Origin == "" {
		f.Diagnosis.Origin = f.RelWhere(s.Expr.Pos())
	}
}

// dereferences finds what may be nil: bases of selectors, targets of stars,
// called function values, receivers of interface methods.
func (f nilRules) dereferences(p syntax.Place, n ast.Node) []analysis.Suspect {
	found := func(e, bad ast.Expr) []analysis.Suspect {
		bad = ast.Unparen(bad)
		if tv := p.Info().Types[bad]; tv.IsType() || !syntax.Nilable(tv.Type) {
			return nil
		}
		if u, ok := bad.(*ast.UnaryExpr); ok && u.Op == token.AND {
			return nil
		}
		if neverNil(p, bad) {
			return nil
		}
		fact := f.IsNil(p, f.At, bad)
		if fact == analysis.Unknown && usedBefore(p.Of(e), bad) {
			fact = analysis.No
		}
		return []analysis.Suspect{f.byAddress(p, analysis.Suspect{Expr: e, Bad: bad, Fact: fact})}
	}
	switch n := n.(type) {
	case *ast.SelectorExpr:
		sel := p.Info().Selections[n]
		if sel == nil {
			return nil
		}
		switch sel.Kind() {
		case types.FieldVal:
			return found(n, n.X)
		case types.MethodVal:
			_, isInterface := sel.Recv().Underlying().(*types.Interface)
			if isInterface || !hasPointerReceiver(sel) || f.nilInCallee() {
				return found(n, n.X)
			}
		}
	case *ast.StarExpr:
		if tv := p.Info().Types[n.X]; !tv.IsType() {
			return found(n, n.X)
		}
	case *ast.IndexExpr:
		if syntax.IsPointer(p.Info().TypeOf(n.X)) {
			return found(n, n.X)
		}
	case *ast.CallExpr:
		return f.nilCalls(p, n, found)
	}
	return nil
}

// nilCalls: calls of nil functions, and of the library with a nil argument.
func (f nilRules) nilCalls(p syntax.Place, call *ast.CallExpr, found func(e, bad ast.Expr) []analysis.Suspect) []analysis.Suspect {
	if tv := p.Info().Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return nil
	}
	var list []analysis.Suspect
	if p.Callee(call) == nil {
		list = found(call, call.Fun)
	}
	if _, library := f.InLibrary(); library {
		for _, a := range call.Args {
			if t := p.Info().TypeOf(a); t != nil && syntax.Nilable(t) && !p.Info().Types[a].IsNil() {
				for _, s := range found(call, a) {
					if s.Fact == analysis.Yes {
						list = append(list, s)
					}
				}
			}
		}
	}
	return list
}

// nilInCallee reports whether a method with a pointer receiver may have stopped
// in the library, so that its receiver is a suspect here.
func (f nilRules) nilInCallee() bool {
	_, library := f.InLibrary()
	return library
}

func hasPointerReceiver(sel *types.Selection) bool {
	fn, ok := sel.Obj().(*types.Func)
	if !ok {
		return false
	}
	recv := fn.Type().(*types.Signature).Recv()
	return recv != nil && syntax.IsPointer(recv.Type())
}

// owner finds the struct that embeds a field, in t or what it embeds.
func owner(t types.Type, field *types.Var) (*types.Named, bool) {
	st, ok := syntax.UnderStruct(t)
	for depth := 0; ok && depth < 4; depth++ {
		var next types.Type
		for i := range st.NumFields() {
			if st.Field(i) == field {
				return syntax.Named(t), syntax.Named(t) != nil
			}
			if st.Field(i).Embedded() && next == nil {
				next = st.Field(i).Type()
			}
		}
		if next == nil {
			return nil, false
		}
		t = next
		st, ok = syntax.UnderStruct(t)
	}
	return nil, false
}

// neverNil reports whether an expression cannot be nil: functions, &x, new, package names.
func neverNil(p syntax.Place, e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncLit, *ast.CompositeLit:
		return true
	case *ast.Ident, *ast.SelectorExpr:
		_, isFunc := p.Object(e).(*types.Func)
		return isFunc
	case *ast.CallExpr:
		name, _ := p.Builtin(e)
		return name == "new" || name == "make"
	}
	return false
}

// nilFromCall: a function returned nil. Its error was ignored, or nil is how
// it says that there is nothing.
func (f nilRules) nilFromCall(s analysis.Suspect, src code.Source, call *ast.CallExpr) {
	if !f.typedNil(s, src, call) && ast.Unparen(s.Bad) != ast.Expr(call) {
		f.NoteOf(src, fmt.Sprintf("%s (%s) returned nil%s", syntax.Brief(f.Text(call.Fun)), f.Where(call.Pos()), errorIgnored(src, call)), call.Pos())
	}
	f.refuseAt(s, src)
}

// errorIgnored says of a call whose result is bad that its error is thrown away.
func errorIgnored(src code.Source, call *ast.CallExpr) string {
	as, ok := src.Stmt.(*ast.AssignStmt)
	sig, isSig := src.Info().TypeOf(call.Fun).(*types.Signature)
	if !ok || !isSig || len(as.Rhs) != 1 || sig.Results().Len() != len(as.Lhs) || len(as.Lhs) < 2 || !syntax.IsError(sig.Results().At(len(as.Lhs)-1).Type()) {
		return ""
	}
	if id, isIdent := as.Lhs[len(as.Lhs)-1].(*ast.Ident); !isIdent || id.Name != "_" {
		return ""
	}
	return ", and its error is ignored"
}

// declares reports whether the assignment is the one that gives the object its value.
func declares(p syntax.Place, as *ast.AssignStmt, obj types.Object) bool {
	for _, l := range as.Lhs {
		if p.Object(l) == obj {
			return true
		}
	}
	return false
}

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
