package review

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
)

// loader checks the types of packages with those of the user's packages that they import. Of
// other packages it knows which names are types, and nothing of these types.
type loader struct {
	own   func(path string) map[string]string // the files of a package of the user's; none for others
	known map[string]*types.Package
}

func (l loader) load(path string) typed {
	l.known[path] = nil // of a package that imports itself nothing is known
	t := parseAll(l.own(path))
	for _, f := range t.files {
		l.declare(f)
	}
	l.known[path] = t.check(path, l)
	return t
}

// Import implements types.Importer.
func (l loader) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if _, known := l.known[path]; !known && len(l.own(path)) > 0 {
		l.load(path)
	}
	if p := l.known[path]; p != nil {
		return p, nil
	}
	return nil, errNotLoaded
}

// declare declares the types of other packages that a file names.
func (l loader) declare(f *ast.File) {
	imports := (&syntax.File{AST: f}).Imports()
	for n := range ast.Preorder(f) {
		for sel := range typesNamed(n) {
			id, ok := sel.X.(*ast.Ident)
			if !ok || imports[id.Name] == "" || len(l.own(imports[id.Name])) > 0 {
				continue
			}
			from := imports[id.Name]
			p := l.known[from]
			if p == nil {
				p = types.NewPackage(from, path.Base(from))
				p.MarkComplete()
				l.known[from] = p
			}
			if p.Scope().Lookup(sel.Sel.Name) == nil {
				name := types.NewTypeName(token.NoPos, p, sel.Sel.Name, nil)
				types.NewNamed(name, types.Typ[types.UnsafePointer], nil)
				p.Scope().Insert(name)
			}
		}
	}
}

// isUnknown reports whether a type is one of which only the name is known.
func isUnknown(t types.Type) bool {
	_, named := types.Unalias(t).(*types.Named)
	return named && t.Underlying() == types.Typ[types.UnsafePointer]
}

// typesNamed are the names with a dot in the places of a node that name types.
func typesNamed(n ast.Node) func(yield func(*ast.SelectorExpr) bool) {
	var places []ast.Expr
	switch n := n.(type) {
	case *ast.Field:
		places = append(places, n.Type)
	case *ast.ValueSpec:
		places = append(places, n.Type)
	case *ast.TypeSpec:
		places = append(places, n.Type)
	case *ast.CompositeLit:
		places = append(places, n.Type)
	case *ast.TypeAssertExpr:
		places = append(places, n.Type)
	case *ast.ArrayType:
		places = append(places, n.Elt)
	case *ast.MapType:
		places = append(places, n.Key, n.Value)
	case *ast.CallExpr:
		if len(n.Args) > 0 && (match.IsName(n.Fun, "new") || match.IsName(n.Fun, "make")) {
			places = append(places, n.Args[0])
		}
	}
	return func(yield func(*ast.SelectorExpr) bool) {
		for _, e := range places {
			if star, ok := e.(*ast.StarExpr); ok {
				e = star.X
			}
			if sel, ok := e.(*ast.SelectorExpr); ok && !yield(sel) {
				return
			}
		}
	}
}
