package review

import (
	"go/ast"
	"go/token"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
)

// Dividend is the dividend of the one integer division on a line of the old text, where a
// guard there answers with zeros alone; empty otherwise.
func Dividend(before map[string]string, line int, p effect.Point) string {
	s := syntax.Named(before, p.File)
	answers, ok := match.AnswersOf(p.Leaves)
	if s == nil || !ok || s.Functions()[p.Function] == nil {
		return ""
	}
	for _, a := range answers {
		lit, made := a.(*ast.CompositeLit)
		if !match.IsLiteral("0")(a) && !match.IsLiteral("0.0")(a) && !match.IsName(a, "nil") && (!made || len(lit.Elts) > 0) {
			return ""
		}
	}
	found := ""
	for n := range ast.Preorder(s.Functions()[p.Function]) {
		b, isBinary := n.(*ast.BinaryExpr)
		if !isBinary || b.Op != token.QUO && b.Op != token.REM || s.Line(b.OpPos) != line {
			continue
		}
		if found != "" {
			return ""
		}
		found = s.Code(b.X)
	}
	return found
}
