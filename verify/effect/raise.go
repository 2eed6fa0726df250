package effect

import (
	"go/ast"
	"slices"

	"github.com/pausetui/pausetui/verify/syntax"
)

// raises reports whether a call panics, whatever it is given: panic itself, or a function of
// the package that ends with a panic. Parsers report their errors so, and recover them.
func (b *function) raises(call *ast.CallExpr) bool {
	if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "panic" {
		return true
	}
	return b.raisers()[syntax.LastName(call.Fun)]
}

// raisers are the names of the functions and methods of the changed packages that panic
// whatever they are given.
func (c *comparison) raisers() map[string]bool {
	if c.raising != nil {
		return c.raising
	}
	c.raising = map[string]bool{}
	texts := c.texts
	for _, p := range c.packages {
		if p.Own {
			texts = append(texts, p.Texts...)
		}
	}
	for _, text := range texts {
		f := syntax.Parse(text)
		if f == nil {
			continue
		}
		for _, d := range f.AST.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && fn.Body != nil && slices.ContainsFunc(fn.Body.List, syntax.IsPanic) && !mayLeave(fn.Body) && !recovers(fn.Body) {
				c.raising[fn.Name.Name] = true
			}
		}
	}
	return c.raising
}

// mayLeave reports whether a function has a way out of its own.
func mayLeave(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = true
		}
		return !found
	})
	return found
}
