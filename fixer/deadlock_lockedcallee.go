package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// calleeLocks: a function that holds the lock calls one that takes it.
func (d lockWaits) calleeLocks(w waiter, holder int, l lockUse, uses []lockUse) {
	inner, ok := d.functionAt(w.frames[w.at])
	if !ok {
		return
	}
	fn := innermost(d.code, inner, w.frames[w.at].Function, w.frames[w.at].Line)
	held, _ := d.statementAt(w, holder)
	d.say(held.node().Pos(), "%s is locked twice by one goroutine: %s holds it (%s) when it comes to %s (%s), which locks it again", d.mutexText(w.place),
		funcName(l.function()), d.where(l.node().Pos()), funcName(fn), d.where(w.node().Pos()))
	if d.callbackUnderLock(w, holder, l, uses) {
		return
	}
	decl, isDecl := fn.(*ast.FuncDecl)
	if isDecl {
		d.useVariant(w, holder, inner.of(decl), uses)
	}
	d.callAfterUnlock(held, l, uses)
}

// heldCalls splits the calls of a function by whether the caller holds the lock.
func (d lockWaits) heldCalls(p place, uses []lockUse) (held, free []place) {
	obj, ok := p.info().Defs[p.node().(*ast.FuncDecl).Name].(*types.Func)
	if !ok {
		return nil, nil
	}
	calls, _ := d.callsOf(obj)
	for _, c := range calls {
		if d.underLock(c, uses, 0) {
			held = append(held, c)
		} else {
			free = append(free, c)
		}
	}
	return held, free
}

// underLock reports whether the lock is held at a call: by its function, or by
// all who call that.
func (d *facts) underLock(c place, uses []lockUse, depth int) bool {
	if _, ok := heldAt(uses, c.function(), c.node()); ok {
		return true
	}
	decl, ok := c.function().(*ast.FuncDecl)
	if !ok || depth > 3 || decl.Name.IsExported() {
		return false
	}
	obj, ok := c.info().Defs[decl.Name].(*types.Func)
	if !ok {
		return false
	}
	calls, plain := d.callsOf(obj)
	for _, outer := range calls {
		if !d.underLock(outer, uses, depth+1) {
			return false
		}
	}
	return plain && len(calls) > 0
}

// useVariant makes functions that hold the lock call a function that does not take it.
func (d lockWaits) useVariant(w waiter, holder int, p place, uses []lockUse) {
	v, ok := variantOf(p, uses)
	if !ok {
		return
	}
	held, free := d.heldCalls(p, uses)
	if len(held) == 0 {
		return
	}
	name := funcName(v.decl)
	if len(free) == 0 && !v.decl.Name.IsExported() {
		ch := d.change()
		for _, l := range v.locks {
			ch.remove(l.statement())
		}
		d.offer(idea{rule: "deadlock/use-variant", title: fmt.Sprintf("leave the locking to the callers of %s", name), weight: origin, change: ch,
			why: fmt.Sprintf("Every caller of %s holds the lock already.", name)})
		return
	}
	ch := d.change()
	if !ch.split(v) {
		return
	}
	for _, c := range held {
		ch.callVariant(c, v)
	}
	d.offer(idea{rule: "deadlock/use-variant", title: fmt.Sprintf("call a variant of %s that does not lock", name), weight: origin, change: ch,
		why: fmt.Sprintf("%s does the work for those who hold the lock; %s takes the lock and calls it.", v.name, v.decl.Name.Name)})
}

// callAfterUnlock moves the call after the unlock that follows it.
func (d lockWaits) callAfterUnlock(at place, l lockUse, uses []lockUse) {
	own := inFunction(uses, l.function())
	stmt, ok := at.node().(*ast.ExprStmt)
	if !ok {
		return
	}
	list := statements(at.anchorBlock())
	_, i := within(list, stmt.Pos())
	if i < 0 {
		return
	}
	for _, u := range own {
		if u.takes() || u.deferred() || u.statement() == nil || i+1 >= len(list) || list[i+1] != u.statement() {
			continue
		}
		ch := d.change().remove(u.statement()).before(stmt, d.text(u.statement()))
		d.offer(idea{rule: "deadlock/call-after-unlock", title: fmt.Sprintf("unlock before calling %s", short(d.text(stmt.X.(*ast.CallExpr).Fun))), weight: origin + 2, change: ch,
			why: "The call takes the lock itself; it comes when the lock is free again."})
		return
	}
	if i == len(list)-1 && ast.Node(bodyOf(l.function())) == at.anchorBlock() {
		d.unlockEarly(at, l, own, origin+2)
	}
}

// unlockEarly gives a lock back before a statement instead of at the end of
// the function.
func (d lockWaits) unlockEarly(at place, l lockUse, own []lockUse, w weight) {
	var deferred lockUse
	for _, u := range own {
		if !u.takes() && u.deferred() {
			deferred = u
		}
	}
	if deferred.file == nil {
		return
	}
	stmt := at.node().(ast.Stmt)
	text := d.text(deferred.node())
	ch := d.change().remove(deferred.statement()).before(stmt, text)
	ways := waysFrom(l.place, l.node(), func(n ast.Node) bool { return contains(stmt, n.Pos()) || contains(n, stmt.Pos()) })
	for _, e := range ways.exits {
		if atEnd(l.function(), e) {
			return
		}
		ch.before(e, text)
	}
	d.offer(idea{rule: "deadlock/unlock-early", title: fmt.Sprintf("unlock %s before the wait", d.text(l.mutex)), weight: w, change: ch,
		why: fmt.Sprintf("%s no longer holds the lock while it waits for others that need it.", subject(l.function()))})
}

// callbackUnderLock: a function calls what it was given, or sends to others,
// in a loop over what the lock guards. It does so over a copy, unlocked.
func (d lockWaits) callbackUnderLock(w waiter, holder int, l lockUse, uses []lockUse) bool {
	at, ok := d.statementAt(w, holder)
	if !ok {
		return false
	}
	if c, isCall := d.callAtFrame(at); isCall && at.callee(c) != nil && d.ownsPackage(at.callee(c).Pkg()) && !isInterfaceCall(at, c) {
		return false
	}
	return d.overCopy(at, l, uses)
}

func isInterfaceCall(p place, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	t := p.info().TypeOf(sel.X)
	return t != nil && types.IsInterface(t)
}

func (d lockWaits) callAtFrame(at place) (*ast.CallExpr, bool) {
	var found *ast.CallExpr
	ast.Inspect(at.node(), func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && found == nil {
			found = call
		}
		return found == nil
	})
	return found, found != nil
}

// overCopy makes a range loop, in which a statement waits with the lock held,
// go over a copy, without the lock.
func (d lockWaits) overCopy(at place, l lockUse, uses []lockUse) bool {
	var loop *ast.RangeStmt
	for _, x := range at.loops() {
		if r, ok := x.(*ast.RangeStmt); ok && !contains(r.X, at.node().Pos()) {
			loop = r
		}
	}
	if loop == nil || loop.Body == nil || !contains(loop.Body, at.node().Pos()) {
		if r, ok := at.node().(*ast.RangeStmt); ok {
			loop = r
		}
	}
	if loop == nil || !isPathOrIndex(loop.X) {
		return false
	}
	own := inFunction(uses, l.function())
	var clone, path string
	switch at.info().TypeOf(loop.X).Underlying().(type) {
	case *types.Slice:
		clone, path = "slices", "slices"
	case *types.Map:
		clone, path = "maps", "maps"
	default:
		return false
	}
	var deferred, explicit []lockUse
	for _, u := range own {
		switch {
		case u.takes():
		case u.deferred():
			deferred = append(deferred, u)
		default:
			explicit = append(explicit, u)
		}
	}
	unlock := d.text(l.mutex) + "." + strings.Replace(l.method, "Lock", "Unlock", 1) + "()"
	ch := d.change().need(at.file, path)
	switch {
	case len(deferred) == 1 && len(explicit) == 0:
		ch.remove(deferred[0].statement())
		ways := waysFrom(l.place, l.node(), func(n ast.Node) bool { return contains(loop, n.Pos()) })
		for _, e := range ways.exits {
			if atEnd(l.function(), e) {
				return false
			}
			ch.before(e, unlock)
		}
	case len(explicit) == 1 && explicit[0].node().Pos() > loop.End() && explicit[0].statement() != nil:
		ch.remove(explicit[0].statement())
	default:
		return false
	}
	name := fresh(at, lastName(loop.X), "copied", "snapshot")
	if ix, ok := ast.Unparen(loop.X).(*ast.IndexExpr); ok {
		name = fresh(at, lastName(ix.X), "copied", "snapshot")
	}
	ch.before(loop, fmt.Sprintf("%s := %s.Clone(%s)\n%s", name, clone, d.text(loop.X), unlock))
	ch.replace(loop.X.Pos(), loop.X.End(), name)
	return d.offer(idea{rule: "deadlock/over-copy", title: fmt.Sprintf("go over a copy of %s, without the lock", d.text(loop.X)), weight: origin, change: ch,
		why: fmt.Sprintf("%s copies %s under the lock and returns the copy, so that what is called in the loop may take it.", subject(l.function()), d.text(loop.X))})
}
