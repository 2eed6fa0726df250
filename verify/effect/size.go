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
	return ok && id.Name == "max" && slices.ContainsFunc(call.Args, isZero)
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
		return call.Args[len(call.Args)-1:]
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

// ifLimits counts the ifs of a function, which may be nil, that set a limit: "if x <
// y { x = y }".
func ifLimits(s source, fn *ast.FuncDecl) (n int) {
	if fn == nil {
		return 0
	}
	for node := range ast.Preorder(fn) {
		g, ok := node.(*ast.IfStmt)
		if !ok || g.Else != nil || len(g.Body.List) != 1 {
			continue
		}
		c, compares := g.Cond.(*ast.BinaryExpr)
		a, assigns := g.Body.List[0].(*ast.AssignStmt)
		if compares && assigns && slices.Contains([]token.Token{token.LSS, token.GTR, token.LEQ, token.GEQ}, c.Op) && len(a.Lhs) == 1 &&
			s.code(a.Lhs[0]) == s.code(c.X) && s.code(a.Rhs[0]) == s.code(c.Y) {
			n++
		}
	}
	return n
}
