package review

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
)

// Foreign says how an edit of a file changes what others see of another package: it sets a
// variable of one that is not the user's, or has a name that statements use as they did mean
// another package. own tells whether an import path is of the user's modules.
func Foreign(before, after string, own func(path string) bool) string {
	was, now := loadNames(before), loadNames(after)
	set := map[match.Form]int{}
	for n := range was.setOthers(own) {
		set[match.FormOf(n)]++
	}
	for n, name := range now.setOthers(own) {
		if set[match.FormOf(n)]--; set[match.FormOf(n)] < 0 {
			return "sets " + name + ", a variable of another package"
		}
	}
	from, to := was.selectors(), now.selectors()
	for _, at := range slices.SortedFunc(maps.Keys(from), func(x, y selector) int { return strings.Compare(x.in+x.name, y.in+y.name) }) {
		if means, stands := to[at]; stands && withoutVersion(means) != withoutVersion(from[at]) && from[at] != "" {
			if means == "" {
				return "makes " + at.name + " mean something else than that of package " + from[at]
			}
			return "makes " + at.name + " mean that of package " + means + ", not of " + from[at]
		}
	}
	had := map[string]bool{}
	for _, f := range was.files {
		had = dots(f)
	}
	for _, f := range now.files {
		for name := range dots(f) {
			if !had[name] && !own(name) {
				return "imports all names of package " + name
			}
		}
	}
	return ""
}

// packageNames are packages of which nothing but the names is known.
type packageNames struct{}

// Import implements types.Importer.
func (packageNames) Import(from string) (*types.Package, error) {
	p := types.NewPackage(from, path.Base(withoutVersion(from)))
	p.MarkComplete()
	return p, nil
}

// withoutVersion is an import path without its major version: "gopkg.in/yaml" of
// "gopkg.in/yaml.v3".
func withoutVersion(from string) string {
	cut := strings.TrimRight(from, "0123456789")
	for _, sep := range []string{"/v", ".v"} {
		if rest, ok := strings.CutSuffix(cut, sep); ok && cut != from {
			return rest
		}
	}
	return from
}

func loadNames(text string) typed {
	t := parseAll(map[string]string{"p.go": text})
	t.check("p", packageNames{})
	return t
}

// packageOf is the package before the dot of a name; empty for others.
func (t typed) packageOf(e ast.Expr) (from, name string) {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return "", ""
	}
	name = id.Name + "." + sel.Sel.Name
	if p, ok := t.info.Uses[id].(*types.PkgName); ok {
		return p.Imported().Path(), name
	}
	for _, f := range t.files {
		for _, i := range f.Imports { // in a statement of which the rest is not known
			if p := t.info.PkgNameOf(i); t.info.Uses[id] == nil && p != nil && p.Name() == id.Name {
				return p.Imported().Path(), name
			}
		}
	}
	return "", name
}

// setOthers are the places that set variables of packages which are not the user's, or take
// their address, with the names of these.
func (t typed) setOthers(own func(path string) bool) func(yield func(ast.Node, string) bool) {
	return func(yield func(ast.Node, string) bool) {
		for _, f := range t.files {
			for n := range ast.Preorder(f) {
				for _, e := range setBy(n) {
					if from, name := t.packageOf(e); from != "" && !own(from) && !yield(n, name) {
						return
					}
				}
			}
		}
	}
}

// setBy are the expressions that a node sets, or takes the address of.
func setBy(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		return []ast.Expr{n.Key, n.Value}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return []ast.Expr{n.X}
		}
	}
	return nil
}

// selector is a name with a dot in a function.
type selector struct{ in, name string }

// selectors are the names with a dot, and the packages that they are of; empty for what is of
// none, such as a field.
func (t typed) selectors() map[selector]string {
	found := map[selector]string{}
	for _, f := range t.files {
		for _, d := range f.Decls {
			in := ""
			if fn, ok := d.(*ast.FuncDecl); ok {
				in = syntax.Key(fn)
			}
			for sel := range syntax.All[*ast.SelectorExpr](d) {
				if from, name := t.packageOf(sel); name != "" {
					at := selector{in, name}
					if had, ok := found[at]; !ok || had == "" {
						found[at] = from
					}
				}
			}
		}
	}
	return found
}

// dots are the packages whose names a file has as its own.
func dots(f *ast.File) map[string]bool {
	found := map[string]bool{}
	for name, from := range (&syntax.File{AST: f}).Imports() {
		if strings.HasPrefix(name, ".") {
			found[from] = true
		}
	}
	return found
}
