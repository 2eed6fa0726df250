package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
)

// groupUses are the calls on one WaitGroup.
type groupUses struct {
	adds, dones, waits, gos []place
}

func (d *deadlock) groupUsesOf(p place, wg ast.Expr) groupUses {
	var u groupUses
	class := d.flowOf().class(p, wg)
	if class == nil {
		return u
	}
	d.each(func(q place) {
		ast.Inspect(q.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for method, list := range map[string]*[]place{"Add": &u.adds, "Done": &u.dones, "Wait": &u.waits, "Go": &u.gos} {
				if e, _ := waitGroupCall(q, call, method); e != nil && d.flowOf().class(q, e) == class {
					*list = append(*list, q.of(call))
				}
			}
			return true
		})
	})
	return u
}

// groups looks at the goroutines that wait for a WaitGroup.
func (d groupWaits) groups() {
	for _, w := range d.of(waitGroup) {
		uses := d.groupUsesOf(w.place, w.on)
		d.waitsForItself(w, uses)
		d.waitBeforeReceive(w)
		if !d.countedAlive(w, uses) {
			d.groupByValue(w, uses)
			d.neverDone(w, uses)
			d.missedDone(w, uses)
			d.countOff(w, uses)
		}
	}
}

// countedAlive reports whether a goroutine that the group counts still lives.
func (d groupWaits) countedAlive(w waiter, uses groupUses) bool {
	for _, done := range uses.dones {
		for _, other := range d.waiters {
			if other.id != w.id && d.onStack(other, done.function()) {
				return true
			}
		}
	}
	for _, g := range uses.gos {
		for _, other := range d.waiters {
			if other.id == w.id {
				continue
			}
			if startedByGo(other) {
				return g.file != nil
			}
		}
	}
	return false
}

// waitsForItself: a goroutine that the group counts waits for the group.
func (d groupWaits) waitsForItself(w waiter, uses groupUses) {
	fn := w.function()
	for _, done := range uses.dones {
		if done.function() != fn || done.statement() == nil {
			continue
		}
		d.say(w.node().Pos(), "%s never reaches zero: %s waits for it and is counted by it itself, until its Done (%s)",
			d.text(w.on), d.whereWaits(w), d.where(done.node().Pos()))
		ch := d.change().remove(done.statement())
		started, _ := d.runsIn(w.place, fn)
		if len(started) != 1 || !d.uncount(ch, started[0], uses) {
			continue
		}
		d.offer(idea{rule: "deadlock/waits-for-itself", title: "do not count the goroutine that waits for the others", weight: origin, change: ch,
			why: fmt.Sprintf("The goroutine started at %s waits for %s; it is no longer counted by it.", d.where(started[0].node().Pos()), d.text(w.on))})
	}
	for _, g := range uses.gos {
		call := g.node().(*ast.CallExpr)
		if lit, ok := call.Args[0].(*ast.FuncLit); ok && ast.Node(lit) == fn && g.statement() != nil {
			d.say(w.node().Pos(), "%s never reaches zero: %s waits for it and is counted by it itself, because Go (%s) starts it",
				d.text(w.on), d.whereWaits(w), d.where(call.Pos()))
			ch := d.change().replace(call.Pos(), lit.Pos(), "go ").replace(lit.End(), call.End(), "()")
			d.offer(idea{rule: "deadlock/waits-for-itself", title: "do not count the goroutine that waits for the others", weight: origin, change: ch,
				why: fmt.Sprintf("The goroutine started at %s waits for %s; a plain go statement starts it uncounted.", d.where(call.Pos()), d.text(w.on))})
		}
	}
}

// uncount takes one goroutine out of what Add counts.
func (d groupWaits) uncount(ch *change, g place, uses groupUses) bool {
	list := statements(g.anchorBlock())
	for i, s := range list {
		if i+1 >= len(list) || list[i+1] != g.anchor() {
			continue
		}
		for _, a := range uses.adds {
			if n, ok := constantInt(a, a.node().(*ast.CallExpr).Args[0]); a.statement() == s && ok && n == 1 {
				ch.remove(s)
				return true
			}
		}
	}
	if len(uses.adds) != 1 || uses.adds[0].loop() != nil {
		return false
	}
	arg := uses.adds[0].node().(*ast.CallExpr).Args[0]
	if n, ok := constantInt(uses.adds[0], arg); ok && n > 1 {
		ch.replace(arg.Pos(), arg.End(), fmt.Sprint(n-1))
		return true
	}
	base, n, _ := offsetOf(uses.adds[0], arg)
	switch {
	case n == 1:
		ch.replace(arg.Pos(), arg.End(), d.text(base))
	case n > 1:
		ch.replace(arg.Pos(), arg.End(), fmt.Sprintf("%s+%d", d.text(base), n-1))
	default:
		ch.insert(arg.End(), "-1")
	}
	return true
}

// nameOf writes a channel as the code at a place can name it: a variable in
// scope, or a field of one; empty when it cannot.
func (d *deadlock) nameOf(at place, class any) string {
	fl := d.flowOf()
	of := func(v *types.Var) bool { return isChan(v.Type()) && fl.find(originObject(v)) == fl.find(class) }
	field := ""
	pos := at.node().Pos()
	for scope := at.pkg.Types.Scope().Innermost(pos); scope != nil && scope != types.Universe; scope = scope.Parent() {
		for _, name := range scope.Names() {
			v, ok := scope.Lookup(name).(*types.Var)
			if _, visible := scope.LookupParent(name, pos); !ok || visible != types.Object(v) {
				continue
			}
			if of(v) {
				return name
			}
			st, isStruct := underStruct(v.Type())
			for i := 0; isStruct && i < st.NumFields() && field == ""; i++ {
				if of(st.Field(i)) {
					field = name + "." + st.Field(i).Name()
				}
			}
		}
	}
	return field
}

// channelOf returns the channel that a send, receive, range or close names.
func channelOf(n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.SendStmt:
		return n.Chan
	case *ast.UnaryExpr:
		return n.X
	case *ast.RangeStmt:
		return n.X
	case *ast.CallExpr:
		if len(n.Args) > 0 {
			return n.Args[0]
		}
	}
	return nil
}

// goAfter returns the go statement that follows an Add in the same list.
func (d *deadlock) goAfter(a place) (place, bool) {
	list := statements(a.anchorBlock())
	_, i := within(list, a.node().Pos())
	for _, s := range list[max(i, 0):] {
		var found place
		ast.Inspect(s, func(n ast.Node) bool {
			if g, ok := n.(*ast.GoStmt); ok && found.file == nil {
				found = a.of(g)
			}
			return found.file == nil
		})
		if found.file != nil {
			return found, true
		}
	}
	return place{}, false
}

// countDown makes a started goroutine defer Done.
func (d *deadlock) countDown(ch *change, g place, wg string) {
	stmt := g.node().(*ast.GoStmt)
	if lit, ok := stmt.Call.Fun.(*ast.FuncLit); ok {
		ch.first(lit.Body, "defer "+wg+".Done()")
		return
	}
	lead := lineIndentAt(d.code, stmt)
	ch.replace(stmt.Pos(), stmt.End(), fmt.Sprintf("go func() {\n%s\tdefer %s.Done()\n%s\t%s\n%s}()", lead, wg, lead, d.text(stmt.Call), lead))
}
