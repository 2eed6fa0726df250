package workspace

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// Code is loaded syntax and types of the user's packages. All packages share
// Fset. Read-only once loaded, but for what Open adds.
type Code struct {
	Fset     *token.FileSet
	Packages []*packages.Package // the user's, in dependency order
	// Dirs holds the directory of each package that the program is built from,
	// dependencies and the standard library included, by import path.
	Dirs map[string]string

	loader *loader // that made it; nil for one that was put together by hand
	opened opened

	indexed sync.Once
	index   *Index
}

// Func is a function declaration with the package and file it is in.
type Func struct {
	Package *packages.Package
	File    *ast.File
	Decl    *ast.FuncDecl
	Object  *types.Func
}

// FuncAt returns the function declaration around a line of a file; closures
// belong to the declaration they are in.
func (c *Code) FuncAt(file string, line int) (Func, bool) {
	pkg, syntax, ok := c.FileOf(file)
	if !ok {
		return c.funcMadeFrom(file, line)
	}
	for _, d := range syntax.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if c.Fset.Position(fn.Pos()).Line <= line && line <= c.Fset.Position(fn.End()).Line {
			return funcOf(pkg, syntax, fn), true
		}
	}
	return Func{}, false
}

func funcOf(pkg *packages.Package, file *ast.File, fn *ast.FuncDecl) Func {
	object, _ := pkg.TypesInfo.Defs[fn.Name].(*types.Func)
	return Func{Package: pkg, File: file, Decl: fn, Object: object}
}

// funcMadeFrom finds a function by a line of the file that it was generated from,
// as //line directives name it.
func (c *Code) funcMadeFrom(file string, line int) (Func, bool) {
	for _, pkg := range c.Packages {
		for _, syntax := range pkg.Syntax {
			if !slices.ContainsFunc(syntax.Comments, func(g *ast.CommentGroup) bool { return slices.ContainsFunc(g.List, lineDirective) }) {
				continue
			}
			for _, d := range syntax.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && c.madeFrom(fn, file, line) {
					return funcOf(pkg, syntax, fn), true
				}
			}
		}
	}
	return Func{}, false
}

func (c *Code) madeFrom(fn *ast.FuncDecl, file string, line int) bool {
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		if n != nil && !found {
			at := c.Fset.Position(n.Pos())
			found = at.Line == line && at.Filename == file
		}
		return !found
	})
	return found
}

func lineDirective(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//line ") }

// FileOf returns the syntax of a file (absolute path) and its package.
func (c *Code) FileOf(file string) (*packages.Package, *ast.File, bool) {
	for _, pkg := range c.Packages {
		for _, f := range pkg.Syntax {
			if c.Fset.Position(f.FileStart).Filename == file {
				return pkg, f, true
			}
		}
	}
	return nil, nil, false
}

// StatementAt returns the innermost statement that begins at or spans the line
// and does not contain a smaller one there; nil without one.
func (c *Code) StatementAt(file string, line int) ast.Stmt {
	fn, ok := c.FuncAt(file, line)
	if !ok || fn.Decl.Body == nil {
		return nil
	}
	var best ast.Stmt
	ast.Inspect(fn.Decl.Body, func(n ast.Node) bool {
		if n == nil || c.Fset.Position(n.Pos()).Line > line || c.Fset.Position(n.End()).Line < line {
			return false
		}
		if s, ok := n.(ast.Stmt); ok {
			if _, block := s.(*ast.BlockStmt); !block {
				best = s
			}
		}
		return true
	})
	return best
}
