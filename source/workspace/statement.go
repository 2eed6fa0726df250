package workspace

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/pausetui/pausetui/internal/regular"
)

// StatementText returns the text of the innermost statement on a line
// (1-based) of a Go file, cut to its head where it has a body. Where the file
// does not parse it is the line itself.
func StatementText(source []byte, line int) string {
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, "", source, parser.SkipObjectResolution)
	if file == nil {
		return lineText(source, line)
	}
	var best ast.Stmt
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || fset.Position(n.Pos()).Line > line || fset.Position(n.End()).Line < line {
			return false
		}
		switch s := n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		case ast.Stmt:
			best = s
		}
		return true
	})
	if best == nil {
		return lineText(source, line)
	}
	start, end := fset.Position(best.Pos()).Offset, fset.Position(headEnd(best)).Offset
	if start > end || end > len(source) {
		return lineText(source, line)
	}
	return strings.TrimSpace(string(source[start:end]))
}

// headEnd is where a statement ends, or where its body begins.
func headEnd(s ast.Stmt) token.Pos {
	switch s := s.(type) {
	case *ast.IfStmt:
		return s.Body.Pos()
	case *ast.ForStmt:
		return s.Body.Pos()
	case *ast.RangeStmt:
		return s.Body.Pos()
	case *ast.SwitchStmt:
		return s.Body.Pos()
	case *ast.TypeSwitchStmt:
		return s.Body.Pos()
	case *ast.SelectStmt:
		return s.Body.Pos()
	}
	return s.End()
}

// Line returns a line (1-based) of a file without the white space around it;
// empty where there is none.
func Line(file string, line int) string {
	source, err := regular.Read(file)
	if err != nil {
		return ""
	}
	return lineText(source, line)
}

func lineText(source []byte, line int) string {
	for text := range bytes.Lines(source) {
		if line--; line == 0 {
			return string(bytes.TrimSpace(text))
		}
	}
	return ""
}
