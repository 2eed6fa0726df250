package fixer

import (
	"fmt"
	"go/ast"
)

// calleeRelocks: a function that is called with the lock held gives it up for
// a while, and does not take it again on all of its ways.
func (f lockRules) calleeRelocks(bad lockCall) {
	all := ofClass(f.lockUses(), f.mutexClass(bad.place))
	seen := map[ast.Node]bool{}
	ast.Inspect(bodyOf(bad.function()), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() > bad.node().Pos() && !bad.deferred() {
			return true
		}
		d, ok := f.declarationOf(bad.callee(call))
		if ok && d.node() != f.home.path[0] && !seen[d.node()] {
			seen[d.node()] = true
			f.relock(bad, d, inFunction(all, d.node()))
		}
		return true
	})
}

// relock takes the lock again before each way out that is reached without it.
func (f lockRules) relock(bad lockCall, d place, uses []lockUse) {
	if len(uses) < 2 || uses[0].takes() {
		return
	}
	var again *lockUse
	for i, u := range uses {
		if u.deferred() || u.statement() == nil {
			return
		}
		if u.takes() && lockFor(uses[0].method) == u.method {
			again = &uses[i]
		}
	}
	if again == nil {
		return
	}
	locks := func(n ast.Node) bool {
		for _, u := range uses {
			if u.takes() && contains(n, u.node().Pos()) {
				return true
			}
		}
		return false
	}
	ch := f.change()
	done := map[*ast.ReturnStmt]bool{}
	var first ast.Node
	for _, u := range uses {
		if u.takes() {
			continue
		}
		for _, exit := range waysFrom(u.place, u.node(), locks).exits {
			if done[exit] {
				continue
			}
			done[exit] = true
			if first == nil {
				first = exit
			}
			if atEnd(d.node(), exit) {
				ch.last(bodyOf(d.node()), f.text(again.node()))
			} else {
				ch.before(exit, f.text(again.node()))
			}
		}
	}
	if first == nil {
		return
	}
	name := funcName(d.node())
	f.diagnosis.Sentence += fmt.Sprintf("; %s unlocks it (%s) and returns without it at %s", name, f.where(uses[0].node().Pos()), f.where(first.Pos()))
	f.diagnosis.Origin = f.relWhere(first.Pos())
	f.offer(idea{rule: "lock/relock", title: fmt.Sprintf("take the lock again on every way out of %s", name), weight: origin - 1, change: ch,
		why: fmt.Sprintf("%s is called with the lock held and returns with it at %s.", name, f.where(again.node().Pos()))})
}
