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

// eachRun notes that a loop comes to the bad value whenever it runs to its end,
// if nothing in its body ends it or one of its iterations before.
func (f indexRules) eachRun(body *ast.BlockStmt) {
	leaves := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			leaves = true
		}
		return !leaves
	})
	if !leaves {
		f.Every.Loop = body
	}
}

// loopBounds fixes the bound of the loop whose counter is the index.
func (f indexRules) loopBounds(x indexing) {
	counter, offset := x.offset()
	id, ok := ast.Unparen(counter).(*ast.Ident)
	if !ok {
		return
	}
	v := x.Info().ObjectOf(id)
	for _, l := range x.Loops() {
		switch l := l.(type) {
		case *ast.ForStmt:
			if countsWith(x, l, v) {
				f.forBound(x, l, v, offset)
				return
			}
		case *ast.RangeStmt:
			if l.Key != nil && x.Object(l.Key) == v {
				return
			}
		}
	}
}

// countsWith reports whether a for statement is controlled by the variable.
func countsWith(x indexing, l *ast.ForStmt, v types.Object) bool {
	found := false
	for _, n := range []ast.Node{l.Init, l.Cond, l.Post} {
		if n == nil || n == ast.Node((*ast.BlockStmt)(nil)) {
			continue
		}
		if n == ast.Node(l.Cond) && l.Cond == nil || n == ast.Node(l.Init) && l.Init == nil || n == ast.Node(l.Post) && l.Post == nil {
			continue
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && x.Info().ObjectOf(id) == v {
				found = true
			}
			return true
		})
	}
	return found
}

func (f indexRules) forBound(x indexing, l *ast.ForStmt, v types.Object, offset int64) {
	if x.negative() {
		return
	}
	b := comparison(x, l.Cond, v)
	base := x.baseText(f.Code)
	if b == nil {
		return
	}
	where := f.Where(b.Pos())
	isLen, boundOff := f.lengthBound(x, b.Y)
	slack := boundOff + offset // how far past the last index the loop goes, for <
	if b.Op == token.LEQ {
		slack++
	}
	if isLen && slack > 0 {
		f.eachRun(l.Body)
		if past := slack - offset; past > 0 {
			f.Note(fmt.Sprintf("the loop bound (%s) runs %s past the end", where, steps(past)), b.Pos())
		} else {
			f.Note(fmt.Sprintf("the loop goes on while %s (%s), where %s can be %s", f.Text(b), where, x.indexText(f.Code), x.limit(f.Code, slack)), b.Pos())
		}
		if b.Op == token.LEQ && slack == 1 {
			f.Offer(proposal.Idea{Rule: "bound/for-bound", Title: fmt.Sprintf("end the loop before %s", syntax.Short(f.Text(b.Y))), Weight: exits.Origin,
				Change: f.Change().Replace(b.OpPos, b.OpPos+2, "<"),
				Why:    fmt.Sprintf("The condition %s becomes %s < %s, so that the last index used is the last one there is.", f.Text(b), f.Text(b.X), f.Text(b.Y))})
			return
		} else {
			bound := fmt.Sprintf("len(%s)", base)
			if offset > 0 {
				bound += fmt.Sprintf("-%d", offset)
			}
			if t := x.Info().TypeOf(b.X); t != nil && !types.Identical(t, types.Typ[types.Int]) {
				bound = ""
			}
			if bound != "" {
				f.Offer(proposal.Idea{Rule: "bound/for-bound", Title: fmt.Sprintf("end the loop at %s", bound), Weight: exits.Origin,
					Change: f.Change().Replace(b.OpPos, b.Y.End(), "< "+bound),
					Why:    fmt.Sprintf("The body uses %s; the loop now ends while that is still an index of %s.", x.indexText(f.Code), base)})
			}
		}
	} else if !isLen {
		f.Note(fmt.Sprintf("the loop at %s ends by %s, not by the length of %s", where, f.Text(b), base), b.Pos())
		if bound, known := f.Number(x.Place, x.frame, b.Y); known && b.Op == token.LEQ && bound+offset == x.length {
			f.Offer(proposal.Idea{Rule: "bound/for-bound", Title: fmt.Sprintf("end the loop before %s", syntax.Short(f.Text(b.Y))), Weight: exits.Origin,
				Change: f.Change().Replace(b.OpPos, b.OpPos+2, "<"),
				Why:    fmt.Sprintf("%s is the length of %s; the last index is one less.", f.Text(b.Y), base)})
		}
	}
}

func steps(n int64) string {
	if n == 1 {
		return "one"
	}
	return fmt.Sprint(n)
}

// comparison finds "v < bound" or "v <= bound" in a condition, also as an operand of &&.
func comparison(x indexing, cond ast.Expr, v types.Object) *ast.BinaryExpr {
	b, ok := ast.Unparen(syntax.OrNil(cond)).(*ast.BinaryExpr)
	if !ok {
		return nil
	}
	switch b.Op {
	case token.LAND:
		if l := comparison(x, b.X, v); l != nil {
			return l
		}
		return comparison(x, b.Y, v)
	case token.LSS, token.LEQ, token.NEQ:
		if id, ok := ast.Unparen(b.X).(*ast.Ident); ok && x.Info().ObjectOf(id) == v {
			return b
		}
	}
	return nil
}

// lengthBound reports whether a bound is the base's length plus a constant, by
// its text, by a variable that holds it, or by its value.
func (f indexRules) lengthBound(x indexing, bound ast.Expr) (bool, int64) {
	e, off, _ := offsetOf(x.Place, bound)
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if src := f.Trace(x.Place, -1, id); src.Expr != nil && src.Kind == code.FromExpr && src.Declaration() == x.Declaration() {
			inner, more, _ := offsetOf(src.Place, src.Expr)
			if name, call := src.Builtin(inner); name == "len" && f.Text(call.Args[0]) == x.baseText(f.Code) {
				return true, off + more
			}
		}
	}
	name, call := x.Builtin(e)
	return name == "len" && f.Text(call.Args[0]) == x.baseText(f.Code), off
}
