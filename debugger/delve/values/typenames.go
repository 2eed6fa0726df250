package values

import (
	"go/ast"
	"go/parser"
	"go/types"
	"path"
	"slices"

	"github.com/pausetui/pausetui/debugger"
)

// TypesOf writes the types in an expression's assertions and conversions as Delve
// knows them: "s.(*square)" in a function of package shapes is "s.(*shapes.square)".
func TypesOf(expr, function string) string {
	parsed, err := parser.ParseExpr(expr)
	if err != nil || function == "" {
		return expr
	}
	var names []*ast.Ident
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeAssertExpr:
			names = append(names, ownTypes(n.Type)...)
		case *ast.CallExpr: // (*T)(x)
			if p, ok := n.Fun.(*ast.ParenExpr); ok {
				if star, ok := p.X.(*ast.StarExpr); ok {
					names = append(names, ownTypes(star)...)
				}
			}
		}
		return true
	})
	slices.SortFunc(names, func(a, b *ast.Ident) int { return int(b.Pos() - a.Pos()) })
	for _, id := range names {
		expr = expr[:id.Pos()-1] + path.Base(debugger.PackageOf(function)) + "." + expr[id.Pos()-1:]
	}
	return expr
}

// ownTypes finds the names in a type that are of the package that writes it.
func ownTypes(x ast.Expr) []*ast.Ident {
	switch x := x.(type) {
	case *ast.Ident:
		if types.Universe.Lookup(x.Name) == nil && x.Name != "data" { // Delve's own word for any type
			return []*ast.Ident{x}
		}
	case *ast.ParenExpr:
		return ownTypes(x.X)
	case *ast.StarExpr:
		return ownTypes(x.X)
	case *ast.ArrayType:
		return ownTypes(x.Elt)
	case *ast.MapType:
		return append(ownTypes(x.Key), ownTypes(x.Value)...)
	}
	return nil
}
