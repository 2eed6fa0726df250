package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// work is a queue whose workers put more into it: it is through only when all
// that was ever put in has been done.
type work struct {
	*fixer
	class  any
	queue  ast.Expr // the channel, as the loop of the workers names it
	loop   place    // the range loop of the workers
	inner  []place  // sends that the loop comes to
	outer  []place  // the other sends
	closes []place
	makes  []place
}

// workOf recognizes such a queue by its class.
func (f channelRules) workOf(class any) (work, bool) {
	uses := f.usesOfClass(class)
	if class == nil || len(uses.ranges) != 1 || len(uses.receives) > 0 || len(uses.closes) > 1 || len(uses.makes) == 0 {
		return work{}, false
	}
	w := work{fixer: f.fixer, class: class, loop: uses.ranges[0], closes: uses.closes, makes: uses.makes}
	w.queue = w.loop.node().(*ast.RangeStmt).X
	body := loopBody(w.loop.node().(ast.Stmt))
	for _, s := range uses.sends {
		at, plain := w.countable(s)
		if !plain || countedAlready(at) {
			return work{}, false
		}
		if contains(body, s.node().Pos()) || f.comesTo(w.loop, body, s.node()) {
			w.inner = append(w.inner, s)
		} else {
			w.outer = append(w.outer, s)
		}
	}
	return w, len(w.inner) > 0
}

// countable is the statement before which a send can be counted: the send, or
// the go statement of the literal that it is in.
func (w work) countable(s place) (place, bool) {
	if s.anchor() != s.node() {
		return place{}, false
	}
	if lit, ok := s.function().(*ast.FuncLit); ok && !contains(lit, w.loop.node().Pos()) {
		at := s.of(lit)
		for _, n := range at.path[1:min(4, len(at.path))] {
			if g, isGo := n.(*ast.GoStmt); isGo {
				return s.of(g), s.of(g).anchor() == ast.Stmt(g)
			}
		}
	}
	return s, true
}

// countedAlready reports whether a WaitGroup counts a send already.
func countedAlready(at place) bool {
	for _, s := range statements(at.anchorBlock()) {
		if es, ok := s.(*ast.ExprStmt); ok {
			if wg, _ := waitGroupCall(at, es.X, "Add"); wg != nil {
				return true
			}
		}
	}
	return false
}

// comesTo reports whether statements come to a node by the functions they call.
func (f *facts) comesTo(p place, body *ast.BlockStmt, target ast.Node) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !found {
			if d, ok := f.declarationOf(p.callee(call)); ok {
				found = f.transitive(d, d.node(), func(_ place, m ast.Node) bool { return m == target })
			}
		}
		return !found
	})
	return found
}

// countPending counts what is in the queue or in work, and closes the queue
// when that is down to zero; stop is the statement that the goroutine which
// does so is put in place of (the close) or before (a wait for the workers).
func (w work) countPending(stop place, instead bool) bool {
	ch := w.change()
	pending, ok := w.declarePending(ch)
	if !ok || !w.countDown(ch, pending) {
		return false
	}
	wide := w.roomy()
	for _, s := range append(append([]place(nil), w.inner...), w.outer...) {
		at, _ := w.countable(s)
		ch.before(at.node(), pending(s)+".Add(1)")
	}
	for _, s := range w.inner {
		if at, _ := w.countable(s); !wide && at.node() == s.node() {
			ch.replace(s.node().Pos(), s.node().End(), "go func() { "+w.text(s.node())+" }()")
		}
	}
	name := w.nameIn(stop)
	if name == "" {
		return false
	}
	lead := lineIndentAt(w.code, stop.statement())
	closer := fmt.Sprintf("go func() {\n%s\t%s.Wait()\n%s\tclose(%s)\n%s}()", lead, pending(stop), lead, name, lead)
	if instead {
		ch.replace(stop.statement().Pos(), stop.statement().End(), closer)
	} else {
		ch.insertAbove(stop.statement(), lead+closer+"\n")
		for _, c := range w.closes {
			if c.statement() == nil {
				return false
			}
			ch.remove(c.statement())
		}
	}
	text := w.text(w.queue)
	return w.offer(idea{rule: "pendingwork/count-pending", title: fmt.Sprintf("close %s when all that was put into it is done", text), weight: origin - 2, change: ch,
		why: fmt.Sprintf("Those who take from %s also put more into it. What is in it or in work is counted, and when nothing is left the channel is closed.", text)})
}

// declarePending declares the group next to the channel and tells how it is
// named at a place.
func (w work) declarePending(ch *change) (name func(place) string, ok bool) {
	if sel, isField := ast.Unparen(w.queue).(*ast.SelectorExpr); isField {
		t, field := structOf(w.loop, sel)
		decl, found := w.fieldDecl(field)
		if t == nil || !found {
			return nil, false
		}
		group := freeFieldName(t, "pending", "unfinished")
		ch.after(decl.node(), group+" "+pkgName(decl.file, "sync")+".WaitGroup // what is in "+field.Name()+" or in work").need(decl.file, "sync")
		return func(p place) string {
			base := w.nameIn(p)
			if s, isSend := p.node().(*ast.SendStmt); isSend {
				base = w.text(s.Chan)
			}
			if l, isLoop := p.node().(*ast.RangeStmt); isLoop {
				base = w.text(l.X)
			}
			return trimLast(base) + "." + group
		}, true
	}
	m := w.makes[0]
	v, isVar := w.loop.object(w.queue).(*types.Var)
	if !isVar || len(w.makes) != 1 || m.anchor() == nil || m.declaration() != w.loop.declaration() || isGlobal(v) {
		return nil, false
	}
	for _, s := range append(append([]place(nil), w.inner...), w.outer...) {
		if s.declaration() != m.declaration() {
			return nil, false
		}
	}
	group := fresh(m, "pending", "unfinished")
	ch.after(m.anchor(), "var "+group+" "+pkgName(m.file, "sync")+".WaitGroup // what is in "+v.Name()+" or in work").need(m.file, "sync")
	return func(place) string { return group }, true
}

// trimLast drops the last name of a path: "r" of "r.queue".
func trimLast(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '.' {
			return path[:i]
		}
	}
	return path
}

// nameIn names the queue at a place that closes it or waits.
func (w work) nameIn(p place) string {
	if name, call := p.builtin(orNilNode(p.node())); name == "close" {
		return w.text(call.Args[0])
	}
	return (&deadlock{fixer: w.fixer}).nameOf(p, w.class)
}

func orNilNode(n ast.Node) ast.Expr {
	e, _ := n.(ast.Expr)
	return orNil(e)
}

// countDown makes every iteration of the workers' loop count one down.
func (w work) countDown(ch *change, pending func(place) string) bool {
	l := w.loop.node().(*ast.RangeStmt)
	done := pending(w.loop) + ".Done()"
	fine := true
	ast.Inspect(l.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			fine = false
		case *ast.BranchStmt:
			switch {
			case n.Label != nil || n.Tok == token.GOTO:
				fine = false
			case n.Tok == token.CONTINUE && w.loop.of(n).loop() == ast.Stmt(l):
				ch.before(n, done)
			case n.Tok == token.BREAK && directLoop(w.loop.of(n)) == ast.Stmt(l):
				fine = false
			}
		}
		return fine
	})
	ch.last(l.Body, done)
	return fine
}

// roomy reports whether the queue was made with room for a number of items that
// is not fixed, so that a worker that sends need not wait.
func (w work) roomy() bool {
	for _, m := range w.makes {
		c := capacity(m)
		if c == nil || m.info().Types[c].Value != nil {
			return false
		}
	}
	return true
}

// closedWhileWorking: the queue was closed with work left to come.
func (f channelRules) closedWhileWorking(s suspect, closes []place) {
	w, ok := f.workOf(f.flowOf().class(s.place, s.bad))
	if !ok || len(closes) != 1 || closes[0].statement() == nil || closes[0].deferred() || closes[0].loop() != nil {
		return
	}
	c := closes[0]
	if contains(loopBody(w.loop.node().(ast.Stmt)), c.node().Pos()) {
		return
	}
	for _, o := range w.outer { // what is put in at first must be counted before anybody waits
		if at, _ := w.countable(o); at.declaration() != c.declaration() || at.node().Pos() > c.node().Pos() {
			return
		}
	}
	w.countPending(c, true)
}

// putsIn reports whether a send is one of the workers'.
func (w work) putsIn(s place) bool {
	for _, i := range w.inner {
		if i.node() == s.node() {
			return true
		}
	}
	return false
}
