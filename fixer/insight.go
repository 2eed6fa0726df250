package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
)

// inSight adds to a diagnosis without a reason what stands close by: the list
// that a caller left empty, the part of the expression that was computed.
func (f fixer) inSight(s suspect) {
	switch e := s.expr.(type) {
	case *ast.IndexExpr:
		f.emptyList(s, e.X)
	case *ast.SliceExpr:
		f.emptyList(s, e.X)
	}
	f.partComesFrom(s)
	f.givenToLibrary(s)
}

// emptyList says where a list without elements comes from.
func (f fixer) emptyList(s suspect, base ast.Expr) {
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
func (f fixer) partComesFrom(s suspect) {
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

// givenToLibrary says which negative number the user's code gave to the library
// that called the function that stopped.
func (f fixer) givenToLibrary(s suspect) {
	if arg, call, ok := f.libraryGiven(s); ok {
		n, _ := f.number(s.place, f.at, s.bad)
		f.add(fmt.Sprintf("%s (%s) gives %s %d for %s", funcName(arg.declaration()), f.where(arg.node().Pos()), f.text(call.Fun), n, f.text(arg.node())))
	}
}

// libraryGiven is the negative number, and the call of the user's code that gave it to the
// library, which called the function that stopped.
func (f *analysis) libraryGiven(s suspect) (arg place, call *ast.CallExpr, ok bool) {
	id, isName := ast.Unparen(s.bad).(*ast.Ident)
	if !isName || f.at+1 >= len(f.c.Stop.Frames) || f.c.Stop.Frames[f.at+1].User {
		return place{}, nil, false
	}
	bad, known := f.number(s.place, f.at, id)
	if src := f.trace(s.place, f.at, id); !known || bad >= 0 || src.of != fromParam {
		return place{}, nil, false
	}
	outer := f.at + 1
	for outer < len(f.c.Stop.Frames) && !f.c.Stop.Frames[outer].User {
		outer++
	}
	if outer == len(f.c.Stop.Frames) {
		return place{}, nil, false
	}
	home, found := f.functionAt(f.c.Stop.Frames[outer])
	if !found {
		return place{}, nil, false
	}
	given := 0
	ast.Inspect(home.node(), func(n ast.Node) bool {
		c, isCall := n.(*ast.CallExpr)
		if !isCall || f.line(c.Pos()) != f.c.Stop.Frames[outer].Line {
			return true
		}
		for _, a := range c.Args {
			if t := home.info().TypeOf(a); t == nil || !isInteger(t) {
				continue
			}
			if n, known := f.number(home, outer, a); known && n == bad {
				given++
				arg, call = home.of(a), c
			}
		}
		return true
	})
	return arg, call, given == 1
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
