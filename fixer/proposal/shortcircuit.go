package proposal

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"

	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// Good is a condition under which the faulting expression may be evaluated.
type Good string

// conditionBefore returns the largest boolean operand around the node that is not
// itself a && or || above it: what a test can be put in front of.
func conditionBefore(p syntax.Place) ast.Expr {
	var best ast.Expr
	for _, n := range p.Path {
		e, ok := n.(ast.Expr)
		if !ok {
			break
		}
		if _, lit := e.(*ast.FuncLit); lit {
			return nil
		}
		t := p.Info().TypeOf(e)
		if syntax.IsBool(t) {
			if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
				break
			}
			best = e
		} else if best != nil {
			return nil // a boolean inside another expression: f(x[i] == 0)
		}
	}
	return best
}

// isTest reports whether a boolean expression decides an if, for or case.
func isTest(p syntax.Place, cond ast.Expr) (test ast.Node) {
	at := p.Of(cond)
	for i := 1; i < len(at.Path); i++ {
		switch n := at.Path[i].(type) {
		case *ast.BinaryExpr, *ast.ParenExpr, *ast.UnaryExpr:
			continue
		case *ast.IfStmt:
			if n.Cond != nil && syntax.Contains(n.Cond, cond.Pos()) {
				return n
			}
			return nil
		case *ast.ForStmt:
			if n.Cond != nil && syntax.Contains(n.Cond, cond.Pos()) {
				return n
			}
			return nil
		case *ast.CaseClause:
			if sw, ok := at.Path[i+2].(*ast.SwitchStmt); ok && sw.Tag == nil {
				return n
			}
			return nil
		case *ast.ReturnStmt:
			return n
		default:
			return nil
		}
	}
	return nil
}

// ShortCircuit puts a test in front of the condition that the fault is in.
func (f *Proposal) ShortCircuit(p syntax.Place, ok Good, bad, what string) bool {
	cond := conditionBefore(p)
	if cond == nil || saysNothing(string(ok)) {
		return false
	}
	test := isTest(p, cond)
	if test == nil || f.usedBeside(p, test) || !f.repeatable(p.Of(cond), string(ok)) {
		return false
	}
	w := exits.Handled + 4
	if _, loop := test.(*ast.ForStmt); loop {
		w = exits.Origin + 4
	} else if asksForOther(p, cond) {
		return false // what is not there is other than anything
	}
	ch := f.Change()
	if whole := f.asksAgain(p, cond); whole != nil {
		cond = whole
		ch = ch.Insert(cond.Pos(), string(ok)+" && (").Insert(cond.End(), ")")
	} else {
		ch = ch.Insert(cond.Pos(), string(ok)+" && ")
	}
	kind := map[bool]string{true: "loop", false: "test"}[w == exits.Origin+4]
	return f.Offer(Idea{Rule: "shortcircuit/short-circuit", Title: fmt.Sprintf("test %s first in the condition", string(ok)), Weight: w, Change: ch,
		Why: fmt.Sprintf("The condition at %s now asks for %s before it goes on, so that the %s ends without evaluating the rest.", f.Where(cond.Pos()), string(ok), kind)})
}

// asksAgain is the largest || around a condition whose later operands evaluate the
// faulting expression, too; nil without one.
func (f *Proposal) asksAgain(p syntax.Place, cond ast.Expr) (whole ast.Expr) {
	at := p.Of(cond)
	for i := 1; i < len(at.Path); i++ {
		switch n := at.Path[i].(type) {
		case *ast.BinaryExpr:
			if n.Op == token.LOR && syntax.Contains(n.X, cond.Pos()) && f.evaluates(n.Y, f.Text(p.Node())) {
				whole = n
			}
		case *ast.ParenExpr:
		default:
			return whole
		}
	}
	return whole
}

// evaluates reports whether an expression has a part with a text.
func (f *Proposal) evaluates(x ast.Node, text string) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		found = found || ok && f.Text(e) == text
		return !found
	})
	return found
}

// asksForOther reports whether a condition holds for all values but one, which is
// not the zero value. Where it is false, there is that value.
func asksForOther(p syntax.Place, cond ast.Expr) bool {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	case *ast.BinaryExpr:
		tv := p.Info().Types[e.Y]
		zero := tv.IsNil() || tv.Value != nil && (tv.Value.ExactString() == "0" || tv.Value.ExactString() == `""`)
		return e.Op == token.NEQ && !zero
	}
	return false
}

// usedBeside reports whether the other branches of a test use the faulting
// expression too, so that a test in one of them is not enough.
func (f *Proposal) usedBeside(p syntax.Place, test ast.Node) bool {
	text := f.Text(p.Node())
	var others []ast.Node
	switch t := test.(type) {
	case *ast.IfStmt:
		if t.Else != nil {
			others = append(others, t.Else)
		}
	case *ast.CaseClause:
		at := p.Of(t)
		if body, ok := at.Path[1].(*ast.BlockStmt); ok {
			for _, c := range body.List {
				if c != ast.Stmt(t) && c.Pos() > t.Pos() {
					others = append(others, c)
				}
			}
		}
	}
	return slices.ContainsFunc(others, func(o ast.Node) bool { return f.evaluates(o, text) })
}

// saysNothing reports whether a condition compares something with itself, as in
// len(x) < len(x): it holds always or never.
func saysNothing(cond string) bool {
	e, err := parser.ParseExpr(cond)
	if err != nil {
		return true
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok {
			found = found || cond[b.X.Pos()-1:b.X.End()-1] == cond[b.Y.Pos()-1:b.Y.End()-1]
		}
		return !found
	})
	return found
}
