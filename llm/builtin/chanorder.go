package builtin

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// closeAfterWait: every worker closes the channel they share. The closes go,
// and one comes behind the wait for all of them.
func (f *fixer) closeAfterWait(s suspect, sites []place) {
	var inWorkers []place
	hasOther := false
	for _, c := range sites {
		if f.runsAsGoroutine(c) && c.statement() != nil {
			inWorkers = append(inWorkers, c)
		} else {
			hasOther = true
		}
	}
	if len(inWorkers) == 0 {
		return
	}
	ch := f.change()
	for _, c := range inWorkers {
		ch.remove(c.statement())
	}
	if hasOther {
		f.offer(idea{title: "leave the close to the one who waits for the workers", weight: origin, change: ch,
			why: "The channel is shared by several goroutines; only the one that knows when all are done closes it."})
		return
	}
	f.closeBehindWait(s, ch, "the workers no longer close the channel that they share")
}

// closeBehindWait puts a close of the channel behind the wait for its senders.
func (f *fixer) closeBehindWait(s suspect, ch *change, what string) {
	wait, name, ok := f.waitFor(s)
	if !ok {
		return
	}
	stmt := wait.statement()
	text := "close(" + name + ")"
	if f.receivesAfter(wait, stmt) {
		lines := fmt.Sprintf("go func() {\n\t%s\n\t%s\n}()", f.text(stmt), text)
		ch.replace(stmt.Pos(), stmt.End(), strings.ReplaceAll(lines, "\n", "\n"+lineIndentAt(f, stmt)))
		f.offer(idea{title: fmt.Sprintf("close %s when all senders are done", name), weight: origin - 1, change: ch,
			why: fmt.Sprintf("%s. A goroutine waits for them and closes it then, while the results are being received.", upperFirst(what))})
		return
	}
	ch.after(stmt, text)
	f.offer(idea{title: fmt.Sprintf("close %s when all senders are done", name), weight: origin - 1, change: ch,
		why: fmt.Sprintf("%s; it is closed once, behind the wait at %s.", upperFirst(what), f.where(stmt.Pos()))})
}

func lineIndentAt(f *fixer, n ast.Node) string {
	pos := f.c.Code.Fset.Position(n.Pos())
	return lineIndent(f.source(pos.Filename), pos.Offset)
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// waitFor finds the wait for the senders, and the channel's name there.
func (f *fixer) waitFor(s suspect) (wait place, name string, ok bool) {
	objects := f.aliases(s.place, s.bad)
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			if ok {
				return false
			}
			if wg, _ := waitGroupCall(p, n, "Wait"); wg != nil {
				at := p.of(n)
				if at.statement() == nil {
					return true
				}
				if text, found := f.nameAt(at, objects, wg); found {
					wait, name, ok = at, text, true
				}
			}
			return true
		})
	})
	return wait, name, ok
}

// nameAt writes how one of the objects is named at a place, by its use in the
// same declaration; wg tells the receiver's path for fields.
func (f *fixer) nameAt(at place, objects []types.Object, wg ast.Expr) (string, bool) {
	d := at.declaration()
	if d == nil {
		return "", false
	}
	name, found := "", false
	for _, obj := range objects {
		v, isVar := obj.(*types.Var)
		if !isVar {
			continue
		}
		if v.IsField() {
			if sel, ok := ast.Unparen(wg).(*ast.SelectorExpr); ok {
				if t := named(at.info().TypeOf(sel.X)); t != nil {
					if o, _, _ := types.LookupFieldOrMethod(t, true, t.Obj().Pkg(), v.Name()); o != nil && f.same(o, v) {
						return f.text(sel.X) + "." + v.Name(), true
					}
				}
			}
			continue
		}
		scope := at.pkg.Types.Scope().Innermost(at.node().Pos())
		if scope == nil {
			continue
		}
		if _, o := scope.LookupParent(v.Name(), at.node().Pos()); o == types.Object(v) && !found {
			name, found = v.Name(), true
		}
	}
	return name, found
}

// receivesAfter tells whether the function goes on to receive after a statement.
func (f *fixer) receivesAfter(p place, stmt ast.Stmt) bool {
	found := false
	ast.Inspect(bodyOf(p.function()), func(n ast.Node) bool {
		if n == nil || n.End() <= stmt.End() {
			return n == nil || n.End() > stmt.Pos()
		}
		switch n := n.(type) {
		case *ast.RangeStmt:
			if isChan(p.info().TypeOf(n.X)) && n.Pos() > stmt.Pos() {
				found = true
			}
		case *ast.UnaryExpr:
			if n.Op.String() == "<-" && n.Pos() > stmt.Pos() {
				found = true
			}
		}
		return true
	})
	return found
}

// runsAsGoroutine tells whether the function of a place is started by a go statement.
func (f *fixer) runsAsGoroutine(p place) bool {
	switch fn := p.function().(type) {
	case *ast.FuncLit:
		at := p.of(fn)
		for _, n := range at.path[1:min(4, len(at.path))] {
			if _, ok := n.(*ast.GoStmt); ok {
				return true
			}
			if _, call := waitGroupCall(p, n, "Go"); call != nil {
				return true
			}
		}
	case *ast.FuncDecl:
		return len(f.goStatements(p, fn)) > 0
	}
	return false
}

// goStatements lists the go statements that start a declared function,
// directly or in the body of a function literal.
func (f *fixer) goStatements(p place, d *ast.FuncDecl) []place {
	obj := p.info().Defs[d.Name]
	var list []place
	f.each(func(q place) {
		ast.Inspect(q.file, func(n ast.Node) bool {
			switch g := n.(type) {
			case *ast.GoStmt:
				if startsFunc(f, q, g.Call, obj) {
					list = append(list, q.of(g))
				}
			case *ast.CallExpr:
				if _, call := waitGroupCall(q, g, "Go"); call != nil && len(call.Args) == 1 {
					if lit, ok := call.Args[0].(*ast.FuncLit); ok && callsIn(f, q, lit.Body, obj) {
						list = append(list, q.of(g))
					}
				}
			}
			return true
		})
	})
	return list
}

func startsFunc(f *fixer, q place, call *ast.CallExpr, obj types.Object) bool {
	if fn := q.callee(call); fn != nil && f.same(originOf(fn), obj) {
		return true
	}
	lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
	return ok && callsIn(f, q, lit.Body, obj)
}

func callsIn(f *fixer, q place, root ast.Node, obj types.Object) bool {
	found := false
	ast.Inspect(root, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if fn := q.callee(call); fn != nil && f.same(originOf(fn), obj) {
				found = true
			}
		}
		return true
	})
	return found
}

// sendAfterClose: the close comes before the last send.
func (f *fixer) sendAfterClose(s suspect) {
	closes := f.closes(s.place, s.bad)
	if len(closes) == 0 {
		f.forgetWhereClosed(s)
		return
	}
	var at []string
	for _, c := range closes {
		at = append(at, f.where(c.node().Pos()))
	}
	f.note("it is closed at "+strings.Join(at, " and "), closes[0].node().Pos())
	for _, c := range closes {
		f.moveBehindSends(s, c)
		f.moveBehindWait(s, c)
		f.waitForSenders(s, c)
	}
	f.closeAfterWaitOnSend(s, closes)
	f.closedFlag(s, closes)
}

// closeAfterWaitOnSend: one of several workers closes while the others still send.
func (f *fixer) closeAfterWaitOnSend(s suspect, closes []place) {
	ch := f.change()
	for _, c := range closes {
		if !f.runsAsGoroutine(c) || c.statement() == nil {
			return
		}
		ch.remove(c.statement())
	}
	f.closeBehindWait(s, ch, "the workers no longer close the channel that the others still send on")
}

// moveBehindSends moves a close behind the last send of the same function.
func (f *fixer) moveBehindSends(s suspect, c place) {
	stmt := c.statement()
	if stmt == nil || c.deferred() || c.function() != s.function() {
		return
	}
	block := c.anchorBlock()
	var last ast.Stmt
	for _, send := range f.sends(s.place, s.bad) {
		if send.function() != c.function() || send.node().Pos() < stmt.Pos() {
			continue
		}
		for i, n := range send.path {
			if i+1 < len(send.path) && send.path[i+1] == block {
				if st, ok := n.(ast.Stmt); ok && (last == nil || st.End() > last.End()) {
					last = st
				}
			}
		}
	}
	if last == nil {
		return
	}
	f.offer(idea{title: "close behind the last send", weight: origin, change: f.change().remove(stmt).after(last, f.text(stmt)),
		why: fmt.Sprintf("%s closed the channel at %s and sent on it after that; the close now comes last.", funcName(c.function()), f.where(stmt.Pos()))})
}

// moveBehindWait moves a close behind a wait for the senders that follows it.
func (f *fixer) moveBehindWait(s suspect, c place) {
	stmt := c.statement()
	if stmt == nil || c.deferred() {
		return
	}
	block, ok := c.anchorBlock().(*ast.BlockStmt)
	if !ok {
		return
	}
	after := false
	for _, other := range block.List {
		if other == stmt {
			after = true
			continue
		}
		es, isExpr := other.(*ast.ExprStmt)
		if !after || !isExpr {
			continue
		}
		if wg, _ := waitGroupCall(c, es.X, "Wait"); wg != nil {
			f.offer(idea{title: "close behind the wait for the senders", weight: origin - 1, change: f.change().remove(stmt).after(es, f.text(stmt)),
				why: fmt.Sprintf("The close at %s came before %s; it now comes after, when nobody sends any more.", f.where(stmt.Pos()), f.text(es))})
			return
		}
	}
}

// waitForSenders adds a WaitGroup around the goroutines that send, when the
// function that closes starts them and waits for nothing.
func (f *fixer) waitForSenders(s suspect, c place) {
	stmt := c.statement()
	body := bodyOf(c.function())
	if stmt == nil || body == nil || c.deferred() {
		return
	}
	var started []place
	ast.Inspect(body, func(n ast.Node) bool {
		g, ok := n.(*ast.GoStmt)
		if !ok || g.Pos() > stmt.Pos() {
			return true
		}
		at := c.of(g)
		if lit, isLit := g.Call.Fun.(*ast.FuncLit); isLit && contains(lit, s.expr.Pos()) || f.starts(c, g, s.function()) {
			started = append(started, at)
		}
		return true
	})
	if len(started) == 0 {
		return
	}
	first := started[0].anchor()
	for _, l := range started[0].loops() {
		first = l
	}
	if l := started[0].loop(); l != nil {
		first = l
	}
	name := f.fresh(c, "wg", "senders")
	ch := f.change().before(first, "var "+name+" "+pkgName(c.file, "sync")+".WaitGroup").need(c.file, "sync")
	for _, g := range started {
		goStmt := g.node().(*ast.GoStmt)
		ch.before(goStmt, name+".Add(1)")
		if lit, isLit := goStmt.Call.Fun.(*ast.FuncLit); isLit {
			ch.first(lit.Body, "defer "+name+".Done()")
		} else {
			lead := lineIndentAt(f, goStmt)
			ch.replace(goStmt.Pos(), goStmt.End(), fmt.Sprintf("go func() {\n%s\tdefer %s.Done()\n%s\t%s\n%s}()", lead, name, lead, f.text(goStmt.Call), lead))
		}
	}
	if f.receivesAfter(c, stmt) {
		lead := lineIndentAt(f, stmt)
		ch.replace(stmt.Pos(), stmt.End(), fmt.Sprintf("go func() {\n%s\t%s.Wait()\n%s\t%s\n%s}()", lead, name, lead, f.text(stmt), lead))
	} else {
		ch.before(stmt, name+".Wait()")
	}
	f.offer(idea{title: "wait for the senders before the close", weight: origin, change: ch,
		why: fmt.Sprintf("The goroutines started at %s may still send when %s closes the channel; it now waits for them first.", f.where(started[0].node().Pos()), funcName(c.function()))})
}

func (f *fixer) starts(p place, g *ast.GoStmt, fn ast.Node) bool {
	d, ok := fn.(*ast.FuncDecl)
	if !ok {
		return false
	}
	callee := p.callee(g.Call)
	return callee != nil && callee.Name() == d.Name.Name
}

// closedFlag remembers in the struct that its channel is closed, and refuses to send then.
func (f *fixer) closedFlag(s suspect, closes []place) {
	sel, ok := ast.Unparen(s.bad).(*ast.SelectorExpr)
	if !ok {
		return
	}
	t, field := structOf(s.place, sel)
	decl, found := f.fieldDecl(field)
	if t == nil || !found || s.anchor() == nil {
		return
	}
	name := f.freeFieldName(t, "closed", field.Name()+"Closed")
	base := f.text(sel.X)
	at := s.of(s.anchor())
	for _, e := range f.exits(at, message{percent(strings.ToLower(t.Obj().Name())) + " is closed", nil}, "") {
		ch := f.change().after(decl.node(), name+" bool").need(s.file, e.imports...)
		ch.before(at.node(), fmt.Sprintf("if %s.%s {\n\t%s\n}", base, name, indented(e.lines)))
		fine := true
		for _, c := range closes {
			arg, isSel := ast.Unparen(c.node().(*ast.CallExpr).Args[0]).(*ast.SelectorExpr)
			if !isSel || c.anchor() == nil {
				fine = false
				break
			}
			ch.before(c.anchor(), fmt.Sprintf("%s.%s = true", f.text(arg.X), name))
		}
		if !fine || e.edit != nil && !e.edit(ch) {
			continue
		}
		f.offer(idea{title: fmt.Sprintf("refuse to send once %s is closed: %s", base, shortHow(e)), weight: e.weight, change: ch,
			why: fmt.Sprintf("%s remembers that it was closed; from then on %s %s.", t.Obj().Name(), funcName(s.function()), e.how)})
	}
}

// forgetWhereClosed: the channel came out of a map or slice whose members are
// closed elsewhere without being taken out.
func (f *fixer) forgetWhereClosed(s suspect) {
	src := f.trace(s.place, -1, s.bad)
	var container ast.Expr
	switch e := ast.Unparen(s.bad).(type) {
	case *ast.IndexExpr:
		container = e.X
	}
	if src.expr != nil && container == nil {
		if ix, ok := ast.Unparen(src.expr).(*ast.IndexExpr); ok {
			container = ix.X
		} else if src.of == fromRange {
			container = src.expr
		}
	}
	if container == nil {
		return
	}
	obj := s.object(container)
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if name, _ := p.builtin(call); name != "close" {
				return true
			}
			at := suspect{place: p.of(call), expr: call, bad: call.Args[0]}
			from := f.trace(at.place, -1, call.Args[0])
			matches := false
			if ix, isIndex := ast.Unparen(call.Args[0]).(*ast.IndexExpr); isIndex {
				matches = f.same(p.object(ix.X), obj)
			} else if from.expr != nil {
				e := ast.Unparen(from.expr)
				if ix, isIndex := e.(*ast.IndexExpr); isIndex {
					e = ix.X
				}
				matches = f.same(from.object3(e), obj)
			}
			if matches {
				f.note(fmt.Sprintf("it is closed at %s and stays in %s", f.where(call.Pos()), f.text(container)), call.Pos())
				f.forgetClosed(at)
			}
			return true
		})
	})
}

func (s source) object3(e ast.Expr) types.Object { return s.object4(e) }

func (s source) object4(e ast.Expr) types.Object { return s.place.object(e) }
