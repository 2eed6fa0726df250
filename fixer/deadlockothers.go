package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// nilChannels: a goroutine waits on a channel that nothing has made.
func (d *deadlock) nilChannels() {
	for _, w := range d.waiters {
		if w.file == nil {
			continue
		}
		if w.nilChan && w.on != nil {
			d.nilChannel(w, w.place, w.on)
		}
		if w.kind != waitSelect {
			continue
		}
		r := d.reader(w)
		for _, end := range append(d.receiversWaiting(), d.sendersWaiting()...) {
			if end.id == w.id && end.ch != nil && r.isNil(w.place, w.at, end.ch) == yes {
				d.nilChannel(w, end.use, end.ch)
			}
		}
	}
}

func (d *deadlock) nilChannel(w waiter, p place, ch ast.Expr) {
	if isContextDone(p, ch) {
		d.say(p.node().Pos(), "%s is nil, because that context is never canceled: %s waits forever", d.text(ch), d.whereWaits(w))
		return
	}
	text := d.text(ch)
	if d.diagnosis.Origin == "" {
		d.diagnosis.Expr, d.diagnosis.Value = text, "nil"
		d.diagnosis.Sentence = fmt.Sprintf("%s is nil when %s waits on it", text, d.whereWaits(w))
	}
	frame := -1
	if w.id == d.c.Stop.Goroutine {
		frame = w.at
	}
	d.mapRules.nilValueOrigin(p, frame, ch, "channel")
	d.diagnosis.Origin = orElse(d.diagnosis.Origin, d.relWhere(p.node().Pos()))
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// conditions looks at those who wait for a sync.Cond.
func (d *deadlock) conditions() {
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
func (d *deadlock) signalsOf(w waiter) []place {
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
func (d *deadlock) predicate(w waiter) []types.Object {
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
func (d *deadlock) signalAtChange(w waiter, signals []place) {
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
		d.offer(idea{title: fmt.Sprintf("signal in %s what it changes", funcName(fn.function())), weight: origin, change: d.change().after(fn.node(), text+"."+method+"()"),
			why: fmt.Sprintf("%s changes what the waiters ask for; it now wakes them.", subject(fn.function()))})
	}
}

// branchEnds reports whether a change sets a flag, which concerns all waiters.
func (d *deadlock) branchEnds(p place) bool {
	as, ok := p.node().(*ast.AssignStmt)
	if !ok || len(as.Rhs) != 1 {
		return false
	}
	tv := p.info().Types[as.Rhs[0]]
	b, basic := typeUnder[*types.Basic](tv.Type)
	return basic && b.Info()&types.IsBoolean != 0
}

// addsOne reports whether a change adds a single thing: one waiter is enough.
func (d *deadlock) addsOne(p place) bool {
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
func (d *deadlock) changers(objects []types.Object, w waiter) []place {
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
func (d *deadlock) condName(p place, w waiter) (string, bool) {
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
func (d *deadlock) wakeAll(w waiter, signals []place) {
	ch := d.change()
	for _, s := range signals {
		sel := ast.Unparen(s.node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
		ch.replace(sel.Sel.Pos(), sel.Sel.End(), "Broadcast")
	}
	d.say(signals[0].node().Pos(), "%s waits for %s: Signal (%s) wakes one goroutine only, and perhaps the wrong one", d.whereWaits(w), d.text(w.on), d.where(signals[0].node().Pos()))
	d.offer(idea{title: "wake all that wait, with Broadcast", weight: origin + 1, change: ch,
		why: "Every waiter is woken and looks again whether it may go on."})
}

// others: an empty select, a pipe, a Once in itself.
func (d *deadlock) others() {
	for _, w := range d.waiters {
		if w.file == nil {
			continue
		}
		switch w.kind {
		case waitForever:
			d.emptySelect(w)
		case waitPipe:
			d.pipe(w)
		case waitOnce:
			d.say(w.node().Pos(), "%s waits for itself: the function that %s runs calls it again", d.text(w.node().(*ast.CallExpr).Fun), d.whereWaits(w))
		}
	}
}

// emptySelect: main waits forever, although all it started have ended.
func (d *deadlock) emptySelect(w waiter) {
	fn := w.function()
	var started []place
	ast.Inspect(bodyOf(fn), func(n ast.Node) bool {
		if g, ok := n.(*ast.GoStmt); ok {
			started = append(started, w.of(g))
			return false
		}
		return true
	})
	d.say(w.node().Pos(), "%s waits forever in an empty select, and nothing else is left to run", d.whereWaits(w))
	if len(started) == 0 {
		return
	}
	for _, g := range started {
		if g.function() != fn || g.anchor() == nil {
			return
		}
	}
	name := fresh(w.place, "wg", "running")
	first := started[0].anchor()
	for _, l := range started[0].loops() {
		first = l
	}
	ch := d.change().before(first, "var "+name+" "+pkgName(w.file, "sync")+".WaitGroup").need(w.file, "sync")
	for _, g := range started {
		ch.before(g.anchor(), name+".Add(1)")
		d.countDown(ch, g, name)
	}
	ch.replace(w.node().Pos(), w.node().End(), name+".Wait()")
	d.offer(idea{title: "wait for the goroutines instead of for ever", weight: origin, change: ch,
		why: "A WaitGroup counts the goroutines, and the function goes on when all have ended."})
}

// pipe: the two ends of an io.Pipe are used one after the other, or the
// writing end is never closed.
func (d *deadlock) pipe(w waiter) {
	call, ok := w.node().(*ast.CallExpr)
	if !ok {
		return
	}
	if strings.Contains(w.library, "Read") || d.readsPipe(w) {
		d.unclosedPipe(w)
		return
	}
	top := w.top()
	d.say(call.Pos(), "%s (%s) writes to a pipe that is read only afterwards: a write waits for its reader", funcName(w.function()), d.where(call.Pos()))
	list := bodyOf(w.function()).List
	_, i := within(list, call.Pos())
	if i < 0 || top == nil {
		return
	}
	j := i + 1
	end := w.pipeEnd(d, call)
	for j < len(list) && end != nil && d.namesObject(w.place, list[j], end) {
		j++
	}
	part := list[i:j]
	if leaves(part) || declaresFor(w.place, part, list[j:]) {
		return
	}
	d.offer(idea{title: "write to the pipe from a goroutine", weight: origin, change: d.change().wrap(part, "go func() {", "}()"),
		why: "The write runs concurrently with the read, as a pipe needs it."})
}

func (d *deadlock) readsPipe(w waiter) bool {
	for _, fr := range w.frames[:w.at] {
		if fr.Function == "io.(*pipe).read" || fr.Function == "io.(*PipeReader).Read" {
			return true
		}
	}
	return false
}

// pipeEnd is the variable of an end of a pipe that a call uses.
func (w waiter) pipeEnd(d *deadlock, call *ast.CallExpr) types.Object {
	var found types.Object
	ast.Inspect(call, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, isVar := w.info().ObjectOf(id).(*types.Var); isVar && strings.HasPrefix(types.TypeString(v.Type(), nil), "*io.Pipe") {
				found = v
			}
		}
		return true
	})
	return found
}

// mentions reports whether a statement is a call that uses a variable.
func (d *deadlock) namesObject(p place, s ast.Stmt, obj types.Object) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && p.info().Uses[id] == obj {
			found = true
		}
		return !found
	})
	_, isExpr := s.(*ast.ExprStmt)
	return found && isExpr
}

// unclosedPipe closes the writing end when the goroutine that writes ends.
func (d *deadlock) unclosedPipe(w waiter) {
	var lit *ast.FuncLit
	var name string
	ast.Inspect(bodyOf(w.function()), func(n ast.Node) bool {
		g, ok := n.(*ast.GoStmt)
		if !ok {
			return true
		}
		l, isLit := g.Call.Fun.(*ast.FuncLit)
		if !isLit {
			return true
		}
		ast.Inspect(l, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if t := w.info().TypeOf(id); t != nil && types.TypeString(t, nil) == "*io.PipeWriter" {
					lit, name = l, id.Name
				}
			}
			return true
		})
		return false
	})
	if lit == nil {
		return
	}
	d.say(lit.Pos(), "%s reads a pipe to its end, and the goroutine that writes (%s) never closes it", d.whereWaits(w), d.where(lit.Pos()))
	d.offer(idea{title: fmt.Sprintf("close %s when all is written", name), weight: origin, change: d.change().first(lit.Body, "defer "+name+".Close()"),
		why: "The reader sees the end of the data when the writing end is closed."})
}
