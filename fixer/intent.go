package fixer

import (
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// saidOfField is what the comments on and next to a field say.
func (f nilRules) saidOfField(field *types.Var) []exits.Said {
	var list []exits.Said
	f.Each(func(p syntax.Place) {
		if field.Pos() < p.File.FileStart || field.Pos() >= p.File.FileEnd {
			return
		}
		ast.Inspect(p.File, func(n ast.Node) bool {
			decl, ok := n.(*ast.Field)
			if !ok {
				return true
			}
			for _, name := range decl.Names {
				if name.Pos() == field.Pos() {
					list = exits.SentencesOf(decl.Doc, decl.Comment)
				}
			}
			return true
		})
	})
	return list
}
