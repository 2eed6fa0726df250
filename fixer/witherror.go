package fixer

import (
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
)

// A value that came with an error, or an ok, from one call is refused after the checks of that
// error: a guard between the call and its checks would take the error's place.

// alongside are the errors and the oks that an assignment gives together with a variable.
func (p place) alongside(as *ast.AssignStmt, v types.Object) []types.Object {
	if len(as.Rhs) != 1 || v == nil {
		return nil
	}
	var list []types.Object
	for _, l := range as.Lhs {
		if o := p.object(l); o != nil && o != v && (isError(o.Type()) || isBool(o.Type())) {
			list = append(list, o)
		}
	}
	return list
}

// checksOf are the statements after an assignment, in its list, that test what it gave
// alongside a variable, as long as that has no other value.
func (p place) checksOf(as *ast.AssignStmt, v types.Object) []ast.Stmt {
	of := p.alongside(as, v)
	path := p.of(as).path
	if len(of) == 0 || len(path) < 2 {
		return nil
	}
	var checks []ast.Stmt
	for _, s := range statements(path[1]) {
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
func (p place) gives(s ast.Stmt, of []types.Object) bool {
	as, ok := s.(*ast.AssignStmt)
	if !ok {
		return false
	}
	assigned := slices.ContainsFunc(as.Lhs, func(l ast.Expr) bool { return slices.Contains(of, p.object(l)) })
	return assigned && !slices.ContainsFunc(as.Rhs, func(r ast.Expr) bool { return p.mentionsAny(r, of) })
}

// tests reports whether a statement asks for one of some variables, or hands it to a function
// that may: if err != nil, switch err, must(err).
func (p place) tests(s ast.Stmt, of []types.Object) bool {
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

func (p place) mentionsAny(n ast.Node, of []types.Object) bool {
	return slices.ContainsFunc(of, func(o types.Object) bool { return mentionsObject(p, n, o) })
}

// preempts reports whether a guard before a statement would stand between a call that gave one
// of its variables and a check of the error that came with it: one that leaves, so that it is
// there for just that value.
func (f *proposal) preempts(at place, anchor ast.Stmt, cond string) bool {
	if len(at.path) < 2 {
		return false
	}
	for _, s := range statements(at.path[1]) {
		as, ok := s.(*ast.AssignStmt)
		if !ok || as.Pos() >= anchor.Pos() {
			continue
		}
		for _, l := range as.Lhs {
			if id, ok := l.(*ast.Ident); ok && mentions(cond, id.Name) && slices.ContainsFunc(at.checksOf(as, at.object(l)), func(check ast.Stmt) bool {
				return check.Pos() >= anchor.Pos() && leaves([]ast.Stmt{check})
			}) {
				return true
			}
		}
	}
	return false
}

// whatCameWith are the errors and oks that the calls gave along with the variables of an
// expression.
func (f fixer) whatCameWith(s suspect) map[types.Object]bool {
	found := map[types.Object]bool{}
	ast.Inspect(s.expr, func(n ast.Node) bool {
		id, isName := n.(*ast.Ident)
		if !isName {
			return true
		}
		v, isVar := s.info().ObjectOf(id).(*types.Var)
		if !isVar || v.IsField() || isGlobal(v) {
			return true
		}
		if d, ok := f.definition(s.place, v, id.Pos()); ok {
			if as, ok := d.stmt.(*ast.AssignStmt); ok {
				for _, o := range d.alongside(as, v) {
					found[o] = true
				}
			}
		}
		return true
	})
	return found
}

// exitsWithout are the exits where what an expression says is nil: none of them reads
// anything through it.
func (f *exitFinder) exitsWithout(p place, m message, missing string) []exit {
	f.missing = missing
	defer func() { f.missing = "" }()
	m = f.readable(m, message{percent(missing) + " is nil", nil})
	return slices.DeleteFunc(f.exits(p, m, ""), func(e exit) bool {
		return goesThrough("func() {\n"+e.lines+"\n}", missing)
	})
}

// readable is a message, or another one where it reads something through what is nil.
func (f *exitFinder) readable(m, other message) message {
	if slices.ContainsFunc(m.args, func(a string) bool { return goesThrough(a, f.missing) }) {
		return other
	}
	return m
}

// goesThrough reports whether an expression follows another one: x.f, x.f(), *x, x[i], x().
func goesThrough(text, base string) bool {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return false
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		var through ast.Expr
		switch n := n.(type) {
		case *ast.SelectorExpr:
			through = n.X
		case *ast.StarExpr:
			through = n.X
		case *ast.IndexExpr:
			through = n.X
		case *ast.CallExpr:
			through = n.Fun
		}
		found = found || through != nil && types.ExprString(ast.Unparen(through)) == base
		return !found
	})
	return found
}
