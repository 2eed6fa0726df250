package review

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pausetui/pausetui/source/copies"
	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Lost are points where the new code gives a map or a slice to a copy that nobody gets: the
// statement that failed runs then, and what it writes is lost. before and after are the files
// of a package, by their names.
func Lost(before, after map[string]string) (points []effect.Point) {
	t := load(after)
	for i, f := range t.files {
		name := t.names[i]
		if before[name] == after[name] {
			continue
		}
		was := map[string]*ast.FuncDecl{}
		if s := syntax.Parse(before[name]); s != nil {
			was = s.Functions()
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			for _, a := range assignedNow(was[syntax.NameOf(fn)], fn) {
				for j, l := range a.Lhs {
					if !t.holdsEntries(l, a.Rhs[min(j, len(a.Rhs)-1)]) || !copies.Lost(t.info, innermost(fn, a.Pos()), l, a.Pos()) {
						continue
					}
					at := t.fset.PositionFor(a.Pos(), false)
					points = append(points, effect.Point{File: name, Line: at.Line, Function: syntax.NameOf(fn), Effect: verdict.Skips, Lost: true, Offset: at.Offset,
						How: "works on a copy, so that what is written to " + match.Cut(types.ExprString(l)) + " is lost"})
				}
			}
		}
	}
	return points
}

// assignedNow are the assignments of a function that it did not have; old may be nil.
func assignedNow(old, fn *ast.FuncDecl) (found []*ast.AssignStmt) {
	had := map[match.Form]int{}
	if old != nil {
		for a := range syntax.All[*ast.AssignStmt](old) {
			had[match.FormOf(a)]++
		}
	}
	for n := range ast.Preorder(fn.Body) {
		for _, s := range match.ListOf(n) {
			a, ok := s.(*ast.AssignStmt)
			if !ok || a.Tok != token.ASSIGN {
				continue
			}
			if had[match.FormOf(a)]--; had[match.FormOf(a)] < 0 {
				found = append(found, a)
			}
		}
	}
	return found
}

// holdsEntries reports whether a variable that is given a value is a map or a slice.
func (t typed) holdsEntries(e, value ast.Expr) bool {
	typ := t.info.TypeOf(e)
	if typ == nil {
		return false
	}
	switch typ.Underlying().(type) {
	case *types.Map, *types.Slice:
		return true
	}
	call, ok := value.(*ast.CallExpr) // of a type that is not loaded
	return ok && match.IsName(call.Fun, "make")
}

// innermost is the function literal around a position in a function, or that function.
func innermost(fn *ast.FuncDecl, at token.Pos) ast.Node {
	var found ast.Node = fn
	for lit := range syntax.All[*ast.FuncLit](fn) {
		if lit.Pos() <= at && at < lit.End() {
			found = lit
		}
	}
	return found
}
