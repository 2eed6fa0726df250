package fixer

import (
	"fmt"
	"github.com/pausetui/pausetui/fixer/syntax"
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
	if n, known := f.length(s.Place, f.at, base); !known || n != 0 {
		return
	}
	src := f.trace(s.Place, f.at, base)
	e := ast.Unparen(syntax.OrNil(src.expr))
	switch {
	case src.unsure || src.File == nil:
	case src.of == fromNothing:
		f.add(fmt.Sprintf("%s is declared without elements (%s)", src.object.Name(), f.where(src.stmt.Pos())))
	case src.of != fromExpr || e == nil || e == ast.Unparen(base):
	case src.Function() != s.Function():
		f.add(fmt.Sprintf("%s passes %s (%s)", syntax.FuncName(src.Function()), syntax.Brief(f.text(e)), f.where(e.Pos())))
	default:
		f.add(fmt.Sprintf("%s comes from %s (%s)", f.text(base), syntax.Brief(f.text(e)), f.where(e.Pos())))
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
		v, ok := s.Info().ObjectOf(id).(*types.Var)
		if !ok || v.IsField() || names[v] || !syntax.IsInteger(v.Type()) {
			return true
		}
		names[v] = true
		src := f.trace(s.Of(id), f.at, id)
		if call, isCall := ast.Unparen(syntax.OrNil(src.expr)).(*ast.CallExpr); isCall && !src.unsure && !f.fails(call.Pos()) {
			if _, own := f.declarationOf(src.Callee(call)); own {
				src.object = v
				found = append(found, src)
			}
		}
		return true
	})
	if len(found) == 1 {
		f.add(fmt.Sprintf("%s comes from %s (%s)", found[0].object.Name(), syntax.Brief(f.text(found[0].expr)), f.where(found[0].expr.Pos())))
	}
}

// givenToLibrary says which negative number the user's code gave to the library
// that called the function that stopped.
func (f fixer) givenToLibrary(s suspect) {
	if arg, call, ok := f.libraryGiven(s); ok {
		n, _ := f.number(s.Place, f.at, s.bad)
		f.add(fmt.Sprintf("%s (%s) gives %s %d for %s", syntax.FuncName(arg.Declaration()), f.where(arg.Node().Pos()), f.text(call.Fun), n, f.text(arg.Node())))
	}
}

// libraryGiven is the negative number, and the call of the user's code that gave it to the
// library, which called the function that stopped.
func (f *analysis) libraryGiven(s suspect) (arg syntax.Place, call *ast.CallExpr, ok bool) {
	id, isName := ast.Unparen(s.bad).(*ast.Ident)
	if !isName || f.at+1 >= len(f.c.Stop.Frames) || f.c.Stop.Frames[f.at+1].User {
		return syntax.Place{}, nil, false
	}
	bad, known := f.number(s.Place, f.at, id)
	if src := f.trace(s.Place, f.at, id); !known || bad >= 0 || src.of != fromParam {
		return syntax.Place{}, nil, false
	}
	outer := f.at + 1
	for outer < len(f.c.Stop.Frames) && !f.c.Stop.Frames[outer].User {
		outer++
	}
	if outer == len(f.c.Stop.Frames) {
		return syntax.Place{}, nil, false
	}
	home, found := f.functionAt(f.c.Stop.Frames[outer])
	if !found {
		return syntax.Place{}, nil, false
	}
	given := 0
	ast.Inspect(home.Node(), func(n ast.Node) bool {
		c, isCall := n.(*ast.CallExpr)
		if !isCall || f.line(c.Pos()) != f.c.Stop.Frames[outer].Line {
			return true
		}
		for _, a := range c.Args {
			if t := home.Info().TypeOf(a); t == nil || !syntax.IsInteger(t) {
				continue
			}
			if n, known := f.number(home, outer, a); known && n == bad {
				given++
				arg, call = home.Of(a), c
			}
		}
		return true
	})
	return arg, call, given == 1
}

// lockReplaced says that another value may have taken the place of the one whose
// lock this function took.
func (f lockRules) lockReplaced(bad syntax.LockCall, same []syntax.LockCall) {
	holder, ok := holderOf(bad.Place, bad.Mutex)
	if !ok {
		return
	}
	for _, l := range same {
		if l.Method != lockFor(bad.Method) || l.Node().Pos() > bad.Node().Pos() {
			continue
		}
		for _, as := range f.assignmentsTo(holder) {
			f.add(fmt.Sprintf("%s (%s) puts another %s in its place", syntax.FuncName(as.Function()), f.where(as.Node().Pos()), holder.Name()))
			return
		}
	}
}

// holderOf is the pointer field that holds the struct with the mutex or map e.
func holderOf(p syntax.Place, e ast.Expr) (*types.Var, bool) {
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
		if v, ok := p.Info().ObjectOf(inner.Sel).(*types.Var); ok && v.IsField() && syntax.IsPointer(v.Type()) {
			return v, true
		}
	}
}
