package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// groupByValue: a function counts down a copy of the group.
func (d groupWaits) groupByValue(w waiter, uses groupUses) {
	done := map[*ast.FuncDecl]bool{}
	for _, call := range uses.dones {
		fn, ok := call.function().(*ast.FuncDecl)
		if !ok {
			fn = call.declaration()
		}
		if fn == nil || done[fn] {
			continue
		}
		done[fn] = true
		i, field := valueGroup(call, fn.Type)
		if field == nil {
			continue
		}
		obj, _ := call.info().Defs[fn.Name].(*types.Func)
		if obj == nil {
			continue
		}
		d.say(field.Pos(), "%s never reaches zero: %s (%s) gets a copy of it and counts that down", d.text(w.on), funcName(fn), d.where(field.Pos()))
		ch := d.change().insert(field.Type.Pos(), "*")
		calls, _ := d.callsOf(obj)
		for _, c := range calls {
			args := c.node().(*ast.CallExpr).Args
			if i < len(args) {
				ch.insert(args[i].Pos(), "&")
			}
		}
		d.offer(idea{rule: "deadlock/group-by-value", title: fmt.Sprintf("pass the WaitGroup to %s by pointer", funcName(fn)), weight: origin - 1, change: ch,
			why: fmt.Sprintf("%s counted down its own copy; with a pointer it is the group that %s waits for.", funcName(fn), funcName(w.function()))})
	}
}

// valueGroup finds a parameter of type sync.WaitGroup.
func valueGroup(p place, t *ast.FuncType) (int, *ast.Field) {
	i := 0
	for _, field := range t.Params.List {
		if typ := p.info().TypeOf(field.Type); typ != nil && types.TypeString(typ, nil) == "sync.WaitGroup" {
			return i, field
		}
		i += max(len(field.Names), 1)
	}
	return 0, nil
}

// neverDone: goroutines are counted up, and nothing counts them down.
func (d groupWaits) neverDone(w waiter, uses groupUses) {
	if len(uses.dones) > 0 || len(uses.adds) == 0 {
		return
	}
	ch := d.change()
	var first place
	for _, a := range uses.adds {
		g, ok := d.goAfter(a)
		if !ok {
			return
		}
		wg, _ := waitGroupCall(a, a.node(), "Add")
		if first.file == nil {
			first = g
		}
		d.countDown(ch, g, d.text(wg))
	}
	d.say(first.node().Pos(), "%s never reaches zero: nothing counts down for the goroutine started at %s", d.text(w.on), d.where(first.node().Pos()))
	d.offer(idea{rule: "deadlock/never-done", title: "count down when the goroutine is done", weight: origin, change: ch,
		why: "Each goroutine that Add counts now defers Done."})
}

// missedDone: a way through the goroutine leaves Done out.
func (d groupWaits) missedDone(w waiter, uses groupUses) {
	byFunc := map[ast.Node][]place{}
	var order []ast.Node
	for _, done := range uses.dones {
		fn := done.function()
		if len(byFunc[fn]) == 0 {
			order = append(order, fn)
		}
		byFunc[fn] = append(byFunc[fn], done)
	}
	for _, fn := range order {
		list := byFunc[fn]
		if anyDeferred(list) {
			continue
		}
		if l := list[0].loop(); l != nil && d.countsItems(list[0], uses) {
			d.doneOfItem(w, list, l)
			continue
		}
		exit, ok := d.leftOut(fn, list)
		if !ok {
			continue
		}
		d.say(exit.Pos(), "%s never reaches zero: %s returns without Done at %s%s", d.text(w.on), d.callerName(list[0]), d.where(exit.Pos()), d.condition(list[0], exit))
		d.deferDone(fn, list, exit)
	}
}

func anyDeferred(list []place) bool {
	for _, p := range list {
		if p.deferred() {
			return true
		}
		for _, n := range p.path { // in a deferred function literal
			if df, ok := n.(*ast.DeferStmt); ok && contains(df, p.node().Pos()) {
				return true
			}
		}
	}
	return false
}

// deferDone puts one deferred Done in place of those that can be passed by.
func (d groupWaits) deferDone(fn ast.Node, list []place, exit *ast.ReturnStmt) {
	ch := d.change()
	for _, c := range list {
		if c.statement() == nil {
			return
		}
		ch.remove(c.statement())
	}
	ch.first(bodyOf(fn), "defer "+d.text(list[0].node()))
	d.offer(idea{rule: "deadlock/defer-done", title: fmt.Sprintf("defer %s", d.text(list[0].node())), weight: origin, change: ch,
		why: fmt.Sprintf("It now runs on every way out, also on the one at %s.", d.where(exit.Pos()))})
}

// countsItems reports whether Add counts items rather than goroutines: a Done
// runs for each iteration of a worker's loop.
func (d groupWaits) countsItems(done place, uses groupUses) bool {
	if _, isLit := done.loop().(*ast.ForStmt); isLit && done.loop().(*ast.ForStmt).Cond != nil {
		return false
	}
	for _, a := range uses.adds {
		if g, ok := d.goAfter(a); ok {
			if lit, isLit := g.node().(*ast.GoStmt).Call.Fun.(*ast.FuncLit); isLit && contains(lit, done.node().Pos()) && a.loop() != nil {
				return false
			}
		}
	}
	return true
}

// doneOfItem: an iteration of a worker's loop goes on without Done.
func (d groupWaits) doneOfItem(w waiter, list []place, l ast.Stmt) {
	if len(list) != 1 || list[0].statement() == nil {
		return
	}
	done := list[0]
	text := d.text(done.node())
	ch := d.change()
	var first ast.Stmt
	ast.Inspect(loopBody(l), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			if n.Tok == token.CONTINUE && done.of(n).loop() == l && n.Pos() < done.node().Pos() {
				ch.before(n, text)
				if first == nil {
					first = n
				}
			}
		}
		return true
	})
	if first == nil {
		return
	}
	when := ""
	at := done.of(first)
	if cond, ok := at.path[2].(*ast.IfStmt); ok {
		when = " when " + short(d.text(cond.Cond))
	}
	d.say(first.Pos(), "%s never reaches zero: %s goes on to the next item without Done at %s%s", d.text(w.on), d.callerName(done), d.where(first.Pos()), when)
	d.offer(idea{rule: "deadlock/done-of-item", title: fmt.Sprintf("call %s before going on to the next item", text), weight: origin, change: ch,
		why: "Every item that was counted is now counted down, also those that are skipped."})
}

// countOff: more was counted than goroutines were started.
func (d groupWaits) countOff(w waiter, uses groupUses) {
	d.addWithoutGo(w, uses)
	if len(uses.adds) != 1 || len(uses.dones) == 0 {
		return
	}
	add := uses.adds[0]
	arg := add.node().(*ast.CallExpr).Args[0]
	total, from, ok := d.startedCount(add, uses)
	if !ok || d.text(arg) == total.String() {
		return
	}
	if loops := add.loop(); loops != nil {
		return
	}
	value := ""
	r := d.reader(w)
	if n, known := r.number(add, w.at, arg); known && add.function() == w.function() {
		value = fmt.Sprintf(" (%d)", n)
		if m, known := r.evaluate(add, w.at, total); known && m == n {
			return
		}
	}
	d.say(add.node().Pos(), "%s never reaches zero: Add counts %s%s (%s), and %s goroutines are started (%s)",
		d.text(w.on), d.text(arg), value, d.where(add.node().Pos()), total.String(), d.where(from.node().Pos()))
	d.offer(idea{rule: "deadlock/count-off", title: fmt.Sprintf("add %s, one for each goroutine", total.String()), weight: origin, change: d.change().replace(arg.Pos(), arg.End(), total.String()),
		why: "Add now counts as many goroutines as are started, each of which calls Done once."})
}

// evaluate returns the value of a count in a frame.
func (f *analysis) evaluate(p place, frame int, n amount) (int64, bool) {
	total := int64(n.number)
	for _, term := range n.terms {
		a := f.values.variable(frame, term)
		if !a.known {
			return 0, false
		}
		v, ok := parseInt(a.value.Value)
		if !ok {
			return 0, false
		}
		total += v
	}
	return total, p.file != nil
}

// startedCount counts the goroutines that call Done.
func (d groupWaits) startedCount(add place, uses groupUses) (total amount, first place, ok bool) {
	seen := map[ast.Node]bool{}
	for _, done := range uses.dones {
		if done.loop() != nil {
			return amount{}, place{}, false
		}
		started, _ := d.runsIn(done, done.function())
		for _, g := range started {
			if seen[g.node()] {
				continue
			}
			seen[g.node()] = true
			if g.function() != add.function() {
				return amount{}, place{}, false
			}
			n, known := d.times(g, 0)
			if !known || branches(g) {
				return amount{}, place{}, false
			}
			if first.file == nil {
				first = g
			}
			total = total.plus(n)
		}
	}
	return total, first, first.file != nil
}

// addWithoutGo: the loop counts up and then passes by the go statement.
func (d groupWaits) addWithoutGo(w waiter, uses groupUses) {
	for _, a := range uses.adds {
		if a.statement() == nil {
			continue
		}
		g, ok := d.goAfter(a)
		if !ok || g.anchor() == nil || g.function() != a.function() || a.loop() == nil || a.loop() != g.loop() {
			continue
		}
		paths := waysFrom(a, a.node(), func(n ast.Node) bool { return contains(n, g.node().Pos()) || n == g.node() })
		if !paths.again && len(paths.exits) == 0 || adjacent(a, g) {
			continue
		}
		d.say(a.node().Pos(), "%s never reaches zero: %s (%s) also counts the iterations that do not come to the go statement (%s)",
			d.text(w.on), d.text(a.node()), d.where(a.node().Pos()), d.where(g.node().Pos()))
		ch := d.change().remove(a.statement()).before(g.anchor(), d.text(a.statement()))
		d.offer(idea{rule: "deadlock/add-without-go", title: "count up right before the goroutine starts", weight: origin, change: ch,
			why: "What is skipped is no longer counted."})
	}
}

// adjacent reports whether a go statement follows directly.
func adjacent(a, g place) bool {
	return nextStatement(a, a.statement()) == g.anchor()
}
