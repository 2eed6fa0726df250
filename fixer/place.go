package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"

	"github.com/pausetui/pausetui/fixer/syntax"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"
)

// in returns the place of a file.
func (f *code) in(pkg *packages.Package, file *ast.File) syntax.Place {
	root, ok := f.roots[file]
	if !ok {
		root, _ = inspector.New([]*ast.File{file}).Root().FirstChild()
		f.roots[file] = root
	}
	return syntax.Place{Pkg: pkg, File: file, Root: root, Path: []ast.Node{file}}
}

// same reports whether two objects are one, also when one was read from export data.
func (f *code) same(a, b types.Object) bool {
	if a == nil || b == nil {
		return false
	}
	if a == b {
		return true
	}
	if a.Pkg() == nil || b.Pkg() == nil || a.Name() != b.Name() || a.Pkg().Path() != b.Pkg().Path() {
		return false
	}
	x, y := f.c.Code.Fset.Position(a.Pos()), f.c.Code.Fset.Position(b.Pos())
	return x.IsValid() && x.Line == y.Line && filepath.Base(x.Filename) == filepath.Base(y.Filename)
}

func (f *code) line(pos token.Pos) int { return f.c.Code.Fset.Position(pos).Line }

// where names a position as people do: "index.go:18".
func (f *code) where(pos token.Pos) string {
	p := f.c.Code.Fset.Position(pos)
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

// relWhere is where with the path relative to the module root.
func (f *code) relWhere(pos token.Pos) string {
	p := f.c.Code.Fset.Position(pos)
	return fmt.Sprintf("%s:%d", f.c.Workspace.Rel(p.Filename), p.Line)
}

func (f *code) relLine(file string, line int) string {
	return fmt.Sprintf("%s:%d", f.c.Workspace.Rel(file), line)
}

// each visits every file of the user's packages.
func (f *code) each(visit func(syntax.Place)) {
	seen := map[string]bool{}
	for _, pkg := range f.c.Code.Packages {
		for _, file := range pkg.Syntax {
			name := f.c.Code.Fset.Position(file.FileStart).Filename
			if seen[name] || !f.c.Workspace.Owns(name) {
				continue
			}
			seen[name] = true
			visit(f.in(pkg, file))
		}
	}
}
