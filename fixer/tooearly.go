package fixer

import (
	"go/ast"
	"go/token"
	"go/types"
)

// setTooLate moves the call that gives a package-level variable its value up,
// before the statement that needs it, where it is after it.
func (f mapRules) setTooLate(v types.Object) {
	if !isGlobal(v) {
		return
	}
	f.outward(func(p place, frame int) {
		d := p.declaration()
		if d == nil || d.Body == nil {
			return
		}
		line := f.c.Stop.Frames[frame].Line
		for i, s := range d.Body.List {
			if f.line(s.Pos()) > line || f.line(s.End()) < line {
				continue
			}
			for j := i + 1; j < len(d.Body.List); j++ {
				if _, ok := f.setsIn(p, d.Body.List[j], v); ok {
					return
				}
			}
		}
	})
}

// setsIn finds the call in a statement of a function that assigns a variable.
func (f mapRules) setsIn(p place, s ast.Stmt, v types.Object) (setter *types.Func, ok bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if !isCall || ok {
			return !ok
		}
		d, found := f.declarationOf(p.callee(call))
		if !found || d.declaration() == nil {
			return true
		}
		ast.Inspect(d.declaration(), func(m ast.Node) bool {
			if as, isAssign := m.(*ast.AssignStmt); isAssign && as.Tok == token.ASSIGN {
				for _, l := range as.Lhs {
					ok = ok || f.same(d.object(l), v)
				}
			}
			return !ok
		})
		if ok {
			setter = p.callee(call)
		}
		return !ok
	})
	return setter, ok
}
