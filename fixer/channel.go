package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/source/evidence"
)

// closedChannel: a channel was closed twice, sent to after its close, or
// closed without ever having been made.
func (f channelRules) closedChannel() {
	s, ok := f.choose(f.channelUses)
	if !ok {
		return
	}
	text := f.text(s.bad)
	switch {
	case strings.Contains(f.panic.Message, "nil channel"):
		f.diagnosis = evidence.Diagnosis{Expr: text, Value: "nil", Sentence: text + " is nil when it is closed"}
		f.mapRules.nilValueOrigin(s.place, f.at, s.bad, "channel")
		f.closeIfMade(s)
	case strings.Contains(f.panic.Message, "send on"):
		f.diagnosis = evidence.Diagnosis{Expr: text, Value: "closed", Sentence: text + " is closed when " + funcName(s.function()) + " sends on it"}
		f.sendAfterClose(s)
	default:
		f.diagnosis = evidence.Diagnosis{Expr: text, Value: "closed", Sentence: text + " is closed already when " + funcName(s.function()) + " closes it"}
		f.doubleClose(s)
	}
	if f.diagnosis.Origin == "" {
		f.diagnosis.Origin = f.relWhere(s.expr.Pos())
	}
}

func (f channelRules) channelUses(p place, n ast.Node) []suspect {
	switch n := n.(type) {
	case *ast.CallExpr:
		if name, call := p.builtin(n); name == "close" && !strings.Contains(f.panic.Message, "send on") {
			return []suspect{{expr: n, bad: call.Args[0], fact: unknown}}
		}
	case *ast.SendStmt:
		if strings.Contains(f.panic.Message, "send on") {
			return []suspect{{expr: n.Chan, bad: n.Chan, fact: unknown}}
		}
	}
	return nil
}

// closes lists the close calls of the same channel, as statements.
func (f channelRules) closes(p place, ch ast.Expr) []place {
	return f.channelSites(p, ch, func(q place, n ast.Node) ast.Expr {
		if call, ok := n.(*ast.CallExpr); ok {
			if name, _ := q.builtin(call); name == "close" {
				return call.Args[0]
			}
		}
		return nil
	})
}

func (f channelRules) sends(p place, ch ast.Expr) []place {
	return f.channelSites(p, ch, func(_ place, n ast.Node) ast.Expr {
		if s, ok := n.(*ast.SendStmt); ok {
			return s.Chan
		}
		return nil
	})
}

// channelSites finds nodes that use the same channel: the same variable or
// field, or a parameter that it is passed as.
func (f channelRules) channelSites(p place, ch ast.Expr, pick func(place, ast.Node) ast.Expr) []place {
	objects := f.aliases(p, ch)
	var list []place
	f.each(func(q place) {
		ast.Inspect(q.file, func(n ast.Node) bool {
			e := pick(q, n)
			if e == nil {
				return true
			}
			for _, obj := range objects {
				if f.same(q.object(e), obj) {
					list = append(list, q.of(n))
					break
				}
			}
			return true
		})
	})
	return list
}

// aliases collects the variables, fields and parameters that hold the channel.
func (f channelRules) aliases(p place, ch ast.Expr) []types.Object {
	list := []types.Object{p.object(ch)}
	has := func(o types.Object) bool {
		for _, x := range list {
			if f.same(x, o) {
				return true
			}
		}
		return false
	}
	for i := 0; i < len(list) && i < 12; i++ {
		obj := list[i]
		if obj == nil {
			continue
		}
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
					if j >= sig.Params().Len() || !isChan(q.info().TypeOf(a)) {
						continue
					}
					param := paramObject(q, call, j)
					arg := q.object(a)
					if f.same(arg, obj) && param != nil && !has(param) {
						list = append(list, param)
					}
					if param != nil && f.same(param, obj) && arg != nil && !has(arg) {
						list = append(list, arg)
					}
				}
				return true
			})
		})
	}
	return list
}

func isChan(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// paramObject returns the parameter that an argument becomes.
func paramObject(p place, call *ast.CallExpr, i int) types.Object {
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		n := 0
		for _, field := range lit.Type.Params.List {
			for _, name := range field.Names {
				if n == i {
					return p.info().Defs[name]
				}
				n++
			}
		}
		return nil
	}
	if fn := p.callee(call); fn != nil {
		return originOf(fn).Type().(*types.Signature).Params().At(i)
	}
	return nil
}

// statement returns the statement that a call makes up, also with defer.
func (p place) statement() ast.Stmt {
	if len(p.path) > 1 {
		switch s := p.path[1].(type) {
		case *ast.ExprStmt:
			return s
		case *ast.DeferStmt:
			return s
		}
	}
	return nil
}

func (p place) deferred() bool {
	_, ok := p.statement().(*ast.DeferStmt)
	return ok
}

// doubleClose: more than one close, or one that runs more than once.
func (f channelRules) doubleClose(s suspect) {
	sites := f.closes(s.place, s.bad)
	if len(sites) > 1 {
		var at []string
		for _, c := range sites {
			at = append(at, f.where(c.node().Pos()))
		}
		f.reason(further+"it is closed at "+strings.Join(at, " and "), sites[0].node().Pos())
	} else if len(sites) == 1 {
		f.add("no other statement closes it")
	}
	f.extraClose(s, sites)
	f.closeInLoop(s, sites)
	f.closeAfterWait(s, sites)
	f.runOnce(s, sites)
	f.forgetClosed(s)
	f.closeOnce(s, sites)
}

// extraClose removes one of two closes in the same function.
func (f channelRules) extraClose(s suspect, sites []place) {
	for _, c := range sites {
		for _, d := range sites {
			if c.node() == d.node() || c.function() != d.function() || c.statement() == nil || d.statement() == nil {
				continue
			}
			switch {
			case c.deferred() && !d.deferred():
				w := origin
				if lastStatement(d) {
					f.removeClose(d, "the deferred close does it on every way out", origin)
					w = origin + 4
				}
				f.removeClose(c, "the close at "+f.where(d.node().Pos())+" comes first", w)
			case !c.deferred() && !d.deferred() && c.node().Pos() > d.node().Pos() && c.anchorBlock() == d.anchorBlock():
				f.removeClose(c, "it was closed at "+f.where(d.node().Pos())+" already", origin)
			case !c.deferred() && !d.deferred() && d.loop() == nil && c.node().Pos() > d.node().Pos():
				f.returnAfterClose(d)
			}
		}
	}
}

// returnAfterClose: a branch closes and falls through to the close below.
func (f channelRules) returnAfterClose(d place) {
	f.removeClose(d, "the close below is reached on this way too", origin+3)
}

// lastStatement reports whether a statement ends its function.
func lastStatement(p place) bool {
	body := bodyOf(p.function())
	return body != nil && len(body.List) > 0 && body.List[len(body.List)-1] == p.statement()
}

// anchorBlock is the list of statements that the place is in.
func (p place) anchorBlock() ast.Node {
	for i, n := range p.path {
		if n == ast.Node(p.anchor()) && i+1 < len(p.path) {
			return p.path[i+1]
		}
	}
	return nil
}

func (f channelRules) removeClose(c place, why string, w weight) {
	text := f.text(c.statement())
	f.offer(idea{rule: "chan/remove-close", title: fmt.Sprintf("drop the second close: %s in %s", short(text), funcName(c.function())), weight: w, change: f.change().remove(c.statement()),
		why: fmt.Sprintf("%s at %s is one close too many: %s.", text, f.where(c.node().Pos()), why)})
}

// closeInLoop moves a close that every iteration of a loop runs after the loop.
func (f channelRules) closeInLoop(s suspect, sites []place) {
	for _, c := range sites {
		l := c.loop()
		if l == nil || c.statement() == nil {
			continue
		}
		if obj := c.object(s.bad); obj != nil && contains(l, obj.Pos()) {
			continue
		}
		if c.deferred() {
			f.offer(idea{rule: "chan/close-in-loop", title: "close once, after the loop", weight: origin, change: f.change().remove(c.statement()).after(l, f.text(c.node())),
				why: fmt.Sprintf("Every iteration of the loop at %s deferred a close of the same channel; it is now closed once, when the loop is done.", f.where(l.Pos()))})
			continue
		}
		f.offer(idea{rule: "chan/close-in-loop", title: "close once, after the loop", weight: origin, change: f.change().remove(c.statement()).after(l, f.text(c.statement())),
			why: fmt.Sprintf("Every iteration of the loop at %s closed the same channel; it is now closed once, when the loop is done.", f.where(l.Pos()))})
	}
}

// closeOnce guards all closes of a channel with one sync.Once.
func (f channelRules) closeOnce(s suspect, sites []place) {
	ch := f.change()
	sel, isField := ast.Unparen(s.bad).(*ast.SelectorExpr)
	if isField {
		t, field := structOf(s.place, sel)
		decl, ok := f.fieldDecl(field)
		if t == nil || !ok {
			return
		}
		name := freeFieldName(t, field.Name()+"Once", "closeOnce")
		ch.after(decl.node(), name+" "+pkgName(decl.file, "sync")+".Once").need(decl.file, "sync")
		for _, c := range sites {
			arg, ok := ast.Unparen(c.node().(*ast.CallExpr).Args[0]).(*ast.SelectorExpr)
			if !ok {
				return
			}
			f.wrapOnce(ch, c, f.text(arg.X)+"."+name)
		}
		f.offer(idea{rule: "chan/close-once", title: fmt.Sprintf("close %s only once", f.text(s.bad)), weight: origin + 2, change: ch,
			why: fmt.Sprintf("More than one way leads to the close; a sync.Once next to %s lets the first through and makes the others harmless.", field.Name())})
		return
	}
	v, ok := s.object(s.bad).(*types.Var)
	if !ok {
		return
	}
	defs := f.definitions(s.place, v)
	if len(defs) == 0 || defs[0].stmt == nil {
		return
	}
	at := defs[0].of2(defs[0].stmt)
	anchor := at.anchor()
	if anchor == nil || isGlobal(v) {
		return
	}
	name := fresh(at, "once", "closeOnce")
	ch.after(anchor, "var "+name+" "+pkgName(at.file, "sync")+".Once").need(at.file, "sync")
	for _, c := range sites {
		if c.object(c.node().(*ast.CallExpr).Args[0]) != types.Object(v) {
			return
		}
		f.wrapOnce(ch, c, name)
	}
	f.offer(idea{rule: "chan/close-once", title: fmt.Sprintf("close %s only once", f.text(s.bad)), weight: origin + 5, change: ch,
		why: "More than one way leads to the close; a sync.Once lets the first through and makes the others harmless."})
}

func (f channelRules) wrapOnce(ch *change, c place, once string) {
	call := c.node()
	ch.replace(call.Pos(), call.End(), fmt.Sprintf("%s.Do(func() { %s })", once, f.text(call)))
}

// fieldDecl finds the declaration of a field in the user's code.
func (f *facts) fieldDecl(field *types.Var) (place, bool) {
	var found place
	if field == nil {
		return found, false
	}
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			if fl, ok := n.(*ast.Field); ok {
				for _, name := range fl.Names {
					if f.same(p.info().Defs[name], field) {
						found = p.of(fl)
					}
				}
			}
			return true
		})
	})
	return found, found.file != nil
}

func freeFieldName(t *types.Named, names ...string) string {
	for _, name := range names {
		if obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, t.Obj().Pkg(), name); obj == nil {
			return name
		}
	}
	return names[0] + "2"
}

func (f channelRules) closeIfMade(s suspect) {
	stmt, ok := s.statement().(*ast.ExprStmt)
	if !ok || !isPathOrIndex(s.bad) {
		return
	}
	text := f.text(s.bad)
	f.offer(idea{rule: "chan/close-if-made", title: fmt.Sprintf("close %s only if it was made", text), weight: soft,
		change: f.change().replace(stmt.Pos(), stmt.End(), fmt.Sprintf("if %s != nil {\n\t%s\n}", text, f.text(stmt))),
		why:    "Where nothing was started there is no channel to close."})
}

// isDone reports whether a node is a call of a method of sync.WaitGroup.
func waitGroupCall(p place, n ast.Node, method string) (ast.Expr, *ast.CallExpr) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil, nil
	}
	fn := p.callee(call)
	if fn == nil || fn.FullName() != "(*sync.WaitGroup)."+method {
		return nil, nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, nil
	}
	return sel.X, call
}
