package values

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// maxOperands bounds the operands of an expression that are looked at.
const maxOperands = 32

// absentOperand reports why an operand of an expression cannot be known, whose value has no
// address of its own: a sum, or what a pointer that was read there leads to.
func absentOperand(ctx context.Context, c *rpc.Client, in rpc2.EvalIn, got *api.Variable) string {
	if len(c.Absent) == 0 || got == nil || got.Unreadable != "" {
		return ""
	}
	flat := in
	flat.Cfg = &api.LoadConfig{MaxStringLen: 1, MaxArrayValues: 1, MaxStructFields: -1}
	for _, expr := range operandsOf(in.Expr) {
		flat.Expr = expr.text
		out, err := rpc.Call[rpc2.EvalOut](ctx, c, "Eval", flat)
		if err != nil || out.Variable == nil { // a type, or the name of a package
			continue
		}
		v := out.Variable
		if v.Kind == reflect.Slice && expr.converted && len(v.Children) > 0 {
			v = &v.Children[0]
		}
		if strings.HasPrefix(v.Unreadable, convert.AbsentPrefix) {
			return v.Unreadable
		}
	}
	return ""
}

// operandText is a part of an expression; converted says that a call takes it.
type operandText struct {
	text      string
	converted bool
}

// operandsOf are the parts of an expression that stand for memory. What is asked only for
// its length is none.
func operandsOf(expr string) (found []operandText) {
	whole, err := parser.ParseExpr(expr)
	if err != nil {
		return nil
	}
	converted := map[ast.Node]bool{}
	ast.Inspect(whole, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if name, ok := n.Fun.(*ast.Ident); ok && (name.Name == "len" || name.Name == "cap") {
				return false
			}
			for _, arg := range n.Args {
				converted[arg] = true
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND { // an address is known without what is there
				return n.X == nil
			}
		case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr, *ast.SliceExpr, *ast.Ident:
			if n != ast.Node(whole) && len(found) < maxOperands {
				found = append(found, operandText{expr[n.Pos()-1 : n.End()-1], converted[n]})
			}
		}
		return true
	})
	return found
}
