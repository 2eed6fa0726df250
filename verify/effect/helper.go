package effect

import (
	"go/ast"
	"slices"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// uses notes the functions that a statement in the place of old work calls.
func (b *function) uses(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			b.used[syntax.Called(call)] = true
		}
		return true
	})
}

// lookIntoHelpers looks at the new functions that do the old work now: a guard
// leaves out as much in one of them as it would where the work was.
func (c *comparison) lookIntoHelpers() {
	done := map[*function]bool{}
	for again := true; again; {
		again = false
		for _, b := range c.bodies {
			if b.old == nil && c.used[b.fn.Name.Name] && !done[b] {
				done[b], again = true, true
				b.uses(b.fn.Body)
				walk{b}.helper()
			}
		}
	}
}

// helper looks at one of them.
func (b walk) helper() {
	switch {
	case !match.Recovers(b.fn.Body):
	case !b.tells(b.fn.Body):
		b.report.Hides = "recovers from the panic"
	case b.report.Skips == "":
		b.report.Skips = "recovers from the panic and makes an error of it"
	}
	b.helps = true
	b.addedList(b.fn.Body.List, place{last: true})
	b.clamped(b.fn, nil)
	b.wrapped(b.fn, nil)
}

// all reports whether an if without an else is all that a helper does, and no old one that
// asks for more now.
func (b walk) all(s *ast.IfStmt, at place) bool {
	return b.helps && at.last && s.Else == nil && b.typ.Results == nil && len(b.body.List) == 1 && !b.asksMore(s)
}

// asksMore reports whether an if that a helper consists of is an old one that has moved
// there, and asks for more after what it asked for: as where it stood, what comes after
// the old condition is asked of values that did not fail.
func (b *function) asksMore(s *ast.IfStmt) bool {
	asked := match.Conjuncts(s.Cond)
	for _, f := range b.bodies {
		if f.old == nil {
			continue
		}
		for _, old := range match.Statements(f.old.Body) {
			o, ok := old.(*ast.IfStmt)
			if !ok || f.Now[o] != nil || match.FormOf(o.Body) != match.FormOf(s.Body) {
				continue
			}
			was := match.Conjuncts(o.Cond)
			if len(was) <= len(asked) && slices.EqualFunc(was, asked[:len(was)], func(a, b ast.Expr) bool { return match.FormOf(a) == match.FormOf(b) }) {
				return true
			}
		}
	}
	return false
}

// helperLiterals looks at the new function literals of a statement that give a
// value. One that calls itself ends its recursion somewhere.
func (b walk) helperLiterals(s ast.Stmt) {
	own := map[string]bool{}
	if a, ok := s.(*ast.AssignStmt); ok {
		for _, l := range a.Lhs {
			own[b.after.code(l)] = true
		}
	}
	for _, lit := range syntax.Literals(s) {
		recursive := false
		ast.Inspect(lit.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			recursive = recursive || ok && own[syntax.Called(call)]
			return !recursive
		})
		if !recursive && lit.Type.Results != nil {
			inner := b.in(lit)
			inner.body, inner.helps = lit.Body, true
			inner.addedList(lit.Body.List, place{last: true})
		}
	}
}

// helperName begins a sentence about a helper that has a name.
func (b *function) helperName() string {
	if b.body == b.fn.Body {
		return b.fn.Name.Name + " "
	}
	return ""
}

// helperReturn notes a return of zero values from a function that otherwise
// returns more. One that says so, with false or an error, leaves it to the caller.
func (b walk) helperReturn(s *ast.ReturnStmt, at place) {
	kinds := results(b.typ)
	switch {
	case at.comm || b.baseCase(s, at) || len(s.Results) > 0 && len(kinds) == 0:
	case len(s.Results) == 0:
		if !at.last {
			b.point(s, at, verdict.Skips, b.helperName()+"returns early")
		}
	case kinds[len(kinds)-1] == "bool":
	case b.zeroReturn(s) && b.returnsMore():
		b.point(s, at, verdict.Skips, b.helperName()+"returns "+match.Cut(names(b.after, s.Results)))
	}
}

// zeroReturn reports whether a return gives zero values only, be it of a variable
// that nothing was assigned to.
func (b *function) zeroReturn(s *ast.ReturnStmt) bool {
	return !slices.ContainsFunc(s.Results, func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return !match.ZeroValue(e) && !(ok && neverSet(b.fn, id.Name))
	})
}

// returnsMore reports whether another return of the function gives values.
func (b *function) returnsMore() bool {
	more := false
	ast.Inspect(b.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			more = more || len(n.Results) > 0 && !match.Constants(n) && !b.zeroReturn(n)
		}
		return !more
	})
	return more
}

// neverSet reports whether a name is a variable that the function declares without
// a value and never assigns to, takes the address of, or calls a method of.
func neverSet(fn *ast.FuncDecl, name string) bool {
	declared, set := false, false
	is := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && id.Name == name
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			declared = declared || len(n.Values) == 0 && slices.ContainsFunc(n.Names, func(id *ast.Ident) bool { return id.Name == name })
		case *ast.AssignStmt:
			set = set || slices.ContainsFunc(n.Lhs, is)
		case *ast.UnaryExpr:
			set = set || n.Op.String() == "&" && is(n.X)
		case *ast.SelectorExpr:
			set = set || is(n.X)
		case *ast.IndexExpr:
			set = set || is(n.X)
		}
		return true
	})
	return declared && !set
}
