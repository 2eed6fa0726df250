package fixer

import (
	"go/ast"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// functionsOf lists the functions that take a lock, in source order.
func functionsOf(list []syntax.LockUse) []ast.Node {
	var out []ast.Node
	seen := map[ast.Node]bool{}
	for _, l := range list {
		if fn := l.Function(); fn != nil && !seen[fn] {
			seen[fn] = true
			out = append(out, fn)
		}
	}
	return out
}

// unlocks reports whether a node gives back one of the locks, at once or deferred.
func unlocks(list []syntax.LockUse) func(ast.Node) bool {
	return func(n ast.Node) bool {
		for _, l := range list {
			if !l.Takes() && syntax.Contains(n, l.Node().Pos()) {
				return true
			}
		}
		return false
	}
}

// locksClass reports whether a function, or what it calls, takes a lock of a class.
func (f *sharedMap) locksClass(p syntax.Place, fn ast.Node, uses []syntax.LockUse) bool {
	return f.Transitive(p, fn, func(q syntax.Place, n ast.Node) bool {
		for _, u := range uses {
			if u.Takes() && u.Node() == n {
				return true
			}
		}
		return false
	})
}

// blocks reports whether a node may wait for another goroutine: a channel
// operation, a select, or a wait of package sync.
func blocks(p syntax.Place, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SendStmt:
		return p.Of(n).Comm() == nil
	case *ast.UnaryExpr:
		return n.Op.String() == "<-" && p.Of(n).Comm() == nil
	case *ast.RangeStmt:
		return syntax.IsChan(p.Info().TypeOf(n.X))
	case *ast.SelectStmt:
		for _, c := range n.Body.List {
			if c.(*ast.CommClause).Comm == nil {
				return false
			}
		}
		return true
	case *ast.CallExpr:
		fn := p.Callee(n)
		return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync" && fn.Name() == "Wait" && syntax.RecvName(fn) == "WaitGroup"
	}
	return false
}
