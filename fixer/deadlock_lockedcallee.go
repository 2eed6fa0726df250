package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// calleeLocks: a function that holds the lock calls one that takes it.
func (d lockWaits) calleeLocks(w waiter, holder int, l syntax.LockUse, uses []syntax.LockUse) {
	inner, ok := d.FunctionAt(w.frames[w.at])
	if !ok {
		return
	}
	fn := d.Innermost(inner, w.frames[w.at].Function, w.frames[w.at].Line)
	held, _ := d.statementAt(w, holder)
	reading, again := "", "again"
	if l.Method == "RLock" && w.kind == waitLock {
		reading, again = " for reading", "for writing"
	}
	d.say(held.Node().Pos(), "%s is locked twice by one goroutine: %s holds it%s (%s) when it comes to %s (%s), which locks it %s", d.mutexText(w.Place),
		syntax.FuncName(l.Function()), reading, d.Where(l.Node().Pos()), syntax.FuncName(fn), d.Where(w.Node().Pos()), again)
	decl, isDecl := fn.(*ast.FuncDecl)
	if isDecl {
		d.useVariant(w, holder, inner.Of(decl), uses)
	}
}

// heldCalls splits the calls of a function by whether the caller holds the lock. ok is
// false where one holds it only for reading, and the function takes it for writing.
func (d lockWaits) heldCalls(v variant, uses []syntax.LockUse) (held, free []syntax.Place, ok bool) {
	obj, ok := v.Info().Defs[v.decl.Name].(*types.Func)
	if !ok {
		return nil, nil, false
	}
	write := slices.ContainsFunc(v.locks, func(l syntax.LockUse) bool { return l.Method == "Lock" })
	calls, _ := d.CallsOf(obj)
	for _, c := range calls {
		switch {
		case d.UnderLock(c, uses, write, 0):
			held = append(held, c)
		case d.UnderLock(c, uses, false, 0):
			return nil, nil, false
		default:
			free = append(free, c)
		}
	}
	return held, free, true
}

// useVariant makes functions that hold the lock call a function that does not take it.
func (d lockWaits) useVariant(w waiter, holder int, p syntax.Place, uses []syntax.LockUse) {
	v, ok := variantOf(p, uses)
	if !ok {
		return
	}
	held, free, ok := d.heldCalls(v, uses)
	if !ok || len(held) == 0 {
		return
	}
	name := syntax.FuncName(v.decl)
	if len(free) == 0 && !v.decl.Name.IsExported() {
		ch := d.Change()
		for _, l := range v.locks {
			ch.Remove(l.Statement())
		}
		d.Offer(proposal.Idea{Rule: "deadlock/use-variant", Title: fmt.Sprintf("leave the locking to the callers of %s", name), Weight: exits.Origin, Change: ch,
			Why: fmt.Sprintf("Every caller of %s holds the lock already.", name)})
		return
	}
	ch := d.Change()
	if !d.split(ch, v) {
		return
	}
	for _, c := range held {
		if !callVariant(ch, c, v) {
			return
		}
	}
	d.Offer(proposal.Idea{Rule: "deadlock/use-variant", Title: fmt.Sprintf("call a variant of %s that does not lock", name), Weight: exits.Origin, Change: ch,
		Why: fmt.Sprintf("%s does the work for those who hold the lock; %s takes the lock and calls it.", v.name, v.decl.Name.Name)})
}

func isInterfaceCall(p syntax.Place, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	t := p.Info().TypeOf(sel.X)
	return t != nil && types.IsInterface(t)
}
