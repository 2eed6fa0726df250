package fixer

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/pausetui/pausetui/source/evidence"
)

// lockRules: a mutex is unlocked that is not locked.
type lockRules struct{ *proposal }

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
func unlockUnlocked(p *proposal) {
	f := lockRules{p}
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

	f.lockReplaced(bad, same)
}

func lockFor(method string) string { return strings.Replace(method, "Unlock", "Lock", 1) }
