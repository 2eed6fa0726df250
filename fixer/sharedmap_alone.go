package fixer

import (
	"go/ast"
	"go/token"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// usedOutside reports whether callers use the map that a function returns.
func (m *sharedMap) usedOutside() bool {
	for _, a := range m.accesses {
		if a.ofCall && !a.sequential {
			return true
		}
	}
	return false
}

// isConstruction reports whether an access belongs to the making of the value
// that holds the map: no other goroutine knows it yet.
func (m *sharedMap) isConstruction(a mapAccess) bool {
	if m.owner == nil {
		return false
	}
	d, ok := a.fn.(*ast.FuncDecl)
	if !ok || d.Name.Name == "main" || d.Recv != nil && syntax.Named(a.Info().TypeOf(d.Recv.List[0].Type)) == m.owner {
		return false
	}
	sel, ok := ast.Unparen(a.Node().(ast.Expr)).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	src := m.Trace(a.Place, -1, sel.X)
	if src.Expr == nil || src.Declaration() != d {
		return src.Kind == code.FromNothing && src.Declaration() == d
	}
	e := ast.Unparen(src.Expr)
	if u, isAddr := e.(*ast.UnaryExpr); isAddr {
		e = u.X
	}
	if name, _ := src.Builtin(e); name == "new" {
		return true
	}
	_, isLit := e.(*ast.CompositeLit)
	return isLit
}

// alone reports whether no goroutine can be at work when an access runs: it
// is before the first go statement of its function, or after the wait for
// all of them.
func (m *sharedMap) alone(a mapAccess) bool {
	if started, _ := m.runsIn(a.Place, a.fn); len(started) > 0 {
		return false
	}
	d, ok := a.fn.(*ast.FuncDecl)
	switch {
	case !ok:
		return false
	case d.Name.Name == "main" && d.Recv == nil:
		return aloneAt(a.Place, d, a.Node())
	}
	return false
}

// aloneAt reports whether no goroutine that a function starts runs at a node of it.
func aloneAt(p syntax.Place, d *ast.FuncDecl, at ast.Node) bool {
	firstGo, lastGo, lastWait := token.Pos(0), token.Pos(0), token.Pos(0)
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.GoStmt:
			if !firstGo.IsValid() {
				firstGo = outermostLoop(p, n).Pos()
			}
			lastGo = n.End()
			return false
		case *ast.CallExpr:
			if wg, _ := syntax.WaitGroupCall(p, n, "Wait"); wg != nil && !p.Of(n).Deferred() && n.Pos() < at.Pos() {
				lastWait = n.End()
			}
			if goesBy(p, n) {
				if !firstGo.IsValid() {
					firstGo = outermostLoop(p, n).Pos()
				}
				lastGo = n.End()
			}
		}
		return true
	})
	return firstGo.IsValid() && (at.Pos() < firstGo || lastWait > lastGo && lastWait.IsValid())
}

// outermostLoop is the outermost loop around a node, or the node.
func outermostLoop(p syntax.Place, n ast.Node) ast.Node {
	loops := p.Of(n).Loops()
	if len(loops) == 0 {
		return n
	}
	return loops[len(loops)-1]
}
