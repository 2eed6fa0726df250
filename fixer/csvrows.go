package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
)

// rowsOfAnyLength lets encoding/csv refuse short rows where it was set to take
// rows of any length, though their columns are then taken for granted.
func (f indexRules) rowsOfAnyLength(x indexing) {
	s, ok := typeUnder[*types.Slice](x.info().TypeOf(x.base))
	if !ok || !isString(s.Elem()) || !isConstant(x.place, x.index) || x.length == 0 {
		return
	}
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			as, ok := n.(*ast.AssignStmt)
			if !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
				return true
			}
			field, ok := p.object(as.Lhs[0]).(*types.Var)
			value, isConst := constantInt(p, as.Rhs[0])
			if !ok || !isConst || value >= 0 || field.Name() != "FieldsPerRecord" || field.Pkg() == nil || field.Pkg().Path() != "encoding/csv" {
				return true
			}
			f.sameLength(as)
			return true
		})
	})
}

func (f indexRules) sameLength(as *ast.AssignStmt) {
	f.diagnosis.Origin = ""
	f.note(fmt.Sprintf("the reader takes rows of any length (%s)", f.where(as.Pos())), as.Pos())
	f.offer(idea{rule: "csvrows/same-length", title: "let the CSV reader refuse rows of another length", weight: handled - 3,
		change: f.change().replace(as.Rhs[0].Pos(), as.Rhs[0].End(), "0"),
		why:    "With FieldsPerRecord 0 every row must have as many columns as the first; another one is an error of Read, which is looked at."})
}
