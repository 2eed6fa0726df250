package regress

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/regular"
)

// outsider is a package of another module, as its source is written: there are no types of
// it, so a method is known by its name alone.
type outsider struct {
	declared map[string][]outsideDecl // functions, methods and variables
}

type outsideDecl struct {
	name    string // for people: "uuid.New"
	node    ast.Node
	imports map[string]string
}

// elsewhere looks at a function or a variable of another module. The standard library is
// known by surroundings alone: all of it comes to the machine somewhere.
func (r *reading) elsewhere(importPath, name string) {
	dir := r.code.Dirs[importPath]
	first, _, _ := strings.Cut(importPath, "/")
	if standard := !strings.Contains(first, ".") && strings.HasSuffix(filepath.ToSlash(dir), "/src/"+importPath); dir == "" || standard {
		return
	}
	r.later(importPath+"."+name, func() {
		for _, d := range r.sourceOf(importPath, dir).declared[name] {
			r.outsideNode(importPath, d)
		}
	})
}

func (r *reading) outsideNode(importPath string, d outsideDecl) {
	free, seen := zoneless(d.node), map[*ast.Ident]bool{}
	for n := range ast.Preorder(d.node) {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			seen[n.Sel] = true
			id, ok := n.X.(*ast.Ident)
			if !ok || d.imports[id.Name] == "" {
				r.elsewhere(importPath, n.Sel.Name)
				continue
			}
			seen[id] = true
			if what := tells(d.imports[id.Name], n.Sel.Name); what != "" && !free[n.Sel] {
				r.found(what, id.Name+"."+n.Sel.Name, d.name)
			}
			r.elsewhere(d.imports[id.Name], n.Sel.Name)
		case *ast.Ident:
			if !seen[n] {
				r.elsewhere(importPath, n.Name)
			}
		}
	}
}

// sourceOf reads a package of another module.
func (r *reading) sourceOf(importPath, dir string) *outsider {
	if p := r.outside[importPath]; p != nil {
		return p
	}
	p := &outsider{declared: map[string][]outsideDecl{}}
	r.outside[importPath] = p
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := regular.Read(name)
		if err != nil {
			continue
		}
		if file := parseText(token.NewFileSet(), string(text)); file != nil {
			p.add(file)
		}
	}
	return p
}

func (p *outsider) add(file *ast.File) {
	imports := importsOf(file)
	add := func(id *ast.Ident, node ast.Node) {
		p.declared[id.Name] = append(p.declared[id.Name], outsideDecl{file.Name.Name + "." + id.Name, node, imports})
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				add(d.Name, d.Body)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR {
					for _, id := range v.Names {
						add(id, v)
					}
				}
			}
		}
	}
}

func parseText(fset *token.FileSet, text string) *ast.File {
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	return file
}

var (
	majorVersion = lazyregexp.New(`^v[0-9]+$`)
	versionEnd   = lazyregexp.New(`\.v[0-9]+$`) // of gopkg.in
)

// importsOf are the import paths of a file by the names that stand for them, as far as the
// paths tell.
func importsOf(file *ast.File) map[string]string {
	list := map[string]string{}
	for _, s := range file.Imports {
		at, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(at)
		if majorVersion.MatchString(name) {
			name = path.Base(path.Dir(at))
		}
		if s.Name != nil {
			name = s.Name.Name
		}
		list[strings.TrimPrefix(versionEnd.ReplaceAllString(name, ""), "go-")] = at
	}
	return list
}
