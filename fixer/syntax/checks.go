package syntax

import (
	"go/ast"
	"go/types"
	"slices"
)

// Alongside are the errors and the oks that an assignment gives together with a variable.
func (p Place) Alongside(as *ast.AssignStmt, v types.Object) []types.Object {
	if len(as.Rhs) != 1 || v == nil {
		return nil
	}
	var list []types.Object
	for _, l := range as.Lhs {
		if o := p.Object(l); o != nil && o != v && (IsError(o.Type()) || IsBool(o.Type())) {
			list = append(list, o)
		}
	}
	return list
}

// ChecksOf are the statements after an assignment, in its list, that test what it gave
// alongside a variable, as long as that has no other value.
func (p Place) ChecksOf(as *ast.AssignStmt, v types.Object) []ast.Stmt {
	of := p.Alongside(as, v)
	path := p.Of(as).Path
	if len(of) == 0 || len(path) < 2 {
		return nil
	}
	var checks []ast.Stmt
	for _, s := range Statements(path[1]) {
		switch {
		case s.Pos() < as.End():
		case p.gives(s, of):
			return checks
		case p.tests(s, of):
			checks = append(checks, s)
		}
	}
	return checks
}

// gives reports whether a statement is an assignment that gives one of some variables a value
// that is not made of the old one.
func (p Place) gives(s ast.Stmt, of []types.Object) bool {
	as, ok := s.(*ast.AssignStmt)
	if !ok {
		return false
	}
	assigned := slices.ContainsFunc(as.Lhs, func(l ast.Expr) bool { return slices.Contains(of, p.Object(l)) })
	return assigned && !slices.ContainsFunc(as.Rhs, func(r ast.Expr) bool { return p.mentionsAny(r, of) })
}

// tests reports whether a statement asks for one of some variables, or hands it to a function
// that may: if err != nil, switch err, must(err).
func (p Place) tests(s ast.Stmt, of []types.Object) bool {
	switch s := s.(type) {
	case *ast.IfStmt:
		if p.mentionsAny(s.Cond, of) || s.Init != nil && p.mentionsAny(s.Init, of) {
			return true
		}
		return s.Else != nil && p.tests(s.Else, of)
	case *ast.SwitchStmt:
		if s.Tag != nil && p.mentionsAny(s.Tag, of) || s.Init != nil && p.mentionsAny(s.Init, of) {
			return true
		}
		return slices.ContainsFunc(s.Body.List, func(c ast.Stmt) bool {
			return slices.ContainsFunc(c.(*ast.CaseClause).List, func(e ast.Expr) bool { return p.mentionsAny(e, of) })
		})
	case *ast.TypeSwitchStmt:
		return p.mentionsAny(s.Assign, of)
	case *ast.ExprStmt:
		return p.mentionsAny(s.X, of)
	}
	return false
}

func (p Place) mentionsAny(n ast.Node, of []types.Object) bool {
	return slices.ContainsFunc(of, func(o types.Object) bool { return MentionsObject(p, n, o) })
}
