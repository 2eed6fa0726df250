package effect

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
)

// alternative reports whether a branch that leaves does the work in another way: it
// returns something for another kind of value, or puts something that the function was
// given, or has made, and that the condition does not ask about, where it stays.
func (b *function) alternative(s ast.Stmt, before []ast.Stmt, at place) bool {
	if r, ok := s.(*ast.ReturnStmt); ok && at.other && len(r.Results) > 0 && !constants(r) {
		return true
	}
	kept := b.kept(at)
	return slices.ContainsFunc(before, func(o ast.Stmt) bool {
		return slices.ContainsFunc(statements(o), func(o ast.Stmt) bool {
			a, ok := o.(*ast.AssignStmt)
			return ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && mentions(b.after.code(a.Rhs[0]), kept) && b.stays(a)
		})
	})
}

// kept are the parameters and the variables of the function that a condition does not
// ask about, without the receiver.
func (b *function) kept(at place) map[string]bool {
	names := parameters(b.fn)
	for _, s := range statements(b.fn.Body) {
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
	maps.DeleteFunc(names, func(name string, _ bool) bool { return mentions(at.when, map[string]bool{name: true}) })
	return names
}

// stays reports whether what an assignment gives a value to is more than a variable of
// the call, or is given values elsewhere in the function, too.
func (b *function) stays(a *ast.AssignStmt) bool {
	if _, local := a.Lhs[0].(*ast.Ident); !local {
		return true
	}
	target := formOf(a.Lhs[0])
	return slices.ContainsFunc(statements(b.fn.Body), func(s ast.Stmt) bool {
		other, ok := s.(*ast.AssignStmt)
		return ok && other != a && other.Tok == token.ASSIGN && formOf(other.Lhs[0]) == target
	})
}
