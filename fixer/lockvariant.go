package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// variant is a function without the lock that another one takes around it.
type variant struct {
	place // of the declaration
	decl  *ast.FuncDecl
	locks []lockUse // the calls on the lock in it
	name  string
}

// variantOf prepares a variant of a method or function; false when its lock
// does not cover it as a whole.
func variantOf(p place, uses []lockUse) (variant, bool) {
	decl, ok := p.node().(*ast.FuncDecl)
	if !ok || decl.Body == nil {
		return variant{}, false
	}
	v := variant{place: p, decl: decl, locks: inFunction(uses, decl)}
	if len(v.locks) == 0 {
		return v, false
	}
	for _, l := range v.locks {
		if l.statement() == nil {
			return v, false
		}
	}
	v.name = variantName(p, decl)
	return v, v.name != ""
}

// variantName is a free name: that of the function with Locked after it.
func variantName(p place, decl *ast.FuncDecl) string {
	for _, name := range []string{lowerFirst(decl.Name.Name) + "Locked", lowerFirst(decl.Name.Name) + "Unsafe"} {
		if decl.Recv != nil {
			t := named(p.info().TypeOf(decl.Recv.List[0].Type))
			if t == nil {
				return ""
			}
			if obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, p.pkg.Types, name); obj == nil {
				return name
			}
		} else if p.pkg.Types.Scope().Lookup(name) == nil {
			return name
		}
	}
	return ""
}

// split writes the variant after the function, and makes the function lock,
// call it and unlock.
func (ch *change) split(v variant) bool {
	f := ch.f
	first := v.locks[0]
	if !first.takes() {
		return false
	}
	call, ok := callOfSelf(v)
	if !ok {
		return false
	}
	mutex := f.text(first.mutex)
	unlock := mutex + "." + strings.Replace(first.method, "Lock", "Unlock", 1) + "()"
	head := f.source(f.c.Code.Fset.Position(v.decl.Pos()).Filename)
	from := f.c.Code.Fset.Position(v.decl.Type.Func).Offset
	if v.decl.Recv != nil {
		from = f.c.Code.Fset.Position(v.decl.Pos()).Offset
	}
	open := f.c.Code.Fset.Position(v.decl.Body.Lbrace).Offset
	signature := head[from:open]
	named := strings.Replace(signature, v.decl.Name.Name+"(", v.name+"(", 1)
	if v.decl.Type.TypeParams != nil || named == signature {
		return false
	}
	doc := fmt.Sprintf("// %s is %s for callers that hold the lock.\n", v.name, v.decl.Name.Name)
	wrapper := fmt.Sprintf("\n\t%s.%s()\n\tdefer %s\n\t%s\n}\n\n%s%s{", mutex, first.method, unlock, call, doc, named)
	ch.insert(v.decl.Body.Lbrace+1, wrapper)
	for _, l := range v.locks {
		ch.remove(l.statement())
	}
	return true
}

// callOfSelf writes the call of the variant with the function's own parameters.
func callOfSelf(v variant) (string, bool) {
	var args []string
	for _, field := range v.decl.Type.Params.List {
		if len(field.Names) == 0 {
			return "", false
		}
		for _, n := range field.Names {
			if n.Name == "_" {
				return "", false
			}
			arg := n.Name
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				arg += "..."
			}
			args = append(args, arg)
		}
	}
	call := v.name + "(" + strings.Join(args, ", ") + ")"
	if v.decl.Recv != nil {
		if len(v.decl.Recv.List[0].Names) == 0 {
			return "", false
		}
		call = v.decl.Recv.List[0].Names[0].Name + "." + call
	}
	if v.decl.Type.Results.NumFields() > 0 {
		call = "return " + call
	}
	return call, true
}

// rename makes a call take the variant instead.
func (ch *change) callVariant(call place, v variant) {
	switch fun := ast.Unparen(call.node().(*ast.CallExpr).Fun).(type) {
	case *ast.SelectorExpr:
		ch.replace(fun.Sel.Pos(), fun.Sel.End(), v.name)
	case *ast.Ident:
		ch.replace(fun.Pos(), fun.End(), v.name)
	default:
		ch.broken = true
	}
}

// calleeLocks: a function that holds the lock calls one that takes it.
func (d *deadlock) calleeLocks(w waiter, holder int, l lockUse, uses []lockUse) {
	inner, ok := d.functionAt(w.frames[w.at])
	if !ok {
		return
	}
	fn := innermost(d.code, inner, w.frames[w.at].Function, w.frames[w.at].Line)
	held, _ := d.standsAt(w, holder)
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
func (d *deadlock) heldCalls(p place, uses []lockUse) (held, free []place) {
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

// useVariant lets those who hold the lock call a function that does not take it.
func (d *deadlock) useVariant(w waiter, holder int, p place, uses []lockUse) {
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
		d.offer(idea{title: fmt.Sprintf("leave the locking to the callers of %s", name), weight: origin, change: ch,
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
	d.offer(idea{title: fmt.Sprintf("call a variant of %s that does not lock", name), weight: origin, change: ch,
		why: fmt.Sprintf("%s does the work for those who hold the lock; %s takes the lock and calls it.", v.name, v.decl.Name.Name)})
}

// callAfterUnlock moves the call after the unlock that follows it.
func (d *deadlock) callAfterUnlock(at place, l lockUse, uses []lockUse) {
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
		d.offer(idea{title: fmt.Sprintf("unlock before calling %s", short(d.text(stmt.X.(*ast.CallExpr).Fun))), weight: origin + 2, change: ch,
			why: "The call takes the lock itself; it comes when the lock is free again."})
		return
	}
	if i == len(list)-1 && ast.Node(bodyOf(l.function())) == at.anchorBlock() {
		d.unlockEarly(at, l, own, origin+2)
	}
}

// unlockEarly gives a lock back before a statement instead of at the end of
// the function.
func (d *deadlock) unlockEarly(at place, l lockUse, own []lockUse, w weight) {
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
	d.offer(idea{title: fmt.Sprintf("unlock %s before the wait", d.text(l.mutex)), weight: w, change: ch,
		why: fmt.Sprintf("%s no longer holds the lock while it waits for others that need it.", subject(l.function()))})
}

// callbackUnderLock: a function calls what it was given, or sends to others,
// in a loop over what the lock guards. It does so over a copy, unlocked.
func (d *deadlock) callbackUnderLock(w waiter, holder int, l lockUse, uses []lockUse) bool {
	at, ok := d.standsAt(w, holder)
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

func (d *deadlock) callAtFrame(at place) (*ast.CallExpr, bool) {
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
func (d *deadlock) overCopy(at place, l lockUse, uses []lockUse) bool {
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
	clone, path := "", ""
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
	return d.offer(idea{title: fmt.Sprintf("go over a copy of %s, without the lock", d.text(loop.X)), weight: origin, change: ch,
		why: fmt.Sprintf("%s copies %s under the lock and gives that back, so that what is called in the loop may take it.", subject(l.function()), d.text(loop.X))})
}

// heldByOther: another goroutine holds the lock, and waits itself.
func (d *deadlock) heldByOther(w waiter, uses, all []lockUse) bool {
	for _, o := range d.waiters {
		if o.id == w.id {
			continue
		}
		for j := o.at; j < len(o.frames); j++ {
			at, ok := d.standsAt(o, j)
			if !ok {
				continue
			}
			l, found := heldAt(uses, at.function(), at.node())
			if !found || o.file != nil && l.node() == o.node() || o.kind == waitCond {
				continue
			}
			if o.kind == waitLock || o.kind == waitRLock {
				return d.lockOrder(w, o, l, uses, all)
			}
			d.say(at.node().Pos(), "%s holds the lock %s (%s) while it waits, and %s needs that lock to go on", d.whereWaits(o), d.text(l.mutex), d.where(l.node().Pos()), d.whereWaits(w))
			if !d.overCopy(at, l, uses) {
				d.releaseFirst(at, l, uses)
			}
			return true
		}
	}
	return false
}

// releaseFirst gives a lock back before a statement that waits.
func (d *deadlock) releaseFirst(at place, l lockUse, uses []lockUse) {
	own := inFunction(uses, l.function())
	list := statements(at.anchorBlock())
	_, i := within(list, at.node().Pos())
	for _, u := range own {
		if u.takes() || u.deferred() || u.statement() == nil || u.node().Pos() < at.node().End() || u.anchorBlock() != at.anchorBlock() {
			continue
		}
		ch := d.change().remove(u.statement()).before(at.node(), d.text(u.statement()))
		d.offer(idea{title: fmt.Sprintf("unlock %s before the wait", d.text(l.mutex)), weight: origin, change: ch,
			why: fmt.Sprintf("%s no longer holds the lock while it waits for others that need it.", subject(l.function()))})
		return
	}
	last := i == len(list)-1 || i == len(list)-2 && isReturn(list[len(list)-1])
	if last && ast.Node(bodyOf(l.function())) == at.anchorBlock() {
		d.unlockEarly(at, l, own, origin)
		return
	}
	unlock := strings.Replace(l.method, "Lock", "Unlock", 1)
	text := d.text(l.mutex)
	ch := d.change().before(at.node(), text+"."+unlock+"()").after(at.node(), text+"."+l.method+"()")
	d.offer(idea{title: fmt.Sprintf("give %s back for the time of the wait", text), weight: origin + 2, change: ch,
		why: "The lock is taken again when the wait is over; what it guards may have changed meanwhile."})
}

func isReturn(s ast.Stmt) bool { _, ok := s.(*ast.ReturnStmt); return ok }

// lockOrder: two goroutines take two locks in different order.
func (d *deadlock) lockOrder(w, o waiter, l lockUse, uses, all []lockUse) bool {
	fn := w.function()
	class := d.mutexClass(o.place)
	mine, ok := heldAt(ofClass(all, class), fn, w.node())
	d.say(w.node().Pos(), "two goroutines take the same locks in a different order: %s waits for %s, which %s holds while it waits for %s",
		d.whereWaits(w), d.mutexText(w.place), d.whereWaits(o), d.mutexText(o.place))
	if !ok {
		return true
	}
	if class == d.mutexClass(w.place) {
		d.orderByKey(w, mine)
		return true
	}
	if w.statement() == nil || mine.statement() == nil {
		return true
	}
	// The second lock of one of the functions comes first.
	ch := d.change().remove(w.statement()).before(mine.statement(), d.text(w.statement()))
	d.offer(idea{title: fmt.Sprintf("take %s before %s in %s", d.mutexText(w.place), d.text(mine.mutex), funcName(fn)), weight: origin, change: ch,
		why: fmt.Sprintf("All functions now take the two locks in the order of %s.", funcName(o.function()))})
	if l.statement() != nil && o.statement() != nil && l.function() == o.function() {
		other := d.change().remove(o.statement()).before(l.statement(), d.text(o.statement()))
		d.offer(idea{title: fmt.Sprintf("take %s before %s in %s", d.mutexText(o.place), d.text(l.mutex), funcName(o.function())), weight: origin + 1, change: other,
			why: fmt.Sprintf("All functions now take the two locks in the order of %s.", funcName(fn))})
	}
	return true
}

// orderByKey lets a function that locks two values of one type lock the one
// with the smaller key first.
func (d *deadlock) orderByKey(w waiter, mine lockUse) {
	sel, ok := ast.Unparen(w.node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	second, okSecond := lockOwner(sel.X)
	first, okFirst := lockOwner(mine.mutex)
	if !okFirst || !okSecond || d.text(first) == d.text(second) || mine.statement() == nil || w.statement() == nil {
		return
	}
	key, ok := orderKey(w.place, second)
	if !ok {
		return
	}
	block := mine.anchorBlock()
	if block != w.anchorBlock() {
		return
	}
	a, b := fresh(w.place, "first", "lower"), fresh(w.place, "second", "higher")
	x, y := d.text(first), d.text(second)
	suffix := strings.TrimPrefix(d.text(mine.mutex), x)
	lines := fmt.Sprintf("%s, %s := %s, %s\nif %s.%s < %s.%s {\n\t%s, %s = %s, %s\n}\n%s%s.%s()\n%s%s.%s()",
		a, b, x, y, b, key, a, key, a, b, b, a, a, suffix, mine.method, b, suffix, mine.method)
	ch := d.change().remove(w.statement())
	// What unlocks the second must run on every way, as the second is now
	// taken together with the first.
	list := statements(block)
	_, i := within(list, mine.node().Pos())
	_, j := within(list, w.node().Pos())
	if leaves(list[i:j]) {
		return
	}
	ch.instead(mine.statement(), lines)
	d.offer(idea{title: fmt.Sprintf("lock the one with the smaller %s first", key), weight: origin, change: ch,
		why: fmt.Sprintf("Whichever way %s is called, the two locks are now taken in one order.", funcName(w.function()))})
}

// lockOwner is the value whose field a mutex is.
func lockOwner(e ast.Expr) (ast.Expr, bool) {
	switch x := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return x.X, true
	case *ast.Ident:
		return x, true
	}
	return nil, false
}

// orderKey finds a field that orders values of a struct type.
func orderKey(p place, e ast.Expr) (string, bool) {
	st, ok := underStruct(p.info().TypeOf(e))
	if !ok {
		return "", false
	}
	for _, want := range []string{"id", "key", "number", "no", "num", "name", "code", "seq", "index"} {
		for i := range st.NumFields() {
			f := st.Field(i)
			b, basic := f.Type().Underlying().(*types.Basic)
			if basic && b.Info()&types.IsOrdered != 0 && strings.EqualFold(f.Name(), want) {
				return f.Name(), true
			}
		}
	}
	return "", false
}
