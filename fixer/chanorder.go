package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// closeInGoroutine puts a close of the channel after the wait for its senders, in a goroutine of
// its own, where the channel is drained before that wait.
func (f channelRules) closeInGoroutine(s suspect, wait place, name string, ch *change, what string) (drained bool) {
	first, drained := f.drainedBefore(s, wait)
	if !drained {
		return false
	}
	stmt, lead := wait.statement(), lineIndentAt(f.code, first)
	ch.remove(stmt).insertAbove(first, fmt.Sprintf("%sgo func() {\n%s\t%s\n%s\tclose(%s)\n%s}()\n\n", lead, lead, f.text(stmt), lead, name, lead))
	f.offer(idea{rule: "chan/put-close-after-wait", title: fmt.Sprintf("close %s when all senders are done", name), weight: origin - 1, change: ch,
		why: fmt.Sprintf("%s. A goroutine waits for them and closes it then, so that what receives at %s comes to its end.", upperFirst(what), f.where(first.Pos()))})
	return true
}

// drainedBefore finds the statement, before the wait in the same list, that
// receives until the channel is closed.
func (f channelRules) drainedBefore(s suspect, wait place) (ast.Stmt, bool) {
	list := statements(wait.anchorBlock())
	n := f.drainsIn(s, wait, func(n ast.Node) bool { return n.End() < wait.node().Pos() })
	if n == nil {
		return nil, false
	}
	first, i := within(list, n.Pos())
	return first, i >= 0
}

// drainsIn finds what ranges over the channel in the function of a place: a
// loop, or a call of a function with one.
func (f channelRules) drainsIn(s suspect, at place, where func(ast.Node) bool) ast.Node {
	ranges := f.usesOf(s.place, s.bad).ranges
	is := func(_ place, n ast.Node) bool {
		for _, r := range ranges {
			if r.node() == n {
				return true
			}
		}
		return false
	}
	var found ast.Node
	ast.Inspect(bodyOf(at.function()), func(n ast.Node) bool {
		if n == nil || found != nil {
			return false
		}
		switch x := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.RangeStmt:
			if where(n) && is(at, n) {
				found = n
			}
		case *ast.CallExpr:
			if d, ok := f.declarationOf(at.callee(x)); ok && where(n) && f.transitive(d, d.node(), is) {
				found = n
			}
		}
		return found == nil
	})
	return found
}

func lineIndentAt(f *code, n ast.Node) string {
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
func (f channelRules) waitFor(s suspect) (wait place, name string, ok bool) {
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
func (f channelRules) nameAt(at place, objects []types.Object, wg ast.Expr) (string, bool) {
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
		if !found && at.sees(v) {
			name, found = v.Name(), true
		}
	}
	return name, found
}

// runsAsGoroutine reports whether the function of a place is started by a go statement.
func (f *code) runsAsGoroutine(p place) bool {
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
func (f *code) goStatements(p place, d *ast.FuncDecl) []place {
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

func startsFunc(f *code, q place, call *ast.CallExpr, obj types.Object) bool {
	if fn := q.callee(call); fn != nil && f.same(originOf(fn), obj) {
		return true
	}
	lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
	return ok && callsIn(f, q, lit.Body, obj)
}

func callsIn(f *code, q place, root ast.Node, obj types.Object) bool {
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
