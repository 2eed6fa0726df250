package effect

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/effect/match"
)

// floorOfSize says why a size that is limited to 0 from below loses nothing: 0 is the
// nearest size that is valid, and what it makes is empty.
const floorOfSize = "a size below 0 counts as 0, the nearest valid size"

// limitSupport says why limits lose nothing that is there, each of them. It returns
// nothing where one of them may.
func (s source) limitSupport(fn *ast.FuncDecl, calls []*ast.CallExpr) string {
	why := ""
	for _, c := range calls {
		if len(c.Args) != 2 || len(limits(s, c)) != 1 {
			return ""
		}
		u := s.uses(fn, c)
		bound := slices.IndexFunc(c.Args, func(e ast.Expr) bool { return u.loseNothing(s, s.code(c.Fun), e) != "" })
		if bound < 0 {
			return ""
		}
		why = u.loseNothing(s, s.code(c.Fun), c.Args[bound])
	}
	return why
}

// loseNothing says why a limit by min or max with a bound loses nothing that is there: a
// size below 0 counts as 0, a divisor below 1 as 1, and no more is taken of something than
// it has. It returns nothing where the limit may.
func (u uses) loseNothing(s source, limit string, bound ast.Expr) string {
	switch {
	case match.IsLiteral("0")(bound) && limit == "max" && u.size && !u.index:
		return floorOfSize
	case match.IsLiteral("1")(bound) && limit == "max" && u.divisor && !u.index && !u.size:
		return "a divisor below 1 counts as 1"
	case s.isLength(bound) && limit == "min" && u.size && !u.index:
		return "no more is taken than there is"
	}
	return ""
}

// isLength recognizes len(x) and cap(x).
func (s source) isLength(e ast.Expr) bool {
	c, ok := e.(*ast.CallExpr)
	return ok && (s.code(c.Fun) == "len" || s.code(c.Fun) == "cap")
}

// uses are what an expression is used for in a function, directly or by the variable
// that it is given to: as the size of something that is made or the end of a slice, as an
// index, as a divisor.
type uses struct{ size, index, divisor bool }

func (s source) uses(fn *ast.FuncDecl, e ast.Expr) uses {
	name := ""
	for n := range ast.Preorder(fn) {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Rhs) == 1 && a.Rhs[0] == e && len(a.Lhs) == 1 {
			name = s.code(a.Lhs[0])
		}
	}
	return s.usesOf(fn, name, func(of ast.Expr) bool { return of.Pos() <= e.Pos() && e.End() <= of.End() })
}

// usesOf are the uses of a variable, and of what else an expression has in it.
func (s source) usesOf(fn *ast.FuncDecl, name string, has func(ast.Expr) bool) uses {
	in := func(of ast.Expr) bool {
		return of != nil && (has(of) || name != "" && match.Mentions(s.code(of), map[string]bool{name: true}))
	}
	var u uses
	for n := range ast.Preorder(fn) {
		switch n := n.(type) {
		case *ast.CallExpr:
			u.size = u.size || slices.ContainsFunc(s.sizes(n), in)
		case *ast.SliceExpr:
			u.size = u.size || in(n.Low) || in(n.High)
		case *ast.IndexExpr:
			u.index = u.index || in(n.Index) && s.alone(n.Index, name)
		case *ast.BinaryExpr:
			u.divisor = u.divisor || (n.Op == token.QUO || n.Op == token.REM) && in(n.Y)
		}
	}
	return u
}

// alone reports whether an index has no other variable than that of a name: i-n is a
// distance from i, and not the element n.
func (s source) alone(index ast.Expr, name string) bool {
	for n := range ast.Preorder(index) {
		if id, ok := n.(*ast.Ident); ok && id.Name != name && id.Name != "len" && id.Name != "min" && id.Name != "max" {
			return name == ""
		}
	}
	return true
}

// sizes are the arguments of a call that say how much it makes.
func (s source) sizes(call *ast.CallExpr) []ast.Expr {
	switch s.code(call.Fun) {
	case "make":
		return call.Args[min(1, len(call.Args)):]
	case "strings.Repeat", "bytes.Repeat":
		return call.Args[min(1, len(call.Args)):]
	}
	return nil
}

// limited says why a point that sets a variable to a limit where it is beyond loses
// nothing: "n = 0" when n < 0, "end = len(xs)" when end > len(xs).
func (s source) limited(p Point) string {
	name, bound, sets := strings.Cut(p.Leaves, " = ")
	e, err := parser.ParseExpr(p.When)
	c, compares := e.(*ast.BinaryExpr)
	if !sets || err != nil || !compares || s.ast == nil || s.functions()[p.Function] == nil || p.When[:max(c.X.End()-1, 0)] != name {
		return ""
	}
	limit := map[token.Token]string{token.LSS: "max", token.LEQ: "max", token.GTR: "min", token.GEQ: "min"}[c.Op]
	if c.Op == token.EQL && match.IsLiteral("0")(c.Y) && bound == "1" {
		limit = "max"
	}
	u := s.usesOf(s.functions()[p.Function], name, func(ast.Expr) bool { return false })
	for n := range ast.Preorder(s.functions()[p.Function]) {
		a, ok := n.(*ast.AssignStmt)
		if ok && len(a.Lhs) == 1 && len(a.Rhs) == 1 && s.code(a.Lhs[0]) == name && s.code(a.Rhs[0]) == bound && (p.When[c.Y.Pos()-1:] == bound || match.IsLiteral("1")(a.Rhs[0])) {
			return u.loseNothing(s, limit, a.Rhs[0])
		}
	}
	return ""
}

// ifLimit is an if that sets a limit: "if x < y { x = y }", with what x was given
// before it.
type ifLimit struct{ call, value, bound string }

// isLike reports whether a call of min or max sets the same limit.
func (l ifLimit) isLike(call string) bool {
	return strings.HasPrefix(call, l.call+"(") && match.MentionsCode(call, l.bound) && strings.Contains(call, l.value)
}

// ifLimits are those of a function, which may be nil.
func ifLimits(s source, fn *ast.FuncDecl) (list []ifLimit) {
	if fn == nil {
		return nil
	}
	given := map[string]string{} // the last value of each variable so far
	for node := range ast.Preorder(fn) {
		if a, ok := node.(*ast.AssignStmt); ok && len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			given[s.code(a.Lhs[0])] = s.code(a.Rhs[0])
		}
		g, ok := node.(*ast.IfStmt)
		if !ok || g.Else != nil || len(g.Body.List) != 1 {
			continue
		}
		c, compares := g.Cond.(*ast.BinaryExpr)
		a, assigns := g.Body.List[0].(*ast.AssignStmt)
		if !compares || !assigns || len(a.Lhs) != 1 || s.code(a.Lhs[0]) != s.code(c.X) || s.code(a.Rhs[0]) != s.code(c.Y) {
			continue
		}
		value := given[s.code(c.X)]
		if value == "" {
			value = s.code(c.X)
		}
		switch c.Op {
		case token.LSS, token.LEQ:
			list = append(list, ifLimit{"max", value, s.code(c.Y)})
		case token.GTR, token.GEQ:
			list = append(list, ifLimit{"min", value, s.code(c.Y)})
		}
	}
	return list
}
