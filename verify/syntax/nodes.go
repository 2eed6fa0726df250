package syntax

import (
	"go/ast"
	"go/token"
	"iter"
	"strings"
)

// All are the nodes of one type in a node, in the order of the text.
func All[N ast.Node](in ast.Node) iter.Seq[N] {
	return func(yield func(N) bool) {
		for n := range ast.Preorder(in) {
			if n, ok := n.(N); ok && !yield(n) {
				return
			}
		}
	}
}

// Literals are the function literals in a node that are in no other.
func Literals(in ast.Node) (list []*ast.FuncLit) {
	ast.Inspect(in, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if ok {
			list = append(list, lit)
		}
		return !ok
	})
	return list
}

// LastName is the last name of an expression: "mu" of "s.inner.mu"; empty without one.
func LastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr:
		return LastName(e.X)
	case *ast.StarExpr:
		return LastName(e.X)
	case *ast.UnaryExpr:
		return LastName(e.X)
	}
	return ""
}

// Called is the name of the function or method that a call is of.
func Called(call *ast.CallExpr) string {
	f := call.Fun
	if i, ok := f.(*ast.IndexExpr); ok { // with a type argument
		f = i.X
	}
	return LastName(f)
}

// Failure is the status of all calls of os.Exit with a number other than 0.
const Failure = "failure"

// ExitStatus tells calls of os.Exit apart that end the program in different ways: Failure,
// the status as it is written, or "computed".
func (f *File) ExitStatus(call *ast.CallExpr) string {
	if len(call.Args) != 1 {
		return ""
	}
	if l, ok := call.Args[0].(*ast.BasicLit); ok && l.Kind == token.INT && strings.Trim(l.Value, "0xXbBoO_") != "" {
		return Failure
	}
	for range All[*ast.CallExpr](call.Args[0]) {
		return "computed"
	}
	return f.Code(call.Args[0])
}

// Parameter is the name of a function's only parameter; "_" without one.
func Parameter(fn *ast.FuncDecl) string {
	if list := fn.Type.Params.List; len(list) == 1 && len(list[0].Names) == 1 {
		return list[0].Names[0].Name
	}
	return "_"
}

// Body returns the block of a loop, a switch, a select or a block; nil of other statements.
func Body(s ast.Stmt) *ast.BlockStmt {
	switch s := s.(type) {
	case *ast.ForStmt:
		return s.Body
	case *ast.RangeStmt:
		return s.Body
	case *ast.SwitchStmt:
		return s.Body
	case *ast.TypeSwitchStmt:
		return s.Body
	case *ast.SelectStmt:
		return s.Body
	case *ast.BlockStmt:
		return s
	}
	return nil
}

// List returns the statements in a loop, a switch, a select or a block.
func List(s ast.Stmt) []ast.Stmt {
	if body := Body(s); body != nil {
		return body.List
	}
	return nil
}

// ClauseBody returns the statements of a clause of a switch or a select.
func ClauseBody(clause ast.Stmt) []ast.Stmt {
	switch c := clause.(type) {
	case *ast.CaseClause:
		return c.Body
	case *ast.CommClause:
		return c.Body
	}
	return nil
}

// IsPanic reports whether a statement is a call of panic.
func IsPanic(s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, ok := call.Fun.(*ast.Ident)
	return ok && name.Name == "panic"
}

// Ends reports whether a call ends the program: os.Exit, log.Fatal and its kin.
func Ends(call *ast.CallExpr) bool {
	fn, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	from, ok := fn.X.(*ast.Ident)
	switch fn.Sel.Name {
	case "Exit":
		return ok && from.Name == "os"
	case "Fatal", "Fatalf", "Fatalln":
		return true
	}
	return false
}
