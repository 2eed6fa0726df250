package workspace

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// Doubt tells why an expression that a debugger is to evaluate on a line of a
// file will likely fail there: a name that is not in scope, or a condition that
// is no bool. Empty where nothing speaks against it: debuggers know more than
// the language does, names of other packages and registers among them.
func (c *Code) Doubt(file string, line int, expr string, condition bool) string {
	fn, ok := c.FuncAt(file, line)
	if !ok || fn.Package.Types == nil {
		return ""
	}
	syntax, err := parser.ParseExpr(expr)
	if err != nil {
		return err.Error()
	}
	pos := fn.Decl.End() - 1
	if s := c.StatementAt(file, line); s != nil {
		pos = s.Pos()
	}
	scope := fn.Package.Types.Scope().Innermost(pos)
	if scope == nil {
		return ""
	}
	for _, name := range roots(syntax) {
		if !visible(scope, name) && !strings.EqualFold(name, "runtime") && name != strings.ToUpper(name) {
			return fmt.Sprintf("there is no %s on line %d", name, line)
		}
	}
	if !condition {
		return ""
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if err := types.CheckExpr(c.Fset, fn.Package.Types, token.NoPos, syntax, info); err != nil {
		if types.CheckExpr(c.Fset, fn.Package.Types, pos, syntax, info) != nil {
			return ""
		}
	}
	if t := info.Types[syntax].Type; t != nil {
		if basic, ok := t.Underlying().(*types.Basic); !ok || basic.Info()&types.IsBoolean == 0 {
			return fmt.Sprintf("its type is %s, not bool", t)
		}
	}
	return ""
}

// roots are the names an expression begins with, but for those that may be
// packages.
func roots(expr ast.Expr) []string {
	var names []string
	ast.Inspect(expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if _, ok := n.X.(*ast.Ident); ok {
				return false
			}
			names = append(names, roots(n.X)...)
			return false
		case *ast.KeyValueExpr, *ast.FuncLit:
			return false
		case *ast.Ident:
			names = append(names, n.Name)
		}
		return true
	})
	return names
}

// visible reports whether a name is declared in a scope or around it, wherever in
// it: the debugger decides from which line on.
func visible(scope *types.Scope, name string) bool {
	for ; scope != nil; scope = scope.Parent() {
		if scope.Lookup(name) != nil {
			return true
		}
	}
	return false
}
