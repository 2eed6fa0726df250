package exits

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// customaryReturn leaves a function as the function does elsewhere.
func (f *Finder) customaryReturn(p syntax.Place) (Exit, bool) {
	text := f.customary(p, func(*ast.ReturnStmt) bool { return true })
	return Exit{Lines: text, Weight: Hiding, How: "returns as it does elsewhere"}, text != ""
}

// unchangedReturn returns the text or list that a function was given, where it returns one that
// it makes from it: one parameter has the type of its only result, and its content is used.
func (f *Finder) unchangedReturn(p syntax.Place) (Exit, bool) {
	sig := p.Signature()
	if sig == nil || sig.Results().Len() != 1 {
		return Exit{}, false
	}
	t := sig.Results().At(0).Type()
	var given *types.Var
	for v := range sig.Params().Variables() {
		if types.Identical(v.Type(), t) {
			if given != nil {
				return Exit{}, false
			}
			given = v
		}
	}
	if _, isList := t.Underlying().(*types.Slice); given == nil || !isList && !syntax.IsString(t) || !p.Sees(given) || !usesContent(p, given) {
		return Exit{}, false
	}
	return Exit{Lines: "return " + given.Name(), Weight: Hiding, How: "returns " + given.Name() + " as it is"}, true
}

// usesContent reports whether the function around a place goes through a text or list, or has a
// package for texts do so, does not change it, and takes no part of it, which may be all that is
// wanted.
func usesContent(p syntax.Place, v *types.Var) bool {
	is := func(e ast.Expr) bool { return p.Object(e) == v }
	used, cut := false, false
	ast.Inspect(syntax.BodyOf(p.Function()), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			used = used || is(n.X)
		case *ast.SliceExpr:
			cut = cut || is(n.X)
		case *ast.AssignStmt:
			cut = cut || slices.ContainsFunc(n.Lhs, is)
		case *ast.CallExpr:
			fn := p.Callee(n)
			ofTexts := fn != nil && fn.Pkg() != nil && slices.Contains([]string{"strings", "bytes", "unicode/utf8", "slices"}, fn.Pkg().Path())
			used = used || ofTexts && slices.ContainsFunc(n.Args, is)
		}
		return !cut
	})
	return used && !cut
}

// namesSeen reports whether the names in an expression mean the same at a place.
func namesSeen(p syntax.Place, e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		if id, named := n.(*ast.Ident); named {
			o := p.Object(id)
			v, isVar := o.(*types.Var)
			ok = ok && o != nil && (isVar && v.IsField() || o.Parent() == types.Universe || o.Pkg() != nil && o.Parent() == o.Pkg().Scope() || p.Sees(o))
		}
		return ok
	})
	return ok
}

// errorElsewhere is the return that the function around a place has most often, of those that
// make an error of what is at hand at the place, too, and without a constant or another error,
// which would be those of another failure; empty where there is none.
func (f *Finder) errorElsewhere(p syntax.Place) string {
	best := f.mostOften(p, func(r *ast.ReturnStmt) bool {
		if len(r.Results) == 0 {
			return false
		}
		made := ast.Unparen(r.Results[len(r.Results)-1])
		if u, ok := made.(*ast.UnaryExpr); ok && u.Op == token.AND {
			made = u.X
		}
		_, ok := made.(*ast.CompositeLit)
		ast.Inspect(made, func(n ast.Node) bool {
			if e, isExpr := n.(ast.Expr); isExpr && e != made {
				tv := p.Info().Types[e]
				ok = ok && tv.Value == nil && (tv.Type == nil || tv.IsType() || !syntax.ImplementsError(tv.Type))
			}
			return ok
		})
		for _, e := range r.Results {
			ok = ok && namesSeen(p, e)
		}
		return ok
	})
	if best == nil {
		return ""
	}
	return f.Text(best)
}

// customary is the return that the function around a place has most often, of
// those that return what the function was given, and constants; empty when there
// is none.
func (f *Finder) customary(p syntax.Place, accept func(*ast.ReturnStmt) bool) string {
	sig := p.Signature()
	if sig == nil {
		return ""
	}
	given := givenTo(sig)
	best := f.mostOften(p, func(r *ast.ReturnStmt) bool {
		return len(r.Results) == sig.Results().Len() && returnsGiven(p, r, given) && accept(r)
	})
	if best == nil {
		return ""
	}
	return f.Text(best)
}

// mostOften is the return of those accepted that the function around a place has most often; nil
// where there is none.
func (f *Finder) mostOften(p syntax.Place, accept func(*ast.ReturnStmt) bool) (best *ast.ReturnStmt) {
	body := syntax.BodyOf(p.Function())
	if body == nil {
		return nil
	}
	counts, times := map[string]int{}, 0
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if r, ok := n.(*ast.ReturnStmt); ok && accept(r) {
			text := f.Text(r)
			if counts[text]++; counts[text] > times {
				best, times = r, counts[text]
			}
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
func returnsGiven(p syntax.Place, r *ast.ReturnStmt, given map[types.Object]bool) bool {
	found := false
	for _, e := range r.Results {
		switch v := p.Info().Types[e]; {
		case v.Value != nil || v.IsNil():
		case given[p.Object(e)] && p.Sees(p.Object(e)):
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

// meant is what the code itself says should happen in a case: a test, or the
// check after another call of the same function.
type meant struct {
	lines   string // statements that leave the function, or the iteration of a loop
	imports []string
	how     string // completes "… and": "returns 0"
	grounds string // what says so
	weight  Weight
}
