package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/source/evidence"
)

// channelRules: a channel is closed twice or sent to after that, a group is
// counted down below zero.
type channelRules struct{ *proposal }

// closedChannel: a channel was closed twice, sent to after its close, or
// closed without ever having been made.
func closedChannel(p *proposal) {
	f := channelRules{p}
	s, ok := f.choose(f.channelUses)
	if !ok {
		return
	}
	text := f.text(s.bad)
	switch {
	case strings.Contains(f.panic.Message, "nil channel"):
		f.diagnosis = evidence.Diagnosis{Expr: text, Value: "nil", Sentence: text + " is nil when it is closed"}
		nilValueOrigin(f.proposal, s.place, f.at, s.bad, "channel")
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
	} else if len(sites) == 1 && f.startedInLoop(sites[0]) {
		f.reason(further+"each goroutine that runs "+funcName(sites[0].function())+" closes it", sites[0].node().Pos())
		f.closeAfterWait(s, sites[0])
	} else if len(sites) == 1 {
		known := "no other close of it was found"
		if name := funcName(sites[0].function()); sites[0].loop() == nil && name != "main" {
			known += ": an earlier call of " + name + " closed it"
		}
		f.add(known)
	}
	f.runOnce(s, sites)
}

// closeAfterWait: each of several workers closes what all of them send on. The one who waits
// for them closes it instead.
func (f channelRules) closeAfterWait(s suspect, site place) {
	stmt := site.statement()
	if stmt == nil {
		return
	}
	const what = "each of the workers closed it when its own work was done"
	wait, name, ok := f.waitFor(s)
	if !ok || f.closeInGoroutine(s, wait, name, f.change().remove(stmt), what) || wait.deferred() {
		return
	}
	f.offer(idea{rule: "chan/close-after-wait", title: fmt.Sprintf("close %s when all workers are done", name), weight: origin,
		change: f.change().remove(stmt).after(wait.statement(), "close("+name+")"),
		why:    fmt.Sprintf("%s. It is closed once, after %s.", upperFirst(what), f.text(wait.statement()))})
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
