package bounds

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// A comparison before an index, in the same condition or around it, is there to keep the
// index inside. Where it is off, it is what has to change, not the loop around it.

// checked is a comparison that was made before an index was used.
type checked struct {
	*ast.BinaryExpr
	holds bool     // what it was then
	scope ast.Node // what runs after it; nil for what comes after it in its own condition
}

// looseCheck tightens the comparison that was to keep the index inside, and reports
// whether there is one.
func (f indexRules) looseCheck(x indexing) bool {
	for _, c := range f.checksBefore(x) {
		slack, moves, ok := f.slackOf(x, c)
		if !ok || f.rewritten(x, c) || c.scope != nil && f.serves(x, c, slack) {
			continue
		}
		index, limit := f.Text(x.index), x.limit(f.Code, slack)
		f.Note(fmt.Sprintf("the check %s (%s) lets %s be %s", syntax.Brief(f.Text(c)), f.Where(c.Pos()), index, limit), c.Pos())
		ch := f.Change()
		if strict := strictly(c.Op); slack == 1 && strict != c.holds {
			ch.Replace(c.OpPos, c.OpPos+token.Pos(len(c.Op.String())), toggled(c.Op).String())
		} else {
			k := slack
			if x.negative() {
				k = -slack
			}
			_, off, _ := offsetOf(x.Place, moves)
			counter, _ := x.offset()
			text := f.Text(counter)
			if off+k != 0 {
				text += fmt.Sprintf("%+d", off+k)
			}
			ch.Replace(moves.Pos(), moves.End(), text)
		}
		return f.Offer(proposal.Idea{Rule: "bound/loose-check", Title: "tighten the check " + syntax.Short(f.Text(c)), Weight: exits.Origin, Change: ch,
			Why: fmt.Sprintf("The check at %s is now made for %s, so that no index after it is out of range.", f.Where(c.Pos()), index)})
	}
	return false
}

// limit is how far a check with that slack lets the index come.
func (x indexing) limit(f *code.Code, slack int64) string {
	if x.negative() {
		return fmt.Sprint(-slack)
	}
	text := "len(" + x.baseText(f) + ")"
	if more := slack - 1 - x.beyond; more > 0 {
		text += fmt.Sprintf("+%d", more)
	}
	return text
}

// checksBefore lists the comparisons that were made before the index, the nearest first,
// up to the loop around it.
func (f indexRules) checksBefore(x indexing) []checked {
	var list []checked
	add := func(cond ast.Expr, holds bool, scope ast.Node) {
		op := token.LAND
		if !holds {
			op = token.LOR
		}
		for _, e := range slices.Backward(operands(cond, op)) {
			if b, ok := e.(*ast.BinaryExpr); ok {
				list = append(list, checked{b, holds, scope})
			}
		}
	}
	for i := 1; i < len(x.Path); i++ {
		inner := x.Path[i-1]
		switch n := x.Path[i].(type) {
		case *ast.BinaryExpr:
			if (n.Op == token.LAND || n.Op == token.LOR) && inner == ast.Node(n.Y) {
				add(n.X, n.Op == token.LAND, nil)
			}
		case *ast.IfStmt:
			switch inner {
			case ast.Node(n.Body):
				add(n.Cond, true, n.Body)
			case ast.Node(n.Else):
				add(n.Cond, false, n.Else)
			}
		case *ast.BlockStmt:
			for _, s := range slices.Backward(n.List) {
				guard, ok := s.(*ast.IfStmt)
				if ok && s.End() < inner.Pos() && guard.Else == nil && len(guard.Body.List) > 0 && syntax.Leaves(guard.Body.List[len(guard.Body.List)-1:]) {
					add(guard.Cond, false, n)
				}
			}
		case *ast.ForStmt:
			if counter, _ := x.offset(); inner == ast.Node(n.Cond) && x.Object(counter) != nil && countsWith(x, n, x.Object(counter)) {
				return nil // they are the loop's bound
			}
			return list
		case *ast.RangeStmt, *ast.FuncDecl, *ast.FuncLit:
			return list
		}
	}
	return list
}

// operands splits a condition at one operator.
func operands(e ast.Expr, op token.Token) []ast.Expr {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == op {
		return append(operands(b.X, op), operands(b.Y, op)...)
	}
	return []ast.Expr{e}
}

// slackOf is how far out of range a check lets the index come, and the side of it that has
// the counter. It is not ok where the check is about something else, or would have refused
// the index of this run.
func (f indexRules) slackOf(x indexing, c checked) (slack int64, side ast.Expr, ok bool) {
	counter, offset := x.offset()
	if !syntax.IsPath(counter) {
		return 0, nil, false
	}
	op := c.Op
	if !c.holds {
		op = opposite(op)
	}
	side, rest := c.X, c.Y
	have, off, _ := offsetOf(x.Place, side)
	if f.Text(have) != f.Text(counter) {
		side, rest, op = c.Y, c.X, turned(op)
		if have, off, _ = offsetOf(x.Place, side); f.Text(have) != f.Text(counter) {
			return 0, nil, false
		}
	}
	switch {
	case x.negative() && (op == token.GEQ || op == token.GTR):
		least, isConst := syntax.ConstantInt(x.Place, rest)
		if op == token.GTR {
			least++
		}
		least -= off
		return -offset - least, side, isConst && -offset > least && x.value-offset >= least
	case !x.negative() && (op == token.LSS || op == token.LEQ):
		isLen, more := f.lengthBound(x, rest)
		covers := off - more // counter + covers < len
		if op == token.LEQ {
			covers--
		}
		slack = offset - covers
		return slack, side, isLen && slack > 0 && x.length >= 0 && x.value-x.length < slack
	}
	return 0, nil, false
}

// rewritten reports whether the counter or the base changes between the check and the
// index.
func (f indexRules) rewritten(x indexing, c checked) bool {
	counter, _ := x.offset()
	own := []string{f.Text(counter), f.Text(x.base)}
	found := false
	ast.Inspect(syntax.BodyOf(x.Function()), func(n ast.Node) bool {
		var written []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			written = n.Lhs
		case *ast.IncDecStmt:
			written = []ast.Expr{n.X}
		}
		for _, e := range written {
			found = found || e.Pos() > c.End() && e.Pos() < x.Expr.Pos() && slices.Contains(own, f.Text(e))
		}
		return !found
	})
	return found
}

// serves reports whether a check is just right for another index of the same base after it.
func (f indexRules) serves(x indexing, c checked, slack int64) bool {
	counter, offset := x.offset()
	right := offset - slack
	if x.negative() {
		right = offset + slack
	}
	found := false
	ast.Inspect(c.scope, func(n ast.Node) bool {
		if ix, ok := n.(*ast.IndexExpr); ok && ix.Pos() > c.End() && f.Text(ix.X) == f.Text(x.base) {
			other, off, _ := offsetOf(x.Place, ix.Index)
			found = found || f.Text(other) == f.Text(counter) && off == right
		}
		return !found
	})
	return found
}

func strictly(op token.Token) bool { return op == token.LSS || op == token.GTR }

// toggled is the comparison that is the same but for equal values.
func toggled(op token.Token) token.Token {
	return map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR}[op]
}

// opposite is the comparison that holds where this one does not.
func opposite(op token.Token) token.Token {
	return map[token.Token]token.Token{token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS}[op]
}

// turned is the comparison with its sides exchanged.
func turned(op token.Token) token.Token {
	return map[token.Token]token.Token{token.LSS: token.GTR, token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ}[op]
}
