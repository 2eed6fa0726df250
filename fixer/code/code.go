// Package code reads the user's source: texts, positions, definitions and calls, and the
// places that create values of a struct. It collects changes of it as splices of text.
package code

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/source/evidence"
)

// Code is the user's source: texts, positions, declarations.
type Code struct {
	Case    evidence.Case
	Sources map[string]string // contents of files by absolute path
	roots   map[*ast.File]inspector.Cursor
}

// New reads the source of a case; sources are the contents of files that were read already.
func New(c evidence.Case, sources map[string]string) *Code {
	return &Code{Case: c, Sources: sources, roots: map[*ast.File]inspector.Cursor{}}
}

// Source returns a file's text, as it is on disk now.
func (f *Code) Source(file string) string {
	if text, ok := f.Sources[file]; ok {
		return text
	}
	data, err := regular.Read(file)
	text := string(data)
	if err != nil {
		text = ""
	}
	f.Sources[file] = text
	return text
}

// Text returns the source of a node.
func (f *Code) Text(n ast.Node) string {
	from, to := f.Case.Code.Fset.PositionFor(n.Pos(), false), f.Case.Code.Fset.PositionFor(n.End(), false)
	src := f.Source(from.Filename)
	if from.Offset > to.Offset || to.Offset > len(src) {
		return ""
	}
	return src[from.Offset:to.Offset]
}

// FunctionAt returns the declaration around the line of a frame.
func (f *Code) FunctionAt(frame debugger.Frame) (syntax.Place, bool) {
	fn, ok := f.Case.Code.FuncAt(frame.File, frame.Line)
	if ok {
		return f.in(fn.Package, fn.File).Of(fn.Decl), true
	}
	// A package-level variable whose initializer stopped, maybe in a closure.
	pkg, file, ok := f.Case.Code.FileOf(frame.File)
	if !ok {
		return syntax.Place{}, false
	}
	for _, d := range file.Decls {
		if f.Line(d.Pos()) <= frame.Line && frame.Line <= f.Line(d.End()) {
			return f.in(pkg, file).Of(d), true
		}
	}
	return syntax.Place{}, false
}

// LineOf returns the line that the compiler gives a node: that of its
// operator, bracket, parenthesis or selector.
func (f *Code) LineOf(n ast.Node) int {
	pos := n.Pos()
	switch n := n.(type) {
	case *ast.BinaryExpr:
		pos = n.OpPos
	case *ast.IndexExpr:
		pos = n.Lbrack
	case *ast.SliceExpr:
		pos = n.Lbrack
	case *ast.CallExpr:
		pos = n.Lparen
	case *ast.SelectorExpr:
		pos = n.X.End()
	case *ast.TypeAssertExpr:
		pos = n.Lparen
	case *ast.AssignStmt:
		pos = n.TokPos
	case *ast.IncDecStmt:
		pos = n.TokPos
	case *ast.SendStmt:
		pos = n.Arrow
	}
	return f.Line(pos)
}

// OwnsPackage reports whether a package is the user's.
func (f *Code) OwnsPackage(pkg *types.Package) bool {
	if pkg == nil {
		return false
	}
	for _, p := range f.Case.Code.Packages {
		if p.PkgPath == pkg.Path() {
			return true
		}
	}
	return false
}

// in returns the place of a file.
func (f *Code) in(pkg *packages.Package, file *ast.File) syntax.Place {
	root, ok := f.roots[file]
	if !ok {
		root, _ = inspector.New([]*ast.File{file}).Root().FirstChild()
		f.roots[file] = root
	}
	return syntax.Place{Pkg: pkg, File: file, Root: root, Path: []ast.Node{file}}
}

// Same reports whether two objects are one, also when one was read from export data.
func (f *Code) Same(a, b types.Object) bool {
	if a == nil || b == nil {
		return false
	}
	if a == b {
		return true
	}
	if a.Pkg() == nil || b.Pkg() == nil || a.Name() != b.Name() || a.Pkg().Path() != b.Pkg().Path() {
		return false
	}
	x, y := f.Case.Code.Fset.Position(a.Pos()), f.Case.Code.Fset.Position(b.Pos())
	return x.IsValid() && x.Line == y.Line && filepath.Base(x.Filename) == filepath.Base(y.Filename)
}

// Line returns the line of a position.
func (f *Code) Line(pos token.Pos) int { return f.Case.Code.Fset.Position(pos).Line }

// Where names a position as people do: "index.go:18".
func (f *Code) Where(pos token.Pos) string {
	p := f.Case.Code.Fset.Position(pos)
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

// RelWhere is where with the path relative to the module root.
func (f *Code) RelWhere(pos token.Pos) string {
	p := f.Case.Code.Fset.Position(pos)
	return fmt.Sprintf("%s:%d", f.Case.Workspace.Rel(p.Filename), p.Line)
}

// RelLine names a line by its path relative to the module root.
func (f *Code) RelLine(file string, line int) string {
	return fmt.Sprintf("%s:%d", f.Case.Workspace.Rel(file), line)
}

// Each visits every file of the user's packages.
func (f *Code) Each(visit func(syntax.Place)) {
	seen := map[string]bool{}
	for _, pkg := range f.Case.Code.Packages {
		for _, file := range pkg.Syntax {
			name := f.Case.Code.Fset.Position(file.FileStart).Filename
			if seen[name] || !f.Case.Workspace.Owns(name) {
				continue
			}
			seen[name] = true
			visit(f.in(pkg, file))
		}
	}
}
