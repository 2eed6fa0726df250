package quits

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Redeclared says that an edit of a file declares a predeclared name of Go, such as len or
// panic: unchanged statements, and tests, mean something else by it then. used tells
// whether other code of the package has one of the names that are as a rule declared
// for older versions of Go.
func Redeclared(file, before, after string, used func(name string) bool) string {
	now := syntax.Parse(after)
	if now == nil {
		return ""
	}
	left := map[string]int{}
	if was := syntax.Parse(before); was != nil {
		for _, id := range predeclared(was) {
			left[id.Name]++
		}
	}
	for _, id := range predeclared(now) {
		left[id.Name]--
		if left[id.Name] >= 0 || slices.Contains(recent, id.Name) && !used(id.Name) {
			continue
		}
		return fmt.Sprintf("declares another %s than Go's (%s:%d)", id.Name, file, now.Line(id.Pos()))
	}
	return ""
}

// recent are predeclared names that older versions of Go do not have.
var recent = []string{"any", "clear", "max", "min"}

// predeclared are the declarations of predeclared names: all of a package, and in
// functions those that can take their place: functions, types, and what is called later.
// Variables that are called len or new are common.
func predeclared(s *syntax.File) (list []*ast.Ident) {
	add := func(id *ast.Ident) {
		if types.Universe.Lookup(id.Name) != nil {
			list = append(list, id)
		}
	}
	for _, d := range s.AST.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
			add(fn.Name)
		}
		if gen, ok := d.(*ast.GenDecl); ok {
			for _, spec := range gen.Specs {
				for _, id := range declaredBy(spec) {
					add(id)
				}
			}
		}
	}
	for _, d := range s.AST.Decls {
		for n := range ast.Preorder(d) {
			for id, value := range inFunction(n) {
				_, function := value.(*ast.FuncLit)
				if (function || calledAfter(d, id) || slices.Contains(telling, id.Name)) && !slices.Contains(list, id) {
					add(id)
				}
			}
		}
	}
	return list
}

// calledAfter reports whether a name is called where its declaration may be meant: after
// that, within its scope. With len := len(s), that is not the call on the right.
func calledAfter(d ast.Decl, id *ast.Ident) bool {
	return usedAfter(d, id, func(fn ast.Expr) *ast.Ident {
		name, _ := fn.(*ast.Ident)
		return name
	})
}

// usedAfter is calledAfter for the name that a call has by a function.
func usedAfter(d ast.Decl, id *ast.Ident, named func(fn ast.Expr) *ast.Ident) bool {
	from, to := id.Pos(), d.End()
	for n := range ast.Preorder(d) {
		if n.Pos() > id.Pos() || n.End() < id.End() {
			continue
		}
		switch n.(type) {
		case *ast.AssignStmt, *ast.ValueSpec:
			from = n.End()
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause, *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.FuncLit:
			to = n.End()
		}
	}
	for call := range syntax.All[*ast.CallExpr](d) {
		fn := named(ast.Unparen(call.Fun))
		if fn != nil && fn.Name == id.Name && fn.Pos() > from && fn.Pos() < to {
			return true
		}
	}
	return false
}

// telling are the names that nobody gives to a variable.
var telling = []string{"panic", "recover", "nil", "true", "false", "iota"}

func declaredBy(spec ast.Spec) []*ast.Ident {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		return spec.Names
	case *ast.TypeSpec:
		return []*ast.Ident{spec.Name}
	}
	return nil
}

// inFunction are the names that a node declares, each with its value, if that is known. A
// type counts as a function: it takes the place of one.
func inFunction(n ast.Node) map[*ast.Ident]ast.Expr {
	found := map[*ast.Ident]ast.Expr{}
	add := func(names []ast.Expr, values []ast.Expr) {
		for i, e := range names {
			if id, ok := e.(*ast.Ident); ok {
				found[id] = nil
				if len(names) == len(values) {
					found[id] = ast.Unparen(values[i])
				}
			}
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			add(n.Lhs, n.Rhs)
		}
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE {
			add([]ast.Expr{n.Key, n.Value}, nil)
		}
	case *ast.ValueSpec:
		for i, id := range n.Names {
			found[id] = nil
			if len(n.Names) == len(n.Values) {
				found[id] = ast.Unparen(n.Values[i])
			}
		}
	case *ast.TypeSpec:
		found[n.Name] = &ast.FuncLit{}
	case *ast.FuncType:
		for _, field := range slices.Concat(fieldsOf(n.TypeParams), fieldsOf(n.Params), fieldsOf(n.Results)) {
			for _, id := range field.Names {
				found[id] = nil
				if _, function := field.Type.(*ast.FuncType); function {
					found[id] = &ast.FuncLit{}
				}
			}
		}
	}
	return found
}

func fieldsOf(list *ast.FieldList) []*ast.Field {
	if list == nil {
		return nil
	}
	return list.List
}

// Uses reports whether a file has a name that is not a field, a method or a key.
func Uses(text, name string) bool {
	s := syntax.Parse(text)
	if s == nil {
		return false
	}
	members := map[*ast.Ident]bool{}
	for n := range ast.Preorder(s.AST) {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			members[n.Sel] = true
		case *ast.Ident:
			if n.Name == name && !members[n] {
				return true
			}
		}
	}
	return false
}
