package nilness

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// typedNil fixes a function that returns a nil pointer as an interface: the
// interface is not nil, and its caller goes on to use it. It reports whether the
// nil that was used is one.
func (f nilRules) typedNil(s analysis.Suspect, src code.Source, call *ast.CallExpr) bool {
	sig, ok := src.Info().TypeOf(call.Fun).(*types.Signature)
	if !ok || src.Result >= sig.Results().Len() || !types.IsInterface(sig.Results().At(src.Result).Type()) {
		return false
	}
	result := sig.Results().At(src.Result).Type()
	held := s.Info().TypeOf(s.Bad)
	typed := syntax.IsPointer(held) || f.holdsNil(s)
	d, ok := f.DeclarationOf(src.Callee(call))
	if !ok {
		if typed && syntax.IsPointer(held) {
			f.sayTypedNil(s, src, call, held, result, nil)
		}
		return typed
	}
	var returns []*ast.ReturnStmt
	mixed := false
	for _, r := range syntax.ReturnsOf(d.Node()) {
		if src.Result >= len(r.Results) {
			continue
		}
		e := ast.Unparen(r.Results[src.Result])
		if t := d.Info().TypeOf(e); t == nil || !syntax.IsPointer(t) || d.Info().Types[e].IsNil() {
			continue
		} else if !syntax.IsPointer(held) || types.Identical(t, held) {
			returns, held = append(returns, r), t
		} else {
			mixed = true
		}
	}
	if typed && syntax.IsPointer(held) && (!mixed || syntax.IsPointer(s.Info().TypeOf(s.Bad))) {
		f.sayTypedNil(s, src, call, held, result, returns)
	}
	return typed
}

// sayTypedNil says that an interface holds a nil pointer, and which return
// statement put it there, where one of them alone can have.
func (f nilRules) sayTypedNil(s analysis.Suspect, src code.Source, call *ast.CallExpr, held, result types.Type, returns []*ast.ReturnStmt) {
	if src.Unsure {
		return
	}
	name := "the result of " + syntax.Brief(f.Text(call.Fun))
	if src.Object != nil && types.IsInterface(src.Object.Type()) {
		name = src.Object.Name()
	}
	at := call.Pos()
	if len(returns) == 1 {
		at = returns[0].Pos()
	}
	local := types.RelativeTo(src.Pkg.Types)
	f.Diagnosis.Sentence = fmt.Sprintf("%s holds a nil %s: %s returned it as %s (%s)", name, types.TypeString(held, local), syntax.Brief(f.Text(call.Fun)), withArticle(types.TypeString(result, local)), f.Where(at))
	f.Diagnosis.Origin = f.RelWhere(at)
}

// holdsNil returns the pointer type of the nil that an interface holds.
func (f nilRules) holdsNil(s analysis.Suspect) bool {
	a := f.Value(s.Place, f.At, s.Bad)
	return a.Known && !a.Value.Nil && len(a.Value.Children) == 1 && a.Value.Children[0].Nil
}
