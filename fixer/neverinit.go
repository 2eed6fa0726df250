package fixer

import (
	"go/ast"
	"go/types"
)

// neverCalled calls the method that sets a field, where nothing does: New was
// called, and load or init was forgotten.
func (f mapRules) neverCalled(t *types.Named, field *types.Var) bool {
	for _, at := range f.assignmentsTo(field) {
		d, ok := at.function().(*ast.FuncDecl)
		if !ok || d.Recv == nil || d.Type.Params.NumFields() > 0 || resultCount(d) > 1 {
			continue
		}
		obj, _ := at.info().Defs[d.Name].(*types.Func)
		if obj == nil || named(obj.Type().(*types.Signature).Recv().Type()) == nil || !f.same(named(obj.Type().(*types.Signature).Recv().Type()).Obj(), t.Obj()) {
			continue
		}
		if calls, _ := f.callsOf(obj); len(calls) > 0 {
			continue
		}
	}
	return false
}
