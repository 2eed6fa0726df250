package exits

import (
	"go/ast"
	"go/parser"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// ExitsWithout are the exits where what an expression says is nil: none of them reads
// anything through it.
func (f *Finder) ExitsWithout(p syntax.Place, m Message, missing string) []Exit {
	f.missing = missing
	defer func() { f.missing = "" }()
	m = f.readable(m, Message{syntax.Percent(missing) + " is nil", nil})
	return slices.DeleteFunc(f.Exits(p, m, ""), func(e Exit) bool {
		return goesThrough("func() {\n"+e.Lines+"\n}", missing)
	})
}

// readable is a message, or another one where it reads something through what is nil.
func (f *Finder) readable(m, other Message) Message {
	if slices.ContainsFunc(m.Args, func(a string) bool { return goesThrough(a, f.missing) }) {
		return other
	}
	return m
}

// goesThrough reports whether an expression follows another one: x.f, x.f(), *x, x[i], x().
func goesThrough(text, base string) bool {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return false
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		var through ast.Expr
		switch n := n.(type) {
		case *ast.SelectorExpr:
			through = n.X
		case *ast.StarExpr:
			through = n.X
		case *ast.IndexExpr:
			through = n.X
		case *ast.CallExpr:
			through = n.Fun
		}
		found = found || through != nil && types.ExprString(ast.Unparen(through)) == base
		return !found
	})
	return found
}
