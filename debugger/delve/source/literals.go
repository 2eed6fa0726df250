package source

import (
	"go/ast"
	"go/token"
	"slices"
)

// literal is a function literal as the source has it.
type literal struct {
	Captured   []string // variables of the functions around it that its body uses
	Statements []int    // the lines of its first statements, those after its own only
}

// LiteralsAt returns the literals that begin on a line.
func LiteralsAt(fset *token.FileSet, file *ast.File, line int) (found []literal) {
	lineOf := func(p token.Pos) int { return fset.Position(p).Line }
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || line < lineOf(fn.Pos()) || line > lineOf(fn.End()) {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			lit, ok := n.(*ast.FuncLit)
			if !ok || line < lineOf(lit.Pos()) || line > lineOf(lit.Body.Lbrace) {
				return true
			}
			l := literal{Captured: capturedBy(fn, lit)}
			for _, s := range lit.Body.List {
				if at := lineOf(s.Pos()); at > line {
					l.Statements = append(l.Statements, at)
				}
			}
			found = append(found, l)
			return true
		})
	}
	return found
}

// capturedBy lists the names that the function around a literal declares outside it, and
// the literal uses without having others of the name for parameters.
func capturedBy(fn *ast.FuncDecl, lit *ast.FuncLit) (names []string) {
	outside := declaredOutside(fn, lit)
	for _, list := range []*ast.FieldList{lit.Type.Params, lit.Type.Results} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, id := range field.Names {
				delete(outside, id.Name)
			}
		}
	}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && outside[id.Name] && !slices.Contains(names, id.Name) {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

// declaredOutside are the names that a function declares outside a literal in it.
func declaredOutside(fn *ast.FuncDecl, lit *ast.FuncLit) map[string]bool {
	names := map[string]bool{}
	declare := func(ids []*ast.Ident) {
		for _, id := range ids {
			names[id.Name] = true
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n != lit
		case *ast.Field:
			declare(n.Names)
		case *ast.ValueSpec:
			declare(n.Names)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				declare(identifiers(n.Lhs))
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				declare(identifiers([]ast.Expr{n.Key, n.Value}))
			}
		}
		return true
	})
	return names
}
