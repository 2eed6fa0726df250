package fixer

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/syntax"
)

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
			f.Add(fmt.Sprintf("%s (%s) puts another %s in its place", syntax.FuncName(as.Function()), f.Where(as.Node().Pos()), holder.Name()))
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
