package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pausetui/pausetui/patch"
)

// place is a node with all that surrounds it.
type place struct {
	pkg  *packages.Package
	file *ast.File
	root inspector.Cursor // the file
	path []ast.Node       // the node itself first, the file last
}

// in returns the place of a file.
func (f *code) in(pkg *packages.Package, file *ast.File) place {
	root, ok := f.roots[file]
	if !ok {
		root, _ = inspector.New([]*ast.File{file}).Root().FirstChild()
		f.roots[file] = root
	}
	return place{pkg: pkg, file: file, root: root, path: []ast.Node{file}}
}

// node is the innermost node.
func (p place) node() ast.Node { return p.path[0] }

func (p place) info() *types.Info { return p.pkg.TypesInfo }

// of returns the place of a node below p's file. A node that is not there is
// taken to be at its top.
func (p place) of(n ast.Node) place {
	p.path = []ast.Node{n, p.file}
	if at, ok := p.root.FindNode(n); ok {
		p.path = nil
		for around := range at.Enclosing() {
			p.path = append(p.path, around.Node())
		}
	}
	return p
}

// outside returns the place of the node around p's.
func (p place) outside() place {
	p.path = p.path[1:]
	return p
}

// function returns the innermost function around the node: a *ast.FuncDecl or
// *ast.FuncLit; nil outside of functions.
func (p place) function() ast.Node {
	for _, n := range p.path {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return n
		}
	}
	return nil
}

// declaration returns the function declaration around the node; nil without one.
func (p place) declaration() *ast.FuncDecl {
	for _, n := range p.path {
		if d, ok := n.(*ast.FuncDecl); ok {
			return d
		}
	}
	return nil
}

func bodyOf(fn ast.Node) *ast.BlockStmt {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return fn.Body
	case *ast.FuncLit:
		return fn.Body
	}
	return nil
}

func typeOfFunc(fn ast.Node) *ast.FuncType {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return fn.Type
	case *ast.FuncLit:
		return fn.Type
	}
	return nil
}

// signature returns the type of the innermost function.
func (p place) signature() *types.Signature {
	switch fn := p.function().(type) {
	case *ast.FuncDecl:
		if obj, ok := p.info().Defs[fn.Name].(*types.Func); ok {
			return obj.Type().(*types.Signature)
		}
	case *ast.FuncLit:
		if sig, ok := p.info().TypeOf(fn).(*types.Signature); ok {
			return sig
		}
	}
	return nil
}

// anchor returns the innermost statement around the node that is in a list
// of statements of the same function, so that others can be put before it.
func (p place) anchor() ast.Stmt {
	for i := 0; i+1 < len(p.path); i++ {
		switch p.path[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			if i > 0 {
				return nil
			}
		}
		s, ok := p.path[i].(ast.Stmt)
		switch s.(type) {
		case *ast.CaseClause, *ast.CommClause:
			ok = false // what is before it is another case
		}
		if !ok {
			continue
		}
		switch parent := p.path[i+1].(type) {
		case *ast.BlockStmt:
			return s
		case *ast.CaseClause:
			return s
		case *ast.CommClause:
			if parent.Comm != s {
				return s
			}
		}
	}
	return nil
}

// loop returns the innermost for or range statement of the same function whose
// body holds the node; nil without one.
func (p place) loop() ast.Stmt {
	for i := 1; i < len(p.path); i++ {
		switch n := p.path[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return nil
		case *ast.ForStmt:
			if p.path[i-1] == n.Body {
				return n
			}
		case *ast.RangeStmt:
			if p.path[i-1] == n.Body {
				return n
			}
		}
	}
	return nil
}

// loops returns all for and range statements of the same function around the
// node, the innermost first, also those in whose header it stands.
func (p place) loops() []ast.Stmt {
	var list []ast.Stmt
	for _, n := range p.path {
		switch n := n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return list
		case *ast.ForStmt:
			list = append(list, n)
		case *ast.RangeStmt:
			list = append(list, n)
		}
	}
	return list
}

// object returns what an identifier or the last part of a selector names.
func (p place) object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return p.info().ObjectOf(e)
	case *ast.SelectorExpr:
		return p.info().ObjectOf(e.Sel)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return p.object(e.X)
		}
	case *ast.StarExpr:
		return p.object(e.X)
	}
	return nil
}

// callee returns the function or method that a call names; nil for function values and built-ins.
func (p place) callee(call *ast.CallExpr) *types.Func {
	fn, _ := typeutil.Callee(p.info(), call).(*types.Func)
	return fn
}

// builtin returns the name of the built-in function that a call names.
func (p place) builtin(e ast.Expr) (string, *ast.CallExpr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return "", nil
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if _, ok := p.info().Uses[id].(*types.Builtin); ok {
			return id.Name, call
		}
	}
	return "", nil
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
func (f *code) each(visit func(place)) {
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

// funcName names a function for people: "NewIndex", "(*Index).Add" becomes "Index.Add".
func funcName(fn ast.Node) string {
	d, ok := fn.(*ast.FuncDecl)
	if !ok {
		return "the function literal"
	}
	return patch.FuncKey(d)
}
