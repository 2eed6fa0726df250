package effect

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// assigned looks at a new assignment: under a condition about the very variable
// that it sets, it puts another value in the place of the bad one.
func (b walk) assigned(s *ast.AssignStmt, at place) {
	b.dropsResult(s)
	if at.when == "" || s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return
	}
	left := b.after.code(s.Lhs[0])
	if !match.MentionsCode(at.when, left) || !b.substitute(s.Lhs[0], s.Rhs[0], at.when) || at.kept[match.FormOf(s.Lhs[0])] {
		return
	}
	b.pointAt(b.after.offset(s.Pos()), b.after.line(s), verdict.Skips, "sets "+match.Cut(left)+" to "+match.Cut(b.after.code(s.Rhs[0]))+on(at.when))
	p := &b.report.Points[len(b.report.Points)-1]
	p.When, p.Leaves = at.when, b.after.code(s)
}

// substitute reports whether the value stands in for the bad one: a limit, a
// constant, something empty. What is made for a field or an element that had
// none stays there, which is what it lacked; what a parameter is given is lost
// with the call.
func (b *function) substitute(left, right ast.Expr, when string) bool {
	local, isName := left.(*ast.Ident)
	if b.constant(right, 5) {
		return true
	}
	switch r := right.(type) {
	case *ast.UnaryExpr:
		if r.Op == token.SUB {
			return true
		}
		return isName && match.ZeroValue(r)
	case *ast.Ident:
		return r.Name == "nil" || r.Name == "false" || match.MentionsCode(when, r.Name)
	case *ast.SelectorExpr:
		return match.MentionsCode(when, b.after.code(r))
	case *ast.CompositeLit:
		return isName && len(r.Elts) == 0
	case *ast.FuncLit:
		return isName && len(r.Body.List) == 0
	case *ast.BinaryExpr:
		return limit(b.after, r.X) || limit(b.after, r.Y)
	case *ast.CallExpr:
		if f := b.after.code(r.Fun); f == "make" {
			return isName && match.Parameters(b.fn)[local.Name]
		}
		return limit(b.after, r)
	}
	return false
}

// constant reports whether a value stands in the code as a number or a text: by itself, in
// a local that holds nothing else, or behind a pointer. It looks that many steps far.
func (b *function) constant(e ast.Expr, steps int) bool {
	if steps == 0 {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return true
	case *ast.UnaryExpr:
		return (e.Op == token.AND || e.Op == token.SUB) && b.constant(e.X, steps-1)
	case *ast.CallExpr:
		fn := b.after.Function(syntax.Called(e))
		points := b.after.code(e.Fun) == "new" || fn != nil && len(fn.Body.List) == 1 && b.after.code(fn.Body.List[0]) == "return &"+syntax.Parameter(fn)
		return points && len(e.Args) == 1 && b.constant(e.Args[0], steps-1)
	case *ast.Ident:
		var given []ast.Expr
		for s := range syntax.All[ast.Stmt](b.fn.Body) {
			a, _ := s.(*ast.AssignStmt)
			if name, value := match.Declared(s); name != nil && name.Name == e.Name && value != nil {
				given = append(given, value)
			} else if a != nil && slices.ContainsFunc(a.Lhs, func(l ast.Expr) bool { return syntax.LastName(l) == e.Name }) {
				return false
			}
		}
		return len(given) == 1 && b.constant(given[0], steps-1)
	}
	return false
}

// limit reports whether an expression is the length or the capacity of something.
func limit(s source, e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && slices.Contains([]string{"len", "cap", "min", "max"}, s.code(call.Fun))
}

// expressions compares two versions of a statement that holds no others.
func (b walk) expressions(old, now ast.Stmt) {
	if !match.Bare(now) && match.HeadForm(old) != match.HeadForm(now) {
		b.work = true
	}
	if e := b.madeUp(old, now); e != nil && b.report.Skips == "" {
		b.report.Skips = "uses " + match.Cut(b.after.code(e)) + " in the place of nil"
	}
	n, ok := now.(*ast.AssignStmt)
	if !ok {
		return
	}
	o, ok := old.(*ast.AssignStmt)
	if !ok {
		return
	}
	if last, ok := o.Lhs[len(o.Lhs)-1].(*ast.Ident); len(o.Lhs) < len(n.Lhs) || ok && last.Name != "_" {
		b.dropsResult(n)
	}
	if len(n.Rhs) == 1 && len(o.Rhs) == 1 && match.ZeroValue(n.Rhs[0]) && !match.ZeroValue(o.Rhs[0]) && b.report.Skips == "" && !b.changesLater(n) {
		b.report.Skips = "uses " + match.Cut(b.after.code(n.Rhs[0])) + " in the place of " + match.Cut(b.before.code(o.Rhs[0]))
	}
}

// clamped notes an added call of min or max. A call with other arguments than
// before is no new limit, nor is one in the place of an if that set the same limit.
// A new function has no old version.
func (f *fileComparison) clamped(now, old *ast.FuncDecl) {
	had := limits(f.before, old)
	var added []*ast.CallExpr
	for _, c := range limits(f.after, now) {
		if i := slices.IndexFunc(had, func(o *ast.CallExpr) bool { return f.before.code(o) == f.after.code(c) }); i >= 0 {
			had = slices.Delete(had, i, i+1)
		} else {
			added = append(added, c)
		}
	}
	for _, limit := range ifLimits(f.before, old) {
		if i := slices.IndexFunc(added, func(c *ast.CallExpr) bool { return limit.isLike(f.after.code(c)) }); i >= 0 {
			added = slices.Delete(added, i, i+1)
		}
	}
	if len(added) > len(had) && f.report.Skips == "" {
		f.report.Skips = "limits a value: " + match.Cut(f.after.code(added[0]))
		f.report.Support = f.after.limitSupport(now, added)
	}
}

// limits returns the calls of min and max in code; the function may be nil.
func limits(s source, in ast.Node) (calls []*ast.CallExpr) {
	if fn, ok := in.(*ast.FuncDecl); ok && fn == nil {
		return nil
	}
	for n := range ast.Preorder(in) {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		if id, ok := c.Fun.(*ast.Ident); ok && (id.Name == "min" || id.Name == "max") && s.functions()[id.Name] == nil {
			calls = append(calls, c)
		}
	}
	return calls
}

// dropsResult notes an assignment that drops what tells success from failure: a
// new blank last value.
func (b *function) dropsResult(s *ast.AssignStmt) {
	last, ok := s.Lhs[len(s.Lhs)-1].(*ast.Ident)
	if !ok || last.Name != "_" || len(s.Rhs) != 1 || len(s.Lhs) < 2 || b.report.Skips != "" || b.droppedBefore(s.Rhs[0]) {
		return
	}
	switch s.Rhs[0].(type) {
	case *ast.TypeAssertExpr:
		b.report.Skips = "uses a zero value when the type is another"
	case *ast.CallExpr:
		b.report.Skips = "ignores the error of " + match.Cut(b.after.code(s.Rhs[0]))
	}
}

// droppedBefore reports whether the old function dropped what tells success from
// failure of the same call, too.
func (b *function) droppedBefore(e ast.Expr) bool {
	was, now := b.before.functions()[b.name], calledBy(b.after, e)
	if was == nil || now == "" {
		return false
	}
	for n := range ast.Preorder(was) {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Rhs) != 1 || len(a.Lhs) < 2 || calledBy(b.before, a.Rhs[0]) != now {
			continue
		}
		if last, ok := a.Lhs[len(a.Lhs)-1].(*ast.Ident); ok && last.Name == "_" {
			return true
		}
	}
	return false
}

// calledBy is the code of the function that an expression calls; empty for others.
func calledBy(s source, e ast.Expr) string {
	if call, ok := e.(*ast.CallExpr); ok {
		return s.code(call.Fun)
	}
	return ""
}

// isOperation reports whether a statement locks, unlocks, counts or closes.
func isOperation(s ast.Stmt) bool {
	var call *ast.CallExpr
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, _ = s.X.(*ast.CallExpr)
	case *ast.DeferStmt:
		call = s.Call
	}
	if call == nil {
		return false
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "close" && len(call.Args) == 1
	case *ast.SelectorExpr:
		switch f.Sel.Name {
		case "Lock", "Unlock", "RLock", "RUnlock", "Done":
			return len(call.Args) == 0
		case "Add":
			return len(call.Args) == 1
		}
	}
	return false
}

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
