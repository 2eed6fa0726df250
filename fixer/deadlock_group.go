package fixer

import (
	"go/ast"
)

// groupUses are the calls on one WaitGroup.
type groupUses struct {
	adds, dones, waits, gos []place
}

func (d *deadlock) groupUsesOf(p place, wg ast.Expr) groupUses {
	class := d.flowOf().class(p, wg)
	if class == nil {
		return groupUses{}
	}
	return once(d.chain.groups, class, func() groupUses { return d.groupUsesOfClass(class) })
}

func (d *deadlock) groupUsesOfClass(class any) groupUses {
	var u groupUses
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
		d.waitBeforeReceive(w)
		if !d.countedAlive(w, uses) {
			d.missedDone(w, uses)
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
