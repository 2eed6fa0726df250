// Package syntax has what syntax and types alone say of the source: names, types, locks,
// the ways through a function, and nodes with what surrounds them. It knows no stop.
package syntax

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pausetui/pausetui/patch"
)

// Place is a node with all that surrounds it.
type Place struct {
	Pkg  *packages.Package
	File *ast.File
	Root inspector.Cursor // the file
	Path []ast.Node       // the node itself first, the file last
}

// Node is the innermost node.
func (p Place) Node() ast.Node { return p.Path[0] }

// Info returns the types of the package that the place is in.
func (p Place) Info() *types.Info { return p.Pkg.TypesInfo }

// Of returns the place of a node below p's file. A node that is not there is
// taken to be at its top.
func (p Place) Of(n ast.Node) Place {
	p.Path = []ast.Node{n, p.File}
	if at, ok := p.Root.FindNode(n); ok {
		p.Path = nil
		for around := range at.Enclosing() {
			p.Path = append(p.Path, around.Node())
		}
	}
	return p
}

// Statement returns the statement that a call makes up, also with defer.
func (p Place) Statement() ast.Stmt {
	if len(p.Path) > 1 {
		switch s := p.Path[1].(type) {
		case *ast.ExprStmt:
			return s
		case *ast.DeferStmt:
			return s
		}
	}
	return nil
}

// Deferred reports whether a call is deferred.
func (p Place) Deferred() bool {
	_, ok := p.Statement().(*ast.DeferStmt)
	return ok
}

// AnchorBlock is the list of statements that the place is in.
func (p Place) AnchorBlock() ast.Node {
	for i, n := range p.Path {
		if n == ast.Node(p.Anchor()) && i+1 < len(p.Path) {
			return p.Path[i+1]
		}
	}
	return nil
}

// Comm returns the clause of a select whose communication the node is; nil
// without one.
func (p Place) Comm() *ast.CommClause {
	for i := 1; i < len(p.Path); i++ {
		switch n := p.Path[i].(type) {
		case *ast.CommClause:
			if n.Comm == p.Path[i-1] {
				return n
			}
			return nil
		case *ast.BlockStmt:
			return nil
		}
	}
	return nil
}

// Sees reports whether the name of an object means it at the place.
func (p Place) Sees(o types.Object) bool {
	scope := p.Pkg.Types.Scope().Innermost(p.Node().Pos())
	if scope == nil {
		return false
	}
	_, visible := scope.LookupParent(o.Name(), p.Node().Pos())
	return visible == o
}

// Contains reports whether a position is in a node.
func Contains(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

// Outside returns the place of the node around p's.
func (p Place) Outside() Place {
	p.Path = p.Path[1:]
	return p
}

// Function returns the innermost function around the node: a *ast.FuncDecl or
// *ast.FuncLit; nil outside of functions.
func (p Place) Function() ast.Node {
	for _, n := range p.Path {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return n
		}
	}
	return nil
}

// Declaration returns the function declaration around the node; nil without one.
func (p Place) Declaration() *ast.FuncDecl {
	for _, n := range p.Path {
		if d, ok := n.(*ast.FuncDecl); ok {
			return d
		}
	}
	return nil
}

// BodyOf returns the body of a function declaration or literal; nil for other nodes.
func BodyOf(fn ast.Node) *ast.BlockStmt {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return fn.Body
	case *ast.FuncLit:
		return fn.Body
	}
	return nil
}

// TypeOfFunc returns the signature of a function declaration or literal; nil for other
// nodes.
func TypeOfFunc(fn ast.Node) *ast.FuncType {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return fn.Type
	case *ast.FuncLit:
		return fn.Type
	}
	return nil
}

// Signature returns the type of the innermost function.
func (p Place) Signature() *types.Signature {
	switch fn := p.Function().(type) {
	case *ast.FuncDecl:
		if obj, ok := p.Info().Defs[fn.Name].(*types.Func); ok {
			return obj.Type().(*types.Signature)
		}
	case *ast.FuncLit:
		if sig, ok := p.Info().TypeOf(fn).(*types.Signature); ok {
			return sig
		}
	}
	return nil
}

// Anchor returns the innermost statement around the node that is in a list
// of statements of the same function, so that others can be put before it.
func (p Place) Anchor() ast.Stmt {
	for i := 0; i+1 < len(p.Path); i++ {
		switch p.Path[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			if i > 0 {
				return nil
			}
		}
		s, ok := p.Path[i].(ast.Stmt)
		switch s.(type) {
		case *ast.CaseClause, *ast.CommClause:
			ok = false // what is before it is another case
		}
		if !ok {
			continue
		}
		switch parent := p.Path[i+1].(type) {
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

// Loop returns the innermost for or range statement of the same function whose
// body holds the node; nil without one.
func (p Place) Loop() ast.Stmt {
	for i := 1; i < len(p.Path); i++ {
		switch n := p.Path[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return nil
		case *ast.ForStmt:
			if p.Path[i-1] == n.Body {
				return n
			}
		case *ast.RangeStmt:
			if p.Path[i-1] == n.Body {
				return n
			}
		}
	}
	return nil
}

// Loops returns all for and range statements of the same function around the
// node, the innermost first, also those in whose header it stands.
func (p Place) Loops() []ast.Stmt {
	var list []ast.Stmt
	for _, n := range p.Path {
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

// Object returns what an identifier or the last part of a selector names.
func (p Place) Object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return p.Info().ObjectOf(e)
	case *ast.SelectorExpr:
		return p.Info().ObjectOf(e.Sel)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return p.Object(e.X)
		}
	case *ast.StarExpr:
		return p.Object(e.X)
	}
	return nil
}

// Callee returns the function or method that a call names; nil for function values and built-ins.
func (p Place) Callee(call *ast.CallExpr) *types.Func {
	fn, _ := typeutil.Callee(p.Info(), call).(*types.Func)
	return fn
}

// Builtin returns the name of the built-in function that a call names.
func (p Place) Builtin(e ast.Expr) (string, *ast.CallExpr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return "", nil
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if _, ok := p.Info().Uses[id].(*types.Builtin); ok {
			return id.Name, call
		}
	}
	return "", nil
}

// FuncName names a function for people: "NewIndex", "(*Index).Add" becomes "Index.Add".
func FuncName(fn ast.Node) string {
	d, ok := fn.(*ast.FuncDecl)
	if !ok {
		return "the function literal"
	}
	return patch.FuncKey(d)
}

// Top returns the statement of the function's outermost list that holds the node.
func (p Place) Top() ast.Stmt {
	body := BodyOf(p.Function())
	for i, n := range p.Path {
		if i+1 < len(p.Path) && p.Path[i+1] == ast.Node(body) {
			s, _ := n.(ast.Stmt)
			return s
		}
	}
	return nil
}
