package verify

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/review"
)

// zeroDividend says that what was divided by zero was zero, too: then a guard that
// answers zero gives what every other divisor gives.
func (a *attempt) zeroDividend(before map[string]string, p effect.Point) string {
	s, ok := a.v.Site()
	if !ok || s.Class != debugger.DivideByZero || a.v.Subject.Workspace.Abs(p.File) != s.File {
		return ""
	}
	dividend := review.Dividend(before, s.Line, p)
	e, err := parser.ParseExpr(dividend)
	if err != nil {
		return ""
	}
	stop := a.v.Subject.Stop
	for _, f := range stop.Frames {
		if f.Index == stop.Panic.Culprit && isZero(f, e) {
			return dividend + " is 0 as well: divided by any other number it is 0"
		}
	}
	return ""
}

// isZero reports whether an expression is known to be 0 in a frame.
func isZero(f debugger.Frame, e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return isZero(f, e.X)
	case *ast.BasicLit:
		return e.Value == "0"
	case *ast.BinaryExpr:
		switch x, y := isZero(f, e.X), isZero(f, e.Y); e.Op {
		case token.MUL:
			return x || y
		case token.ADD, token.SUB:
			return x && y
		case token.QUO, token.REM:
			return x
		}
	case *ast.CallExpr: // len(x), or a conversion
		if len(e.Args) != 1 {
			return false
		}
		if fn, ok := e.Fun.(*ast.Ident); ok && fn.Name == "len" {
			v, known := variable(f, e.Args[0])
			return known && v.Len == 0
		} else if ok && strings.HasPrefix(strings.TrimPrefix(fn.Name, "u"), "int") {
			return isZero(f, e.Args[0])
		}
	case *ast.Ident, *ast.SelectorExpr:
		v, known := variable(f, e)
		return known && v.Value == "0"
	}
	return false
}

// variable finds a variable of a frame, or a field of one, by the expression that names it.
func variable(f debugger.Frame, e ast.Expr) (debugger.Variable, bool) {
	switch e := e.(type) {
	case *ast.Ident:
		return child(f.Variables(), e.Name)
	case *ast.SelectorExpr:
		v, ok := variable(f, e.X)
		if ok && strings.HasPrefix(v.Type, "*") && len(v.Children) == 1 {
			v = v.Children[0]
		}
		if ok {
			return child(v.Children, e.Sel.Name)
		}
	}
	return debugger.Variable{}, false
}

// child is the last variable of a name: the innermost of a frame's.
func child(list []debugger.Variable, name string) (debugger.Variable, bool) {
	for i := len(list) - 1; i >= 0; i-- {
		if v := list[i]; v.Name == name && !v.Shadowed && v.Unreadable == "" {
			return v, true
		}
	}
	return debugger.Variable{}, false
}
