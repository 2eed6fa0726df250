package fixer

import (
	"go/ast"
	"go/types"
)

// signLost fixes a number that became negative because bytes were read as a
// signed type: int(int8(b)), int(int16(hi)<<8 | int16(lo)).
func (f sizeRules) signLost(p place, frame int, e ast.Expr) {
	f.backwardSlice(p, frame, e, func(q place, _ int, e ast.Expr) bool {
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !q.info().Types[call.Fun].IsType() {
			return true
		}
		to, from := basicInteger(q.info().TypeOf(call)), basicInteger(q.info().TypeOf(call.Args[0]))
		if to == nil || from == nil || bitsOf(to) <= bitsOf(from) || from.Info()&types.IsUnsigned != 0 || q.info().Types[call.Args[0]].Value != nil {
			return true
		}
		return true
	})
}
