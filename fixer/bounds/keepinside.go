package bounds

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// What lets one bound of a slice expression out of range on this run often lets
// the other one out on the next: this file keeps both inside.

// clamping collects the edits that keep bounds inside of a slice or string.
type clamping struct {
	f    *proposal.Proposal
	x    slicing
	base string
	ch   *code.Change
	done map[ast.Node]bool
	at   string // the variable that is clamped where it is computed
	what string // the first clamped bound
}

// keepInside clamps the bad bound, and the other one where it may be bad too.
func (f boundRules) keepInside(x slicing, src code.Source) {
	if t := x.Info().TypeOf(x.Bad); t == nil || !isIntType(t) {
		return
	}
	w := clampWeight(x, src)
	if storedState(f.Code, x.Place, x.Bad) {
		return
	}
	k := &clamping{f: f.Proposal, x: x, base: f.Text(x.slice.X), ch: f.Change(), done: map[ast.Node]bool{}}
	backwards := x.fault == lowAboveHigh && x.slice.High != nil && (x.length < 0 || x.low <= x.length)
	if backwards {
		k.what = fmt.Sprintf("min(%s, %s)", f.Text(x.Bad), f.Text(x.slice.High))
		k.ch.Replace(x.Bad.Pos(), x.Bad.End(), k.what)
	} else {
		for _, bound := range []ast.Expr{x.Bad, x.slice.Low, x.slice.High} {
			if bound != nil {
				k.clamp(bound)
			}
		}
	}
	title, why := fmt.Sprintf("keep %s inside of %s", syntax.Short(f.Text(x.Bad)), k.base), fmt.Sprintf("%s takes its place, so that the slice stays inside of %s.", k.what, k.base)
	if k.at != "" && x.fault == highTooLarge {
		title = fmt.Sprintf("end %s at len(%s)", k.at, k.base)
		why = fmt.Sprintf("Where %s is computed, it is now at most the length of %s: the last part may be shorter.", k.at, k.base)
	}
	if k.at != "" && w < exits.Soft && f.inChunks(x) {
		w = min(w, exits.Origin+2)
	}
	f.Offer(proposal.Idea{Rule: "keepinside/keep-inside", Title: title, Weight: w, Change: k.ch, Why: why})
}

// storedState reports whether an expression is computed from a number that is kept
// in a field and changes there. One out of range is a record in a wrong state:
// to clamp it where it is used leaves it so.
func storedState(f *code.Code, p syntax.Place, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return false // len(r.list)
		case *ast.SelectorExpr:
			if v, ok := p.Info().Uses[n.Sel].(*types.Var); ok && v.IsField() && syntax.IsInteger(v.Type()) && setLater(f, v) {
				found = true
			}
		}
		return !found
	})
	return found
}

// setLater reports whether a field is given another value after its record was
// made.
func setLater(f *code.Code, field *types.Var) bool {
	found := false
	f.Each(func(p syntax.Place) {
		ast.Inspect(p.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IncDecStmt:
				found = found || f.Same(p.Object(n.X), field)
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					found = found || f.Same(p.Object(l), field)
				}
			}
			return !found
		})
	})
	return found
}

// clampWeight weighs less than there is against a refusal.
func clampWeight(x slicing, src code.Source) exits.Weight {
	if _, isSearchResult := searchResult(src); isSearchResult {
		return exits.Soft
	}
	if sig := x.Signature(); sig != nil && sig.Results().Len() > 0 {
		last := sig.Results().At(sig.Results().Len() - 1).Type()
		if syntax.ImplementsError(last) || sig.Results().Len() > 1 && syntax.IsBool(last) {
			return exits.Handled + 3
		}
	}
	return exits.Handled - 1
}

// inChunks reports whether the slice is taken in a loop that goes over its base
// part by part.
func (f boundRules) inChunks(x slicing) bool {
	for _, l := range x.Loops() {
		if loop, ok := l.(*ast.ForStmt); ok && loop.Cond != nil && syntax.Mentions(f.Text(loop.Cond), "len("+f.Text(x.slice.X)+")") {
			return true
		}
	}
	sig := x.Signature()
	return sig == nil || sig.Results().Len() == 0 || !syntax.ImplementsError(sig.Results().At(sig.Results().Len()-1).Type())
}

// clamp keeps one bound inside, where it is computed or at the slice.
func (k *clamping) clamp(bound ast.Expr) {
	under, over := mayLeave(k.f.Code, k.x.Place, bound)
	switch k.x.fault {
	case lowNegative:
		under = under || bound == k.x.slice.Low
	case highNegative:
		under = under || bound == k.x.slice.High
	case highTooLarge:
		over = over || bound == k.x.slice.High || bound == k.x.slice.Low && k.x.length >= 0 && k.x.low > k.x.length
	case lowAboveHigh:
		over = over || bound == k.x.slice.Low
	}
	if !under && !over || k.done[bound] {
		return
	}
	k.done[bound] = true
	text := func(e ast.Expr) string {
		s := k.f.Text(e)
		if under {
			s = fmt.Sprintf("max(%s, 0)", s)
		}
		if over {
			s = fmt.Sprintf("min(%s, len(%s))", s, k.base)
		}
		return s
	}
	if as := k.computed(bound); as != nil {
		if !k.done[as] {
			k.done[as] = true
			k.ch.Replace(as.Rhs[0].Pos(), as.Rhs[0].End(), text(as.Rhs[0]))
			if bound == k.x.Bad {
				k.f.ComesFrom(code.Source{Place: k.x.Of(as.Rhs[0]), Expr: as.Rhs[0]}, "")
			}
		}
		if bound == k.x.Bad {
			k.at, k.what = k.f.Text(bound), text(as.Rhs[0])
		}
		return
	}
	if bound == k.x.Bad {
		k.what = text(bound)
	}
	k.everywhere(bound, text(bound))
}

// computed is the only assignment that gives a local variable its value, when
// the base is there before it.
func (k *clamping) computed(bound ast.Expr) *ast.AssignStmt {
	id, ok := ast.Unparen(bound).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := k.x.Object(id).(*types.Var)
	if !ok || syntax.IsGlobal(v) {
		return nil
	}
	defs := k.f.Definitions(k.x.Place, v)
	if len(defs) != 1 || defs[0].Kind != code.FromExpr || defs[0].Result != 0 {
		return nil
	}
	as, ok := defs[0].Stmt.(*ast.AssignStmt)
	if !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 || defs[0].Function() != k.x.Function() || defs[0].Of(as).Anchor() != ast.Stmt(as) || syntax.Counted(k.x.Place, v) {
		return nil
	}
	if base, isVar := k.x.Object(k.x.slice.X).(*types.Var); isVar {
		for _, d := range k.f.Definitions(k.x.Place, base) {
			if d.Stmt.Pos() >= as.Pos() && d.Stmt.Pos() < k.x.slice.Pos() && d.Declaration() == k.x.Declaration() {
				return nil
			}
		}
	}
	return as
}

// everywhere replaces a bound wherever the function slices the same base at it.
func (k *clamping) everywhere(bound ast.Expr, with string) {
	want := k.f.Text(bound)
	k.ch.Replace(bound.Pos(), bound.End(), with)
	if isConstant(k.x.Place, bound) {
		return
	}
	ast.Inspect(syntax.BodyOf(k.x.Function()), func(n ast.Node) bool {
		sl, ok := n.(*ast.SliceExpr)
		if !ok || k.f.Text(sl.X) != k.base {
			return true
		}
		for _, e := range []ast.Expr{sl.Low, sl.High} {
			if e != nil && e != bound && !k.done[e] && k.f.Text(e) == want {
				k.done[e] = true
				k.ch.Replace(e.Pos(), e.End(), with)
			}
		}
		return true
	})
}

// mayLeave reports whether a bound may be negative or past the end, by how it is
// computed.
func mayLeave(f *code.Code, p syntax.Place, e ast.Expr) (under, over bool) {
	e = ast.Unparen(e)
	if n, isConst := syntax.ConstantInt(p, e); isConst {
		return false, n > 0
	}
	switch e := e.(type) {
	case *ast.Ident:
		return variableMayLeave(f, p, e)
	case *ast.SelectorExpr: // of what a caller gave
		root, _ := rootOf(e)
		if id, ok := root.(*ast.Ident); ok {
			return variableMayLeave(f, p, id)
		}
	case *ast.BinaryExpr:
		under, over = mayLeave(f, p, e.X)
		switch e.Op {
		case token.ADD:
			u, _ := mayLeave(f, p, e.Y)
			return under || u, true
		case token.SUB:
			if isConstant(p, e.Y) && !isCounter(p, e.X) && over {
				return false, over // counted from 1
			}
			return true, false
		case token.MUL:
			return false, true
		}
	}
	return false, false
}

func variableMayLeave(f *code.Code, p syntax.Place, id *ast.Ident) (under, over bool) {
	v, ok := p.Object(id).(*types.Var)
	if !ok || syntax.IsGlobal(v) || isCounter(p, id) {
		return false, false
	}
	if ft := syntax.TypeOfFunc(p.Function()); ft != nil {
		d, _ := p.Function().(*ast.FuncDecl)
		if _, receiver, param := syntax.ParamIndex(p, ft, d, v); param {
			return false, !receiver && !comparedBefore(p, id)
		}
	}
	defs := f.Definitions(p, v)
	if len(defs) != 1 || defs[0].Kind != code.FromExpr || defs[0].Expr == nil || defs[0].Result != 0 {
		return false, false
	}
	if _, same := ast.Unparen(defs[0].Expr).(*ast.Ident); same {
		return false, false
	}
	return mayLeave(f, defs[0].Place, defs[0].Expr)
}

// isCounter reports whether an expression is the variable of a loop around.
func isCounter(p syntax.Place, e ast.Expr) bool {
	v := p.Object(e)
	for _, l := range p.Loops() {
		switch l := l.(type) {
		case *ast.RangeStmt:
			if l.Key != nil && p.Object(l.Key) == v {
				return true
			}
		case *ast.ForStmt:
			if as, ok := l.Init.(*ast.AssignStmt); ok && p.Object(as.Lhs[0]) == v {
				return true
			}
		}
	}
	return false
}

// comparedBefore reports whether an if or a loop before the node looks at a variable.
func comparedBefore(p syntax.Place, id *ast.Ident) bool {
	found := false
	obj := p.Object(id)
	ast.Inspect(syntax.BodyOf(p.Function()), func(n ast.Node) bool {
		var cond ast.Expr
		switch n := n.(type) {
		case *ast.IfStmt:
			cond = n.Cond
		case *ast.ForStmt:
			cond = n.Cond
		}
		if cond != nil && cond.Pos() < id.Pos() && syntax.MentionsObject(p, cond, obj) {
			found = true
		}
		return !found
	})
	return found
}
