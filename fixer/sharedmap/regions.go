package sharedmap

import (
	"fmt"
	"go/ast"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// regions takes the lock around parts of a function.
type regions struct {
	*sharedMap
	ch           *code.Change
	p            syntax.Place
	list         []mapAccess
	locked       map[ast.Node]bool
	lock, unlock string
}

// in lists the uses that are in a node.
func (r *regions) in(n ast.Node) []mapAccess {
	var list []mapAccess
	for _, a := range r.list {
		if n != nil && syntax.Contains(n, a.Node().Pos()) {
			list = append(list, a)
		}
	}
	return list
}

// block locks around the statements of a list that use the map: one region for
// those that follow one another.
func (r *regions) block(list []ast.Stmt) bool {
	for i := 0; i < len(list); i++ {
		if len(r.in(list[i])) == 0 {
			continue
		}
		if !r.wrappable(list[i]) {
			if !r.inside(list[i]) {
				return false
			}
			continue
		}
		last := i
		for j := i + 1; j < len(list) && j-last <= 3; j++ {
			if r.costOf(r.p, list[j], r.locked, 0) != quick || syntax.Leaves(list[j:j+1]) || r.launches(list[j]) {
				break
			}
			if len(r.in(list[j])) > 0 {
				last = j
			}
		}
		r.ch.Before(list[i], r.lock)
		r.ch.After(list[last], r.unlock)
		i = last
	}
	return true
}

// launches reports whether a statement starts goroutines.
func (r *regions) launches(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.DeferStmt:
			found = true
		case *ast.CallExpr:
			found = found || goesBy(r.p, n)
		}
		return !found
	})
	return found
}

// wrappable reports whether a statement can run under the lock as a whole.
func (r *regions) wrappable(s ast.Stmt) bool {
	if syntax.Leaves([]ast.Stmt{s}) || r.launches(s) {
		return false
	}
	c := r.costOf(r.p, s, r.locked, 0)
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return false
	}
	return c == quick
}

// inside locks within a statement that cannot be locked around.
func (r *regions) inside(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.RangeStmt:
		return r.rangeStatement(s)
	}
	return false
}

// rangeStatement goes over a copy of the map, made under the lock.
func (r *regions) rangeStatement(s *ast.RangeStmt) bool {
	over := r.in(s.X)
	if len(over) > 0 {
		if !syntax.IsMap(r.p.Info().TypeOf(s.X)) || !syntax.IsPathOrIndex(s.X) {
			return false
		}
		v := r.ch.Fresh(r.p.Of(s), "copied", "snapshot")
		r.ch.Need(r.p.File, "maps")
		r.ch.Before(s, fmt.Sprintf("%s\n%s := %s.Clone(%s)\n%s", r.lock, v, syntax.PkgName(r.p.File, "maps"), r.Text(s.X), r.unlock))
		r.ch.Replace(s.X.Pos(), s.X.End(), v)
	}
	return r.block(s.Body.List)
}
