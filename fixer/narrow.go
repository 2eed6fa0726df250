package fixer

import (
	"go/ast"
	"go/types"
)

// tooNarrow fixes a number that became negative, or another one, because a
// type on its way has no room for it.
func (f sizeRules) tooNarrow(p place, frame int, e ast.Expr) {
	f.backwardSlice(p, frame, e, func(q place, at int, e ast.Expr) bool {
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !q.info().Types[call.Fun].IsType() {
			return true
		}
		to, from := basicInteger(q.info().TypeOf(call)), basicInteger(q.info().TypeOf(call.Args[0]))
		if to == nil || from == nil || bitsOf(to) >= bitsOf(from) {
			return true
		}
		if n, known := f.number(q, at, call.Args[0]); known && holdsNumber(to, n) {
			return true
		}
		return false
	})
}

// basicInteger returns an integer type under a name; nil for others.
func basicInteger(t types.Type) *types.Basic {
	if t == nil {
		return nil
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 || b.Info()&types.IsUntyped != 0 {
		return nil
	}
	return b
}

// bitsOf is the size of an integer type as this machine's kind has it.
func bitsOf(b *types.Basic) int {
	switch b.Kind() {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32:
		return 32
	}
	return 64
}

// holdsNumber reports whether a type has room for a number.
func holdsNumber(b *types.Basic, n int64) bool {
	bits := bitsOf(b)
	if b.Info()&types.IsUnsigned != 0 {
		return n >= 0 && (bits == 64 || n < 1<<bits)
	}
	return bits == 64 || -(1<<(bits-1)) <= n && n < 1<<(bits-1)
}
