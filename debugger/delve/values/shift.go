package values

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
)

// maxShift bounds a shift to the left, in bits. Delve computes with numbers of any
// size: 1<<99999999999 would take all memory, and nothing could stop it. Whoever
// looks on may evaluate.
const maxShift = 512

// shiftsFit refuses an expression that shifts further. By how much is evaluated
// first, from within.
func (vs *Inspector) shiftsFit(ctx context.Context, at debugger.FrameRef, expr string) error {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return nil // Delve says what is wrong
	}
	var by []ast.Expr
	ast.Inspect(e, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && b.Op == token.SHL {
			by = append(by, b.Y)
		}
		return true
	})
	for _, y := range slices.Backward(by) {
		text := expr[y.Pos()-1 : y.End()-1]
		v, err := ask.Eval(ctx, vs.srv, at, text, api.LoadConfig{})
		if err != nil {
			return err
		}
		if n, err := strconv.ParseInt(v.Value, 0, 64); err != nil || n > maxShift {
			return fmt.Errorf("%s: a value is shifted by at most %d bits", text, maxShift)
		}
	}
	return nil
}
