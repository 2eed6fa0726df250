package fixer

import (
	"go/ast"
)

// optionalPart leaves out what belongs to a value that may be missing, where
// the code says that it may: a test for nil elsewhere, a literal that sets it
// to nil.
func (f nilRules) optionalPart(s suspect, src source) {
	_, ok := ast.Unparen(s.bad).(*ast.SelectorExpr)
	if !ok {
		return
	}
	if !isPathOrIndex(s.bad) {
		return
	}
}
