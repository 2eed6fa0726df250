package effect

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// source is a parsed file.
type source struct {
	text string
	fset *token.FileSet
	ast  *ast.File
}

// parse leaves ast nil when the text does not parse.
func parse(text string) source {
	s := source{text: text, fset: token.NewFileSet()}
	if f, err := parser.ParseFile(s.fset, "", text, parser.ParseComments|parser.SkipObjectResolution); err == nil {
		s.ast = f
	}
	return s
}

// code returns a node's text with its white space folded.
func (s source) code(n ast.Node) string {
	return folded(s.text[s.offset(n.Pos()):s.offset(n.End())])
}

func folded(text string) string { return strings.Join(strings.Fields(text), " ") }

func (s source) offset(p token.Pos) int { return s.fset.Position(p).Offset }
func (s source) line(n ast.Node) int    { return s.fset.PositionFor(n.Pos(), false).Line }

// functions are the declared functions by their names, "(*T).Name".
func (s source) functions() map[string]*ast.FuncDecl {
	found := map[string]*ast.FuncDecl{}
	for _, d := range s.ast.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			found[functionName(fn, s)] = fn
		}
	}
	return found
}

func functionName(fn *ast.FuncDecl, s source) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	return "(" + s.code(fn.Recv.List[0].Type) + ")." + fn.Name.Name
}

// cut shortens code for a sentence.
func cut(code string) string {
	const most = 160
	if r := []rune(code); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return code
}

// Touches reports whether a change edits the function that holds its line.
func Touches(c Change) bool {
	before, after := parse(c.Before), parse(c.After)
	if before.ast == nil || after.ast == nil {
		return true
	}
	now := after.functions()
	for name, fn := range before.functions() {
		if before.line(fn) <= c.Line && c.Line <= before.fset.Position(fn.End()).Line {
			return now[name] == nil || before.code(fn) != after.code(now[name])
		}
	}
	return true
}
