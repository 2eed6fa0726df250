package fixer

import (
	"fmt"
	"github.com/pausetui/pausetui/fixer/syntax"
	"go/ast"
	"go/types"
)

// closeInGoroutine puts a close of the channel after the wait for its senders, in a goroutine of
// its own, where the channel is drained before that wait.
func (f channelRules) closeInGoroutine(s suspect, wait syntax.Place, name string, ch *change, what string) (drained bool) {
	first, drained := f.drainedBefore(s, wait)
	if !drained {
		return false
	}
	stmt, lead := wait.Statement(), lineIndentAt(f.code, first)
	ch.remove(stmt).insertAbove(first, fmt.Sprintf("%sgo func() {\n%s\t%s\n%s\tclose(%s)\n%s}()\n\n", lead, lead, f.text(stmt), lead, name, lead))
	f.offer(idea{rule: "chan/put-close-after-wait", title: fmt.Sprintf("close %s when all senders are done", name), weight: origin - 1, change: ch,
		why: fmt.Sprintf("%s. A goroutine waits for them and closes it then, so that what receives at %s comes to its end.", syntax.UpperFirst(what), f.where(first.Pos()))})
	return true
}

// drainedBefore finds the statement, before the wait in the same list, that
// receives until the channel is closed.
func (f channelRules) drainedBefore(s suspect, wait syntax.Place) (ast.Stmt, bool) {
	list := syntax.Statements(wait.AnchorBlock())
	n := f.drainsIn(s, wait, func(n ast.Node) bool { return n.End() < wait.Node().Pos() })
	if n == nil {
		return nil, false
	}
	first, i := syntax.Within(list, n.Pos())
	return first, i >= 0
}

// drainsIn finds what ranges over the channel in the function of a place: a
// loop, or a call of a function with one.
func (f channelRules) drainsIn(s suspect, at syntax.Place, where func(ast.Node) bool) ast.Node {
	ranges := f.usesOf(s.Place, s.bad).ranges
	is := func(_ syntax.Place, n ast.Node) bool {
		for _, r := range ranges {
			if r.Node() == n {
				return true
			}
		}
		return false
	}
	var found ast.Node
	ast.Inspect(syntax.BodyOf(at.Function()), func(n ast.Node) bool {
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
			if d, ok := f.declarationOf(at.Callee(x)); ok && where(n) && f.transitive(d, d.Node(), is) {
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

// waitFor finds the wait for the senders, and the channel's name there.
func (f channelRules) waitFor(s suspect) (wait syntax.Place, name string, ok bool) {
	objects := f.aliases(s.Place, s.bad)
	f.each(func(p syntax.Place) {
		ast.Inspect(p.File, func(n ast.Node) bool {
			if ok {
				return false
			}
			if wg, _ := syntax.WaitGroupCall(p, n, "Wait"); wg != nil {
				at := p.Of(n)
				if at.Statement() == nil {
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
func (f channelRules) nameAt(at syntax.Place, objects []types.Object, wg ast.Expr) (string, bool) {
	d := at.Declaration()
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
				if t := syntax.Named(at.Info().TypeOf(sel.X)); t != nil {
					if o, _, _ := types.LookupFieldOrMethod(t, true, t.Obj().Pkg(), v.Name()); o != nil && f.same(o, v) {
						return f.text(sel.X) + "." + v.Name(), true
					}
				}
			}
			continue
		}
		if !found && at.Sees(v) {
			name, found = v.Name(), true
		}
	}
	return name, found
}

// runsAsGoroutine reports whether the function of a place is started by a go statement.
func (f *code) runsAsGoroutine(p syntax.Place) bool {
	switch fn := p.Function().(type) {
	case *ast.FuncLit:
		at := p.Of(fn)
		for _, n := range at.Path[1:min(4, len(at.Path))] {
			if _, ok := n.(*ast.GoStmt); ok {
				return true
			}
			if _, call := syntax.WaitGroupCall(p, n, "Go"); call != nil {
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
func (f *code) goStatements(p syntax.Place, d *ast.FuncDecl) []syntax.Place {
	obj := p.Info().Defs[d.Name]
	var list []syntax.Place
	f.each(func(q syntax.Place) {
		ast.Inspect(q.File, func(n ast.Node) bool {
			switch g := n.(type) {
			case *ast.GoStmt:
				if startsFunc(f, q, g.Call, obj) {
					list = append(list, q.Of(g))
				}
			case *ast.CallExpr:
				if _, call := syntax.WaitGroupCall(q, g, "Go"); call != nil && len(call.Args) == 1 {
					if lit, ok := call.Args[0].(*ast.FuncLit); ok && callsIn(f, q, lit.Body, obj) {
						list = append(list, q.Of(g))
					}
				}
			}
			return true
		})
	})
	return list
}

func startsFunc(f *code, q syntax.Place, call *ast.CallExpr, obj types.Object) bool {
	if fn := q.Callee(call); fn != nil && f.same(syntax.OriginOf(fn), obj) {
		return true
	}
	lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
	return ok && callsIn(f, q, lit.Body, obj)
}

func callsIn(f *code, q syntax.Place, root ast.Node, obj types.Object) bool {
	found := false
	ast.Inspect(root, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if fn := q.Callee(call); fn != nil && f.same(syntax.OriginOf(fn), obj) {
				found = true
			}
		}
		return true
	})
	return found
}
