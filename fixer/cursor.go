package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// cursor fixes an index that is kept in a field or package-level variable and
// was moved one past the end: where it is moved, and where that is bounded.
func (f indexRules) cursor(x indexing) {
	counter, offset := x.offset()
	v, ok := x.object(counter).(*types.Var)
	if !ok || offset != 0 || x.negative() || x.condition() != nil || x.value != x.length || !v.IsField() && !isGlobal(v) {
		return
	}
	for _, m := range f.moves(v) {
		if f.boundOfMove(x, m, v) {
			return
		}
	}
}

// moves lists the statements that count a variable up by one.
func (f indexRules) moves(v *types.Var) []place {
	var list []place
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IncDecStmt:
				if n.Tok == token.INC && f.same(p.object(n.X), v) {
					list = append(list, p.of(n))
				}
			case *ast.AssignStmt:
				if len(n.Lhs) != 1 || !f.same(p.object(n.Lhs[0]), v) {
					return true
				}
				one, isConst := constantInt(p, n.Rhs[0])
				base, plus, _ := offsetOf(p, n.Rhs[0])
				if n.Tok == token.ADD_ASSIGN && isConst && one == 1 || n.Tok == token.ASSIGN && plus == 1 && f.same(p.object(base), v) {
					list = append(list, p.of(n))
				}
			}
			return true
		})
	})
	return list
}

// boundOfMove fixes a comparison, in the function that moves the cursor, which
// lets it come to the length: "next > len(lines)" for "next >= len(lines)".
func (f indexRules) boundOfMove(x indexing, m place, v *types.Var) bool {
	fixed := false
	ast.Inspect(m.declaration(), func(n ast.Node) bool {
		check, isIf := n.(*ast.IfStmt)
		if !isIf || fixed {
			return true
		}
		b, ok := ast.Unparen(check.Cond).(*ast.BinaryExpr)
		if !ok || !f.same(m.object(b.X), v) {
			return true
		}
		after := b.Pos() > m.node().End()
		inside := contains(check.Body, m.node().Pos())
		if !f.assigns(m, check.Body, v) && !(inside && (b.Op == token.LSS || b.Op == token.LEQ || b.Op == token.NEQ)) {
			return true
		}
		bound, what := f.lengthSaid(m.of(b.Y), x, b.Y)
		if what == "" {
			return true
		}
		fixed = f.fixBound(x, m.of(b), b, after, bound, what)
		return true
	})
	return fixed
}

// assigns reports whether a block sets a variable.
func (f indexRules) assigns(p place, block ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(block, func(n ast.Node) bool {
		if as, ok := n.(*ast.AssignStmt); ok && as.Tok == token.ASSIGN {
			for _, l := range as.Lhs {
				found = found || f.same(p.object(l), v)
			}
		}
		return !found
	})
	return found
}

// lengthSaid reports whether an expression is the length of the base: written so,
// or by a function of the user's that returns it; bound is where it is written.
func (f indexRules) lengthSaid(p place, x indexing, e ast.Expr) (bound place, what string) {
	_, field := rootOf(x.base)
	suffix := field + x.suffix
	is := func(q place, e ast.Expr) bool {
		name, call := q.builtin(e)
		if name != "len" {
			return false
		}
		obj := x.object(x.base)
		return obj != nil && f.same(q.object(call.Args[0]), obj) || suffix != "" && strings.HasSuffix(f.text(call.Args[0]), suffix)
	}
	if is(p, e) {
		return p.of(e), "len"
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return place{}, ""
	}
	d, ok := f.declarationOf(p.callee(call))
	if !ok {
		return place{}, ""
	}
	if list := returnsOf(d.node()); len(list) == 1 && len(list[0].Results) == 1 && is(d, list[0].Results[0]) {
		return d.of(list[0].Results[0]), d.node().(*ast.FuncDecl).Name.Name
	}
	return place{}, ""
}

// fixBound keeps the cursor below the length, by the comparison or by what it
// is compared with.
func (f indexRules) fixBound(x indexing, p place, b *ast.BinaryExpr, after bool, bound place, what string) bool {
	base := f.text(bound.node())
	cond := f.text(b)
	say := func(how string) {
		f.blame(fmt.Sprintf("%s (%s) lets it come to %s: %s", funcName(p.function()), f.where(b.Pos()), base, how), b.Pos())
	}
	const why = "The last index is the length less one; the cursor now stays below the length."
	grounds := fmt.Sprintf("%s bounds it there (%s)", funcName(p.function()), f.where(b.Pos()))
	low := strings.ToLower(what)
	switch {
	case what != "len" && (strings.Contains(low, "last") || strings.Contains(low, "maxindex") || strings.Contains(low, "end")):
		f.blame(fmt.Sprintf("%s (%s) is one past the last index", what, f.where(bound.node().Pos())), bound.node().Pos())
		return f.offer(idea{rule: "cursor/fix-bound", title: fmt.Sprintf("let %s be the last index", what), weight: origin, grounds: grounds, change: f.change().insert(bound.node().End(), " - 1"),
			why: fmt.Sprintf("Indices begin at 0: the last one is the length less one, and %s is compared with it.", f.text(b.X))})
	case after && b.Op == token.GTR:
		say("it asks for " + cond)
		return f.offer(idea{rule: "cursor/fix-bound", title: fmt.Sprintf("ask for %s >= %s", f.text(b.X), f.text(b.Y)), weight: origin, grounds: grounds, change: f.change().replace(b.OpPos, b.OpPos+1, ">="), why: why})
	case after && b.Op == token.LEQ:
		say("it asks for " + cond)
		return f.offer(idea{rule: "cursor/fix-bound", title: fmt.Sprintf("ask for %s < %s", f.text(b.X), f.text(b.Y)), weight: origin, grounds: grounds, change: f.change().replace(b.OpPos, b.OpPos+2, "<"), why: why})
	case !after && (b.Op == token.LSS || b.Op == token.EQL || b.Op == token.GEQ || b.Op == token.NEQ):
		say("it asks for " + cond + " before it moves")
		return f.offer(idea{rule: "cursor/fix-bound", title: fmt.Sprintf("ask for %s %s %s-1", f.text(b.X), b.Op, f.text(b.Y)), weight: origin, grounds: grounds, change: f.change().insert(b.Y.End(), "-1"),
			why: "The comparison comes before the cursor moves on; it now looks at the last index, from which it must not."})
	case !after && b.Op == token.LEQ, !after && b.Op == token.GTR:
		say("it asks for " + cond + " before it moves")
		op := map[token.Token]string{token.LEQ: "<", token.GTR: ">="}[b.Op]
		return f.offer(idea{rule: "cursor/fix-bound", title: fmt.Sprintf("ask for %s %s %s-1", f.text(b.X), op, f.text(b.Y)), weight: origin, grounds: grounds,
			change: f.change().replace(b.OpPos, b.OpPos+token.Pos(len(b.Op.String())), op).insert(b.Y.End(), "-1"), why: why})
	}
	return false
}
