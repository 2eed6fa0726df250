package fixer

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/workspace"
)

// A check that leaves the function does not fix it where it holds in every
// call: no caller gets a result any more. Rules note here what they found to be bad
// whatever the input is, and exits leaves such ways out.

// eachRun notes that a loop comes to the bad value whenever it runs to its end,
// if nothing in its body ends it or one of its iterations before.
func (f indexRules) eachRun(body *ast.BlockStmt) {
	leaves := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			leaves = true
		}
		return !leaves
	})
	if !leaves {
		f.Every.Loop = body
	}
}

// neverGiven reports whether no code of the user's gives a field a value: no
// assignment, no literal, and its address is not taken.
func (f nilRules) neverGiven(t *types.Named, field *types.Var) bool {
	if field.Exported() || len(f.AssignmentsTo(field)) > 0 {
		return false // other packages and decoders may set it
	}
	for _, b := range f.Buildings(t) {
		if !b.Lacks(field) {
			return false
		}
	}
	return !f.writtenOrTaken(field)
}

// writtenOrTaken reports whether the user's code gives a variable or field a value
// other than nil, or takes its address.
func (f nilRules) writtenOrTaken(v *types.Var) bool {
	return slices.ContainsFunc(f.Case.Code.Index().Uses(v), func(u workspace.Use) bool {
		return u.Kind == workspace.Address || u.Kind == workspace.Write && !isNil(u)
	})
}

// setToNil finds an assignment of nil to a field.
func (f makers) setToNil(field *types.Var) (syntax.Place, bool) {
	for _, as := range f.AssignmentsTo(field) {
		if f.setsNil(as, field) {
			return as, true
		}
	}
	return syntax.Place{}, false
}
