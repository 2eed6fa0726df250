package refusals

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/nilness"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// libraryRules: a function of a library panics because of what it is given.
type libraryRules struct{ *proposal.Proposal }

// libraryRefused: a function of a library panicked because of what it was given.
func (f libraryRules) libraryRefused(lib string) {
	p, call, ok := f.refusingCall(lib)
	if !ok {
		return
	}
	f.Diagnosis.Expr = syntax.Short(f.Text(call))
	f.Diagnosis.Sentence = fmt.Sprintf("%s (%s) panics: %s", f.Text(call.Fun), f.Where(call.Pos()), syntax.FirstLine(f.Panic.Message))
	if strings.HasPrefix(f.Panic.Message, "regexp: ") {
		f.badPattern(p, call)
	}
	f.refusedValue(p, call)
}

// refusingCall finds the call of the library function on the culprit's line.
func (f libraryRules) refusingCall(lib string) (syntax.Place, *ast.CallExpr, bool) {
	outer := lib
	for i := f.At - 1; i >= 0; i-- {
		if fr := f.Case.Stop.Frames[i]; !fr.Runtime && !fr.User {
			outer = fr.Function
			break
		}
	}
	outer = debugger.WithoutTypeArguments(outer)
	name := outer[strings.LastIndexByte(outer, '.')+1:]
	var any syntax.Place
	for _, p := range f.CallsOnLine() {
		call := p.Node().(*ast.CallExpr)
		fn := p.Callee(call)
		if fn == nil || f.OwnsPackage(fn.Pkg()) {
			continue
		}
		if fn.Name() == name {
			return p, call, true
		}
		if any.File == nil {
			any = p
		}
	}
	if any.File == nil {
		return syntax.Place{}, nil, false
	}
	return any, any.Node().(*ast.CallExpr), true
}

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
	nilness.Origin(f.Proposal, s, src)
	if syntax.IsPathOrIndex(a) {
		f.Guard(p, text+" == nil", exits.Message{Format: syntax.Percent(text) + " is nil", Args: nil}, text)
	}
	return true
}
