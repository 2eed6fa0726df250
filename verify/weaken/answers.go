package weaken

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
)

// comparing are functions by whose answers tests compare, in lower case.
var comparing = []string{"equal", "equals", "eq", "same", "compare", "cmp", "less"}

// ComparedBy are the functions by which the test at a line of a file decides that
// it fails, going by their names. One that the test is named after is what it
// tests.
func ComparedBy(test, text string, line int) (names []string) {
	s := syntax.Parse(text)
	if s == nil {
		return nil
	}
	for n := range ast.Preorder(s.AST) {
		branch, ok := n.(*ast.IfStmt)
		if !ok || !s.Spans(branch, line) {
			continue
		}
		for call := range syntax.All[*ast.CallExpr](branch.Cond) {
			name := syntax.Called(call)
			if like := strings.ToLower(name); slices.Contains(comparing, like) && !strings.Contains(strings.ToLower(test), like) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Answers says how an edit of code that is no test makes a failing test pass without
// doing what it asks for: it changes a function by which the test compares, or has
// one answer the same whatever it is given.
func Answers(file, before, after string, compared []string) string {
	was, now := syntax.Parse(before), syntax.Parse(after)
	if was == nil || now == nil {
		return ""
	}
	then := now.Functions()
	functions := was.Functions()
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		fn, to := functions[name], then[name]
		if to == nil || fn.Body == nil || to.Body == nil || was.Code(fn) == now.Code(to) {
			continue
		}
		if slices.Contains(compared, fn.Name.Name) {
			return "changes how the failing test compares: " + name + " (" + file + ")"
		}
		if fn.Type.Results != nil && (looksAt(fn, fn.Type.Params) || worksOn(fn)) && !looksAt(to, to.Type.Params, to.Recv) {
			return sameAnswer + name + " (" + file + ")"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(then)) {
		fn := then[name]
		if functions[name] != nil || fn.Recv == nil || fn.Body == nil {
			continue
		}
		if takesOver(was, fn) && !looksAt(fn, fn.Recv) && !(compares(fn) && looksAt(fn, fn.Type.Params)) || compares(fn) && alwaysAgrees(fn) {
			return sameAnswer + name + " (" + file + ")"
		}
	}
	return ""
}

const sameAnswer = "answers the same whatever it is given: "

// worksOn reports whether a method does more with its receiver than to give a part of it.
func worksOn(fn *ast.FuncDecl) bool {
	if !looksAt(fn, fn.Recv) || len(fn.Body.List) == 0 {
		return false
	}
	result, ok := fn.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(fn.Body.List) > 1 || len(result.Results) != 1 {
		return true
	}
	part := result.Results[0]
	for {
		sel, ok := part.(*ast.SelectorExpr)
		if !ok {
			break
		}
		part = sel.X
	}
	_, ok = part.(*ast.Ident)
	return !ok
}

// conventional are methods that the standard library, and tests by it, ask in the place of
// the value itself.
var conventional = []string{"Equal", "Is", "Compare", "String", "GoString", "Format", "MarshalJSON", "MarshalText"}

// compares reports whether a method is one that may answer by the other value alone.
func compares(fn *ast.FuncDecl) bool {
	return slices.Contains([]string{"Equal", "Is", "Compare"}, fn.Name.Name)
}

// takesOver reports whether a new method of a type that was there, with fields or of
// another type, is asked in the place of its values.
func takesOver(was *syntax.File, fn *ast.FuncDecl) bool {
	if fn.Recv == nil || fn.Body == nil || !slices.Contains(conventional, fn.Name.Name) {
		return false
	}
	of := syntax.LastName(fn.Recv.List[0].Type)
	for spec := range syntax.All[*ast.TypeSpec](was.AST) {
		fields, ok := spec.Type.(*ast.StructType)
		if spec.Name.Name == of {
			return !ok || fields.Fields.NumFields() > 0
		}
	}
	return false
}

// alwaysAgrees reports whether a method of any type answers without a look at the other
// value, unless by a denial: errors.Is believes it.
func alwaysAgrees(fn *ast.FuncDecl) bool {
	if looksAt(fn, fn.Type.Params) || looksAt(fn, fn.Recv) || len(fn.Body.List) == 0 {
		return false
	}
	last, ok := fn.Body.List[len(fn.Body.List)-1].(*ast.ReturnStmt)
	if !ok || len(last.Results) != 1 {
		return true
	}
	answer, ok := last.Results[0].(*ast.Ident)
	return !ok || answer.Name != "false"
}

// looksAt reports whether a function uses one of what it is given for more than to throw
// it away.
func looksAt(fn *ast.FuncDecl, parts ...*ast.FieldList) bool {
	given := map[string]bool{}
	for _, list := range parts {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, id := range field.Names {
				given[id.Name] = id.Name != "_"
			}
		}
	}
	passed := map[ast.Node]bool{} // no uses
	for n := range ast.Preorder(fn.Body) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && id.Name == "_" && n.Tok == token.ASSIGN && len(n.Lhs) == len(n.Rhs) {
					passed[n.Rhs[i]] = true
				}
			}
		case *ast.SelectorExpr:
			passed[n.Sel] = true
		case *ast.Ident:
			if given[n.Name] && !passed[n] {
				return true
			}
		}
	}
	return false
}
