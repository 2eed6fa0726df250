package effect

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
)

// recovers reports whether a call recovers: a function literal in it, or the
// function of the file that it calls.
func (b *function) recovers(call *ast.CallExpr) bool {
	if match.Recovers(call) {
		return true
	}
	for _, fn := range b.after.functions() {
		if fn.Body != nil && fn.Name.Name == syntax.LastName(call.Fun) && match.Recovers(fn.Body) {
			return true
		}
	}
	return false
}

// tells reports whether what was recovered is passed on, there or in the function
// of the file that is called: panicked again, or made an error that a result
// takes.
func (b *function) tells(node ast.Node) bool {
	if call, ok := node.(*ast.CallExpr); ok && !match.Recovers(call) {
		for _, fn := range b.after.functions() {
			if fn.Body != nil && fn.Name.Name == syntax.LastName(call.Fun) && match.Recovers(fn.Body) {
				inner := &function{fileComparison: b.fileComparison, name: b.name, fn: fn, typ: fn.Type}
				return inner.tells(fn.Body)
			}
		}
	}
	found := false
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "panic" {
				found = true
			}
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				found = found || n.Tok == token.ASSIGN && b.isErrorResult(l)
			}
		}
		return !found
	})
	return found
}

// isErrorResult reports whether the expression is a named result of type error.
func (b *function) isErrorResult(e ast.Expr) bool {
	if p, ok := e.(*ast.StarExpr); ok { // of the function that deferred this one
		return strings.HasPrefix(strings.ToLower(syntax.LastName(p)), "err")
	}
	id, ok := e.(*ast.Ident)
	if !ok || b.fn.Type.Results == nil {
		return false
	}
	for _, f := range b.fn.Type.Results.List {
		if t, ok := f.Type.(*ast.Ident); ok && t.Name == "error" {
			for _, n := range f.Names {
				if n.Name == id.Name {
					return true
				}
			}
		}
	}
	return false
}

// deferred looks at a new deferred call.
func (b walk) deferred(s *ast.DeferStmt) {
	switch {
	case !b.recovers(s.Call):
	case b.tells(s.Call):
		if b.report.Skips == "" {
			b.report.Skips = "recovers from the panic and makes an error of it"
		}
	default:
		b.report.Hides = "recovers from the panic"
	}
}
