package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// alikeExits writes what neighbors do with the same bad value.
func (f *exitFinder) alikeExits(p syntax.Place) []exit {
	var list []exit
	for _, r := range f.Alike {
		for _, lines := range f.ported(r, p) {
			list = append(list, exit{lines: lines, imports: r.PackagesUsed(), weight: origin - 1,
				how: fmt.Sprintf("does as %s does (%s)", syntax.FuncName(r.Function()), f.Where(r.Stmt.Pos()))})
		}
		if len(list) > 2 {
			break
		}
	}
	return list
}

// ported writes the body of a refusal for another place.
func (f *exitFinder) ported(r analysis.Refusal, p syntax.Place) []string {
	from, to := r.Signature(), p.Signature()
	last, isReturn := r.Stmt.Body.List[len(r.Stmt.Body.List)-1].(*ast.ReturnStmt)
	if from == nil || to == nil || !isReturn || r.Function() == p.Function() && syntax.Contains(r.Stmt, p.Node().Pos()) {
		return nil
	}
	swaps := f.swapsFor(r, p)
	var list []string
	if identicalResults(from, to) && (len(last.Results) > 0 || to.Results().Len() == 0) {
		parts, fits := make([]string, len(r.Stmt.Body.List)), true
		for i, s := range r.Stmt.Body.List {
			text, ok := f.adapted(r.Place, s, p, swaps)
			parts[i], fits = text, fits && ok
		}
		if fits {
			list = append(list, strings.Join(parts, "\n"))
		}
	}
	n, m := from.Results().Len(), to.Results().Len()
	if n > 0 && m > 0 && len(last.Results) == n && syntax.IsError(to.Results().At(m-1).Type()) && syntax.ImplementsError(from.Results().At(n-1).Type()) {
		rest, ok := syntax.ZeroResults(p, to, 1)
		text, fits := f.adapted(r.Place, last.Results[n-1], p, swaps)
		if ok && fits && !r.Info().Types[last.Results[n-1]].IsNil() {
			list = append(list, "return "+syntax.Join(rest, text))
		}
	}
	return list
}

func identicalResults(a, b *types.Signature) bool {
	if a.Results().Len() != b.Results().Len() {
		return false
	}
	for i := range a.Results().Len() {
		x, y := a.Results().At(i).Type(), b.Results().At(i).Type()
		_, param := x.(*types.TypeParam)
		if !types.Identical(x, y) && (!param || x.String() != y.String()) {
			return false
		}
	}
	return true
}

// swapsFor maps what plays a part in one function to what plays the same part in
// another: the receiver, parameters that are of one type and are either called
// the same or alone of that type, what the looked-up value is called, and what
// the lookup is given.
func (f *exitFinder) swapsFor(r analysis.Refusal, p syntax.Place) map[string]string {
	swaps := map[string]string{}
	from, to := r.Signature(), p.Signature()
	if from.Recv() != nil && to.Recv() != nil && types.Identical(from.Recv().Type(), to.Recv().Type()) {
		swaps[from.Recv().Name()] = to.Recv().Name()
	}
	for i := range from.Params().Len() {
		x := from.Params().At(i)
		if y := samePart(x, from, to); y != nil {
			swaps[x.Name()] = y.Name()
		}
	}
	if r.Bad == nil {
		return swaps
	}
	if id, ok := ast.Unparen(r.Looked).(*ast.Ident); ok && types.Identical(r.Info().TypeOf(id), p.Info().TypeOf(r.Bad)) && syntax.IsPath(r.Bad) {
		swaps[id.Name] = f.Text(r.Bad)
	}
	theirs, ours := f.Trace(r.Place, -1, r.Looked), f.Trace(p, -1, r.Bad)
	if theirs.Expr != nil && ours.Expr != nil && theirs.Function() == r.Function() && ours.Function() == p.Function() {
		given, _ := f.argumentsFor(ast.Unparen(theirs.Expr), ast.Unparen(ours.Expr))
		for their, our := range given {
			swaps[their] = our
		}
	}
	return swaps
}

// samePart finds the parameter of another function that plays the part of x.
func samePart(x *types.Var, from, to *types.Signature) *types.Var {
	alone := func(s *types.Signature) (only *types.Var, n int) {
		for i := range s.Params().Len() {
			if v := s.Params().At(i); types.Identical(v.Type(), x.Type()) {
				only, n = v, n+1
			}
		}
		return only, n
	}
	for i := range to.Params().Len() {
		if y := to.Params().At(i); y.Name() == x.Name() && types.Identical(x.Type(), y.Type()) {
			return y
		}
	}
	_, theirs := alone(from)
	y, ours := alone(to)
	if _, basic := x.Type().Underlying().(*types.Basic); basic || theirs != 1 || ours != 1 || y.Name() == "" || y.Name() == "_" {
		return nil
	}
	return y
}

// treatLengthAlike is treatAlike for what is too short to be indexed.
func (f indexRules) treatLengthAlike(x indexing) {
	t, ok := f.ThingOf(x.Place, x.base)
	if !ok || x.negative() {
		return
	}
	kind := "short"
	if x.length == 0 {
		kind = "zero"
	}
	t.Part += " len"
	f.Alike = append(f.Alike, f.RefusalsOfThing(x.Place, t, kind)...)
}
