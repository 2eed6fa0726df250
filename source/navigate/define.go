package navigate

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/regular"
)

// Definition finds where the name at a place is declared: of a package's name
// or an import the file that speaks for the package, of what the language
// brings along its mention in package builtin. Asked at the declaration of an
// interface, or of a method of one, it lists the implementations among the
// user's types.
func (p *Program) Definition(ctx context.Context, at At) (Answer, error) {
	s, err := p.find(ctx, at)
	if err != nil {
		return Answer{}, err
	}
	if place, name, ok := p.packageAt(s); ok {
		return one(texts{}.hit(place, name, "package "+name, ""))
	}
	id := s.ident()
	if id == nil {
		return Answer{}, ErrNoName
	}
	obj := objectOf(s, id)
	if obj == nil {
		if isDeclared(s, id) {
			return one(texts{}.hit(at.Place, id.Name, id.Name, ""))
		}
		return Answer{}, unknown(s, id)
	}
	found, err := p.declaration(s, obj)
	if err != nil {
		return Answer{}, err
	}
	if found.File == at.File && found.Line == at.Line && sameColumn(found.Column, at.Column, id.Name) {
		if list := p.implementations(s, obj); len(list.Hits) > 0 {
			return list, nil
		}
	}
	return one(found)
}

// sameColumn reports whether a column lies within a name that begins at another.
func sameColumn(start, at int, name string) bool { return at >= start && at <= start+len(name) }

func one(h Hit) (Answer, error) {
	return Answer{Title: "Definition of " + h.Name, Hits: []Hit{h}}, nil
}

// objectOf is what a name means. An embedded field means its type.
func objectOf(s spot, id *ast.Ident) types.Object {
	info := s.pkg.TypesInfo
	obj := info.Uses[id]
	if obj == nil {
		obj = info.Defs[id]
	}
	switch o := obj.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	case nil:
		return nil // not an interface that holds a nil pointer
	}
	return obj
}

// isDeclared tells a name that is a declaration without an object: that of the
// package, or the variable of a type switch.
func isDeclared(s spot, id *ast.Ident) bool {
	_, ok := s.pkg.TypesInfo.Defs[id]
	return ok
}

func unknown(s spot, id *ast.Ident) error {
	if len(s.path) > 1 {
		if sel, ok := s.path[1].(*ast.SelectorExpr); ok && sel.Sel == id {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "C" {
				return fmt.Errorf("%s is C code: cgo's names are not followed", id.Name)
			}
		}
	}
	if len(s.pkg.Errors) > 0 {
		return fmt.Errorf("%s: %w: %s", id.Name, ErrUnknown, s.pkg.Errors[0].Msg)
	}
	return fmt.Errorf("%s: %w", id.Name, ErrUnknown)
}

// declaration is where an object is declared.
func (p *Program) declaration(s spot, obj types.Object) (Hit, error) {
	label := labelOf(obj)
	if obj.Pkg() == nil || obj.Pkg().Path() == "unsafe" {
		place, ok := p.predeclared(s, obj)
		if !ok {
			return Hit{}, fmt.Errorf("%s is part of the language", obj.Name())
		}
		return texts{}.hit(place, obj.Name(), label, ""), nil
	}
	if !obj.Pos().IsValid() {
		return Hit{}, fmt.Errorf("%s: nothing says where it is declared", label)
	}
	at := s.code.Fset.PositionFor(obj.Pos(), false)
	file := at.Filename
	if _, err := os.Stat(file); err != nil { // a trimmed path
		if dir := s.code.Dirs[obj.Pkg().Path()]; dir != "" {
			file = filepath.Join(dir, path.Base(filepath.ToSlash(file)))
		}
	}
	return texts{}.hit(Place{file, at.Line, at.Column}, obj.Name(), label, ""), nil
}

// labelOf names an object as the panes name functions: "store.(*Stack).Push",
// without a package where that is main.
func labelOf(obj types.Object) string {
	prefix := ""
	if pkg := obj.Pkg(); pkg != nil && pkg.Name() != "main" {
		prefix = pkg.Name() + "."
	}
	if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil {
		name := types.TypeString(f.Signature().Recv().Type(), func(*types.Package) string { return "" })
		name, _, _ = strings.Cut(name, "[")
		if strings.HasPrefix(name, "*") {
			name = "(" + name + ")"
		}
		return prefix + name + "." + f.Name()
	}
	if pkg := obj.Pkg(); pkg != nil && obj.Parent() == pkg.Scope() {
		return prefix + obj.Name()
	}
	return obj.Name()
}

// packageAt is the package that is named at a spot: by an import, or before a
// dot.
func (p *Program) packageAt(s spot) (at Place, name string, ok bool) {
	for _, n := range s.path {
		if spec, isImport := n.(*ast.ImportSpec); isImport {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return Place{}, "", false
			}
			return p.packagePlace(s, resolveImport(s, spec, imported))
		}
	}
	id := s.ident()
	if id == nil {
		return Place{}, "", false
	}
	if pkgName, isName := s.pkg.TypesInfo.Uses[id].(*types.PkgName); isName {
		return p.packagePlace(s, pkgName.Imported().Path())
	}
	return Place{}, "", false
}

// resolveImport is the package that an import means, which in vendored code is
// not always the one it spells.
func resolveImport(s spot, spec *ast.ImportSpec, spelled string) string {
	obj := s.pkg.TypesInfo.Implicits[spec]
	if spec.Name != nil {
		obj = s.pkg.TypesInfo.Defs[spec.Name]
	}
	if pkgName, ok := obj.(*types.PkgName); ok {
		return pkgName.Imported().Path()
	}
	return spelled
}

// packagePlace is the file that speaks for a package: the one with its comment,
// or of its name, or the first.
func (p *Program) packagePlace(s spot, importPath string) (Place, string, bool) {
	dir := s.code.Dirs[importPath]
	if dir == "" && importPath == "unsafe" {
		dir = filepath.Join(goroot(s), "unsafe")
	}
	entries, err := os.ReadDir(dir)
	if dir == "" || err != nil {
		return Place{}, "", false
	}
	base := path.Base(importPath)
	best, rank := Place{}, 0
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		syntax, _ := regular.Parse(set, filepath.Join(dir, name), parser.ParseComments|parser.PackageClauseOnly)
		if syntax == nil || syntax.Name.Name == "main" && base != "main" && best.File != "" {
			continue
		}
		r := 1
		switch {
		case name == "doc.go":
			r = 4
		case syntax.Doc != nil && name == base+".go":
			r = 3
		case syntax.Doc != nil || name == base+".go":
			r = 2
		}
		if r > rank {
			at := set.PositionFor(syntax.Name.Pos(), false)
			best, rank = Place{at.Filename, at.Line, at.Column}, r
			base = syntax.Name.Name
		}
	}
	return best, base, rank > 0
}

// goroot is the directory of the standard library's source; empty when it is
// not known.
func goroot(s spot) string {
	if dir := s.code.Dirs["runtime"]; dir != "" {
		return filepath.Dir(dir)
	}
	return ""
}

// predeclared finds what the language brings along, in the files that document
// it.
func (p *Program) predeclared(s spot, obj types.Object) (Place, bool) {
	file := filepath.Join(goroot(s), "builtin", "builtin.go")
	if pkg := obj.Pkg(); pkg != nil {
		file = filepath.Join(goroot(s), "unsafe", "unsafe.go")
	}
	set := token.NewFileSet()
	syntax, err := regular.Parse(set, file, parser.SkipObjectResolution)
	if err != nil {
		return Place{}, false
	}
	place := Place{}
	ast.Inspect(syntax, func(n ast.Node) bool {
		if place.File != "" {
			return false
		}
		for _, id := range declaredBy(n) {
			if id.Name == obj.Name() {
				at := set.PositionFor(id.Pos(), false)
				place = Place{at.Filename, at.Line, at.Column}
			}
		}
		_, body := n.(*ast.BlockStmt)
		return !body
	})
	return place, place.File != ""
}

func declaredBy(n ast.Node) []*ast.Ident {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return []*ast.Ident{n.Name}
	case *ast.TypeSpec:
		return []*ast.Ident{n.Name}
	case *ast.ValueSpec:
		return n.Names
	case *ast.InterfaceType: // error's only method
		var out []*ast.Ident
		for _, f := range n.Methods.List {
			out = append(out, f.Names...)
		}
		return out
	}
	return nil
}
