package patch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/imports"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// fixImports makes the imports of a spliced file follow its code. Only the
// import declarations change, and only when the file uses other packages than
// before.
//
// It finds packages among the imports of the reply, of the other files and of
// the standard library. It does not search the module cache, as goimports does:
// that takes seconds for a package that does not exist, which models invent.
func (w *work) fixImports(name, after string, codes []code) (string, error) {
	g, err := parseGo(name, after)
	if err != nil {
		return "", err
	}
	was, uses := w.packagesUsed(name, w.files[name]), w.packagesUsed(name, g)
	if maps.Equal(uses, was) {
		return after, nil
	}
	wanted, err := w.adjustImports(name, after, was, uses, codes)
	if err != nil {
		return "", err
	}
	out, err := imports.Process(name, wanted, &imports.Options{Comments: true, TabIndent: true, TabWidth: 8, FormatOnly: true})
	if err != nil {
		return "", err
	}
	fixed, err := parseGo(name, string(out))
	if err != nil {
		return "", err
	}
	if maps.Equal(importSet(g.ast), importSet(fixed.ast)) {
		return after, nil
	}
	return replaceImports(g, fixed), nil
}

// packagesUsed lists the x of all x.Y where x is neither declared in the file
// nor at the top level of its package.
func (w *work) packagesUsed(name string, g *goFile) map[string]bool {
	free := map[*ast.Ident]bool{}
	for _, id := range g.ast.Unresolved {
		free[id] = true
	}
	uses := map[string]bool{}
	ast.Inspect(g.ast, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && free[id] && !w.declaredInFolder(name, id.Name) {
				uses[id.Name] = true
			}
		}
		return true
	})
	return uses
}

// declaredInFolder reports whether a file's folder declares a name.
func (w *work) declaredInFolder(file, name string) bool {
	return slices.ContainsFunc(w.index[name], func(p place) bool { return dir(p.file) == dir(file) })
}

// adjustImports adds imports for the packages that are used now and were not,
// and drops those that were used and are not.
func (w *work) adjustImports(name, src string, was, uses map[string]bool, codes []code) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for n := range was {
		if uses[n] {
			continue
		}
		if s := importOf(f, n, was); s != nil {
			alias, path := splitSpec(s)
			astutil.DeleteNamedImport(fset, f, alias, path)
		}
	}
	have := map[string]bool{}
	for _, s := range f.Imports {
		have[importName(s)] = true
	}
	for _, n := range slices.Sorted(maps.Keys(uses)) {
		if have[n] || was[n] {
			continue
		}
		alias, path, ok := w.findImport(name, n, codes)
		if !ok {
			w.warn("no package %s is known to %s", n, name)
			continue
		}
		astutil.AddNamedImport(fset, f, alias, path)
	}
	return FormatNode(fset, f)
}

// importOf returns the import of a package name. A package may be called
// otherwise than its path says: then it is the only import that no name fits.
func importOf(f *ast.File, name string, names map[string]bool) *ast.ImportSpec {
	var unfit []*ast.ImportSpec
	for _, s := range f.Imports {
		switch n := importName(s); {
		case n == name:
			return s
		case n != "_" && n != "." && n != "C" && !names[n]:
			unfit = append(unfit, s)
		}
	}
	if len(unfit) == 1 {
		return unfit[0]
	}
	return nil
}

// findImport looks a package up by name: in the reply, in the other files
// (those of the same folder first), in the standard library.
func (w *work) findImport(file, name string, codes []code) (alias, path string, ok bool) {
	var specs []*ast.ImportSpec
	for _, c := range codes {
		specs = append(specs, c.ast.Imports...)
	}
	for _, sameFolder := range []bool{true, false} {
		for _, n := range w.names {
			if (dir(n) == dir(file)) == sameFolder {
				specs = append(specs, w.files[n].ast.Imports...)
			}
		}
	}
	for _, s := range specs {
		if importName(s) == name {
			alias, path = splitSpec(s)
			return alias, path, true
		}
	}
	for _, p := range standard {
		if p == name || strings.HasSuffix(p, "/"+name) {
			return "", p, true
		}
	}
	return "", "", false
}

// splitSpec returns an import's explicit name, if any, and its path.
func splitSpec(s *ast.ImportSpec) (alias, path string) {
	if s.Name != nil {
		alias = s.Name.Name
	}
	path, _ = strconv.Unquote(s.Path.Value)
	return alias, path
}

var versionPart = lazyregexp.New(`^v[0-9]+$|\.v[0-9]+$`)

// importName guesses the name by which a file knows an import.
func importName(s *ast.ImportSpec) string {
	if s.Name != nil {
		return s.Name.Name
	}
	path, _ := strconv.Unquote(s.Path.Value)
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && versionPart.MatchString(last) && !strings.Contains(last, ".") {
		last = parts[len(parts)-2]
	}
	last = versionPart.ReplaceAllString(last, "")
	return last[strings.LastIndex(last, "-")+1:]
}

func importSet(f *ast.File) map[string]bool {
	set := map[string]bool{}
	for _, s := range f.Imports {
		alias, path := splitSpec(s)
		set[alias+" "+path] = true
	}
	return set
}

// importRegion returns the bytes from the first import declaration to the
// last; nothing may be between them but comments.
func importRegion(g *goFile) (start, end int, ok bool) {
	for _, d := range g.ast.Decls {
		gen, is := d.(*ast.GenDecl)
		if !is || gen.Tok != token.IMPORT {
			break
		}
		if !ok {
			start, ok = g.offset(gen.Pos()), true
		}
		end = g.offset(gen.End())
	}
	return start, end, ok
}

// replaceImports gives one file the import declarations of another.
func replaceImports(g, from *goFile) string {
	text := ""
	if start, end, ok := importRegion(from); ok {
		text = from.src[start:end]
	}
	usual := usualEnd(g.src)
	start, end, ok := importRegion(g)
	if !ok {
		at := g.after(g.ast.Name.End())
		return g.src[:at] + keepEndings("", "\n\n"+text, usual) + g.src[at:]
	}
	text = keepEndings(g.src[start:end], text, usual)
	if text == "" { // take the blank lines after the last import with it
		rest := strings.TrimLeft(g.src[end:], "\r\n")
		return g.src[:start] + rest
	}
	return g.src[:start] + text + g.src[end:]
}
