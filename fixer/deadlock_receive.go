package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
)

// receiving looks at the goroutines that wait to receive.
func (d receiveWaits) receiving() {
	d.receiveConcurrently()
	seen := map[any]bool{}
	for _, r := range d.receiversWaiting() {
		d.cancelBefore(r)
		d.stoppedTimer(r)
		if r.class == nil || seen[r.class] || r.nilChan || isContextDone(r.use, r.ch) {
			continue
		}
		seen[r.class] = true
		uses := d.usesOfClass(r.class)
		d.startSenderFirst(r, uses)
		if !closeWaits(d).endsByClose(r) || len(uses.ranges) == 0 {
			d.sendLeftOut(r, uses)
			d.receivesMore(r, uses)
		}
	}
	d.breakOfSelect()
}

// receiveConcurrently: a function receives from one channel until it is closed, and
// from a second one only then; but the goroutines that would close
// the first wait to send on the second.
func (d receiveWaits) receiveConcurrently() {
	for _, r := range d.receiversWaiting() {
		for _, s := range d.sendersWaiting() {
			if s.class == nil || s.class == r.class || s.id == r.id {
				continue
			}
			uses := d.usesOfClass(s.class)
			for i := r.at; i < len(r.frames); i++ {
				at, ok := d.statementAt(r.waiter, i)
				if !ok || at.top() == nil {
					continue
				}
				later, found := d.takeAfter(at, uses)
				if !found {
					continue
				}
				d.say(s.use.node().Pos(), "%s receives from %s first, while %s (%s) waits to send on %s, from which it receives only afterwards (%s)",
					funcName(at.function()), d.text(r.ch), senders(s), d.where(s.use.node().Pos()), d.text(s.ch), d.where(later.Pos()))
				d.loopInBackground(at, later, s, uses)
				w := origin + 1
				if _, isLoop := later.(*ast.RangeStmt); !isLoop {
					w = origin - 1
				}
				d.roomForAll(s.use, s.ch, uses, w)
			}
		}
	}
}

// takeAfter returns the statement of the function's outermost list, after a
// place, that receives from the channel.
func (d receiveWaits) takeAfter(at place, uses *chanUses) (ast.Stmt, bool) {
	for _, t := range uses.takes() {
		if t.function() == at.function() && t.node().Pos() > at.node().End() {
			if top := t.top(); top != nil && top != at.top() {
				return top, true
			}
		}
	}
	return nil, false
}

// loopInBackground runs the later loop in a goroutine, concurrently with the earlier one.
func (d receiveWaits) loopInBackground(at place, later ast.Stmt, s onChannel, uses *chanUses) {
	list := bodyOf(at.function()).List
	_, i := within(list, at.top().Pos())
	_, j := within(list, later.Pos())
	if _, ok := later.(*ast.RangeStmt); !ok || i < 0 || j <= i || leaves([]ast.Stmt{later}) || declaresFor(at, []ast.Stmt{later}, list[j+1:]) {
		return
	}
	k := j // what the loop needs comes along, as far as it needs nothing itself
	for k > i+1 && declaresFor(at, list[k-1:k], list[j:j+1]) && plainDeclaration(at, list[k-1]) {
		k--
	}
	if d.sharesWith(at, later, list[i:k]) {
		return
	}
	name := fresh(at, "done", "collected", "received")
	ch := d.change()
	declared := ""
	if k < j {
		declared = ch.cut(list[k:j])
	}
	text := ch.cut([]ast.Stmt{later})
	lead := lineIndentAt(d.code, later)
	ch.insertBelow(later, lead+"<-"+name+"\n")
	ch.insertAbove(list[i], fmt.Sprintf("%s%s%s := make(chan struct{})\n%sgo func() {\n%s\tdefer close(%s)\n%s%s}()\n", declared, lead, name, lead, lead, name, text, lead))
	d.offer(idea{rule: "deadlock/loop-in-background", title: fmt.Sprintf("receive from %s at the same time", d.text(s.ch)), weight: origin, change: ch,
		why: fmt.Sprintf("The loop at %s runs in a goroutine next to the one at %s, and is waited for.", d.where(later.Pos()), d.where(list[i].Pos()))})
}

// plainDeclaration reports whether a statement declares variables with values
// that depend on nothing.
func plainDeclaration(p place, s ast.Stmt) bool {
	plain := true
	names := map[*ast.Ident]bool{}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok {
					names[id] = true
				}
			}
		case *ast.CallExpr:
			if name, _ := p.builtin(n); name != "make" && name != "new" {
				plain = false
			}
		case *ast.Ident:
			if _, isVar := p.info().Uses[n].(*types.Var); isVar && !names[n] {
				plain = false
			}
		}
		return plain
	})
	return plain
}

// sharesWith reports whether a statement assigns variables that others use.
func (d receiveWaits) sharesWith(p place, s ast.Stmt, others []ast.Stmt) bool {
	assigned := map[string]bool{}
	add := func(e ast.Expr) {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			if obj := p.info().ObjectOf(x); obj != nil && !contains(s, obj.Pos()) {
				assigned[x.Name] = true
			}
		default:
			assigned[d.text(x)] = true
		}
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				add(l)
			}
		case *ast.IncDecStmt:
			add(n.X)
		}
		return true
	})
	shared := false
	for _, o := range others {
		ast.Inspect(o, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && assigned[d.text(e)] {
				shared = true
			}
			return !shared
		})
	}
	return shared
}
