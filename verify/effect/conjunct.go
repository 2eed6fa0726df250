package effect

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// A condition that is put before the one that failed answers in its place: "x != nil && x.n > 0"
// is false where x is nil, and nothing has asked for x.n. That leaves work out as the guard
// "if x == nil { return false }" does, wherever the answer goes: into a return, a variable, an
// argument. "x == nil || x.n > 0" is true in the same way.

// narrowed looks at the condition of an if. One that leads to nothing but a way out leaves
// out no work, unless the way out is the answer, and one with an else has another answer.
func (b walk) narrowed(old, now *ast.IfStmt) {
	if old.Init != nil && now.Init != nil {
		b.answersInPlace(old.Init, now.Init, "")
	}
	b.countsFromOne(old, now)
	switch {
	case b.decides(now):
		b.answersInPlace(old.Cond, now.Cond, "")
	case now.Else == nil && !onlyLeaves(now.Body.List):
		if and := match.Chain(now.Cond, token.LAND); len(and) > 1 {
			b.taken(match.Expressions(old.Cond), token.LAND, and, "")
		}
	case now.Else == nil && b.refuses(now.Body.List[0]):
		if and := match.Chain(now.Cond, token.LAND); len(and) > 1 {
			b.passes(match.Expressions(old.Cond), and)
		}
	}
}

// refuses reports whether a statement returns an error: what comes after is for those that it
// has not refused.
func (b walk) refuses(s ast.Stmt) bool {
	r, ok := s.(*ast.ReturnStmt)
	kinds := results(b.typ)
	return ok && len(kinds) > 0 && kinds[len(kinds)-1] == "error" && len(r.Results) == len(kinds) && !match.IsNil(ast.Unparen(r.Results[len(kinds)-1]))
}

// passes notes a point for each condition that was put before an old one which refuses: what it
// does not hold for is refused no more, and was never accepted.
func (b walk) passes(had map[match.Form]bool, and []ast.Expr) {
	for _, c := range and[:kept(had, token.LAND, and)] {
		when := b.opposite(c)
		if when == "" {
			when = "!(" + b.after.code(c) + ")"
		}
		b.pointAt(b.after.offset(c.Pos()), b.after.line(c), verdict.Skips, "accepts "+match.Cut(when))
		b.report.Points[len(b.report.Points)-1].TestEnd = b.after.offset(c.End())
	}
}

// narrowedClause looks at a clause of a switch without a tag, and reports whether it is an
// old one with a condition before its own.
func (b walk) narrowedClause(old, clause ast.Stmt) bool {
	c, ok := clause.(*ast.CaseClause)
	if s, isSwitch := old.(*ast.SwitchStmt); !ok || !isSwitch || s.Tag != nil || len(c.List) != 1 {
		return false
	}
	had := map[match.Form]bool{}
	for _, o := range syntax.List(old) {
		for _, e := range o.(*ast.CaseClause).List {
			had[match.FormOf(e)] = true
		}
	}
	and := match.Chain(c.List[0], token.LAND)
	n := kept(had, token.LAND, and)
	if n > 0 && (!onlyLeaves(c.Body) || givesConstants(c.Body[0])) {
		b.taken(had, token.LAND, and, "")
	}
	return n > 0
}

// decides reports whether an if is the answer to a question: it does no more than return
// constants, and so does what comes otherwise.
func (b walk) decides(now *ast.IfStmt) bool {
	if !onlyLeaves(now.Body.List) || !givesConstants(now.Body.List[0]) {
		return false
	}
	if kinds := results(b.typ); len(kinds) == 1 && kinds[0] == "bool" && !match.AllZero(now.Body.List[0].(*ast.ReturnStmt)) {
		return true
	}
	otherwise := match.ElseList(now)
	for n := range ast.Preorder(b.body) {
		list := match.ListOf(n)
		if i := slices.Index(list, ast.Stmt(now)); i >= 0 && now.Else == nil {
			otherwise = list[i+1:]
		}
	}
	return len(otherwise) > 0 && givesConstants(otherwise[0])
}

func givesConstants(s ast.Stmt) bool {
	r, ok := s.(*ast.ReturnStmt)
	return ok && len(r.Results) > 0 && match.Constants(r)
}

// entered looks at the condition of a loop. It ends where its data ends; what it does not
// step over is no end, and without it the loop is left out.
func (b walk) entered(old, now ast.Stmt) {
	o, wasFor := old.(*ast.ForStmt)
	n, isFor := now.(*ast.ForStmt)
	if !wasFor || !isFor || o.Cond == nil || n.Cond == nil {
		return
	}
	and, steps := match.Chain(n.Cond, token.LAND), assignedIn(n)
	first := kept(match.Expressions(o.Cond), token.LAND, and)
	if first > 0 && !slices.ContainsFunc(and[:first], func(c ast.Expr) bool { return match.Mentions(b.after.code(c), steps) }) {
		b.taken(match.Expressions(o.Cond), token.LAND, and, "")
	}
}

// assignedIn are the names that a loop gives values to, also by way of their fields, or of
// which it calls a method.
func assignedIn(loop *ast.ForStmt) map[string]bool {
	names := map[string]bool{}
	note := func(e ast.Expr) {
		for n := range ast.Preorder(e) {
			if id, ok := n.(*ast.Ident); ok {
				names[id.Name] = true
			}
		}
	}
	for n := range ast.Preorder(loop) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				note(e)
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
				note(sel.X)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		}
	}
	return names
}

// answersInPlace looks for conditions anywhere in a piece of code, but in function literals.
// exit begins the code of the return that gives the answer; empty where none does.
func (b walk) answersInPlace(old, now ast.Node, exit string) {
	had := match.Expressions(old)
	var visit func(n ast.Node, exit string)
	visit = func(n ast.Node, exit string) {
		ast.Inspect(n, func(in ast.Node) bool {
			if _, literal := in.(*ast.FuncLit); literal {
				return false
			}
			c, ok := in.(*ast.BinaryExpr)
			if !ok || c.Op != token.LAND && c.Op != token.LOR {
				return true
			}
			operands := match.Chain(c, c.Op)
			b.taken(had, c.Op, operands, map[bool]string{true: exit}[in == n])
			for _, o := range operands {
				visit(ast.Unparen(o), "")
			}
			return false
		})
	}
	visit(now, exit)
}

// returnsInPlace looks for them in the results of a return.
func (b walk) returnsInPlace(old, now *ast.ReturnStmt) {
	for i, e := range now.Results {
		exit := ""
		if i == len(now.Results)-1 {
			exit = "return " + names(b.after, now.Results[:i])
			if i > 0 {
				exit += ", "
			}
		}
		b.answersInPlace(old, ast.Unparen(e), exit)
	}
}

// taken notes a point for each condition that was put before an old one.
func (b walk) taken(had map[match.Form]bool, op token.Token, operands []ast.Expr, exit string) {
	first := kept(had, op, operands)
	if first == 0 {
		return
	}
	answer := map[token.Token]string{token.LAND: "false", token.LOR: "true"}[op]
	for _, c := range operands[:first] {
		when, e := "unless "+b.after.code(c), verdict.Skips
		if op == token.LOR {
			when = b.after.code(c)
		} else if opposite := b.opposite(c); exit != "" && opposite != "" {
			when = opposite
		}
		how := "takes " + match.Cut(b.after.code(operands[first])) + " for " + answer + on(when)
		if exit != "" {
			how = "returns " + strings.TrimPrefix(exit, "return ") + answer + on(when)
			if kinds := results(b.typ); len(kinds) > 1 && kinds[len(kinds)-1] == "bool" && answer == "false" {
				e, how = verdict.Declines, "reports false"+on(when)
			}
		}
		b.pointAt(b.after.offset(c.Pos()), b.after.line(c), e, how)
		p := &b.report.Points[len(b.report.Points)-1]
		p.TestEnd, p.Holds = b.after.offset(c.End()), op == token.LOR
		if exit != "" {
			p.When, p.Leaves = when, exit+answer
		}
	}
}

// kept is how many conditions stand before the old one; 0 where none does, or no old one is
// left.
func kept(had map[match.Form]bool, op token.Token, operands []ast.Expr) int {
	for i, c := range operands {
		if had[match.FormOf(c)] {
			return i
		}
		rest := c
		for _, next := range operands[i+1:] {
			if rest = (&ast.BinaryExpr{X: rest, Op: op, Y: next}); had[match.FormOf(rest)] {
				return i
			}
		}
	}
	return 0
}

// opposite is a comparison as it is where it does not hold; empty for other conditions.
func (b walk) opposite(c ast.Expr) string {
	switch c := ast.Unparen(c).(type) {
	case *ast.BinaryExpr:
		if op, ok := match.Opposites[c.Op]; ok {
			return b.after.code(c.X) + " " + op.String() + " " + b.after.code(c.Y)
		}
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			return b.after.code(c.X)
		}
	}
	return ""
}

// onlyLeaves reports whether a block does nothing but leave.
func onlyLeaves(block []ast.Stmt) bool {
	return len(block) == 1 && match.IsLeave(block[0])
}
