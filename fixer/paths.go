package fixer

import (
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// runsIn lists the go statements whose goroutines may run a function, directly
// or through calls; plain reports whether it is also called otherwise.
func (f *sharedMap) runsIn(p syntax.Place, fn ast.Node) (started []syntax.Place, plain bool) {
	seen := map[ast.Node]bool{}
	var climb func(syntax.Place, ast.Node, int)
	climb = func(p syntax.Place, fn ast.Node, depth int) {
		if fn == nil || seen[fn] || depth > 6 {
			return
		}
		seen[fn] = true
		switch fn := fn.(type) {
		case *ast.FuncLit:
			f.climbLiteral(p, fn, &started, &plain, func(q syntax.Place, outer ast.Node) { climb(q, outer, depth+1) })
		case *ast.FuncDecl:
			if fn.Name.Name == "main" || fn.Name.Name == "init" {
				plain = true
				return
			}
			obj, ok := p.Info().Defs[fn.Name].(*types.Func)
			if !ok {
				return
			}
			calls, _ := f.CallsOf(obj)
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

func (f *sharedMap) climbLiteral(p syntax.Place, lit *ast.FuncLit, started *[]syntax.Place, plain *bool, up func(syntax.Place, ast.Node)) {
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
		for obj, lits := range f.FlowOf().Literals {
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
