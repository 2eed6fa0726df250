package regular

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// Parse is parser.ParseFile for a file on the disk: it reads that as Read does.
func Parse(set *token.FileSet, path string, mode parser.Mode) (*ast.File, error) {
	text, err := Read(path)
	if err != nil {
		return nil, err
	}
	return parser.ParseFile(set, path, text, mode)
}
