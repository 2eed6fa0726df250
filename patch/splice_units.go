package patch

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// unit is a named top-level declaration: a function, a method, or one spec of
// a type, var or const declaration.
type unit struct {
	key   string      // "Add", "Index.Add"; names joined by commas for "var a, b"
	names []string    // what it declares
	kind  token.Token // FUNC, TYPE, VAR or CONST
	node  ast.Node    // *ast.FuncDecl, *ast.TypeSpec or *ast.ValueSpec
	decl  ast.Decl
}

// units lists a file's declarations but imports and blank ones.
func units(g *goFile) []unit {
	var list []unit
	for _, d := range g.ast.Decls {
		list = append(list, unitsOf(d)...)
	}
	return list
}

func unitsOf(d ast.Decl) []unit {
	var list []unit
	switch d := d.(type) {
	case *ast.FuncDecl:
		if key := FuncKey(d); d.Name.Name != "_" {
			list = append(list, unit{key, []string{key}, token.FUNC, d, d})
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if names := specNames(s); len(names) > 0 {
				list = append(list, unit{strings.Join(names, ","), names, d.Tok, s, d})
			}
		}
	}
	return list
}

func specNames(s ast.Spec) []string {
	var names []string
	switch s := s.(type) {
	case *ast.TypeSpec:
		names = append(names, s.Name.Name)
	case *ast.ValueSpec:
		for _, n := range s.Names {
			names = append(names, n.Name)
		}
	}
	return slices.DeleteFunc(names, func(n string) bool { return n == "_" })
}

// FuncKey names a function declaration within its package: "Add" for a
// function, "Index.Add" for a method of Index or *Index.
func FuncKey(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	name, _ := Receiver(d)
	return name + "." + d.Name.Name
}

// FuncSymbol names a function declaration as stack traces do, without its
// package: "Add", "Index.Add", "(*Index).Add".
func FuncSymbol(d *ast.FuncDecl) string {
	if name, pointer := Receiver(d); pointer {
		return "(*" + name + ")." + d.Name.Name
	}
	return FuncKey(d)
}

// Receiver is the type that a method is declared for, without its parameters,
// and whether by pointer; empty for functions, and where the syntax is damaged.
func Receiver(d *ast.FuncDecl) (name string, pointer bool) {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return "", false
	}
	for t := d.Recv.List[0].Type; ; {
		switch x := t.(type) {
		case *ast.StarExpr:
			t, pointer = x.X, true
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name, pointer
		default:
			return "", pointer
		}
	}
}

// grouped reports whether the unit is a spec within parentheses.
func (u unit) grouped() bool {
	d, ok := u.decl.(*ast.GenDecl)
	return ok && d.Lparen.IsValid()
}

// repeats reports whether a const group leaves values to iota or to repetition,
// so that its specs mean something only together.
func repeats(d *ast.GenDecl) bool {
	if d.Tok != token.CONST || !d.Lparen.IsValid() {
		return false
	}
	found := false
	for _, s := range d.Specs {
		v, ok := s.(*ast.ValueSpec)
		found = found || ok && len(v.Values) == 0
	}
	ast.Inspect(d, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "iota"
		return !found
	})
	return found
}

// signature returns a function's type without parameter names.
func signature(g *goFile, d *ast.FuncDecl) string {
	var b strings.Builder
	if d.Recv != nil && len(d.Recv.List) > 0 {
		if _, pointer := d.Recv.List[0].Type.(*ast.StarExpr); pointer {
			b.WriteByte('*')
		}
	}
	for _, list := range []*ast.FieldList{d.Type.TypeParams, d.Type.Params, d.Type.Results} {
		b.WriteByte('(')
		if list == nil {
			list = &ast.FieldList{}
		}
		for _, f := range list.List {
			for range max(1, len(f.Names)) {
				b.WriteString(strings.Join(scanTokens(g.text(f.Type), 0), " ") + ",")
			}
		}
		b.WriteByte(')')
	}
	return b.String()
}

// head returns a function's first line, up to its body.
func head(g *goFile, d *ast.FuncDecl) string {
	end := d.End()
	if d.Body != nil {
		end = d.Body.Lbrace
	}
	return strings.Join(strings.Fields(g.src[g.offset(d.Pos()):g.offset(end)]), " ")
}
