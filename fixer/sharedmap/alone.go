package sharedmap

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// runsIn lists the go statements whose goroutines may run a function, directly
// or through calls; plain reports whether it is also called otherwise.
func (m *sharedMap) runsIn(p syntax.Place, fn ast.Node) (started []syntax.Place, plain bool) {
	seen := map[ast.Node]bool{}
	var climb func(syntax.Place, ast.Node, int)
	climb = func(p syntax.Place, fn ast.Node, depth int) {
		if fn == nil || seen[fn] || depth > 6 {
			return
		}
		seen[fn] = true
		switch fn := fn.(type) {
		case *ast.FuncLit:
			m.climbLiteral(p, fn, &started, &plain, func(q syntax.Place, outer ast.Node) { climb(q, outer, depth+1) })
		case *ast.FuncDecl:
			if fn.Name.Name == "main" || fn.Name.Name == "init" {
				plain = true
				return
			}
			obj, ok := p.Info().Defs[fn.Name].(*types.Func)
			if !ok {
				return
			}
			calls, _ := m.CallsOf(obj)
			for _, c := range calls {
				if g, ok := startedBy(c); ok {
					started = append(started, g)
					continue
				}
				climb(c, c.Function(), depth+1)
			}
		}
	}
	climb(p, fn, 0)
	return started, plain
}

// startedBy returns the go statement, or the call of WaitGroup.Go, whose
// goroutine begins with this call.
func startedBy(call syntax.Place) (syntax.Place, bool) {
	if len(call.Path) > 1 {
		if g, ok := call.Path[1].(*ast.GoStmt); ok {
			return call.Of(g), true
		}
	}
	return syntax.Place{}, false
}

// goesBy reports whether a call starts its argument as a goroutine.
func goesBy(p syntax.Place, call *ast.CallExpr) bool {
	if wg, _ := syntax.WaitGroupCall(p, call, "Go"); wg != nil {
		return true
	}
	fn := p.Callee(call)
	return fn != nil && fn.Name() == "Go" && len(call.Args) == 1
}

func (m *sharedMap) climbLiteral(p syntax.Place, lit *ast.FuncLit, started *[]syntax.Place, plain *bool, up func(syntax.Place, ast.Node)) {
	at := p.Of(lit)
	if len(at.Path) < 3 {
		*plain = true
		return
	}
	switch outer := at.Path[1].(type) {
	case *ast.CallExpr:
		if ast.Unparen(outer.Fun) == ast.Expr(lit) {
			if g, ok := startedBy(p.Of(outer)); ok {
				*started = append(*started, g)
				return
			}
		} else if goesBy(p, outer) {
			*started = append(*started, p.Of(outer))
			return
		}
	case *ast.AssignStmt, *ast.ValueSpec:
		called := false
		for obj, lits := range m.FlowOf().Literals {
			for _, l := range lits {
				if l != lit {
					continue
				}
				ast.Inspect(p.File, func(n ast.Node) bool {
					call, ok := n.(*ast.CallExpr)
					if !ok {
						return true
					}
					if p.Object(call.Fun) == obj {
						called = true
						c := p.Of(call)
						if g, ok := startedBy(c); ok {
							*started = append(*started, g)
						} else {
							up(c, c.Function())
						}
					}
					return true
				})
			}
		}
		if called {
			return
		}
	}
	// Handed on: it runs where the function around it does.
	outer := at.Outside()
	up(outer, outer.Function())
}

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
