package bounds

import (
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// signLost fixes a number that became negative because bytes were read as a
// signed type: int(int8(b)), int(int16(hi)<<8 | int16(lo)).
func (f sizeRules) signLost(p syntax.Place, frame int, e ast.Expr) {
	f.backwardSlice(p, frame, e, func(q syntax.Place, _ int, e ast.Expr) bool {
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !q.Info().Types[call.Fun].IsType() {
			return true
		}
		to, from := basicInteger(q.Info().TypeOf(call)), basicInteger(q.Info().TypeOf(call.Args[0]))
		if to == nil || from == nil || bitsOf(to) <= bitsOf(from) || from.Info()&types.IsUnsigned != 0 || q.Info().Types[call.Args[0]].Value != nil {
			return true
		}
		return true
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
