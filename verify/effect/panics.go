package effect

import (
	"go/ast"
	"maps"
	"slices"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
)

// panics reports whether a call panics, whatever it is given: panic itself, or a function of
// the package that ends with a panic. Parsers report their errors so, and recover them.
func (b *function) panics(call *ast.CallExpr) bool {
	if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "panic" {
		return true
	}
	return b.panicking()[syntax.LastName(call.Fun)]
}

// panicking are the names of the functions and methods of the changed packages that panic
// whatever they are given.
func (c *comparison) panicking() map[string]bool {
	if c.panics != nil {
		return c.panics
	}
	c.panics = map[string]bool{}
	texts := c.texts
	for _, p := range c.packages {
		if p.Own {
			texts = append(texts, p.Texts...)
		}
	}
	other := map[string]bool{} // some of that name return
	for _, text := range texts {
		f := syntax.Parse(text)
		if f == nil {
			continue
		}
		for _, d := range f.AST.Decls {
			fn, ok := d.(*ast.FuncDecl)
			switch {
			case !ok || fn.Body == nil:
			case slices.ContainsFunc(fn.Body.List, syntax.IsPanic) && !mayLeave(fn.Body) && !match.Recovers(fn.Body):
				c.panics[fn.Name.Name] = true
			default:
				other[fn.Name.Name] = true
			}
		}
	}
	maps.DeleteFunc(c.panics, func(name string, _ bool) bool { return other[name] })
	return c.panics
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
