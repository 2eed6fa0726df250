package effect

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"

	"github.com/pausetui/pausetui/verify/effect/match"
)

// alternative reports whether a branch that leaves does the work in another way: it
// returns something for another kind of value, is one more row of a table, or puts something that the function was
// given, or has made, and that the condition does not ask about, where it stays, or where
// the function puts the rest.
func (b *function) alternative(s ast.Stmt, before []ast.Stmt, at place) bool {
	kept := b.kept(at)
	if r, ok := s.(*ast.ReturnStmt); ok && len(r.Results) > 0 {
		another := at.other && !match.Constants(r) || at.row && !match.AllZero(r)
		if another || b.appends(r.Results[0], kept) {
			return true
		}
	}
	return slices.ContainsFunc(before, func(o ast.Stmt) bool {
		return slices.ContainsFunc(match.Statements(o), func(o ast.Stmt) bool {
			switch o := o.(type) {
			case *ast.AssignStmt:
				return o.Tok == token.ASSIGN && len(o.Lhs) == 1 && match.Mentions(b.after.code(o.Rhs[0]), kept) && b.stays(o)
			case *ast.ExprStmt:
				return b.writes(o, s, kept)
			}
			return false
		})
	})
}

// appends reports whether a value is what the function has collected elsewhere, with all
// that is left in what is kept.
func (b *function) appends(e ast.Expr, kept map[string]bool) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok || calledBy(b.after, e) != "append" || len(call.Args) != 2 || !call.Ellipsis.IsValid() || !match.Mentions(b.after.code(call.Args[1]), kept) {
		return false
	}
	target := match.FormOf(call.Args[0])
	return slices.ContainsFunc(match.Statements(b.fn.Body), func(s ast.Stmt) bool {
		a, ok := s.(*ast.AssignStmt)
		return ok && b.Was[s] != nil && len(a.Rhs) == 1 && match.FormOf(a.Lhs[0]) == target && calledBy(b.after, a.Rhs[0]) == "append"
	})
}

// writes reports whether a statement gives something that is kept to what the function
// collects in, and returns: a variable of its own of which it calls the same method elsewhere.
func (b *function) writes(s *ast.ExprStmt, leave ast.Stmt, kept map[string]bool) bool {
	call, ok := s.X.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || !match.Mentions(b.after.code(call.Args[0]), kept) {
		return false
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	into, own, elsewhere := match.FormOf(method.X), false, false
	for _, o := range match.Statements(b.fn.Body) {
		name, _ := match.Declared(o)
		own = own || name != nil && match.FormOf(name) == into
		e, ok := o.(*ast.ExprStmt)
		elsewhere = elsewhere || ok && b.Was[o] != nil && match.CalledForm(e) == match.FormOf(method)
	}
	_, returns := leave.(*ast.ReturnStmt)
	return own && elsewhere && returns && match.Expressions(leave)[into]
}

// kept are the parameters and the variables of the function that a condition does not
// ask about, without the receiver.
func (b *function) kept(at place) map[string]bool {
	names := match.Parameters(b.fn)
	for _, s := range match.Statements(b.fn.Body) {
		switch s := s.(type) {
		case *ast.AssignStmt:
			for _, e := range s.Lhs {
				if id, ok := e.(*ast.Ident); ok && s.Tok == token.DEFINE {
					names[id.Name] = true
				}
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{s.Key, s.Value} {
				if id, ok := e.(*ast.Ident); ok {
					names[id.Name] = true
				}
			}
		}
	}
	if r := b.fn.Recv; r != nil && len(r.List[0].Names) > 0 {
		delete(names, r.List[0].Names[0].Name)
	}
	maps.DeleteFunc(names, func(name string, _ bool) bool { return match.Mentions(at.when, map[string]bool{name: true}) })
	return names
}

// stays reports whether what an assignment gives a value to is more than a variable of
// the call, or is given values elsewhere in the function, too.
func (b *function) stays(a *ast.AssignStmt) bool {
	if _, local := a.Lhs[0].(*ast.Ident); !local {
		return true
	}
	target := match.FormOf(a.Lhs[0])
	return slices.ContainsFunc(match.Statements(b.fn.Body), func(s ast.Stmt) bool {
		other, ok := s.(*ast.AssignStmt)
		return ok && other != a && other.Tok == token.ASSIGN && match.FormOf(other.Lhs[0]) == target
	})
}
