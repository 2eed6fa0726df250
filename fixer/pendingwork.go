package fixer

import (
	"go/ast"
)

// work is a queue whose workers put more into it: it is through only when all
// that was ever put in has been done.
type work struct {
	*fixer
	class  any
	queue  ast.Expr // the channel, as the loop of the workers names it
	loop   place    // the range loop of the workers
	inner  []place  // sends that the loop comes to
	outer  []place  // the other sends
	closes []place
	makes  []place
}

// workOf recognizes such a queue by its class.
func (f channelRules) workOf(class any) (work, bool) {
	uses := f.usesOfClass(class)
	if class == nil || len(uses.ranges) != 1 || len(uses.receives) > 0 || len(uses.closes) > 1 || len(uses.makes) == 0 {
		return work{}, false
	}
	w := work{fixer: f.fixer, class: class, loop: uses.ranges[0], closes: uses.closes, makes: uses.makes}
	w.queue = w.loop.node().(*ast.RangeStmt).X
	body := loopBody(w.loop.node().(ast.Stmt))
	for _, s := range uses.sends {
		at, plain := w.countable(s)
		if !plain || countedAlready(at) {
			return work{}, false
		}
		if contains(body, s.node().Pos()) || f.comesTo(w.loop, body, s.node()) {
			w.inner = append(w.inner, s)
		} else {
			w.outer = append(w.outer, s)
		}
	}
	return w, len(w.inner) > 0
}

// countable is the statement before which a send can be counted: the send, or
// the go statement of the literal that it is in.
func (w work) countable(s place) (place, bool) {
	if s.anchor() != s.node() {
		return place{}, false
	}
	if lit, ok := s.function().(*ast.FuncLit); ok && !contains(lit, w.loop.node().Pos()) {
		at := s.of(lit)
		for _, n := range at.path[1:min(4, len(at.path))] {
			if g, isGo := n.(*ast.GoStmt); isGo {
				return s.of(g), s.of(g).anchor() == ast.Stmt(g)
			}
		}
	}
	return s, true
}

// countedAlready reports whether a WaitGroup counts a send already.
func countedAlready(at place) bool {
	for _, s := range statements(at.anchorBlock()) {
		if es, ok := s.(*ast.ExprStmt); ok {
			if wg, _ := waitGroupCall(at, es.X, "Add"); wg != nil {
				return true
			}
		}
	}
	return false
}

// comesTo reports whether statements come to a node by the functions they call.
func (f *facts) comesTo(p place, body *ast.BlockStmt, target ast.Node) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !found {
			if d, ok := f.declarationOf(p.callee(call)); ok {
				found = f.transitive(d, d.node(), func(_ place, m ast.Node) bool { return m == target })
			}
		}
		return !found
	})
	return found
}

// putsIn reports whether a send is one of the workers'.
func (w work) putsIn(s place) bool {
	for _, i := range w.inner {
		if i.node() == s.node() {
			return true
		}
	}
	return false
}
