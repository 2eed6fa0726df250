package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
)

// oddPairs: a list of pairs has an odd number of elements, because one half of
// a pair is put in on some iterations only.
func (f libraryRules) oddPairs(p place, call *ast.CallExpr) {
	if !call.Ellipsis.IsValid() || len(call.Args) == 0 {
		return
	}
	f.backwardSlice(p, f.at, call.Args[len(call.Args)-1], func(q place, _ int, e ast.Expr) bool {
		name, grow := q.builtin(e)
		if name == "append" && !grow.Ellipsis.IsValid() && len(grow.Args) == 2 {
			return !f.halfPair(q.of(grow))
		}
		return true
	})
}

// halfPair fixes an append of one half that is under a condition, after
// the append of the other half.
func (f libraryRules) halfPair(p place) bool {
	second := p.node().(*ast.CallExpr)
	stmt, ok := p.anchor().(*ast.AssignStmt)
	if !ok || len(stmt.Lhs) != 1 || stmt.Tok != token.ASSIGN {
		return false
	}
	block, ok := p.anchorBlock().(*ast.BlockStmt)
	if !ok || len(block.List) != 1 {
		return false
	}
	at := p.of(block)
	is, ok := at.path[1].(*ast.IfStmt)
	if !ok || is.Body != block || is.Else != nil || is.Init != nil {
		return false
	}
	list := statements(at.of(is).anchorBlock())
	_, i := within(list, is.Pos())
	if i < 1 {
		return false
	}
	before, ok := list[i-1].(*ast.AssignStmt)
	if !ok || len(before.Lhs) != 1 || len(before.Rhs) != 1 || f.text(before.Lhs[0]) != f.text(stmt.Lhs[0]) {
		return false
	}
	name, first := p.builtin(before.Rhs[0])
	if name != "append" || first.Ellipsis.IsValid() || len(first.Args) != 2 || f.text(first.Args[0]) != f.text(second.Args[0]) {
		return false
	}
	listName := f.text(stmt.Lhs[0])
	f.diagnosis.Sentence += fmt.Sprintf(": %s gets %s on every iteration (%s), but %s only if %s", listName, f.text(first.Args[1]), f.where(before.Pos()), f.text(second.Args[1]), f.text(is.Cond))
	f.diagnosis.Origin = f.relWhere(is.Pos())
	f.offer(idea{rule: "pairs/half-pair", title: fmt.Sprintf("put both halves of a pair into %s", listName), weight: origin - 1,
		change: f.change().insert(first.Args[1].End(), ", "+f.text(second.Args[1])).remove(is),
		why:    fmt.Sprintf("%s and %s always come together, whether or not %s.", f.text(first.Args[1]), f.text(second.Args[1]), f.text(is.Cond))})
	f.offer(idea{rule: "pairs/half-pair", title: fmt.Sprintf("leave out of %s what has no second half", listName), weight: origin + 2,
		change: f.change().remove(before).before(stmt, f.text(before)),
		why:    fmt.Sprintf("Both halves are put in where %s, and none elsewhere.", f.text(is.Cond))})
	return true
}
