package fixer

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// libraryRules: a function of a library panics because of what it is given.
type libraryRules struct{ *proposal }

// libraryRefused: a function of a library panicked because of what it was given.
func (f libraryRules) libraryRefused(lib string) {
	p, call, ok := f.refusingCall(lib)
	if !ok {
		return
	}
	f.diagnosis.Expr = short(f.text(call))
	f.diagnosis.Sentence = fmt.Sprintf("%s (%s) panics: %s", f.text(call.Fun), f.where(call.Pos()), firstLine(f.panic.Message))
	if strings.HasPrefix(f.panic.Message, "regexp: ") {
		f.badPattern(p, call)
	}
	f.refusedValue(p, call)
}

// refusingCall finds the call of the library function on the culprit's line.
func (f libraryRules) refusingCall(lib string) (place, *ast.CallExpr, bool) {
	outer := lib
	for i := f.at - 1; i >= 0; i-- {
		if fr := f.c.Stop.Frames[i]; !fr.Runtime && !fr.User {
			outer = fr.Function
			break
		}
	}
	outer = debugger.WithoutTypeArguments(outer)
	name := outer[strings.LastIndexByte(outer, '.')+1:]
	var any place
	for _, p := range f.callsOnLine() {
		call := p.node().(*ast.CallExpr)
		fn := p.callee(call)
		if fn == nil || f.ownsPackage(fn.Pkg()) {
			continue
		}
		if fn.Name() == name {
			return p, call, true
		}
		if any.file == nil {
			any = p
		}
	}
	if any.file == nil {
		return place{}, nil, false
	}
	return any, any.node().(*ast.CallExpr), true
}
