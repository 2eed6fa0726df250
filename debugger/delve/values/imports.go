package values

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/regular"
)

// resolved writes an expression of a frame so that Delve finds what it names: types of
// the frame's package, and packages by the paths that its file imports them by; of
// several of one name, Delve takes any.
func (vs *Inspector) resolved(ctx context.Context, at debugger.FrameRef, expr string) string {
	parsed, err := parser.ParseExpr(expr)
	if err != nil {
		return expr
	}
	qualifiers, asserts := qualifiersOf(parsed)
	if len(qualifiers) == 0 && !asserts {
		return expr
	}
	frame, err := ask.FrameAt(ctx, vs.srv, int64(at.Goroutine), at.Frame)
	if err != nil {
		return expr
	}
	paths := importsOf(frame.File)
	if !slices.ContainsFunc(qualifiers, func(id *ast.Ident) bool { return paths[id.Name] != "" }) {
		return TypesOf(expr, functionOf(frame))
	}
	args, locals, err := ask.InFrame(ctx, vs.srv, at)
	if err != nil {
		return expr
	}
	for _, v := range append(args, locals...) {
		delete(paths, v.Name) // a variable of that name is meant
	}
	slices.SortFunc(qualifiers, func(a, b *ast.Ident) int { return int(b.Pos() - a.Pos()) })
	for _, id := range qualifiers {
		if p := paths[id.Name]; p != "" {
			expr = expr[:id.Pos()-1] + strconv.Quote(p) + expr[id.End()-1:]
		}
	}
	return TypesOf(expr, functionOf(frame))
}

// qualifiersOf finds the names in an expression that may be those of packages, and reports
// whether it may name types. Types and functions keep the names that they have: with a path,
// Delve takes a type for no type.
func qualifiersOf(expr ast.Expr) (names []*ast.Ident, types bool) {
	kept := map[ast.Node]bool{}
	ast.Inspect(expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && !kept[n] {
				names = append(names, id)
			}
		case *ast.TypeAssertExpr:
			types = true
			keep(n.Type, kept)
		case *ast.CallExpr:
			types = true
			keep(n.Fun, kept)
		}
		return true
	})
	return names, types
}

// keep notes the selectors that a type, or what is called, is made of.
func keep(x ast.Expr, kept map[ast.Node]bool) {
	switch x := x.(type) {
	case *ast.SelectorExpr:
		if _, ok := x.X.(*ast.Ident); ok {
			kept[x] = true
		}
	case *ast.ParenExpr:
		keep(x.X, kept)
	case *ast.StarExpr:
		keep(x.X, kept)
	case *ast.ArrayType:
		keep(x.Elt, kept)
	case *ast.MapType:
		keep(x.Key, kept)
		keep(x.Value, kept)
	case *ast.ChanType:
		keep(x.Value, kept)
	}
}

func functionOf(f api.Stackframe) string {
	if f.Function == nil {
		return ""
	}
	return f.Function.Name()
}

// importsOf maps the names of packages in a source file to their paths. A name that
// the file does not give is the last element of the path, as far as that is one.
func importsOf(file string) map[string]string {
	paths := map[string]string{}
	syntax, err := regular.Parse(token.NewFileSet(), file, parser.ImportsOnly)
	if err != nil {
		return paths
	}
	for _, spec := range syntax.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(majorVersion.ReplaceAllString(p, ""))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		paths[debugger.PackageName(name)] = p
	}
	return paths
}

var majorVersion = lazyregexp.New(`[/.]v\d+$`)
