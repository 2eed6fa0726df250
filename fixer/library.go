package fixer

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/pausetui/pausetui/debugger"
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
