package fixer

import (
	"fmt"
	"go/ast"
)

// bothListen: two goroutines receive from one another, and each would send
// what the other waits for only afterwards. One of them must speak first.
func (d receiveWaits) bothListen() {
	ends := d.receiversWaiting()
	for _, r := range ends {
		if r.use.comm() != nil || r.class == nil {
			continue
		}
		for _, o := range ends {
			if o.id != r.id && o.class != nil && o.class != r.class {
				d.speakFirst(r, o)
			}
		}
	}
}

// speakFirst moves a send that follows a receive, and needs nothing of it,
// before it.
func (d receiveWaits) speakFirst(r, o onChannel) {
	stmt := r.use.anchor()
	list := statements(r.use.anchorBlock())
	_, i := within(list, r.use.node().Pos())
	if stmt == nil || i < 0 || i+1 >= len(list) {
		return
	}
	if _, loops := stmt.(*ast.RangeStmt); loops {
		return
	}
	send, ok := list[i+1].(*ast.SendStmt)
	if !ok || d.flowOf().class(r.use, send.Chan) != o.class || declaresFor(r.use, list[i:i+1], list[i+1:i+2]) || d.sharesWith(r.use, stmt, list[i+1:i+2]) {
		return
	}
	d.say(send.Pos(), "%s and %s wait for one another: %s sends on %s (%s), which the other one waits for, only after it has received",
		d.whereWaits(r.waiter), d.whereWaits(o.waiter), funcName(r.use.function()), d.text(send.Chan), d.where(send.Pos()))
	ch := d.change().moveBefore(list[i+1:i+2], stmt)
	d.offer(idea{rule: "deadlock/speak-first", title: fmt.Sprintf("send on %s before the receive", d.text(send.Chan)), weight: origin - 1, change: ch,
		why: fmt.Sprintf("%s speaks first; the other side, which waits for that, answers then.", subject(r.use.function()))})
}
