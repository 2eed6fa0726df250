package fixer

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// inSight adds to a diagnosis without a reason what stands close by: the list
// that a caller left empty, the part of the expression that was computed.
func (f fixer) inSight(s analysis.Suspect) {
	switch e := s.Expr.(type) {
	case *ast.IndexExpr:
		f.emptyList(s, e.X)
	case *ast.SliceExpr:
		f.emptyList(s, e.X)
	}
	f.partComesFrom(s)
	f.givenToLibrary(s)
}

// emptyList says where a list without elements comes from.
func (f fixer) emptyList(s analysis.Suspect, base ast.Expr) {
	if n, known := f.Length(s.Place, f.At, base); !known || n != 0 {
		return
	}
	src := f.Trace(s.Place, f.At, base)
	e := ast.Unparen(syntax.OrNil(src.Expr))
	switch {
	case src.Unsure || src.File == nil:
	case src.Kind == code.FromNothing:
		f.add(fmt.Sprintf("%s is declared without elements (%s)", src.Object.Name(), f.Where(src.Stmt.Pos())))
	case src.Kind != code.FromExpr || e == nil || e == ast.Unparen(base):
	case src.Function() != s.Function():
		f.add(fmt.Sprintf("%s passes %s (%s)", syntax.FuncName(src.Function()), syntax.Brief(f.Text(e)), f.Where(e.Pos())))
	default:
		f.add(fmt.Sprintf("%s comes from %s (%s)", f.Text(base), syntax.Brief(f.Text(e)), f.Where(e.Pos())))
	}
}

// partComesFrom says what computed a variable in the bad expression, where one
// function of the user's did.
func (f fixer) partComesFrom(s analysis.Suspect) {
	if _, plain := ast.Unparen(s.Bad).(*ast.Ident); plain {
		return
	}
	var found []code.Source
	names := map[types.Object]bool{}
	ast.Inspect(s.Bad, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := s.Info().ObjectOf(id).(*types.Var)
		if !ok || v.IsField() || names[v] || !syntax.IsInteger(v.Type()) {
			return true
		}
		names[v] = true
		src := f.Trace(s.Of(id), f.At, id)
		if call, isCall := ast.Unparen(syntax.OrNil(src.Expr)).(*ast.CallExpr); isCall && !src.Unsure && !f.fails(call.Pos()) {
			if _, own := f.DeclarationOf(src.Callee(call)); own {
				src.Object = v
				found = append(found, src)
			}
		}
		return true
	})
	if len(found) == 1 {
		f.add(fmt.Sprintf("%s comes from %s (%s)", found[0].Object.Name(), syntax.Brief(f.Text(found[0].Expr)), f.Where(found[0].Expr.Pos())))
	}
}

// givenToLibrary says which negative number the user's code gave to the library
// that called the function that stopped.
func (f fixer) givenToLibrary(s analysis.Suspect) {
	if arg, call, ok := f.LibraryGiven(s); ok {
		n, _ := f.Number(s.Place, f.At, s.Bad)
		f.add(fmt.Sprintf("%s (%s) gives %s %d for %s", syntax.FuncName(arg.Declaration()), f.Where(arg.Node().Pos()), f.Text(call.Fun), n, f.Text(arg.Node())))
	}
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
		for _, as := range f.AssignmentsTo(holder) {
			f.add(fmt.Sprintf("%s (%s) puts another %s in its place", syntax.FuncName(as.Function()), f.Where(as.Node().Pos()), holder.Name()))
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
