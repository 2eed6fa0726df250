package workspace

import (
	"go/ast"
	"go/token"
	"go/types"
)

// EndingAt returns the body of the function that ends at a line, with no statement of its own
// there; nil if none does. depth is how many function literals it is in, itself included: at
// the brace of a literal, the statement that has the literal is another function's.
func (c *Code) EndingAt(file string, line, depth int) (body *ast.BlockStmt) {
	_, syntax, ok := c.FileOf(file)
	if !ok {
		return nil
	}
	lineOf := func(p token.Pos) int { return c.Fset.Position(p).Line }
	ast.PreorderStack(syntax, nil, func(n ast.Node, around []ast.Node) bool {
		found := bodyOf(n)
		if found == nil || len(found.List) == 0 || lineOf(found.Rbrace) != line || lineOf(found.List[len(found.List)-1].End()) >= line {
			return true
		}
		literals := 0
		for _, n := range append(around, n) {
			if _, ok := n.(*ast.FuncLit); ok {
				literals++
			}
		}
		if literals == depth {
			body = found
		}
		return true
	})
	return body
}

func bodyOf(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Body
	case *ast.FuncLit:
		return n.Body
	}
	return nil
}

// Deferred returns the statements of a function that defer a call, and those of them that call
// a function value, which may be nil.
func Deferred(info *types.Info, body *ast.BlockStmt) (all, values []*ast.DeferStmt) {
	if body == nil {
		return nil, nil
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok {
			all = append(all, d)
			if isFunctionValue(info, d.Call.Fun) {
				values = append(values, d)
			}
		}
		_, inside := n.(*ast.FuncLit)
		return !inside
	})
	return all, values
}

func isFunctionValue(info *types.Info, called ast.Expr) bool {
	if tv := info.Types[called]; tv.IsType() || tv.IsBuiltin() {
		return false
	}
	switch called := ast.Unparen(called).(type) {
	case *ast.Ident:
		_, ok := info.Uses[called].(*types.Var)
		return ok
	case *ast.SelectorExpr:
		_, ok := info.Uses[called.Sel].(*types.Var)
		return ok
	case *ast.IndexExpr: // an element of a list, or an instance of a generic function
		return info.Types[called.Index].IsValue()
	case *ast.CallExpr:
		return true
	}
	return false
}
