package effect

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/verdict"
)

// changesLater reports whether the variable of an assignment is changed after it.
func (b *function) changesLater(a *ast.AssignStmt) bool {
	left, found := b.after.code(a.Lhs[0]), false
	ast.Inspect(b.fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || n.Pos() > a.Pos() && n.Tok != token.DEFINE && slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return b.after.code(e) == left })
		case *ast.IncDecStmt:
			found = found || n.Pos() > a.Pos() && b.after.code(n.X) == left
		}
		return !found
	})
	return found
}

// conditionMoved reports whether the condition of a loop has moved into its body.
func conditionMoved(old, now ast.Stmt) bool {
	o, ok := old.(*ast.ForStmt)
	n, still := now.(*ast.ForStmt)
	return ok && still && o.Cond != nil && n.Cond == nil
}

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

// workedOut reports whether an expression does something, or makes a value: a name
// alone is nothing to look for.
func workedOut(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr, *ast.TypeAssertExpr, *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.ARROW || e.Op == token.AND
	}
	return false
}

// doesSomething reports whether a statement does more than print.
func (s source) doesSomething(stmt ast.Stmt) bool {
	switch stmt := stmt.(type) {
	case *ast.EmptyStmt:
		return false
	case *ast.AssignStmt:
		return !blank(stmt)
	case *ast.ExprStmt:
		return !prints(s, stmt)
	}
	return true
}

// blank reports whether an assignment keeps nothing.
func blank(a *ast.AssignStmt) bool {
	return !slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return !ok || id.Name != "_"
	})
}

// aboutError recognizes "err != nil".
func aboutError(cond ast.Expr) bool {
	c, ok := cond.(*ast.BinaryExpr)
	if !ok || c.Op != token.NEQ || !isNil(c.Y) {
		return false
	}
	id, ok := c.X.(*ast.Ident)
	return ok && strings.HasSuffix(strings.ToLower(id.Name), "err")
}

// constants reports whether a return gives constants only.
func constants(r *ast.ReturnStmt) bool {
	return !slices.ContainsFunc(r.Results, func(e ast.Expr) bool { return !constant(e) })
}

func constant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "true" || zeroValue(e)
	case *ast.UnaryExpr:
		return e.Op == token.SUB && constant(e.X) || zeroValue(e)
	}
	return zeroValue(e)
}

// typedNil reports whether a return that gives nil now gave a nil pointer in an
// interface before: the variable was of another type than the result.
func (b *function) typedNil(old, now *ast.ReturnStmt) bool {
	was := b.before.functions()[b.name]
	if len(old.Results) != 1 || len(now.Results) != 1 || !isNil(now.Results[0]) || was == nil || was.Type.Results == nil {
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
	if !ok || !isNil(c.Y) || len(g.Body.List) != 1 {
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
		if formOf(e) != formOf(plain.Results[i]) && !(formOf(e) == formOf(c.X) && isNil(plain.Results[i])) {
			return false
		}
	}
	return true
}

// following is the statement after one in its list; nil without one.
func (s source) following(stmt ast.Stmt) ast.Stmt {
	for n := range ast.Preorder(s.ast) {
		if list := listOf(n); slices.Contains(list, stmt) && list[len(list)-1] != stmt {
			return list[slices.Index(list, stmt)+1]
		}
	}
	return nil
}

// endsWell reports whether a call ends the program with 0.
func (b *function) endsWell(call *ast.CallExpr) bool {
	if b.after.code(call) == "os.Exit(0)" {
		return true
	}
	fn := b.after.functions()[calledName(call)]
	return fn != nil && fn.Body != nil && strings.Contains(b.after.code(fn.Body), "os.Exit(0)")
}

// keeps notes what a statement asks and works out that was added, or changed.
func (b *function) keeps(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.RangeStmt:
		b.values[formOf(&ast.UnaryExpr{Op: token.ARROW, X: s.X})] = true
		return
	case *ast.IfStmt:
		for e := range ast.Preorder(s.Cond) {
			b.heads[formOf(e)] = true
		}
		if s.Init != nil {
			b.keeps(s.Init)
		}
		return
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			if comm := c.(*ast.CommClause).Comm; comm != nil {
				b.keeps(comm)
			}
		}
		return
	case *ast.ForStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.BlockStmt:
		return
	case *ast.ExprStmt:
		if prints(b.after, s) {
			return
		}
	}
	maps.Copy(b.values, expressions(s))
}

// refuses reports whether one of the statements returns an error or ends the
// program: it is where a panic stood.
func (b *function) refuses(list []ast.Stmt) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.ReturnStmt:
			e, _ := b.returned(s, nil)
			return e == verdict.Declines
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			return ok && ends(call, b.after.enders())
		}
		return false
	})
}

// stored are the variables whose values are stored in a field or an element in
// the list: what such a variable was given is not lost with the call.
func (b *function) stored(list []ast.Stmt) map[form]bool {
	found := map[form]bool{}
	for _, s := range list {
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			if _, local := a.Lhs[0].(*ast.Ident); !local {
				found[formOf(a.Rhs[0])] = true
			}
		}
	}
	return found
}

// bare reports whether a statement is a return that computes nothing: it
// replaces no work.
func bare(s ast.Stmt) bool {
	r, ok := s.(*ast.ReturnStmt)
	if !ok {
		return false
	}
	computes := false
	for _, e := range r.Results {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr, *ast.BinaryExpr, *ast.IndexExpr, *ast.FuncLit:
				computes = true
			case *ast.CompositeLit:
				computes = computes || len(n.Elts) > 0
			}
			return !computes
		})
	}
	return !computes
}
