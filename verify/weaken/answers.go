package weaken

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Answers says how an edit of code that is no test makes a failing test pass without
// doing what it asks for: it changes what the test compares by, or has a function answer
// the same whatever it is given.
func Answers(file, before, after string, compared Compared) string {
	was, now := syntax.Parse(before), syntax.Parse(after)
	if was == nil || now == nil {
		return ""
	}
	if name := compared.changed(was, now); name != "" {
		return "changes how the failing test compares: " + name + " (" + file + ")"
	}
	then := now.Functions()
	functions := was.Functions()
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		fn, to := functions[name], then[name]
		if to == nil || fn.Body == nil || to.Body == nil || was.Code(fn) == now.Code(to) {
			continue
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

// changed names what an edit of a file changes, adds or takes away of these.
func (c Compared) changed(was, now *syntax.File) string {
	before, after := c.texts(was), c.texts(now)
	for _, texts := range []map[string]string{before, after} {
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if before[name] != after[name] {
				return name
			}
		}
	}
	return ""
}

// texts are the declarations of a file that belong to these, by their names.
func (c Compared) texts(s *syntax.File) map[string]string {
	found := map[string]string{}
	for _, d := range s.AST.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if c.Functions[d.Name.Name] || d.Recv != nil && c.methods[d.Name.Name] && !isOne(s, d) {
				found[s.NameOf(d)] = s.Code(d)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if spec, ok := spec.(*ast.ValueSpec); ok {
					for _, name := range spec.Names {
						if c.values[name.Name] {
							found[name.Name] = s.Code(spec)
						}
					}
				}
			}
		}
	}
	return found
}

// isOne reports whether a method Is says only whether an error is a certain one.
func isOne(s *syntax.File, fn *ast.FuncDecl) bool {
	if fn.Name.Name != "Is" || fn.Body == nil || len(fn.Body.List) != 1 {
		return false
	}
	result, ok := fn.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(result.Results) != 1 {
		return false
	}
	equal, ok := result.Results[0].(*ast.BinaryExpr)
	if !ok || equal.Op != token.EQL {
		return false
	}
	sides := []string{s.Code(equal.X), s.Code(equal.Y)}
	return slices.Contains(sides, syntax.Parameter(fn)) && !slices.Contains(sides, "nil") && sides[0] != sides[1]
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
