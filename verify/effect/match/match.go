package match

import (
	"go/ast"
	"slices"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Pairs pairs the statements of the old versions of functions with those of the new
// ones. What has no partner is gone, or was added.
type Pairs struct {
	Now, Was map[ast.Stmt]ast.Stmt   // the new statement of an old one, the old one of a new one
	Moved    map[ast.Stmt]bool       // new ones that stand elsewhere than they did
	List     map[ast.Stmt][]ast.Stmt // the new list of statements that an old one was in
	last     *[][2]ast.Stmt          // old and new ones that are paired if nothing better is found
}

// NewPairs has paired nothing yet.
func NewPairs() Pairs {
	return Pairs{Now: map[ast.Stmt]ast.Stmt{}, Was: map[ast.Stmt]ast.Stmt{}, Moved: map[ast.Stmt]bool{}, List: map[ast.Stmt][]ast.Stmt{}, last: &[][2]ast.Stmt{}}
}

func (m Pairs) pair(old, now ast.Stmt) { m.Now[old], m.Was[now] = now, old }

func (m Pairs) free(old, now ast.Stmt) bool { return m.Now[old] == nil && m.Was[now] == nil }

// equal pairs two statements of one form, and all that is in them.
func (m Pairs) equal(old, now ast.Stmt) {
	a, b := Statements(old), Statements(now)
	for i := range min(len(a), len(b)) {
		m.pair(a[i], b[i])
	}
}

// Statements are a statement and those in it, in their order.
func Statements(in ast.Node) []ast.Stmt {
	var list []ast.Stmt
	ast.Inspect(in, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.CaseClause, *ast.CommClause, *ast.BlockStmt:
		case ast.Stmt:
			list = append(list, s)
		}
		return true
	})
	return list
}

// Lists pairs two lists of statements: equal ones in their common order, and between these
// the ones that are alike.
func (m Pairs) Lists(old, now []ast.Stmt) {
	for _, o := range old {
		m.List[o] = now
	}
	a, b := forms(old), forms(now)
	i, j := 0, 0
	for _, g := range append(gaps(a, b), span{len(a), len(a), len(b), len(b)}) {
		for ; i < g.a0 && j < g.b0; i, j = i+1, j+1 {
			m.equal(old[i], now[j])
		}
		m.gap(old[g.a0:g.a1], now[g.b0:g.b1])
		i, j = g.a1, g.b1
	}
}

func forms(list []ast.Stmt) []Form {
	all := make([]Form, len(list))
	for i, s := range list {
		all[i] = FormOf(s)
	}
	return all
}

// gap pairs what stood between two equal statements with what stands there now: old
// statements that have something around them now, then versions of one statement.
func (m Pairs) gap(old, now []ast.Stmt) {
	for _, n := range now {
		if !m.version(old, n) {
			m.inside(old, n)
		}
	}
	for _, strictly := range []bool{true, false} {
		for _, n := range now {
			m.counterpart(old, n, strictly)
		}
	}
}

// inside pairs old statements with equal ones in a new one.
func (m Pairs) inside(old []ast.Stmt, now ast.Stmt) {
	for _, s := range Statements(now)[1:] {
		if bareLeave(s) {
			continue
		}
		if i := slices.IndexFunc(old, func(o ast.Stmt) bool { return m.free(o, s) && FormOf(o) == FormOf(s) }); i >= 0 {
			m.equal(old[i], s)
			m.Moved[s] = true
		}
	}
}

// counterpart pairs a new statement with the old one that it is a version of. One that
// gives a constant where a value was worked out may stand beside one that still works it
// out: it is a version if there is no other.
func (m Pairs) counterpart(old []ast.Stmt, now ast.Stmt, strictly bool) {
	for _, o := range old {
		switch {
		case !m.free(o, now) || !alike(o, now, strictly):
		case givesConstant(now) && !givesConstant(o):
			*m.last = append(*m.last, [2]ast.Stmt{o, now})
		default:
			m.changed(o, now)
			return
		}
	}
}

// givesConstant reports whether a statement gives a variable a constant, or no value.
func givesConstant(s ast.Stmt) bool {
	name, value := Declared(s)
	return name != nil && (value == nil || Constant(value))
}

// Rest pairs what is left to be paired.
func (m Pairs) Rest() {
	for _, pair := range *m.last {
		if m.free(pair[0], pair[1]) {
			m.changed(pair[0], pair[1])
		}
	}
}

// version reports whether a new statement is one of the old ones with more in it.
func (m Pairs) version(old []ast.Stmt, now ast.Stmt) bool {
	return slices.ContainsFunc(old, func(o ast.Stmt) bool { return len(Statements(o)) > 1 && alike(o, now, true) })
}

// alike reports whether two statements may be versions of one: of one kind, and strictly,
// with one head: the variables assigned, the function called, the condition.
func alike(old, now ast.Stmt, strictly bool) bool {
	if !sameKind(old, now) {
		return false
	}
	switch n := now.(type) {
	case *ast.AssignStmt, *ast.DeclStmt:
		return !strictly || formOfNames(old) == formOfNames(n)
	case *ast.ExprStmt:
		return CalledForm(old.(*ast.ExprStmt)) == CalledForm(n)
	case *ast.IfStmt:
		o := old.(*ast.IfStmt)
		same := FormOf(o.Body) == FormOf(n.Body)
		return strictly && (related(o.Cond, n.Cond) || same && sharesName(compared(o.Cond), compared(n.Cond))) || sharesWork(o.Body, n.Body) && (!strictly || same)
	case *ast.DeferStmt:
		o := old.(*ast.DeferStmt)
		return FormOf(o.Call.Fun) == FormOf(n.Call.Fun) || !strictly && sharesDeferred(o, n)
	}
	return true
}

// formOfNames is that of the first variable that a statement gives a value to, by its
// name.
func formOfNames(s ast.Stmt) Form {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return FormOf(s.Lhs[0])
	case *ast.DeclStmt:
		if name, _ := Declared(s); name != nil {
			return FormOf(name)
		}
	}
	return 0
}

// CalledForm is the form of what a statement calls.
func CalledForm(e *ast.ExprStmt) Form {
	switch x := e.X.(type) {
	case *ast.CallExpr:
		return FormOf(x.Fun)
	case *ast.UnaryExpr:
		return FormOf(&ast.Ident{Name: x.Op.String()})
	}
	return 0
}

// related reports whether two conditions have a part in common, or begin with a comparison
// of one value: one that was made wider or narrower.
func related(a, b ast.Expr) bool {
	x, y := Expressions(a), Expressions(b)
	if x[FormOf(b)] || y[FormOf(a)] || FormOf(compared(a)) == FormOf(compared(b)) {
		return true
	}
	for n := range ast.Preorder(b) {
		switch n := n.(type) {
		case *ast.BinaryExpr, *ast.CallExpr, *ast.IndexExpr:
			if x[FormOf(n)] {
				return true
			}
		}
	}
	return false
}

// sharesName reports whether two expressions name the same variable.
func sharesName(a, b ast.Expr) bool {
	x := words(&ast.ExprStmt{X: a})
	for w := range words(&ast.ExprStmt{X: b}) {
		if x[w] > 0 && w != "nil" && w != "len" {
			return true
		}
	}
	return false
}

// compared is the value that a condition begins to ask about.
func compared(cond ast.Expr) ast.Expr {
	c, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	switch {
	case !ok:
		return cond
	case IsComparison(c.Op):
		return c.X
	}
	return compared(c.X)
}

// sharesWork reports whether two blocks have a statement in common that does more than
// leave.
func sharesWork(a, b *ast.BlockStmt) bool {
	x := forms(a.List)
	return slices.ContainsFunc(b.List, func(s ast.Stmt) bool { return !bareLeave(s) && slices.Contains(x, FormOf(s)) })
}

// sharesDeferred reports whether two deferred function literals have a statement in
// common, or both recover.
func sharesDeferred(old, now *ast.DeferStmt) bool {
	a, ok := old.Call.Fun.(*ast.FuncLit)
	b, still := now.Call.Fun.(*ast.FuncLit)
	return ok && still && (sharesWork(a.Body, b.Body) || Recovers(a.Body) && Recovers(b.Body))
}

// changed pairs two versions of a statement, and what is in them.
func (m Pairs) changed(old, now ast.Stmt) {
	m.pair(old, now)
	switch n := now.(type) {
	case *ast.IfStmt:
		o := old.(*ast.IfStmt)
		m.Lists(o.Body.List, n.Body.List)
		if o.Else != nil && n.Else != nil {
			m.Lists(ElseList(o), ElseList(n))
		}
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		m.clauses(syntax.List(old), syntax.List(now))
	case *ast.ForStmt, *ast.RangeStmt, *ast.BlockStmt:
		m.Lists(syntax.List(old), syntax.List(now))
	case *ast.LabeledStmt:
		m.Lists([]ast.Stmt{old.(*ast.LabeledStmt).Stmt}, []ast.Stmt{n.Stmt})
	default:
		a, b := syntax.Literals(old), syntax.Literals(now)
		if len(a) == len(b) {
			for i := range a {
				m.Lists(a[i].Body.List, b[i].Body.List)
			}
		}
	}
}

// ElseList are the statements of an else: those of its block, or the if that it is.
func ElseList(s *ast.IfStmt) []ast.Stmt {
	if b, ok := s.Else.(*ast.BlockStmt); ok {
		return b.List
	}
	if s.Else == nil {
		return nil
	}
	return []ast.Stmt{s.Else}
}

// clauses pairs those of a switch or a select by what they are for.
func (m Pairs) clauses(old, now []ast.Stmt) {
	was := map[Form]ast.Stmt{}
	for _, s := range old {
		was[FormOfHead(s)] = s
	}
	for _, s := range now {
		o := was[FormOfHead(s)]
		if o == nil {
			continue
		}
		m.Lists(syntax.ClauseBody(o), syntax.ClauseBody(s))
		if c, ok := s.(*ast.CommClause); ok && c.Comm != nil && FormOf(c.Comm) != FormOf(o.(*ast.CommClause).Comm) {
			m.changed(o.(*ast.CommClause).Comm, c.Comm)
		}
	}
}

// FormOfHead is that of a clause without its body, and without the function literals that it
// sends.
func FormOfHead(clause ast.Stmt) Form {
	switch c := clause.(type) {
	case *ast.CaseClause:
		return FormOf(&ast.CaseClause{List: c.List})
	case *ast.CommClause:
		if send, ok := c.Comm.(*ast.SendStmt); ok && len(syntax.Literals(send)) > 0 {
			return FormOf(&ast.CommClause{Comm: &ast.SendStmt{Chan: send.Chan, Value: ast.NewIdent("func")}})
		}
		return FormOf(&ast.CommClause{Comm: c.Comm})
	}
	return 0
}

// Elsewhere pairs old statements without a partner with equal new ones, wherever these
// stand.
func (m Pairs) Elsewhere(old, now []ast.Stmt) {
	at := map[Form][]ast.Stmt{}
	for _, n := range now {
		if m.Was[n] == nil {
			at[FormOf(n)] = append(at[FormOf(n)], n)
		}
	}
	for _, o := range old {
		if m.Now[o] != nil || bareLeave(o) {
			continue // leaving in another place is another way out
		}
		for _, n := range at[FormOf(o)] {
			if m.free(o, n) {
				m.equal(o, n)
				m.Moved[n] = true
				break
			}
		}
	}
}

// Within pairs each old statement with the new one that has most words in common with it.
func (m Pairs) Within(old, now []ast.Stmt) {
	const least = 0.4
	for _, o := range old {
		var best ast.Stmt
		most := least
		for _, n := range now {
			if !m.free(o, n) || !sameKind(o, n) {
				continue
			}
			if l := likeness(o, n); l >= most {
				best, most = n, l
			}
		}
		if best != nil {
			m.changed(o, best)
			m.Moved[best] = true
		}
	}
}
