package review

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Half is a statement that a point leaves out beside what its guard asks about, and that
// changes what the receiver, an argument or a variable of the package leads to: where such
// a guard leaves, that may be half changed. It is empty where the function has changed
// nothing by then and leaves the same out elsewhere. before and after are the files of the
// point's package, by their names.
func Half(before, after map[string]string, p effect.Point) string {
	was, now := flowsOf(load(before)), flowsOf(load(after))
	old, fn := was.functionOf(p), now.functionOf(p)
	if old == nil || fn == nil || p.Effect != verdict.Skips {
		return ""
	}
	had := map[match.Form]bool{}
	for _, s := range match.Statements(old.Body) {
		had[match.FormOf(s)] = true
	}
	at := now.fset.File(fn.Pos()).Pos(p.Offset)
	left := now.leftOut(fn, at, p)
	i := slices.IndexFunc(left, func(s ast.Stmt) bool { return had[match.FormOf(s)] && !asksAbout(p.When, s) && now.changes(fn, s) })
	if i < 0 || !now.changedBefore(fn, at) && was.leavesUnchanged(old, match.FormOf(left[i])) {
		return ""
	}
	return match.Cut(syntax.Fold(syntax.Named(after, p.File).Text[now.fset.Position(left[i].Pos()).Offset:now.fset.Position(left[i].End()).Offset]))
}

// flows is a package with what its variables are made of and what its functions change.
type flows struct {
	typed
	functions map[types.Object]*ast.FuncDecl // those with bodies
	given     map[*types.Var][]*types.Var    // what a variable is made of
	looked    map[types.Object]bool          // functions that change nothing, as far as was seen
}

func flowsOf(t typed) flows {
	w := flows{t, map[types.Object]*ast.FuncDecl{}, map[*types.Var][]*types.Var{}, map[types.Object]bool{}}
	for _, f := range t.files {
		for n := range ast.Preorder(f) {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Body != nil {
					w.functions[t.info.Defs[n.Name]] = n
				}
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					w.give(l, n.Rhs[min(i, len(n.Rhs)-1)])
				}
			case *ast.RangeStmt:
				w.give(n.Key, n.X)
				w.give(n.Value, n.X)
			}
		}
	}
	delete(w.functions, nil)
	return w
}

// give notes that a variable is given a value that is not new.
func (t flows) give(to, value ast.Expr) {
	id, ok := to.(*ast.Ident)
	if _, made := value.(*ast.CompositeLit); !ok || made || t.takesAddress(value) {
		return
	}
	v, ok := t.info.ObjectOf(id).(*types.Var)
	for of := range syntax.All[*ast.Ident](value) {
		if of, is := t.info.Uses[of].(*types.Var); ok && is && !of.IsField() {
			t.given[v] = append(t.given[v], of)
		}
	}
}

// functionOf is the declaration around a point.
func (t typed) functionOf(p effect.Point) *ast.FuncDecl {
	for i, f := range t.files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && t.names[i] == p.File && fn.Body != nil && syntax.NameOf(fn) == p.Function {
				return fn
			}
		}
	}
	return nil
}

// leftOut are the statements that the run does not come to from a point: the body of the if
// that does not hold, or what comes after a statement that leaves the function or the loop.
func (t typed) leftOut(fn *ast.FuncDecl, at token.Pos, p effect.Point) (left []ast.Stmt) {
	body := fn.Body
	for n := range ast.Preorder(fn.Body) {
		if at < n.Pos() || n.End() < at {
			continue
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			body = n.Body
		case *ast.ForStmt, *ast.RangeStmt:
			if p.Leaves == "continue" || p.Leaves == "break" {
				body = syntax.Body(n.(ast.Stmt))
			}
		case *ast.IfStmt:
			if p.Branch == effect.ElseBranch && n.Body.End() == at {
				return match.Statements(n.Body)
			}
		}
	}
	if p.Leaves == "" {
		return nil
	}
	return slices.DeleteFunc(match.Statements(body), func(s ast.Stmt) bool { return s.Pos() <= at })
}

// changedBefore reports whether the function has changed something when it comes to a place,
// elsewhere than in branches that leave it.
func (t flows) changedBefore(fn *ast.FuncDecl, at token.Pos) (changed bool) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BlockStmt); ok && len(b.List) > 0 && b.End() < at && match.IsLeave(b.List[len(b.List)-1]) {
			return false
		}
		s, ok := n.(ast.Stmt)
		changed = changed || ok && s.End() <= at && t.changes(fn, s)
		return !changed
	})
	return changed
}

// leavesUnchanged reports whether a function returns before it comes to a statement, in a
// branch, where it has changed nothing.
func (t flows) leavesUnchanged(fn *ast.FuncDecl, before match.Form) bool {
	for _, s := range match.Statements(fn.Body) {
		if match.FormOf(s) == before {
			return false
		}
		if _, ok := s.(*ast.ReturnStmt); ok && !slices.Contains(fn.Body.List, s) {
			return !t.changedBefore(fn, s.Pos())
		}
	}
	return false
}

// asksAbout reports whether a statement changes what a condition asks about, or a part of it.
func asksAbout(condition string, s ast.Stmt) bool {
	operands := match.OperandsOf(condition)
	return slices.ContainsFunc(targets(s), func(target ast.Expr) bool {
		for n := range ast.Preorder(target) {
			if e, ok := n.(ast.Expr); ok && slices.Contains(operands, types.ExprString(e)) {
				return true
			}
		}
		return false
	})
}

// targets are what a statement changes, if it changes something.
func targets(s ast.Stmt) []ast.Expr {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE {
			return s.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{s.X}
	case *ast.SendStmt:
		return []ast.Expr{s.Chan}
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return nil
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			return append([]ast.Expr{sel.X}, call.Args...)
		}
		return call.Args
	}
	return nil
}

// changes reports whether a statement of a function changes what outlives its call, by itself
// or in a function of the package that it calls.
func (t flows) changes(fn *ast.FuncDecl, s ast.Stmt) bool {
	e, isCall := s.(*ast.ExprStmt)
	if !isCall {
		_, sends := s.(*ast.SendStmt)
		return slices.ContainsFunc(targets(s), func(target ast.Expr) bool { return t.reachesOut(fn, target, sends) })
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok || !slices.ContainsFunc(targets(s), func(target ast.Expr) bool { return t.reachesOut(fn, target, true) }) {
		return false
	}
	if id, ok := call.Fun.(*ast.Ident); ok && t.info.Uses[id] == types.Universe.Lookup(id.Name) {
		return slices.Contains([]string{"clear", "close", "copy", "delete"}, id.Name)
	}
	callee := t.callee(call)
	in := t.functions[callee]
	if in == nil || t.looked[callee] {
		return false
	}
	t.looked[callee] = true
	if !slices.ContainsFunc(match.Statements(in.Body), func(s ast.Stmt) bool { return t.changes(in, s) }) {
		return false
	}
	clear(t.looked) // a function that calls this one may have been passed over
	return true
}

// reachesOut reports whether an expression leads to what outlives the call of a function: a
// variable of the package, or through a pointer, slice or map what the receiver, a parameter
// or a variable made of these leads to. Where the expression itself is a value, it may be
// the pointer.
func (t flows) reachesOut(fn *ast.FuncDecl, e ast.Expr, value bool) bool {
	through := value
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			through, e = through || t.leads(x.X), x.X
		case *ast.IndexExpr:
			through, e = through || t.leads(x.X), x.X
		case *ast.StarExpr:
			through, e = true, x.X
		case *ast.UnaryExpr:
			e = x.X
		case *ast.Ident:
			v, ok := t.info.Uses[x].(*types.Var)
			return ok && (v.Parent() == v.Pkg().Scope() || through && t.outlives(fn, v, map[*types.Var]bool{}))
		default:
			return false
		}
	}
}

// leads reports whether a value leads to memory that is not its own.
func (t typed) leads(e ast.Expr) bool {
	typ := t.info.TypeOf(e)
	if typ == nil {
		return false
	}
	switch typ.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map:
		return true
	}
	return false
}

// outlives reports whether a variable is the receiver or a parameter, or was given something
// that is made of one or of a variable of the package. seen are those that were asked about.
func (t flows) outlives(fn *ast.FuncDecl, v *types.Var, seen map[*types.Var]bool) bool {
	if v.Parent() == v.Pkg().Scope() || v.Pos() < fn.Body.Pos() {
		return true
	}
	if seen[v] {
		return false
	}
	seen[v] = true
	return slices.ContainsFunc(t.given[v], func(of *types.Var) bool { return t.outlives(fn, of, seen) })
}

// takesAddress recognizes the address of a new value.
func (t typed) takesAddress(e ast.Expr) bool {
	u, ok := e.(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return false
	}
	_, made := u.X.(*ast.CompositeLit)
	return made
}
