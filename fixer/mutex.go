package fixer

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/pausetui/pausetui/source/evidence"
)

// lockCall is a call of Lock, Unlock, RLock or RUnlock.
type lockCall struct {
	place
	mutex  ast.Expr
	method string
}

// locks lists the calls on mutexes in a declaration, in source order.
func locks(p place) []lockCall {
	var list []lockCall
	ast.Inspect(p.path[0], func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn := p.callee(call)
		sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if fn == nil || !isSel || fn.Pkg() == nil || fn.Pkg().Path() != "sync" {
			return true
		}
		switch fn.Name() {
		case "Lock", "Unlock", "RLock", "RUnlock":
			list = append(list, lockCall{p.of(call), sel.X, fn.Name()})
		}
		return true
	})
	return list
}

// unlockUnlocked: a mutex was unlocked that is not held.
func (f lockRules) unlockUnlocked() {
	all := locks(f.home)
	var bad lockCall
	found := false
	for pass := range 2 {
		for _, l := range all {
			onLine := f.lineOf(l.node()) == f.frame.Line
			if !found && strings.HasSuffix(l.method, "Unlock") && (onLine || pass == 1) {
				bad, found = l, true
			}
		}
	}
	if !found {
		return
	}
	text := f.text(bad.mutex)
	f.diagnosis = evidence.Diagnosis{Expr: text, Value: "unlocked", Origin: f.relWhere(bad.node().Pos()),
		Sentence: fmt.Sprintf("%s is not locked when %s calls %s (%s)", text, funcName(bad.function()), bad.method, f.where(bad.node().Pos()))}
	var same []lockCall
	for _, l := range all {
		if f.text(l.mutex) == text && l.function() == bad.function() {
			same = append(same, l)
		}
	}
	f.wrongKind(bad, same)
	f.secondUnlock(bad, same)
	f.branchUnlock(bad, same)
	f.loopUnlock(bad, same)
	f.missingLock(bad, same)
	f.callerUnlock(bad, same)
	f.calleeUnlock(bad)
	f.calleeRelocks(bad)
	f.lockReplaced(bad, same)
}

func lockFor(method string) string { return strings.Replace(method, "Unlock", "Lock", 1) }

// wrongKind pairs RLock with RUnlock and Lock with Unlock: the unlock belongs
// to the last lock before it.
func (f lockRules) wrongKind(bad lockCall, same []lockCall) {
	var last lockCall
	for _, l := range same {
		if l.node().Pos() < bad.node().Pos() && !strings.HasSuffix(l.method, "Unlock") {
			last = l
		}
	}
	if last.file == nil || last.method == lockFor(bad.method) {
		return
	}
	want := strings.Replace(last.method, "Lock", "Unlock", 1)
	ch := f.change()
	for _, u := range same {
		if u.method == bad.method && u.node().Pos() > last.node().Pos() && !lockedBetween(same, last, u) {
			sel := ast.Unparen(u.node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
			ch.replace(sel.Sel.Pos(), sel.Sel.End(), want)
		}
	}
	f.offer(idea{rule: "lock/wrong-kind", title: fmt.Sprintf("call %s for what %s took", want, last.method), weight: origin - 1, change: ch,
		why: fmt.Sprintf("The lock was taken with %s (%s), which %s releases.", last.method, f.where(last.node().Pos()), want)})
}

// secondUnlock removes explicit unlocks where a deferred one is, or the second in a row.
func (f lockRules) secondUnlock(bad lockCall, same []lockCall) {
	var deferred, explicit []lockCall
	for _, l := range same {
		if l.method != bad.method || l.statement() == nil {
			continue
		}
		if l.deferred() {
			deferred = append(deferred, l)
		} else {
			explicit = append(explicit, l)
		}
	}
	if len(deferred) > 0 && len(explicit) > 0 {
		ch := f.change()
		for _, l := range explicit {
			ch.remove(l.statement())
		}
		f.offer(idea{rule: "lock/second-unlock", title: "leave unlocking to the deferred " + bad.method, weight: origin, change: ch,
			why: fmt.Sprintf("The deferred %s (%s) runs on every way out; the explicit one unlocked before it.", bad.method, f.where(deferred[0].node().Pos()))})
	}
	if len(deferred) > 1 {
		f.offer(idea{rule: "lock/second-unlock", title: "defer " + bad.method + " once", weight: origin, change: f.change().remove(deferred[1].statement()),
			why: "It was deferred twice; once is enough."})
	}
	for i := 1; i < len(explicit); i++ {
		a, b := explicit[i-1], explicit[i]
		if a.anchorBlock() == b.anchorBlock() && !lockedBetween(same, a, b) {
			f.offer(idea{rule: "lock/second-unlock", title: "drop the second " + bad.method, weight: origin, change: f.change().remove(b.statement()),
				why: fmt.Sprintf("%s (%s) had unlocked it already.", f.text(a.node()), f.where(a.node().Pos()))})
		}
	}
}

func lockedBetween(same []lockCall, a, b lockCall) bool {
	for _, l := range same {
		if !strings.HasSuffix(l.method, "Unlock") && l.node().Pos() > a.node().Pos() && l.node().Pos() < b.node().Pos() {
			return true
		}
	}
	return false
}

// branchUnlock: a branch unlocks and goes on to an unlock below it.
func (f lockRules) branchUnlock(bad lockCall, same []lockCall) {
	for _, a := range same {
		if a.method != bad.method || a.statement() == nil || a.node().Pos() >= bad.node().Pos() || a.deferred() || a.anchorBlock() == bad.anchorBlock() || lockedBetween(same, a, bad) {
			continue
		}
		f.offer(idea{rule: "lock/branch-unlock", title: fmt.Sprintf("drop the %s of the branch", bad.method), weight: origin + 1, change: f.change().remove(a.statement()),
			why: fmt.Sprintf("The branch at %s unlocked and then came to the unlock at %s as well.", f.where(a.node().Pos()), f.where(bad.node().Pos()))})
	}
}

// loopUnlock: the loop unlocks on every iteration what was locked once.
func (f lockRules) loopUnlock(bad lockCall, same []lockCall) {
	l := bad.loop()
	if l == nil || bad.statement() == nil {
		return
	}
	for _, a := range same {
		if strings.HasSuffix(a.method, "Unlock") || a.loop() == l || a.statement() == nil {
			continue
		}
		if bad.deferred() {
			continue
		}
		f.offer(idea{rule: "lock/loop-unlock", title: "unlock after the loop", weight: origin, change: f.change().remove(bad.statement()).after(l, f.text(bad.node())),
			why: fmt.Sprintf("The lock is taken once (%s) and was released on every iteration; it is now released when the loop is done.", f.where(a.node().Pos()))})
	}
}

// missingLock takes the lock that the function gives back.
func (f lockRules) missingLock(bad lockCall, same []lockCall) {
	for _, l := range same {
		if l.method == lockFor(bad.method) && l.node().Pos() < bad.node().Pos() && l.anchorBlock() == bad.anchorBlock() {
			return
		}
	}
	want := f.text(bad.mutex) + "." + lockFor(bad.method) + "()"
	stmt := bad.statement()
	if stmt == nil {
		return
	}
	if bad.deferred() {
		f.offer(idea{rule: "lock/missing-lock", title: "lock before the unlock is deferred", weight: origin, change: f.change().before(stmt, want),
			why: fmt.Sprintf("%s released a lock that it had never taken.", funcName(bad.function()))})
		return
	}
	body := bodyOf(bad.function())
	f.offer(idea{rule: "lock/missing-lock", title: fmt.Sprintf("lock at the beginning of %s", funcName(bad.function())), weight: origin + 2, change: f.change().first(body, want),
		why: fmt.Sprintf("%s released a lock that it had never taken.", funcName(bad.function()))})
	if block, ok := bad.anchorBlock().(*ast.BlockStmt); ok && block != body && len(block.List) > 0 {
		f.offer(idea{rule: "lock/missing-lock", title: "lock at the beginning of the block", weight: origin + 3, change: f.change().before(block.List[0], want),
			why: "The block released a lock that it had never taken."})
	}
}

// callerUnlock: the function unlocks what its caller locked and unlocks itself.
func (f lockRules) callerUnlock(bad lockCall, same []lockCall) {
	for _, l := range same {
		if !strings.HasSuffix(l.method, "Unlock") {
			return
		}
	}
	if bad.statement() == nil {
		return
	}
	f.offer(idea{rule: "lock/caller-unlock", title: fmt.Sprintf("leave the lock of the caller alone in %s", funcName(bad.function())), weight: origin + 4, change: f.change().remove(bad.statement()),
		why: fmt.Sprintf("%s takes no lock; its caller, who does, releases it.", funcName(bad.function()))})
}

// calleeUnlock: something called between Lock and Unlock has unlocked already.
func (f lockRules) calleeUnlock(bad lockCall) {
	ast.Inspect(bodyOf(bad.function()), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() > bad.node().Pos() && !bad.deferred() {
			return true
		}
		d, ok := f.declarationOf(bad.callee(call))
		if !ok || d.path[0] == f.home.path[0] {
			return true
		}
		inner := locks(d)
		held := false
		for _, l := range inner {
			if !strings.HasSuffix(l.method, "Unlock") {
				held = true
			}
		}
		for _, l := range inner {
			if l.method == bad.method && !held && l.statement() != nil && f.same(l.object(l.mutex), bad.object(bad.mutex)) {
				f.note(fmt.Sprintf("%s (%s) has unlocked it", funcName(d.path[0]), f.where(l.node().Pos())), l.node().Pos())
				f.offer(idea{rule: "lock/callee-unlock", title: fmt.Sprintf("do not unlock in %s", funcName(d.path[0])), weight: origin, change: f.change().remove(l.statement()),
					why: fmt.Sprintf("%s is called with the lock held, and its caller releases it.", funcName(d.path[0]))})
			}
		}
		return true
	})
}
