package effect

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/verdict"
)

// conditional finds what an added if without an else does of the work of an old
// statement that is gone, in other words: the same kind of statement, or an
// expression that nothing outside of the if works out any more. It returns nil
// where the if does no such thing.
func (b *bodyComparison) conditional(s ast.Stmt, old, left, fresh []ast.Stmt) (part, was ast.Stmt) {
	g, ok := s.(*ast.IfStmt)
	if !ok || g.Else != nil || len(g.Body.List) == 0 {
		return nil, nil
	}
	switch g.Body.List[len(g.Body.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return nil, nil
	}
	for _, inner := range g.Body.List {
		for _, o := range left {
			if alike(b.before, o, b.after, inner, true) && !b.works(g.Init, o) {
				return inner, o
			}
		}
		for _, o := range old {
			a, ok := inner.(*ast.AssignStmt)
			if ok && len(a.Rhs) == 1 && (b.onlyHere(a.Rhs[0], g, o, fresh) || b.unlessConstant(a, o, fresh)) {
				return inner, o
			}
		}
	}
	return nil, nil
}

// works reports whether a statement before a condition does the work of an old one.
func (b *bodyComparison) works(init, old ast.Stmt) bool {
	return init != nil && strings.Contains(b.after.code(init), b.before.code(old))
}

// onlyHere reports whether the old statement worked out an expression that only the
// if works out now.
func (b *bodyComparison) onlyHere(e ast.Expr, g *ast.IfStmt, old ast.Stmt, fresh []ast.Stmt) bool {
	switch e.(type) {
	case *ast.IndexExpr, *ast.SelectorExpr, *ast.StarExpr, *ast.BinaryExpr:
	default:
		return false
	}
	code := b.after.code(e)
	return mentionsCode(b.before.code(old), code) && !slices.ContainsFunc(fresh, func(s ast.Stmt) bool {
		return s != ast.Stmt(g) && mentionsCode(b.after.code(s), code)
	})
}

// unlessConstant reports whether an assignment gives a variable, which has a
// constant before it, what the old statement gave it in any case.
func (b *bodyComparison) unlessConstant(a *ast.AssignStmt, old ast.Stmt, fresh []ast.Stmt) bool {
	o, ok := old.(*ast.AssignStmt)
	if !ok || len(o.Lhs) != 1 || len(a.Lhs) != 1 || constant(o.Rhs[0]) || b.before.code(o.Lhs[0]) != b.after.code(a.Lhs[0]) {
		return false
	}
	return slices.ContainsFunc(fresh, func(s ast.Stmt) bool {
		first, ok := s.(*ast.AssignStmt)
		return ok && first.Tok == token.DEFINE && len(first.Rhs) == 1 && constant(first.Rhs[0]) && b.after.code(first.Lhs[0]) == b.after.code(a.Lhs[0])
	})
}

// changesLater reports whether the variable of an assignment is changed after it.
func (b *bodyComparison) changesLater(a *ast.AssignStmt) bool {
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

// asks reports whether an added if asks, with "v, ok := …; ok", for what an old
// statement took for granted: its body does the old work.
func (b *bodyComparison) asks(s ast.Stmt, old []ast.Stmt) bool {
	g, ok := s.(*ast.IfStmt)
	if !ok {
		return false
	}
	a, ok := g.Init.(*ast.AssignStmt)
	return ok && len(a.Lhs) == 2 && len(a.Rhs) == 1 && b.after.code(g.Cond) == b.after.code(a.Lhs[1]) &&
		slices.ContainsFunc(old, func(o ast.Stmt) bool { return mentionsCode(b.before.code(o), b.after.code(a.Rhs[0])) })
}

// conditionMoved reports whether the condition of a loop has moved into its body.
func conditionMoved(old, now ast.Stmt) bool {
	o, ok := old.(*ast.ForStmt)
	n, still := now.(*ast.ForStmt)
	return ok && still && o.Cond != nil && n.Cond == nil
}

// alternative reports whether a branch that leaves does the work in another way:
// it returns something for another kind of value, or stores what, or where, the
// rest of the function stores.
func (b *bodyComparison) alternative(s ast.Stmt, before []ast.Stmt, at place) bool {
	if r, ok := s.(*ast.ReturnStmt); ok && at.other && len(r.Results) > 0 && !constants(r) {
		return true
	}
	return b.keepsArgument(before, at) || slices.ContainsFunc(before, func(o ast.Stmt) bool {
		a, ok := o.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 {
			return false
		}
		id, isName := a.Rhs[0].(*ast.Ident)
		return (workedOut(a.Rhs[0]) || isName && b.local(id.Name)) && b.storesLater(a, s.End())
	})
}

// keepsArgument reports whether statements store a parameter, which the condition does
// not ask about, in something that outlives the call: it is put elsewhere, not lost.
func (b *bodyComparison) keepsArgument(list []ast.Stmt, at place) bool {
	names := parameters(b.fn)
	if r := b.fn.Recv; r != nil && len(r.List[0].Names) > 0 {
		delete(names, r.List[0].Names[0].Name)
	}
	for name := range names {
		if mentions(at.when, map[string]bool{name: true}) {
			delete(names, name)
		}
	}
	found := false
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			for i := 0; ok && i < len(a.Lhs) && len(a.Lhs) == len(a.Rhs); i++ {
				_, local := a.Lhs[i].(*ast.Ident)
				found = found || !local && mentions(b.after.code(a.Rhs[i]), names)
			}
			return !found
		})
	}
	return found
}

// local reports whether a name is a parameter or a variable made with ":=".
func (b *bodyComparison) local(name string) bool {
	found := parameters(b.fn)[name]
	ast.Inspect(b.fn.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			found = found || slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool { return b.after.code(e) == name })
		}
		return !found
	})
	return found
}

// storesLater reports whether the function stores the same value, or in the same
// field or element, after a position.
func (b *bodyComparison) storesLater(first *ast.AssignStmt, after token.Pos) bool {
	_, isName := first.Lhs[0].(*ast.Ident)
	left, right, found := b.after.code(first.Lhs[0]), b.after.code(first.Rhs[0]), false
	ast.Inspect(b.fn.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Pos() > after && a.Tok == token.ASSIGN && len(a.Lhs) == 1 {
			found = found || !isName && b.after.code(a.Lhs[0]) == left || workedOut(first.Rhs[0]) && b.after.code(a.Rhs[0]) == right
		}
		return !found
	})
	return found
}

// again reports whether a statement that is gone stands elsewhere in other words:
// the same question, the same call, or the same value of a variable.
func (c *comparison) again(r removal) bool {
	text := ""
	switch s := r.stmt.(type) {
	case *ast.IfStmt:
		return r.guard && c.heads[r.head] || slices.ContainsFunc(c.report.Points, func(p Point) bool {
			return r.exit != "" && p.exit != "" && exitKey(p.exit) == exitKey(r.exit) && asksAboutTheSame(p.when, r.head)
		})
	case *ast.ExprStmt:
		text = r.text
	case *ast.AssignStmt:
		if id, ok := s.Lhs[0].(*ast.Ident); !ok || len(s.Rhs) != 1 || id.Name == "_" || !workedOut(s.Rhs[0]) {
			return false
		}
		text = r.head
	default:
		return false
	}
	return slices.ContainsFunc(c.values, func(v string) bool { return strings.Contains(v, text) })
}

// gone describes an old statement without a counterpart.
func (b *bodyComparison) gone(s ast.Stmt, answered bool) removal {
	r := removal{text: b.before.code(s), stmt: s, answered: answered, operation: isOperation(s)}
	switch s := s.(type) {
	case *ast.IfStmt:
		r.head, r.body = b.before.code(s.Cond), b.before.code(s.Body)
		if n := len(s.Body.List); n > 0 {
			r.exit = b.before.code(s.Body.List[n-1])
		}
		for _, c := range conjuncts(s.Cond) {
			r.asked = append(r.asked, b.before.code(c))
		}
		r.guard = s.Else == nil && !slices.ContainsFunc(s.Body.List, func(s ast.Stmt) bool { return !b.effectless(s) })
	case *ast.AssignStmt:
		r.head = b.before.code(s.Rhs[0])
	}
	return r
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
func (b *bodyComparison) doesSomething(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.EmptyStmt:
		return false
	case *ast.AssignStmt:
		return !blank(s)
	case *ast.ExprStmt:
		return !prints(b.after, s)
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
func (b *bodyComparison) typedNil(old, now *ast.ReturnStmt) bool {
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

// plainNil reports whether a return is in "if x == nil" right before "return x":
// it leaves out nothing, but a nil pointer is no error then.
func (b *bodyComparison) plainNil(s *ast.ReturnStmt) bool {
	found := false
	ast.Inspect(b.fn.Body, func(n ast.Node) bool {
		block, ok := n.(*ast.BlockStmt)
		for i := 0; ok && i+1 < len(block.List); i++ {
			g, isIf := block.List[i].(*ast.IfStmt)
			next, returns := block.List[i+1].(*ast.ReturnStmt)
			if !isIf || !returns || !slices.Contains(g.Body.List, ast.Stmt(s)) || !allZero(s) {
				continue
			}
			c, compares := g.Cond.(*ast.BinaryExpr)
			found = found || compares && c.Op == token.EQL && isNil(c.Y) &&
				slices.ContainsFunc(next.Results, func(e ast.Expr) bool { return b.after.code(e) == b.after.code(c.X) })
		}
		return !found
	})
	return found
}

// plainNilElse reports whether an if only returns what it compares with nil, and what
// comes after it returns the same with nil: "if x != nil { return v, x }; return v, nil".
// It leaves out nothing, but a nil pointer is no error then.
func (b *bodyComparison) plainNilElse(g *ast.IfStmt) bool {
	c, compares := g.Cond.(*ast.BinaryExpr)
	if !compares || c.Op != token.NEQ || !isNil(c.Y) || len(g.Body.List) != 1 {
		return false
	}
	kept, returns := g.Body.List[0].(*ast.ReturnStmt)
	found := false
	for n := range ast.Preorder(b.fn.Body) {
		list := listOf(n)
		i := slices.Index(list, ast.Stmt(g))
		if !returns || i < 0 || i+1 == len(list) {
			continue
		}
		next, ok := list[i+1].(*ast.ReturnStmt)
		found = ok && len(next.Results) == len(kept.Results)
		for j := range next.Results {
			if !found {
				break
			}
			was, now := b.after.code(kept.Results[j]), b.after.code(next.Results[j])
			found = was == now || was == b.after.code(c.X) && isNil(next.Results[j])
		}
	}
	return found
}

// elided is the text of a statement without the bodies of its function literals,
// which are compared one by one.
func elided(s source, n ast.Stmt) string {
	var out strings.Builder
	last := s.offset(n.Pos())
	for _, lit := range outerLiterals(n) {
		out.WriteString(s.text[last:s.offset(lit.Body.Pos())])
		last = s.offset(lit.Body.End())
	}
	out.WriteString(s.text[last:s.offset(n.End())])
	return strings.Join(strings.Fields(out.String()), " ")
}

// endsWell reports whether a call ends the program with 0.
func (b *bodyComparison) endsWell(call *ast.CallExpr) bool {
	if b.after.code(call) == "os.Exit(0)" {
		return true
	}
	fn := b.after.functions()[calledName(call)]
	return fn != nil && fn.Body != nil && strings.Contains(b.after.code(fn.Body), "os.Exit(0)")
}

// keeps notes the text of a statement that was added, or changed as a whole.
func (b *bodyComparison) keeps(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.RangeStmt:
		b.values = append(b.values, "<-"+b.after.code(s.X))
	case *ast.ForStmt:
		return
	case *ast.ExprStmt:
		if prints(b.after, s) {
			return
		}
	}
	b.values = append(b.values, b.after.code(s))
}

// refuses reports whether one of the statements returns an error or ends the
// program: it is where a panic stood.
func (b *bodyComparison) refuses(list []ast.Stmt) bool {
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
func (b *bodyComparison) stored(list []ast.Stmt) map[string]bool {
	found := map[string]bool{}
	for _, s := range list {
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			if _, local := a.Lhs[0].(*ast.Ident); !local {
				found[b.after.code(a.Rhs[0])] = true
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
