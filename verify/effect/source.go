package effect

import (
	"go/ast"
	"go/token"

	"github.com/pausetui/pausetui/verify/syntax"
)

// source is a parsed file; one that does not parse has no ast.
type source struct {
	*syntax.File
	ast *ast.File
}

func parse(text string) source { return sourceOf(syntax.Parse(text)) }

func sourceOf(f *syntax.File) source {
	if f == nil {
		return source{}
	}
	return source{f, f.AST}
}

func (s source) code(n ast.Node) string              { return s.Code(n) }
func (s source) offset(p token.Pos) int              { return s.Offset(p) }
func (s source) line(n ast.Node) int                 { return s.Line(n.Pos()) }
func (s source) functions() map[string]*ast.FuncDecl { return s.Functions() }

// Touches reports whether a change edits the function that holds its line.
func Touches(c Change) bool {
	before, after := parse(c.Before), parse(c.After)
	if before.ast == nil || after.ast == nil {
		return true
	}
	fn := before.At(c.Line)
	if fn == nil {
		return true
	}
	now := after.functions()[before.NameOf(fn)]
	return now == nil || before.code(fn) != after.code(now)
}
