package syntax

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/cfg"
)

// Ways is where the control flow of a function leads from one of its statements.
type Ways struct {
	// Exits are the return statements that are reached. The end of the
	// function counts as one that is on its closing brace.
	Exits []*ast.ReturnStmt
	again bool // the statement itself is reached again
	Nodes []ast.Node
}

// WaysFrom walks all ways that lead on from a statement of p's function, each as far as a
// node for which stop holds. From a compound statement, such as a select, they lead on from its first part.
func WaysFrom(p Place, from ast.Node, stop func(ast.Node) bool) Ways {
	body := BodyOf(p.Function())
	if body == nil {
		return Ways{}
	}
	g := cfg.New(body, func(call *ast.CallExpr) bool { return !NeverReturns(p, call) })
	w := &pathWalk{stop: stop, from: from, seen: map[*cfg.Block]bool{}}
	for _, b := range g.Blocks {
		for i, n := range b.Nodes {
			if b.Live && (Contains(n, from.Pos()) && from.End() <= n.End() || Contains(from, n.Pos())) {
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
	out  Ways
}

// Reach reports whether the ways come to a statement that is no node of theirs: to the
// statement before it, or to the condition of the if around it.
func (w Ways) Reach(p Place) bool {
	if len(p.Path) < 3 {
		return false
	}
	var before ast.Node
	if _, i := Within(Statements(p.Path[1]), p.Node().Pos()); i > 0 {
		before = Statements(p.Path[1])[i-1]
	} else if branch, ok := p.Path[2].(*ast.IfStmt); ok {
		before = branch.Cond
	}
	return before != nil && slices.ContainsFunc(w.Nodes, func(n ast.Node) bool { return Contains(before, n.Pos()) })
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
		w.out.Nodes = append(w.out.Nodes, n)
		if r, ok := n.(*ast.ReturnStmt); ok {
			w.out.Exits = append(w.out.Exits, r)
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

// NeverReturns reports whether a call ends the goroutine or the program.
func NeverReturns(p Place, call *ast.CallExpr) bool {
	if name, _ := p.Builtin(call); name == "panic" {
		return true
	}
	fn := p.Callee(call)
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
