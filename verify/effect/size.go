package effect

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/verdict"
)

// floorOfSize says why a size that is limited to 0 from below loses nothing: 0 is the
// nearest size that is valid, and what it makes is empty.
const floorOfSize = "a size below 0 counts as 0, the nearest valid size"

// isFloor recognizes max(0, x).
func (s source) isFloor(call *ast.CallExpr) bool {
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == "max" && len(call.Args) == 2 && slices.ContainsFunc(call.Args, isZero) && len(limits(s, call)) == 1
}

func isZero(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Value == "0"
}

// isSize reports whether a function uses an expression as the size of something that
// it makes, directly or by the variable that the expression is given to.
func (s source) isSize(fn *ast.FuncDecl, e ast.Expr) bool {
	name, found := "", false
	for n := range ast.Preorder(fn) {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Rhs) == 1 && a.Rhs[0] == e && len(a.Lhs) == 1 {
			name = s.code(a.Lhs[0])
		}
	}
	for n := range ast.Preorder(fn) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		for _, size := range s.sizes(call) {
			found = found || size == e || name != "" && s.code(size) == name
		}
	}
	return found
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

// floored says that a point sets a size to 0 where it is below: "n = 0" when n < 0.
func (s source) floored(p Point) string {
	name, zero := strings.CutSuffix(p.exit, " = 0")
	if p.Effect != verdict.Skips || !zero || p.when != name+" < 0" && p.when != name+" <= 0" || s.ast == nil || s.functions()[p.Function] == nil {
		return ""
	}
	for n := range ast.Preorder(s.functions()[p.Function]) {
		if call, ok := n.(*ast.CallExpr); ok && slices.ContainsFunc(s.sizes(call), func(e ast.Expr) bool { return s.code(e) == name }) {
			return floorOfSize
		}
	}
	return ""
}

// ifLimit is an if that sets a limit: "if x < y { x = y }", with what x was given
// before it.
type ifLimit struct{ call, value, bound string }

// isLike reports whether a call of min or max sets the same limit.
func (l ifLimit) isLike(call string) bool {
	return strings.HasPrefix(call, l.call+"(") && mentionsCode(call, l.bound) && strings.Contains(call, l.value)
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
