package fixer

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/pausetui/pausetui/source/workspace"
)

// inSight adds to a diagnosis without a reason what stands close by: the list
// that a caller left empty, the part of the expression that was computed, the
// statement above that changes it.
func (f *fixer) inSight(s suspect) {
	switch e := s.expr.(type) {
	case *ast.IndexExpr:
		f.emptyList(s, e.X)
	case *ast.SliceExpr:
		f.emptyList(s, e.X)
	}
	f.partComesFrom(s)
	f.changedAbove(s)
	f.givenToLibrary(s)
}

// emptyList says where a list without elements comes from.
func (f *fixer) emptyList(s suspect, base ast.Expr) {
	if n, known := f.length(s.place, f.at, base); !known || n != 0 {
		return
	}
	src := f.trace(s.place, f.at, base)
	e := ast.Unparen(orNil(src.expr))
	switch {
	case src.unsure || src.file == nil:
	case src.of == fromNothing:
		f.add(fmt.Sprintf("%s is declared without elements (%s)", src.object.Name(), f.where(src.stmt.Pos())))
	case src.of != fromExpr || e == nil || e == ast.Unparen(base):
	case src.function() != s.function():
		f.add(fmt.Sprintf("%s passes %s (%s)", funcName(src.function()), brief(f.text(e)), f.where(e.Pos())))
	default:
		f.add(fmt.Sprintf("%s comes from %s (%s)", f.text(base), brief(f.text(e)), f.where(e.Pos())))
	}
}

// partComesFrom says what computed a variable in the bad expression, where one
// function of the user's did.
func (f *fixer) partComesFrom(s suspect) {
	if _, plain := ast.Unparen(s.bad).(*ast.Ident); plain {
		return
	}
	var found []source
	names := map[types.Object]bool{}
	ast.Inspect(s.bad, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := s.info().ObjectOf(id).(*types.Var)
		if !ok || v.IsField() || names[v] || !isInteger(v.Type()) {
			return true
		}
		names[v] = true
		src := f.trace(s.of(id), f.at, id)
		if call, isCall := ast.Unparen(orNil(src.expr)).(*ast.CallExpr); isCall && !src.unsure && !f.fails(call.Pos()) {
			if _, own := f.declarationOf(src.callee(call)); own {
				src.object = v
				found = append(found, src)
			}
		}
		return true
	})
	if len(found) == 1 {
		f.add(fmt.Sprintf("%s comes from %s (%s)", found[0].object.Name(), brief(f.text(found[0].expr)), f.where(found[0].expr.Pos())))
	}
}

// changedAbove names the last statement above in the same function that can have
// given the field that is bad its value. It may be in a branch that did not run.
func (f *fixer) changedAbove(s suspect) {
	sel, ok := ast.Unparen(s.bad).(*ast.SelectorExpr)
	if !ok || !isPath(sel) {
		return
	}
	v, ok := s.info().ObjectOf(sel.Sel).(*types.Var)
	if !ok {
		return
	}
	bad, known := f.number(s.place, f.at, sel)
	var last workspace.Use
	unlikely := true // what it assigns is another value now
	for _, u := range f.c.Code.Index().Uses(v) {
		if u.Kind != workspace.Write || !contains(s.function(), u.Node.Pos()) || u.Node.Pos() >= s.expr.Pos() || !f.writesTo(u.Node, f.text(sel)) || known && f.excludes(s.place, u.Node, bad) {
			continue
		}
		other := known && f.assignsOther(s.place, u.Node, bad)
		if last.Node == nil || unlikely && !other || unlikely == other && u.Node.Pos() > last.Node.Pos() {
			last, unlikely = u, other
		}
	}
	if last.Node != nil && !f.fails(last.Node.Pos()) {
		f.add(fmt.Sprintf("%s (%s) may have changed it", brief(f.text(last.Node)), f.where(last.Node.Pos())))
	}
}

// excludes reports whether a statement cannot be what made a number bad: counting up
// leaves none below zero, counting down none that is too large, and a constant itself.
func (f *fixer) excludes(p place, n ast.Node, bad int64) bool {
	switch n := n.(type) {
	case *ast.IncDecStmt:
		return (n.Tok == token.INC) == (bad < 0)
	case *ast.AssignStmt:
		if n.Tok != token.ASSIGN || len(n.Rhs) != 1 {
			return false
		}
		v := p.info().Types[n.Rhs[0]].Value
		if v == nil {
			return false
		}
		set, exact := constant.Int64Val(constant.ToInt(v))
		return exact && set != bad
	}
	return false
}

// assignsOther reports whether a statement assigns what is another number now. That it
// was the same then is possible, and less likely.
func (f *fixer) assignsOther(p place, n ast.Node, bad int64) bool {
	as, ok := n.(*ast.AssignStmt)
	if !ok || as.Tok != token.ASSIGN || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
		return false
	}
	now, known := f.number(p, f.at, as.Rhs[0])
	return known && now != bad
}

// writesTo reports whether a statement writes an expression of this text.
func (f *fixer) writesTo(n ast.Node, text string) bool {
	switch n := n.(type) {
	case *ast.IncDecStmt:
		return f.text(n.X) == text
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			if f.text(l) == text {
				return true
			}
		}
	}
	return false
}

// givenToLibrary says which negative number the user's code gave to the library
// that called the function that stopped.
func (f *fixer) givenToLibrary(s suspect) {
	id, ok := ast.Unparen(s.bad).(*ast.Ident)
	if !ok || f.at+1 >= len(f.c.Stop.Frames) || f.c.Stop.Frames[f.at+1].User {
		return
	}
	bad, known := f.number(s.place, f.at, id)
	if src := f.trace(s.place, f.at, id); !known || bad >= 0 || src.of != fromParam {
		return
	}
	outer := f.at + 1
	for outer < len(f.c.Stop.Frames) && !f.c.Stop.Frames[outer].User {
		outer++
	}
	if outer == len(f.c.Stop.Frames) {
		return
	}
	home, ok := f.functionAt(f.c.Stop.Frames[outer])
	if !ok {
		return
	}
	ast.Inspect(home.node(), func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if !isCall || f.line(call.Pos()) != f.c.Stop.Frames[outer].Line {
			return true
		}
		for _, a := range call.Args {
			if t := home.info().TypeOf(a); t == nil || !isInteger(t) {
				continue
			}
			if n, ok := f.number(home, outer, a); ok && n == bad {
				f.add(fmt.Sprintf("%s (%s) gives %s %d for %s", funcName(home.node()), f.where(a.Pos()), f.text(call.Fun), n, f.text(a)))
			}
		}
		return true
	})
}

// lockReplaced says that another value may have taken the place of the one whose
// lock this function took.
func (f lockRules) lockReplaced(bad lockCall, same []lockCall) {
	holder, ok := holderOf(bad.place, bad.mutex)
	if !ok {
		return
	}
	for _, l := range same {
		if l.method != lockFor(bad.method) || l.node().Pos() > bad.node().Pos() {
			continue
		}
		for _, as := range f.assignmentsTo(holder) {
			f.add(fmt.Sprintf("%s (%s) puts another %s in its place", funcName(as.function()), f.where(as.node().Pos()), holder.Name()))
			return
		}
	}
}

// holderOf is the pointer field that holds the struct with the mutex or map e.
func holderOf(p place, e ast.Expr) (*types.Var, bool) {
	for e = ast.Unparen(e); ; {
		sel, ok := e.(*ast.SelectorExpr)
		if !ok {
			return nil, false
		}
		e = ast.Unparen(sel.X)
		inner, ok := e.(*ast.SelectorExpr)
		if !ok {
			return nil, false
		}
		if v, ok := p.info().ObjectOf(inner.Sel).(*types.Var); ok && v.IsField() && isPointer(v.Type()) {
			return v, true
		}
	}
}
