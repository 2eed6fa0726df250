package fixer

import (
	"go/ast"
	"go/constant"
	"go/types"
)

// customaryReturn leaves a function as the function does elsewhere.
func (f *exitFinder) customaryReturn(p place) (exit, bool) {
	text := f.customary(p, func(*ast.ReturnStmt) bool { return true })
	return exit{lines: text, weight: hiding, how: "returns as it does elsewhere"}, text != ""
}

// constantReturn leaves a function that has no error and no bool to report with by the numbers
// or texts that it returns most often, such as -1. Once is no custom, and what is zero
// says nothing.
func (f *exitFinder) constantReturn(p place) (exit, bool) {
	sig, body := p.signature(), bodyOf(p.function())
	if sig == nil || body == nil || sig.Results().Len() == 0 {
		return exit{}, false
	}
	if last := sig.Results().At(sig.Results().Len() - 1).Type(); types.Identical(last, types.Universe.Lookup("error").Type()) || types.Identical(last.Underlying(), types.Typ[types.Bool]) {
		return exit{}, false
	}
	counts, best, told := map[string]int{}, "", map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) > 0 && allConstant(p, r) {
			text := f.text(r)
			told[text] = tells(p, r)
			if counts[text]++; counts[text] > counts[best] {
				best = text
			}
		}
		return true
	})
	return exit{lines: best, weight: hiding, how: "returns as it does elsewhere"}, counts[best] > 1 && told[best]
}

// allConstant reports whether a return gives back constants, with names that are known at a place.
func allConstant(p place, r *ast.ReturnStmt) bool {
	ok := true
	for _, e := range r.Results {
		v := p.info().Types[e]
		ok = ok && (v.Value != nil || v.IsNil())
		ast.Inspect(e, func(n ast.Node) bool {
			if id, named := n.(*ast.Ident); named {
				o := p.object(id)
				ok = ok && o != nil && (o.Parent() == types.Universe || o.Pkg() != nil && o.Parent() == o.Pkg().Scope() || p.sees(o))
			}
			return ok
		})
	}
	return ok
}

// tells reports whether a return of constants has a number or a text that is not zero.
func tells(p place, r *ast.ReturnStmt) bool {
	for _, e := range r.Results {
		switch v := p.info().Types[e].Value; {
		case v == nil:
		case v.Kind() == constant.String && constant.StringVal(v) != "", (v.Kind() == constant.Int || v.Kind() == constant.Float) && constant.Sign(v) != 0:
			return true
		}
	}
	return false
}

// customary is the return that the function around a place has most often, of
// those that return what the function was given, and constants; empty when there
// is none.
func (f *exitFinder) customary(p place, accept func(*ast.ReturnStmt) bool) (best string) {
	sig, body := p.signature(), bodyOf(p.function())
	if sig == nil || body == nil {
		return ""
	}
	given, counts := givenTo(sig), map[string]int{}
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		r, ok := n.(*ast.ReturnStmt)
		if !ok || len(r.Results) != sig.Results().Len() || !returnsGiven(p, r, given) || !accept(r) {
			return true
		}
		text := f.text(r)
		if counts[text]++; counts[text] > counts[best] {
			best = text
		}
		return true
	})
	return best
}

// givenTo are the receiver and the parameters of a function.
func givenTo(sig *types.Signature) map[types.Object]bool {
	given := map[types.Object]bool{}
	if r := sig.Recv(); r != nil {
		given[r] = true
	}
	for v := range sig.Params().Variables() {
		given[v] = true
	}
	return given
}

// returnsGiven reports whether a return gives back something that the function was
// given, and constants.
func returnsGiven(p place, r *ast.ReturnStmt, given map[types.Object]bool) bool {
	found := false
	for _, e := range r.Results {
		switch v := p.info().Types[e]; {
		case v.Value != nil || v.IsNil():
		case given[p.object(e)] && p.sees(p.object(e)):
			found = true
		default:
			return false
		}
	}
	return found
}

// endsFalse reports whether the last result of a return is false.
func endsFalse(r *ast.ReturnStmt) bool {
	id, ok := r.Results[len(r.Results)-1].(*ast.Ident)
	return ok && id.Name == "false"
}

// sees reports whether the name of an object means it at the place.
func (p place) sees(o types.Object) bool {
	scope := p.pkg.Types.Scope().Innermost(p.node().Pos())
	if scope == nil {
		return false
	}
	_, visible := scope.LookupParent(o.Name(), p.node().Pos())
	return visible == o
}
