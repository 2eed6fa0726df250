package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
)

// conditions looks at the goroutines that wait for a sync.Cond.
func (d otherWaits) conditions() {
	for _, w := range d.of(waitCond) {
		signals := d.signalsOf(w)
		broadcast := false
		for _, s := range signals {
			if s.callee(s.node().(*ast.CallExpr)).Name() == "Broadcast" {
				broadcast = true
			}
		}
		d.signalAtChange(w, signals)
		if !broadcast && len(signals) > 0 {
			d.wakeAll(w, signals)
		}
	}
}

// signalsOf lists the calls of Signal and Broadcast on the same condition.
func (d otherWaits) signalsOf(w waiter) []place {
	class := d.flowOf().class(w.place, w.on)
	var list []place
	d.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fn := p.callee(call)
			sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if fn != nil && isSel && (fn.FullName() == "(*sync.Cond).Signal" || fn.FullName() == "(*sync.Cond).Broadcast") && d.flowOf().class(p, sel.X) == class {
				list = append(list, p.of(call))
			}
			return true
		})
	})
	return list
}

// predicate lists the variables and fields that the loop around a Wait asks for.
func (d otherWaits) predicate(w waiter) []types.Object {
	var cond ast.Expr
	for _, n := range w.path {
		switch n := n.(type) {
		case *ast.ForStmt:
			cond = n.Cond
		case *ast.IfStmt:
			cond = n.Cond
		}
		if cond != nil {
			break
		}
	}
	var list []types.Object
	if cond == nil {
		return nil
	}
	ast.Inspect(cond, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, isVar := w.info().ObjectOf(id).(*types.Var); isVar {
				list = append(list, v)
			}
		}
		return true
	})
	return list
}

// signalAtChange signals where what the waiters ask for is changed.
func (d otherWaits) signalAtChange(w waiter, signals []place) {
	objects := d.predicate(w)
	name := d.text(w.on)
	for _, fn := range d.changers(objects, w) {
		has := false
		for _, s := range signals {
			has = has || s.function() == fn.function()
		}
		if has {
			continue
		}
		text, ok := d.condName(fn, w)
		if !ok {
			continue
		}
		method := "Broadcast"
		if len(signals) > 0 {
			method = signals[0].callee(signals[0].node().(*ast.CallExpr)).Name()
		} else if d.addsOne(fn) {
			method = "Signal"
		}
		if d.branchEnds(fn) {
			method = "Broadcast"
		}
		d.say(fn.node().Pos(), "nothing wakes the goroutines that wait for %s: %s changes %s (%s) and does not signal", name, funcName(fn.function()), short(d.text(fn.node())), d.where(fn.node().Pos()))
		d.offer(idea{rule: "deadlock/signal-at-change", title: fmt.Sprintf("signal in %s what it changes", funcName(fn.function())), weight: origin, change: d.change().after(fn.node(), text+"."+method+"()"),
			why: fmt.Sprintf("%s changes what the waiters ask for; it now wakes them.", subject(fn.function()))})
	}
}

// branchEnds reports whether a change sets a flag, which concerns all waiters.
func (d otherWaits) branchEnds(p place) bool {
	as, ok := p.node().(*ast.AssignStmt)
	if !ok || len(as.Rhs) != 1 {
		return false
	}
	tv := p.info().Types[as.Rhs[0]]
	b, basic := typeUnder[*types.Basic](tv.Type)
	return basic && b.Info()&types.IsBoolean != 0
}

// addsOne reports whether a change adds a single thing: one waiter is enough.
func (d otherWaits) addsOne(p place) bool {
	if _, ok := p.node().(*ast.IncDecStmt); ok {
		return true
	}
	as, ok := p.node().(*ast.AssignStmt)
	if !ok || len(as.Rhs) != 1 {
		return false
	}
	name, call := p.builtin(as.Rhs[0])
	return name == "append" && len(call.Args) == 2
}

// changers lists the statements that assign what waiters ask for, one a
// function, the last of each, outside of the functions that wait.
func (d otherWaits) changers(objects []types.Object, w waiter) []place {
	last := map[ast.Node]place{}
	var order []ast.Node
	add := func(p place, target ast.Expr, stmt ast.Stmt) {
		obj := p.object(target)
		if ix, ok := ast.Unparen(target).(*ast.IndexExpr); ok {
			obj = p.object(ix.X)
		}
		for _, o := range objects {
			at := p.of(stmt)
			fn := at.function()
			if fn == nil || !d.same(obj, o) || fn == w.function() || at.anchor() != stmt || p.info().Defs[identOf(target)] != nil {
				continue
			}
			if _, ok := last[fn]; !ok {
				order = append(order, fn)
			}
			last[fn] = at
		}
	}
	d.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					add(p, l, n)
				}
			case *ast.IncDecStmt:
				add(p, n.X, n)
			}
			return true
		})
	})
	var list []place
	for _, fn := range order {
		list = append(list, last[fn])
	}
	return list
}

func identOf(e ast.Expr) *ast.Ident {
	id, _ := ast.Unparen(e).(*ast.Ident)
	return id
}

// condName writes the condition as it is named where something is changed.
func (d otherWaits) condName(p place, w waiter) (string, bool) {
	sel, ok := ast.Unparen(w.on).(*ast.SelectorExpr)
	if !ok {
		return d.text(w.on), true // a local variable, captured
	}
	var base ast.Expr
	switch s := p.node().(type) {
	case *ast.AssignStmt:
		base = s.Lhs[0]
	case *ast.IncDecStmt:
		base = s.X
	}
	if ix, isIndex := ast.Unparen(base).(*ast.IndexExpr); isIndex {
		base = ix.X
	}
	target, ok := ast.Unparen(base).(*ast.SelectorExpr)
	if !ok {
		return d.text(w.on), true
	}
	return d.text(target.X) + "." + sel.Sel.Name, true
}

// wakeAll: one of several waiters was woken.
func (d otherWaits) wakeAll(w waiter, signals []place) {
	ch := d.change()
	for _, s := range signals {
		sel := ast.Unparen(s.node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
		ch.replace(sel.Sel.Pos(), sel.Sel.End(), "Broadcast")
	}
	d.say(signals[0].node().Pos(), "%s waits for %s: Signal (%s) wakes one goroutine only, and perhaps the wrong one", d.whereWaits(w), d.text(w.on), d.where(signals[0].node().Pos()))
	d.offer(idea{rule: "deadlock/wake-all", title: "wake all that wait, with Broadcast", weight: origin + 1, change: ch,
		why: "Every waiter is woken and looks again whether it may go on."})
}
