package effect

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/pausetui/pausetui/verify/effect/match"
)

// typedNil reports whether a return that gives nil now gave a nil pointer in an
// interface before: the variable was of another type than the result.
func (b *function) typedNil(old, now *ast.ReturnStmt) bool {
	was := b.before.functions()[b.name]
	if len(old.Results) != 1 || len(now.Results) != 1 || !match.IsNil(now.Results[0]) || was == nil || was.Type.Results == nil {
		return false
	}
	id, ok := old.Results[0].(*ast.Ident)
	found := false
	ast.Inspect(was.Body, func(n ast.Node) bool {
		if v, is := n.(*ast.ValueSpec); ok && is && v.Type != nil && len(v.Values) == 0 && v.Names[0].Name == id.Name {
			_, pointer := v.Type.(*ast.StarExpr)
			found = pointer && b.before.code(v.Type) != b.before.code(was.Type.Results.List[0].Type)
		}
		return !found
	})
	return found
}

// plainNil reports whether an if only makes a plain nil of a nil pointer: "if x == nil {
// return v, nil }; return v, x", or the other way round. It leaves out nothing, but a nil
// pointer in an interface is no nil.
func (b *function) plainNil(g *ast.IfStmt) bool {
	c, ok := ast.Unparen(g.Cond).(*ast.BinaryExpr)
	if !ok || !match.IsNil(c.Y) || len(g.Body.List) != 1 {
		return false
	}
	value, ok := g.Body.List[0].(*ast.ReturnStmt)
	plain, followed := b.after.following(g).(*ast.ReturnStmt)
	if c.Op == token.EQL {
		value, plain = plain, value
	}
	if !ok || !followed || len(value.Results) != len(plain.Results) || len(value.Results) == 0 {
		return false
	}
	for i, e := range value.Results {
		if match.FormOf(e) != match.FormOf(plain.Results[i]) && !(match.FormOf(e) == match.FormOf(c.X) && match.IsNil(plain.Results[i])) {
			return false
		}
	}
	return true
}

// following is the statement after one in its list; nil without one.
func (s source) following(stmt ast.Stmt) ast.Stmt {
	for n := range ast.Preorder(s.ast) {
		if list := match.ListOf(n); slices.Contains(list, stmt) && list[len(list)-1] != stmt {
			return list[slices.Index(list, stmt)+1]
		}
	}
	return nil
}
