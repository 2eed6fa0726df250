package match

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Ends reports whether a call ends the program: os.Exit, log.Fatal and its kin, or
// a function that is known to.
func Ends(call *ast.CallExpr, known map[string]bool) bool {
	fn, ok := call.Fun.(*ast.Ident)
	return ok && known[fn.Name] || syntax.Ends(call)
}

// Parameters are the names of the receiver and the parameters.
func Parameters(fn *ast.FuncDecl) map[string]bool {
	found := map[string]bool{}
	for _, list := range []*ast.FieldList{fn.Recv, fn.Type.Params} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			for _, n := range f.Names {
				found[n.Name] = true
			}
		}
	}
	return found
}

// Mentions reports whether a piece of code names one of the identifiers.
func Mentions(code string, names map[string]bool) bool {
	return slices.ContainsFunc(strings.FieldsFunc(code, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z') && r < 0x80
	}), func(w string) bool { return names[w] })
}

// AllZero reports whether a return gives zero values only.
func AllZero(r *ast.ReturnStmt) bool {
	for _, e := range r.Results {
		if !ZeroValue(e) {
			return false
		}
	}
	return true
}

// ZeroValue reports whether an expression is written as the zero value of its type.
func ZeroValue(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "nil" || e.Name == "false"
	case *ast.BasicLit:
		return slices.Contains([]string{"0", "0.0", `""`, "``"}, e.Value)
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.UnaryExpr:
		return e.Op == token.AND && ZeroValue(e.X)
	}
	return false
}

// IsNil reports whether an expression is nil.
func IsNil(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "nil"
}

// Calls reports whether working out an expression calls something, or receives.
func Calls(e ast.Expr) bool {
	for n := range ast.Preorder(e) {
		switch n := n.(type) {
		case *ast.CallExpr:
			return true
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				return true
			}
		}
	}
	return false
}

// Expressions are the forms of all expressions in a node.
func Expressions(in ast.Node) map[Form]bool {
	found := map[Form]bool{}
	for n := range ast.Preorder(in) {
		if e, ok := n.(ast.Expr); ok {
			found[FormOf(e)] = true
		}
	}
	return found
}

// Recovers reports whether there is a call of recover in a node.
func Recovers(node ast.Node) bool {
	found := false
	ast.Inspect(node, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if id, ok := c.Fun.(*ast.Ident); ok && id.Name == "recover" {
				found = true
			}
		}
		return !found
	})
	return found
}

// ReceiverOf is the name of the type that a method belongs to.
func ReceiverOf(fn *ast.FuncDecl) string {
	t := fn.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	switch g := t.(type) {
	case *ast.IndexExpr:
		t = g.X
	case *ast.IndexListExpr:
		t = g.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// StoresArgument reports whether the function puts a parameter that the condition,
// which asks for nil, does not speak of into something that stays: to return
// early, for want of a place, loses it. A flag that says that all is done loses
// nothing.
func StoresArgument(fn *ast.FuncDecl, when string) bool {
	if !Mentions(when, map[string]bool{"nil": true}) {
		return false
	}
	is := OtherParameters(fn, when)
	stores := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			stores = stores || slices.ContainsFunc(n.Elts, func(e ast.Expr) bool {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Value
				}
				return is(e)
			})
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				_, local := l.(*ast.Ident)
				stores = stores || !local && len(n.Lhs) == len(n.Rhs) && is(n.Rhs[i])
			}
		case *ast.CallExpr:
			id, ok := n.Fun.(*ast.Ident)
			stores = stores || ok && id.Name == "append" && slices.ContainsFunc(n.Args[1:], is)
		}
		return !stores
	})
	return stores
}

// OtherParameters recognizes the parameters that a piece of code does not name.
func OtherParameters(fn *ast.FuncDecl, code string) func(ast.Expr) bool {
	others := Parameters(fn)
	maps.DeleteFunc(others, func(name string, _ bool) bool { return Mentions(code, map[string]bool{name: true}) })
	return func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && others[id.Name]
	}
}

// IsLiteral returns what reports whether an expression is this literal.
func IsLiteral(value string) func(ast.Expr) bool {
	return func(e ast.Expr) bool {
		lit, ok := e.(*ast.BasicLit)
		return ok && lit.Value == value
	}
}

// Cut shortens code for a sentence.
func Cut(code string) string {
	const most = 160
	if r := []rune(code); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return code
}

// MentionsCode reports whether the condition holds the expression.
func MentionsCode(condition, expr string) bool {
	for i := 0; i+len(expr) <= len(condition); i++ {
		if condition[i:i+len(expr)] == expr && !wordAt(condition, i-1) && !wordAt(condition, i+len(expr)) {
			return true
		}
	}
	return false
}

func wordAt(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Declared returns the only variable that a statement declares, and its value.
func Declared(s ast.Stmt) (name *ast.Ident, value ast.Expr) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if id, ok := s.Lhs[0].(*ast.Ident); ok && s.Tok == token.DEFINE && len(s.Lhs) == 1 && len(s.Rhs) == 1 {
			return id, s.Rhs[0]
		}
	case *ast.DeclStmt:
		g, ok := s.Decl.(*ast.GenDecl)
		if !ok || len(g.Specs) != 1 {
			return nil, nil
		}
		v, ok := g.Specs[0].(*ast.ValueSpec)
		switch {
		case !ok || len(v.Names) != 1:
		case len(v.Values) == 1:
			return v.Names[0], v.Values[0]
		case len(v.Values) == 0:
			return v.Names[0], nil
		}
	}
	return nil, nil
}
