package effect

import (
	"go/ast"
	"go/parser"
	"slices"

	"github.com/pausetui/pausetui/verify/effect/match"
)

// descends reports whether a guard against nil in a recursion asks for what the
// recursion goes on with: a field that it goes on with ends there, and another
// one is only missing.
func (b *function) descends(when string) bool {
	e, err := parser.ParseExpr(when)
	if err != nil {
		return true
	}
	c, ok := e.(*ast.BinaryExpr)
	if !ok || !match.IsNil(c.Y) {
		return true
	}
	if _, ok := c.X.(*ast.SelectorExpr); !ok {
		return true
	}
	field := when[c.X.Pos()-1 : c.X.End()-1]
	is := func(e ast.Expr) bool { return b.after.code(e) == field }
	found := false
	ast.Inspect(b.fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || b.recursive(n) && match.MentionsCode(b.after.code(n), field)
		case *ast.RangeStmt:
			found = found || is(n.X)
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Rhs, is)
		}
		return !found
	})
	return found
}

// asksOfStep reports whether a condition asks about what the recursion changes:
// something that it assigns, or a parameter that it calls itself with something
// else in place of. What is passed on as it is says nothing of where it ends.
func (b *function) asksOfStep(when string) bool {
	var names []string
	for _, f := range b.fn.Type.Params.List {
		for _, n := range f.Names {
			names = append(names, n.Name)
		}
	}
	all := match.Parameters(b.fn)
	found := false
	assigned := func(list ...ast.Expr) {
		for _, e := range list {
			found = found || match.MentionsCode(when, b.after.code(e))
		}
	}
	changed := func(name string, e ast.Expr) {
		found = found || all[name] && b.after.code(e) != name && match.Mentions(when, map[string]bool{name: true})
	}
	ast.Inspect(b.fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			assigned(n.Lhs...)
		case *ast.IncDecStmt:
			assigned(n.X)
		case *ast.CallExpr:
			if !b.recursive(n) {
				break
			}
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && len(b.fn.Recv.List[0].Names) > 0 {
				changed(b.fn.Recv.List[0].Names[0].Name, sel.X)
			}
			for i, arg := range n.Args {
				if len(names) > 0 {
					changed(names[min(i, len(names)-1)], arg)
				}
			}
		}
		return !found
	})
	return found
}

// delegates reports whether a call of a method of the same name is that of another
// type: of a field that has a type of another package, or of a part of it, which the condition
// does not ask about.
func (b *function) delegates(c *ast.CallExpr, when string) bool {
	method, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || b.fn.Recv == nil || len(b.fn.Recv.List[0].Names) == 0 {
		return false
	}
	field, ok := method.X.(*ast.SelectorExpr)
	for ok { // the first field on the way: m.search of m.search.input.View()
		of, further := ast.Unparen(field.X).(*ast.SelectorExpr)
		if !further {
			break
		}
		field = of
	}
	if !ok || b.after.code(field.X) != b.fn.Recv.List[0].Names[0].Name || match.MentionsCode(when, b.after.code(field)) {
		return false
	}
	for _, f := range b.after.fields(match.ReceiverOf(b.fn)) {
		if slices.ContainsFunc(f.Names, func(n *ast.Ident) bool { return n.Name == field.Sel.Name }) {
			return isForeign(f.Type)
		}
	}
	return false
}

// isForeign reports whether a type is one of another package, or a pointer to one.
func isForeign(t ast.Expr) bool {
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	_, ok := t.(*ast.SelectorExpr)
	return ok
}

// fields are those of a struct that the file declares.
func (s source) fields(name string) []*ast.Field {
	for n := range ast.Preorder(s.ast) {
		if t, ok := n.(*ast.TypeSpec); ok && t.Name.Name == name {
			if st, ok := t.Type.(*ast.StructType); ok {
				return st.Fields.List
			}
		}
	}
	return nil
}

// baseCase reports whether a guard ends a recursion: it looks at a parameter or
// the receiver of a function that calls itself. What it leaves out is nothing. A guard
// inside a loop is none: earlier rounds may have done work.
func (b *function) baseCase(s *ast.ReturnStmt, at place) bool {
	if at.when == "" || b.typ != b.fn.Type || looped(b.fn.Body, s) {
		return false
	}
	calls := false
	ast.Inspect(b.fn.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		calls = calls || ok && b.recursive(c) && !b.delegates(c, at.when)
		return !calls
	})
	return calls && match.Mentions(at.when, match.Parameters(b.fn)) && b.asksOfStep(at.when) && !match.StoresArgument(b.fn, at.when) && !b.losesArgument(s, at.when) && !b.makesUp(s, at.when) && b.descends(at.when)
}

// looped reports whether a statement of a body is in a loop.
func looped(body *ast.BlockStmt, s ast.Stmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			found = found || n.Pos() < s.Pos() && s.End() <= n.End()
		}
		return !found
	})
	return found
}

// losesArgument reports whether the function elsewhere returns a parameter that
// neither the condition nor the return speaks of: what it holds is lost there.
func (b *function) losesArgument(s *ast.ReturnStmt, when string) bool {
	isOther := match.OtherParameters(b.fn, when+" "+b.after.code(s))
	loses := false
	ast.Inspect(b.fn.Body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok {
			loses = loses || slices.ContainsFunc(r.Results, isOther)
		}
		return !loses
	})
	return loses
}
