package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/source/evidence"
)

// negativeWaitGroup: Done ran more often than Add counted.
func (f channelRules) negativeWaitGroup() {
	if f.home.file == nil {
		f.countedTwice()
		return
	}
	var done place
	var wg ast.Expr
	for _, p := range f.callsOnLine() {
		for _, method := range []string{"Done", "Add"} {
			if e, _ := waitGroupCall(p, p.node(), method); e != nil && wg == nil {
				done, wg = p, e
			}
		}
	}
	if wg == nil { // the line of a return, with a deferred Done
		ast.Inspect(f.home.path[0], func(n ast.Node) bool {
			if e, _ := waitGroupCall(f.home, n, "Done"); e != nil && wg == nil {
				done, wg = f.home.of(n), e
			}
			return true
		})
	}
	if wg == nil {
		return
	}
	text := f.text(wg)
	f.diagnosis = evidence.Diagnosis{Expr: text, Value: "negative", Origin: f.relWhere(done.node().Pos()),
		Sentence: fmt.Sprintf("%s is counted down more often than up: %s (%s)", text, f.text(done.node()), f.where(done.node().Pos()))}
	objects := f.holders(done, wg)
	dones := f.groupCalls(objects, "Done")
	adds := f.groupCalls(objects, "Add")
	f.doneAfterClose(done)
	f.extraDone(dones)
	f.doneOfGo(dones)
	f.doneInCallee(dones)
	if f.countGoroutines(dones, adds) {
		f.doneInLoop(dones)
		f.addBeside(dones, adds, objects)
	}
}

// doneAfterClose says that a loop counts down for what it receives, and does not
// see that the channel is closed: then it receives at once, without end.
func (f channelRules) doneAfterClose(done place) {
	loop, ok := done.loop().(*ast.ForStmt)
	if !ok || loop.Cond != nil {
		return
	}
	steps := loop.Body.List
	for _, n := range done.path {
		if c, ok := n.(*ast.CommClause); ok && contains(loop, c.Pos()) {
			steps = append(slices.Clone(steps), c.Comm)
		}
	}
	for _, s := range steps {
		as, ok := s.(*ast.AssignStmt)
		if !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 || as.Pos() > done.node().Pos() {
			continue
		}
		get, ok := ast.Unparen(as.Rhs[0]).(*ast.UnaryExpr)
		if !ok || get.Op != token.ARROW {
			continue
		}
		if sites := f.closes(done.of(get.X), get.X); len(sites) > 0 {
			f.reason(fmt.Sprintf("%sthe loop goes on after %s is closed (%s)", further, f.text(get.X), f.where(sites[0].node().Pos())), as.Pos())
			return
		}
	}
}

// countedTwice: no function of the user's is on the stack, so that it is the
// count of WaitGroup.Go itself that went below zero.
func (f channelRules) countedTwice() {
	var dones []place
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			if wg, call := waitGroupCall(p, n, "Done"); wg != nil {
				dones = append(dones, p.of(call))
			}
			return true
		})
	})
	if len(dones) == 0 {
		return
	}
	d := dones[0]
	f.diagnosis = evidence.Diagnosis{Expr: f.text(d.node()), Value: "negative", Origin: f.relWhere(d.node().Pos()),
		Sentence: fmt.Sprintf("a goroutine that WaitGroup.Go started counts down twice: %s (%s) and Go itself", f.text(d.node()), f.where(d.node().Pos()))}
	f.doneOfGo(dones)
}

// holders collects the variables, fields and parameters that are the group.
func (f channelRules) holders(p place, wg ast.Expr) []types.Object {
	list := []types.Object{p.object(wg)}
	for i := 0; i < len(list) && i < 8; i++ {
		obj := list[i]
		f.each(func(q place) {
			ast.Inspect(q.file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				sig, ok := q.info().TypeOf(call.Fun).(*types.Signature)
				if !ok {
					return true
				}
				for j, a := range call.Args {
					if j >= sig.Params().Len() || types.TypeString(q.info().TypeOf(a), nil) != "*sync.WaitGroup" {
						continue
					}
					param, arg := paramObject(q, call, j), q.object(a)
					if param == nil || arg == nil {
						continue
					}
					if f.same(param, obj) && !hasObject(f.code, list, arg) {
						list = append(list, arg)
					}
					if f.same(arg, obj) && !hasObject(f.code, list, param) {
						list = append(list, param)
					}
				}
				return true
			})
		})
	}
	return list
}

func hasObject(f *code, list []types.Object, o types.Object) bool {
	for _, x := range list {
		if f.same(x, o) {
			return true
		}
	}
	return false
}

func (f channelRules) groupCalls(objects []types.Object, method string) []place {
	var list []place
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			if wg, call := waitGroupCall(p, n, method); wg != nil && hasObject(f.code, objects, p.object(wg)) {
				list = append(list, p.of(call))
			}
			return true
		})
	})
	return list
}

// extraDone removes the Done calls that a deferred one makes superfluous, or
// the second of two in a row.
func (f channelRules) extraDone(dones []place) {
	byFunc := map[ast.Node][]place{}
	var order []ast.Node
	for _, d := range dones {
		fn := d.function()
		if len(byFunc[fn]) == 0 {
			order = append(order, fn)
		}
		byFunc[fn] = append(byFunc[fn], d)
	}
	for _, fn := range order {
		list := byFunc[fn]
		deferred := 0
		for _, d := range list {
			if d.deferred() {
				deferred++
			}
		}
		ch := f.change()
		removed := 0
		for i, d := range list {
			if d.statement() == nil {
				continue
			}
			switch {
			case deferred > 0 && !d.deferred(), deferred > 1 && d.deferred() && i > 0:
				ch.remove(d.statement())
				removed++
			}
		}
		if removed > 0 {
			f.offer(idea{rule: "group/extra-done", title: fmt.Sprintf("drop the extra Done in %s", funcName(fn)), weight: origin, change: ch,
				why: "The deferred Done counts down on every way out; the other one counted a second time."})
			continue
		}
		f.branchDone(fn, list)
	}
}

// doneInCallee removes the Done of a function that is called by another one
// that counts down itself.
func (f channelRules) doneInCallee(dones []place) {
	for _, inner := range dones {
		fn, ok := inner.function().(*ast.FuncDecl)
		if !ok || inner.statement() == nil {
			continue
		}
		obj, ok := inner.info().Defs[fn.Name].(*types.Func)
		if !ok {
			continue
		}
		calls, _ := f.callsOf(obj)
		for _, c := range calls {
			for _, outer := range dones {
				if outer.function() != c.function() || outer.function() == inner.function() {
					continue
				}
				f.offer(idea{rule: "group/done-in-callee", title: fmt.Sprintf("leave the counting to %s", funcName(outer.function())), weight: origin, change: f.change().remove(inner.statement()),
					why: fmt.Sprintf("%s (%s) counts down itself and calls %s, which did so a second time.", funcName(outer.function()), f.where(outer.node().Pos()), funcName(fn))})
			}
		}
	}
}

// branchDone: a Done in a branch that goes on to another one.
func (f channelRules) branchDone(fn ast.Node, list []place) {
	if len(list) < 2 {
		return
	}
	ch := f.change()
	for _, d := range list {
		if d.statement() == nil {
			return
		}
		ch.remove(d.statement())
	}
	ch.first(bodyOf(fn), "defer "+f.text(list[0].node()))
	f.offer(idea{rule: "group/branch-done", title: fmt.Sprintf("count down once, deferred, in %s", funcName(fn)), weight: origin + 1, change: ch,
		why: fmt.Sprintf("%s had %d calls of Done, more than one of which could run; a single deferred one takes their place.", funcName(fn), len(list))})
}

// doneOfGo removes Done from functions that WaitGroup.Go starts: it counts itself.
func (f channelRules) doneOfGo(dones []place) {
	for _, d := range dones {
		started := false
		for i, n := range d.path {
			if call, ok := n.(*ast.CallExpr); ok && i > 0 {
				if wg, _ := waitGroupCall(d, call, "Go"); wg != nil {
					started = true
				}
			}
		}
		if fn, ok := d.function().(*ast.FuncDecl); ok && !started {
			for _, g := range f.goStatements(d, fn) {
				_, started = g.node().(*ast.CallExpr)
			}
		}
		if started && d.statement() != nil {
			f.offer(idea{rule: "group/done-of-go", title: "leave the counting to WaitGroup.Go", weight: origin - 1, change: f.change().remove(d.statement()),
				why: "Go counts up before it starts the function and down when that returns; the Done inside counted down a second time."})
		}
	}
}

// countGoroutines reports whether the group is counted up where its goroutines are
// started, or in them. What is counted up elsewhere is something else: the items
// of a queue.
func (f channelRules) countGoroutines(dones, adds []place) bool {
	of := append(f.startedFor(dones), dones...)
	return !slices.ContainsFunc(adds, func(a place) bool {
		return !slices.ContainsFunc(of, func(p place) bool { return p.declaration() == a.declaration() })
	})
}

// doneInLoop counts a worker down once instead of once an item.
func (f channelRules) doneInLoop(dones []place) {
	for _, d := range dones {
		l := d.loop()
		stmt := d.statement()
		if l == nil || stmt == nil || !f.runsAsGoroutine(d) {
			continue
		}
		ch := f.change().remove(stmt).first(bodyOf(d.function()), "defer "+f.text(d.node()))
		f.offer(idea{rule: "group/done-in-loop", title: fmt.Sprintf("count %s down once, when it is done", funcName(d.function())), weight: origin, change: ch,
			why: fmt.Sprintf("Done ran for every iteration of the loop at %s, while Add counted goroutines; it is now deferred once for each of them.", f.where(l.Pos()))})
	}
}

// addBeside counts up right where each goroutine is started, in place of the
// counts elsewhere.
func (f channelRules) addBeside(dones, adds []place, objects []types.Object) {
	started := f.startedFor(dones)
	if len(started) == 0 {
		return
	}
	ch := f.change()
	name := ""
	for _, a := range adds {
		if a.statement() == nil {
			return
		}
		wg, _ := waitGroupCall(a, a.node(), "Add")
		name = f.text(wg)
		ch.remove(a.statement())
	}
	for _, g := range started {
		at := name
		if text, ok := f.groupNameAt(g, objects, dones); ok {
			at = text
		}
		if at == "" {
			return
		}
		ch.before(g.node(), at+".Add(1)")
	}
	where := "nothing counted up"
	if len(adds) > 0 {
		where = fmt.Sprintf("%s (%s) counts up", f.text(adds[0].node()), f.where(adds[0].node().Pos()))
	}
	f.add(where)
	f.offer(idea{rule: "group/add-beside", title: "count up for each goroutine, right before it starts", weight: origin + 1, change: ch,
		why: fmt.Sprintf("%s; Add(1) now comes before each go statement whose goroutine counts down.", upperFirst(where))})
}

// startedFor lists the go statements whose goroutines call one of the Dones.
func (f channelRules) startedFor(dones []place) []place {
	var list []place
	seen := map[ast.Node]bool{}
	add := func(g place) {
		if _, ok := g.node().(*ast.GoStmt); ok && !seen[g.node()] && g.anchor() == g.node() {
			seen[g.node()] = true
			list = append(list, g)
		}
	}
	for _, d := range dones {
		switch fn := d.function().(type) {
		case *ast.FuncLit:
			for _, n := range d.path {
				if g, ok := n.(*ast.GoStmt); ok {
					add(d.of(g))
				}
			}
		case *ast.FuncDecl:
			for _, g := range f.goStatements(d, fn) {
				add(g)
			}
		}
	}
	return list
}

// groupNameAt names the group at a go statement.
func (f channelRules) groupNameAt(g place, objects []types.Object, dones []place) (string, bool) {
	goStmt := g.node().(*ast.GoStmt)
	for _, a := range goStmt.Call.Args {
		if hasObject(f.code, objects, g.object(a)) {
			if u, ok := a.(*ast.UnaryExpr); ok {
				return f.text(u.X), true
			}
			return f.text(a), true
		}
	}
	for _, d := range dones {
		wg, _ := waitGroupCall(d, d.node(), "Done")
		if contains(goStmt, d.node().Pos()) {
			return f.text(wg), true
		}
		if sel, ok := ast.Unparen(wg).(*ast.SelectorExpr); ok {
			if call, isSel := ast.Unparen(goStmt.Call.Fun).(*ast.SelectorExpr); isSel {
				return f.text(call.X) + "." + sel.Sel.Name, true
			}
		}
	}
	return "", false
}
