package effect

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/verdict"
)

// bound is a condition "index+a < len(list)+c": slack is c-a, how far beyond the last element
// the index may be, less one.
type bound struct {
	index, list match.Form
	name        string // of the index
	text        string // of the list
	slack       int
}

// boundOf reads a condition of a loop as a bound.
func (s source) boundOf(e ast.Expr) (bound, bool) {
	c, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || c.Op != token.LSS && c.Op != token.LEQ {
		return bound{}, false
	}
	x, a, okX := moved(c.X)
	y, off, okY := moved(c.Y)
	call, isCall := y.(*ast.CallExpr)
	id, isName := x.(*ast.Ident)
	if !okX || !okY || !isCall || !isName || len(call.Args) != 1 {
		return bound{}, false
	}
	if fn, ok := call.Fun.(*ast.Ident); !ok || fn.Name != "len" {
		return bound{}, false
	}
	b := bound{index: match.FormOf(x), list: match.FormOf(call.Args[0]), name: id.Name, text: s.code(call.Args[0]), slack: off - a}
	if c.Op == token.LEQ {
		b.slack++
	}
	return b, true
}

// moved reads "e", "e+1" and "e-1".
func moved(e ast.Expr) (ast.Expr, int, bool) {
	e = ast.Unparen(e)
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op != token.ADD && b.Op != token.SUB {
		return e, 0, true
	}
	lit, ok := b.Y.(*ast.BasicLit)
	if !ok || lit.Kind != token.INT {
		return e, 0, false
	}
	n, err := strconv.Atoi(lit.Value)
	if b.Op == token.SUB {
		n = -n
	}
	return ast.Unparen(b.X), n, err == nil
}

// lowered notes a point for each bound that is lowered and of which leavesOut says what is no
// longer done.
func (b walk) lowered(old, now ast.Expr, leavesOut func(before, after bound) string) {
	was, is := match.Conjuncts(old), match.Conjuncts(now)
	if len(was) != len(is) {
		return
	}
	for i := range was {
		before, ok := b.before.boundOf(was[i])
		after, still := b.after.boundOf(is[i])
		if !ok || !still || before.index != after.index || before.list != after.list || after.slack >= before.slack {
			continue
		}
		how := leavesOut(before, after)
		if how == "" {
			continue
		}
		b.pointAt(b.after.offset(is[i].Pos()), b.after.line(is[i]), verdict.Skips, how)
		p := &b.report.Points[len(b.report.Points)-1]
		p.TestEnd, p.further = b.after.offset(is[i].End()), b.before.code(was[i])
	}
}

// lastPass looks at a loop over the elements of a list whose bound is lowered: it came to the
// last ones, and does so no more. That is right where neighbors are compared, and wrong where
// each element counts, or where the first one follows the last.
func (b walk) lastPass(old, now *ast.ForStmt) {
	b.lowered(old.Cond, now.Cond, func(before, after bound) string {
		if before.slack != 0 || comparesNeighbors(now.Body, after) {
			return ""
		}
		pass := fmt.Sprintf("%s == len(%s)-1", after.name, after.text)
		if after.slack < -1 {
			pass = fmt.Sprintf("%s >= len(%s)-%d", after.name, after.text, -after.slack)
		}
		return "leaves the last pass of the loop out, " + match.Cut(pass)
	})
}

// firstElement looks at a loop from 1 that came one element too far, and does so no more: it
// may have meant the elements before, from the first one to the last.
func (b walk) firstElement(old, now *ast.ForStmt) {
	begins, ok := now.Init.(*ast.AssignStmt)
	if ok && len(begins.Rhs) == 1 && match.IsLiteral("1")(begins.Rhs[0]) {
		b.fromOne(begins.Lhs[0], old.Cond, now.Cond, now.Body)
	}
}

// countsFromOne looks in the same way at a check of a number that is 1 at least.
func (b walk) countsFromOne(old, now *ast.IfStmt) {
	for _, c := range match.Conjuncts(now.Cond) {
		lower, ok := ast.Unparen(c).(*ast.BinaryExpr)
		if ok && (lower.Op == token.GEQ && match.IsLiteral("1")(lower.Y) || lower.Op == token.GTR && match.IsLiteral("0")(lower.Y)) {
			b.fromOne(lower.X, old.Cond, now.Cond, now.Body)
		}
	}
}

// fromOne notes a point where an index that begins at 1 no longer comes to the length of a list.
func (b walk) fromOne(index, old, now ast.Expr, body *ast.BlockStmt) {
	b.lowered(old, now, func(before, after bound) string {
		if before.slack != 1 || after.slack != 0 || match.FormOf(index) != after.index || readsBefore(body, after) {
			return ""
		}
		return "leaves the first element out, " + match.Cut(after.text) + "[0]"
	})
}

// readsBefore reports whether a loop reads the element before that of its index, or one whose
// index is not known.
func readsBefore(body *ast.BlockStmt, b bound) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if x, ok := n.(*ast.IndexExpr); ok && match.FormOf(x.X) == b.list {
			index, off, known := moved(x.Index)
			found = found || !known || match.FormOf(index) != b.index || off < 0
		}
		return !found
	})
	return found
}

// comparesNeighbors reports whether elements of a list beside each other are compared in a
// loop.
func comparesNeighbors(body *ast.BlockStmt, b bound) (found bool) {
	at := func(e ast.Expr) (offset int, ok bool) {
		ast.Inspect(e, func(n ast.Node) bool {
			if x, is := n.(*ast.IndexExpr); is && match.FormOf(x.X) == b.list {
				if index, off, known := moved(x.Index); known && match.FormOf(index) == b.index {
					offset, ok = off, true
				}
			}
			return !ok
		})
		return offset, ok
	}
	ast.Inspect(body, func(n ast.Node) bool {
		c, ok := n.(*ast.BinaryExpr)
		if !ok {
			return !found
		}
		switch c.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			x, okX := at(c.X)
			y, okY := at(c.Y)
			found = found || okX && okY && x != y
		}
		return !found
	})
	return found
}
