package match

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Opposites are the comparisons that hold where another does not.
var Opposites = map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR}

// Conjuncts are the parts of a condition that all have to hold, in order.
func Conjuncts(e ast.Expr) []ast.Expr { return Chain(e, token.LAND) }

// Chain are the operands of && or ||, in order.
func Chain(e ast.Expr, op token.Token) []ast.Expr {
	if c, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && c.Op == op {
		return append(Chain(c.X, op), Chain(c.Y, op)...)
	}
	return []ast.Expr{e}
}

// AnswersOf are the results of a return statement.
func AnswersOf(exit string) ([]ast.Expr, bool) {
	list, ok := strings.CutPrefix(exit, "return ")
	if !ok {
		return nil, false
	}
	e, err := parser.ParseExpr("f(" + list + ")")
	if call, isCall := e.(*ast.CallExpr); err == nil && isCall {
		return call.Args, true
	}
	return nil, false
}

// IsName reports whether an expression is a name alone.
func IsName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// ResultTypes are the types of a function's results as they are written.
func ResultTypes(typ *ast.FuncType) []string {
	var list []string
	if typ.Results == nil {
		return nil
	}
	for _, f := range typ.Results.List {
		for range max(1, len(f.Names)) {
			list = append(list, types.ExprString(f.Type))
		}
	}
	return list
}

// ExitKey is the code of a statement that leaves without what says why: the
// arguments of calls, and the fields of errors.
func ExitKey(code string) string {
	code = strings.ReplaceAll(code, "errors.New(", "fmt.Errorf(")
	var out strings.Builder
	depth := 0
	for i, r := range code {
		if depth > 0 && (r == ')' || r == '}') {
			depth--
		}
		if depth == 0 {
			out.WriteRune(r)
		}
		if r == '(' || r == '{' && (depth > 0 || strings.HasSuffix(code[:i], "Error")) {
			depth++
		}
	}
	return out.String()
}

// AsksAboutTheSame reports whether two conditions ask about the same variables and
// fields, and no others.
func AsksAboutTheSame(a, b string) bool {
	x, y := OperandsOf(a), OperandsOf(b)
	slices.Sort(x)
	slices.Sort(y)
	return len(x) > 0 && slices.Equal(slices.Compact(x), slices.Compact(y))
}

// OperandsOf are the variables and fields that a condition asks about.
func OperandsOf(condition string) []string {
	condition = strings.TrimPrefix(condition, "unless ")
	e, err := parser.ParseExpr(condition)
	if err != nil {
		return nil
	}
	var found []string
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			found = append(found, condition[n.Pos()-1:n.End()-1])
			return false
		case *ast.CallExpr:
			for _, a := range n.Args {
				ast.Inspect(a, visit)
			}
			return false
		case *ast.Ident:
			if !slices.Contains([]string{"nil", "true", "false", "err", "ok"}, n.Name) {
				found = append(found, n.Name)
			}
		}
		return true
	}
	ast.Inspect(e, visit)
	return found
}
