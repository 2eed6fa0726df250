package fixer

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/cfg"
)

// ways is where the control flow of a function leads from one of its statements.
type ways struct {
	// exits are the return statements that are reached. The end of the
	// function counts as one that is on its closing brace.
	exits []*ast.ReturnStmt
	again bool // the statement itself is reached again
	nodes []ast.Node
}

// waysFrom walks all ways that lead on from a statement of p's function, each as far as a
// node for which stop holds. From a compound statement, such as a select, they lead on from its first part.
func waysFrom(p place, from ast.Node, stop func(ast.Node) bool) ways {
	body := bodyOf(p.function())
	if body == nil {
		return ways{}
	}
	g := cfg.New(body, func(call *ast.CallExpr) bool { return !neverReturns(p, call) })
	w := &pathWalk{stop: stop, from: from, seen: map[*cfg.Block]bool{}}
	for _, b := range g.Blocks {
		for i, n := range b.Nodes {
			if b.Live && (contains(n, from.Pos()) && from.End() <= n.End() || contains(from, n.Pos())) {
				w.block(b, i+1)
				return w.out
			}
		}
	}
	return w.out
}

type pathWalk struct {
	stop func(ast.Node) bool
	from ast.Node
	seen map[*cfg.Block]bool
	out  ways
}

func (w *pathWalk) block(b *cfg.Block, start int) {
	for _, n := range b.Nodes[start:] {
		if n.Pos() <= w.from.Pos() && w.from.End() <= n.End() {
			w.out.again = true
			return
		}
		if w.stop != nil && w.stop(n) {
			return
		}
		w.out.nodes = append(w.out.nodes, n)
		if r, ok := n.(*ast.ReturnStmt); ok {
			w.out.exits = append(w.out.exits, r)
			return
		}
	}
	for _, next := range b.Succs {
		if !w.seen[next] {
			w.seen[next] = true
			w.block(next, 0)
		}
	}
}

// neverReturns reports whether a call ends the goroutine or the program.
func neverReturns(p place, call *ast.CallExpr) bool {
	if name, _ := p.builtin(call); name == "panic" {
		return true
	}
	fn := p.callee(call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "os":
		return fn.Name() == "Exit"
	case "runtime":
		return fn.Name() == "Goexit"
	case "log":
		switch fn.Name() {
		case "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln":
			return true
		}
	}
	return false
}

// ownsPackage reports whether a package is the user's.
func (f *code) ownsPackage(pkg *types.Package) bool {
	if pkg == nil {
		return false
	}
	for _, p := range f.c.Code.Packages {
		if p.PkgPath == pkg.Path() {
			return true
		}
	}
	return false
}

// runsIn lists the go statements whose goroutines may run a function, directly
// or through calls; plain reports whether it is also called otherwise.
func (f *sharedMap) runsIn(p place, fn ast.Node) (started []place, plain bool) {
	seen := map[ast.Node]bool{}
	var climb func(place, ast.Node, int)
	climb = func(p place, fn ast.Node, depth int) {
		if fn == nil || seen[fn] || depth > 6 {
			return
		}
		seen[fn] = true
		switch fn := fn.(type) {
		case *ast.FuncLit:
			f.climbLiteral(p, fn, &started, &plain, func(q place, outer ast.Node) { climb(q, outer, depth+1) })
		case *ast.FuncDecl:
			if fn.Name.Name == "main" || fn.Name.Name == "init" {
				plain = true
				return
			}
			obj, ok := p.info().Defs[fn.Name].(*types.Func)
			if !ok {
				return
			}
			calls, _ := f.callsOf(obj)
			for _, c := range calls {
				if g, ok := startedBy(c); ok {
					started = append(started, g)
					continue
				}
				climb(c, c.function(), depth+1)
			}
		}
	}
	climb(p, fn, 0)
	return started, plain
}

// startedBy returns the go statement, or the call of WaitGroup.Go, whose
// goroutine begins with this call.
func startedBy(call place) (place, bool) {
	if len(call.path) > 1 {
		if g, ok := call.path[1].(*ast.GoStmt); ok {
			return call.of(g), true
		}
	}
	return place{}, false
}

// goesBy reports whether a call starts its argument as a goroutine.
func goesBy(p place, call *ast.CallExpr) bool {
	if wg, _ := waitGroupCall(p, call, "Go"); wg != nil {
		return true
	}
	fn := p.callee(call)
	return fn != nil && fn.Name() == "Go" && len(call.Args) == 1
}

func (f *sharedMap) climbLiteral(p place, lit *ast.FuncLit, started *[]place, plain *bool, up func(place, ast.Node)) {
	at := p.of(lit)
	if len(at.path) < 3 {
		*plain = true
		return
	}
	switch outer := at.path[1].(type) {
	case *ast.CallExpr:
		if ast.Unparen(outer.Fun) == ast.Expr(lit) {
			if g, ok := startedBy(p.of(outer)); ok {
				*started = append(*started, g)
				return
			}
		} else if goesBy(p, outer) {
			*started = append(*started, p.of(outer))
			return
		}
	case *ast.AssignStmt, *ast.ValueSpec:
		called := false
		for obj, lits := range f.flowOf().lits {
			for _, l := range lits {
				if l != lit {
					continue
				}
				ast.Inspect(p.file, func(n ast.Node) bool {
					call, ok := n.(*ast.CallExpr)
					if !ok {
						return true
					}
					if p.object(call.Fun) == obj {
						called = true
						c := p.of(call)
						if g, ok := startedBy(c); ok {
							*started = append(*started, g)
						} else {
							up(c, c.function())
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
	outer := at.outside()
	up(outer, outer.function())
}
