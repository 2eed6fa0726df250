package patch

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
)

// maxNesting bounds the sum of how deep the nodes of a syntax are nested. Formatting
// takes time in proportion to that, the square of the length of a long sum, and cannot
// be interrupted: so much is about a second.
const maxNesting = 20_000_000

// Gofmt writes a file as gofmt does. It fails for one that does not parse, and with
// ErrNested.
func Gofmt(src string) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	if nested(file) {
		return "", refuse(ErrNested, 0, "")
	}
	out, err := format.Source([]byte(src))
	return string(out), err
}

// FormatNode writes a node as gofmt does. It fails with ErrNested.
func FormatNode(set *token.FileSet, n ast.Node) ([]byte, error) {
	if nested(n) {
		return nil, refuse(ErrNested, 0, "")
	}
	var b bytes.Buffer
	err := format.Node(&b, set, n)
	return b.Bytes(), err
}

// nested reports whether a syntax is nested too deeply to be formatted.
func nested(n ast.Node) bool {
	depth, sum := 0, 0
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			depth--
			return false
		}
		if sum > maxNesting {
			return false
		}
		depth++
		sum += depth
		return true
	})
	return sum > maxNesting
}
