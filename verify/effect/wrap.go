package effect

import (
	"go/ast"
	"go/token"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
)

// wrap is an operator by which any number becomes a valid one: n % len(x) and n & (len(x)-1)
// an index, n | 1 a divisor.
type wrap struct {
	at, of ast.Expr // at is nil of an assignment: n %= len(x)
	code   string
	odd    bool // n | 1
}

// wraps are those in a function.
func wraps(s source, fn *ast.FuncDecl) (list []wrap) {
	add := func(n ast.Node, at, x, y ast.Expr, op token.Token) {
		w := wrap{at, x, s.code(n), op == token.OR || op == token.OR_ASSIGN}
		switch op {
		case token.OR, token.OR_ASSIGN:
			if !match.IsLiteral("1")(y) {
				return
			}
		case token.AND, token.AND_ASSIGN:
			less, ok := ast.Unparen(y).(*ast.BinaryExpr)
			if !ok || less.Op != token.SUB || !match.IsLiteral("1")(less.Y) || !s.isLengthOf(less.X) {
				return
			}
		case token.REM, token.REM_ASSIGN:
			if !s.isLengthOf(y) {
				return
			}
		default:
			return
		}
		list = append(list, w)
	}
	for n := range ast.Preorder(fn) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			add(n, n, n.X, n.Y, n.Op)
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && len(n.Rhs) == 1 {
				add(n, nil, n.Lhs[0], n.Rhs[0], n.Tok)
			}
		}
	}
	return list
}

// isLengthOf is isLength, also of one that is converted to another type.
func (s source) isLengthOf(e ast.Expr) bool {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && len(call.Args) == 1 && !s.isLength(call) {
		e = call.Args[0]
	}
	return s.isLength(ast.Unparen(e))
}

// wrapped notes such an operator that was put around an index or a divisor that stood there.
// Counters and sums do not count: they are meant to wrap around.
func (f *fileComparison) wrapped(now, old *ast.FuncDecl) {
	had := map[string]bool{}
	stood := map[match.Form]bool{}
	if old != nil {
		for _, w := range wraps(f.before, old) {
			had[w.code] = true
		}
		for e := range syntax.All[ast.Expr](old) {
			stood[match.FormOf(e)] = true
		}
	}
	for _, w := range wraps(f.after, now) {
		sum, _ := ast.Unparen(w.of).(*ast.BinaryExpr)
		if had[w.code] || old != nil && !stood[match.FormOf(w.of)] || sum != nil && (sum.Op == token.ADD || sum.Op == token.SUB) || f.counts(w.of) {
			continue
		}
		var u uses
		if w.at != nil {
			u = f.after.uses(now, w.at)
		} else {
			u = f.after.usesOf(now, f.after.code(w.of), func(ast.Expr) bool { return false })
		}
		if (u.index && !w.odd || u.divisor && w.odd) && f.report.Skips == "" {
			f.report.Skips = "limits a value: " + match.Cut(w.code)
		}
	}
}

// counts reports whether an expression is a counter: it is, or was, counted up or down, or by a
// loop.
func (f *fileComparison) counts(e ast.Expr) bool {
	if _, element := ast.Unparen(e).(*ast.IndexExpr); element || syntax.LastName(ast.Unparen(e)) == "" {
		return false
	}
	for _, s := range []source{f.before, f.after} {
		for n := range ast.Preorder(s.ast) {
			if counted := countedBy(n); counted != nil && syntax.LastName(counted) == syntax.LastName(ast.Unparen(e)) {
				return true
			}
		}
	}
	return false
}

// countedBy is the variable that a node counts up or down; nil for others.
func countedBy(n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.IncDecStmt:
		return n.X
	case *ast.AssignStmt:
		if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
			return n.Lhs[0]
		}
		for sum := range syntax.All[*ast.BinaryExpr](n) {
			if (sum.Op == token.ADD || sum.Op == token.SUB) && match.FormOf(sum.X) == match.FormOf(n.Lhs[0]) {
				return n.Lhs[0]
			}
		}
	case *ast.RangeStmt:
		return n.Key
	}
	return nil
}
