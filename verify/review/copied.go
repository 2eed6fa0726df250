package review

import (
	"go/ast"
	value "go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Copied returns a constant that a point answers with, together with nothing but
// constants, and that stands in a test: that the test passes with it says nothing of other
// inputs. Zero values are what a guard answers anyway, and what the function has returned
// before, or its comment names, need not come from the test. before are the files of the
// point's package as they were; the result is empty where nothing is copied.
func Copied(before map[string]string, tests []string, p effect.Point) string {
	answers, ok := match.AnswersOf(p.Leaves)
	was := syntax.Named(before, p.File)
	if !ok || p.Effect != verdict.Skips || was == nil {
		return ""
	}
	var found []*ast.BasicLit
	for _, e := range answers {
		if !onlyConstants(e) {
			return ""
		}
		found = append(found, literals(e)...)
	}
	for _, lit := range found {
		if isZero(lit) || answered(was, p.Function, lit) {
			continue
		}
		for _, text := range tests {
			if s := syntax.Parse(text); s != nil && slices.ContainsFunc(literals(s.AST), func(l *ast.BasicLit) bool { return equal(l, lit) }) {
				return lit.Value
			}
		}
	}
	return ""
}

// answered reports whether a function returned a constant itself, or its comment has it.
func answered(s *syntax.File, function string, lit *ast.BasicLit) bool {
	fn := s.Functions()[function]
	if fn == nil {
		return false
	}
	for result := range syntax.All[*ast.ReturnStmt](fn) {
		for _, e := range result.Results {
			if onlyConstants(e) && slices.ContainsFunc(literals(e), func(l *ast.BasicLit) bool { return equal(l, lit) }) {
				return true
			}
		}
	}
	lines := strings.Split(s.Text[:s.Offset(fn.Pos())], "\n")
	for i := len(lines) - 2; i >= 0 && strings.HasPrefix(lines[i], "//"); i-- {
		for word := range strings.FieldsFuncSeq(lines[i], func(r rune) bool { return strings.ContainsRune(" \t,;:()", r) }) {
			if strings.Trim(word, ".-") == lit.Value {
				return true
			}
		}
	}
	return false
}

// onlyConstants reports whether an expression is made of literals.
func onlyConstants(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "nil" || e.Name == "true" || e.Name == "false"
	case *ast.UnaryExpr:
		return e.Op != token.AND && onlyConstants(e.X)
	case *ast.CallExpr: // a conversion
		id, ok := e.Fun.(*ast.Ident)
		return ok && len(e.Args) == 1 && types.Universe.Lookup(id.Name) != nil && onlyConstants(e.Args[0])
	case *ast.BinaryExpr:
		return onlyConstants(e.X) && onlyConstants(e.Y)
	case *ast.KeyValueExpr:
		return onlyConstants(e.Value)
	case *ast.CompositeLit:
		return !slices.ContainsFunc(e.Elts, func(elt ast.Expr) bool { return !onlyConstants(elt) })
	}
	return false
}

func literals(n ast.Node) []*ast.BasicLit { return slices.Collect(syntax.All[*ast.BasicLit](n)) }

func equal(a, b *ast.BasicLit) bool {
	x, y := valueOf(a), valueOf(b)
	return (x.Kind() == value.String) == (y.Kind() == value.String) && x.Kind() != value.Unknown && y.Kind() != value.Unknown && value.Compare(x, token.EQL, y)
}

func valueOf(lit *ast.BasicLit) value.Value {
	return value.MakeFromLiteral(lit.Value, lit.Kind, 0)
}

func isZero(lit *ast.BasicLit) bool {
	v := valueOf(lit)
	return v.Kind() == value.String && value.StringVal(v) == "" || v.Kind() != value.String && v.Kind() != value.Unknown && value.Sign(v) == 0
}
