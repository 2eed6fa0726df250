package review

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
)

// Locked is the lock that is held where a point leaves: the function has taken it by then, and
// what releases it comes after that. Empty without one. after are the files of the point's
// package, by their names.
func Locked(after map[string]string, p effect.Point) string {
	code := syntax.Named(after, p.File)
	if code == nil || p.Leaves == "" {
		return ""
	}
	fn := code.Functions()[p.Function]
	if fn == nil || fn.Body == nil {
		return ""
	}
	at := code.Set.File(fn.Pos()).Pos(p.Offset)
	for _, s := range (typed{}).leftOut(fn, at, p) {
		lock, method := lockCall(s)
		if strings.HasSuffix(method, "Unlock") && !inLiteral(fn, s.Pos(), at) && takes(fn, at, lock) == strings.Replace(method, "Unlock", "Lock", 1) {
			return lock
		}
	}
	return ""
}

// lockCall is what a statement locks or unlocks, and by which method; empty for others.
func lockCall(s ast.Stmt) (lock, method string) {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return "", ""
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return "", ""
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if ok && slices.Contains([]string{"Lock", "RLock", "Unlock", "RUnlock"}, sel.Sel.Name) {
		return types.ExprString(sel.X), sel.Sel.Name
	}
	return "", ""
}

// inLiteral reports whether a place is in a function literal that another place is not in.
func inLiteral(fn *ast.FuncDecl, place, other token.Pos) bool {
	return slices.ContainsFunc(syntax.Literals(fn.Body), func(lit *ast.FuncLit) bool {
		return lit.Pos() <= place && place < lit.End() && (other < lit.Pos() || lit.End() <= other)
	})
}

// takes is the method that locks or unlocks a lock last before a place. A branch that leaves
// does not come there.
func takes(fn *ast.FuncDecl, at token.Pos, lock string) (last string) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BlockStmt); ok && len(b.List) > 0 && b.End() < at && match.IsLeave(b.List[len(b.List)-1]) {
			return false
		}
		if s, ok := n.(ast.Stmt); ok && s.End() <= at && !inLiteral(fn, s.Pos(), at) {
			if of, method := lockCall(s); of == lock {
				last = method
			}
		}
		return true
	})
	return last
}
