package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// regions takes the lock around parts of a function.
type regions struct {
	*sharedMap
	ch           *change
	p            place
	fn           ast.Node
	list         []mapAccess
	locked       map[ast.Node]bool
	lock, unlock string
	began        checkpoint // before the first region
}

// in lists the uses that stand in a node.
func (r *regions) in(n ast.Node) []mapAccess {
	var list []mapAccess
	for _, a := range r.list {
		if n != nil && contains(n, a.node().Pos()) {
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
			if !r.inside(list[i], list[i+1:]) {
				return false
			}
			continue
		}
		last := i
		for j := i + 1; j < len(list) && j-last <= 3; j++ {
			if r.costOf(r.p, list[j], r.locked, 0) != quick || leaves(list[j:j+1]) || r.launches(list[j]) {
				break
			}
			if len(r.in(list[j])) > 0 {
				last = j
			}
		}
		r.ch.before(list[i], r.lock)
		r.ch.after(list[last], r.unlock)
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
	if leaves([]ast.Stmt{s}) || r.launches(s) {
		return false
	}
	c := r.costOf(r.p, s, r.locked, 0)
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return c == quick && r.loopOverMap(s)
	case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.BlockStmt:
		return c == quick
	}
	return c != unsafe && !r.expensive(s)
}

// expensive reports whether a simple statement calls what should not run under
// the lock; it then gets a name first.
func (r *regions) expensive(s ast.Stmt) bool {
	return r.costOf(r.p, s, r.locked, 0) == slow
}

// loopOverMap reports whether a loop goes over the map itself: then it is one use.
func (r *regions) loopOverMap(s ast.Stmt) bool {
	l, ok := s.(*ast.RangeStmt)
	if !ok {
		return false
	}
	for _, a := range r.list {
		if contains(l.X, a.node().Pos()) {
			return true
		}
	}
	return false
}

// inside locks within a statement that cannot be locked around.
func (r *regions) inside(s ast.Stmt, rest []ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return r.block(s.List)
	case *ast.LabeledStmt:
		return r.inside(s.Stmt, rest)
	case *ast.IfStmt:
		return r.ifStatement(s)
	case *ast.ForStmt:
		if len(r.inNode(s.Init)) > 0 || len(r.inNode(s.Post)) > 0 || len(r.inExpr(s.Cond)) > 0 {
			return false
		}
		return r.block(s.Body.List)
	case *ast.RangeStmt:
		return r.rangeStatement(s)
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return r.clauses(s)
	case *ast.ReturnStmt, *ast.AssignStmt, *ast.ExprStmt, *ast.SendStmt, *ast.DeclStmt, *ast.IncDecStmt:
		return r.hoist(s)
	}
	return false
}

func (r *regions) inNode(s ast.Stmt) []mapAccess {
	if s == nil {
		return nil
	}
	return r.in(s)
}

func (r *regions) inExpr(e ast.Expr) []mapAccess {
	if e == nil {
		return nil
	}
	return r.in(e)
}

func (r *regions) clauses(s ast.Stmt) bool {
	body := bodyOfSwitch(s)
	count := 0
	for _, c := range body.List {
		var list []ast.Stmt
		switch c := c.(type) {
		case *ast.CaseClause:
			list = c.Body
		case *ast.CommClause:
			list = c.Body
		}
		for _, inner := range list {
			count += len(r.in(inner))
		}
		if !r.block(list) {
			return false
		}
	}
	return count == len(r.in(s))
}

// ifStatement: "if v, ok := m[k]; ok {…}" looks up under the lock, and goes on
// without it.
func (r *regions) ifStatement(s *ast.IfStmt) bool {
	header := append(r.inNode(s.Init), r.inExpr(s.Cond)...)
	if len(header) > 0 {
		if p := r.p.of(s); r.partOfElse(p) {
			return false
		}
		switch {
		case len(r.inNode(s.Init)) > 0 && len(r.inExpr(s.Cond)) == 0:
			if r.costOf(r.p, s.Init, r.locked, 0) != quick {
				return false
			}
			r.outOfHeader(s)
		case s.Init == nil:
			for _, a := range header {
				if !r.name(a, s) {
					return false
				}
			}
		default:
			return false
		}
	}
	if !r.block(s.Body.List) {
		return false
	}
	if s.Else != nil && len(r.in(s.Else)) > 0 {
		return r.inside(s.Else, nil)
	}
	return true
}

// outOfHeader moves the first part of an if before it. What that declares is
// then visible after the if as well, and gets another name where it clashes.
func (r *regions) outOfHeader(s *ast.IfStmt) {
	init := r.text(s.Init)
	as, ok := s.Init.(*ast.AssignStmt)
	if ok && as.Tok == token.DEFINE {
		names := make([]string, len(as.Lhs))
		for i, l := range as.Lhs {
			names[i] = r.text(l)
			id, isIdent := l.(*ast.Ident)
			obj := r.p.info().Defs[id]
			if !isIdent || obj == nil || !r.clashes(obj, s) {
				continue
			}
			names[i] = r.ch.fresh(r.p.of(s), "cached", "found", "present")
			ast.Inspect(s, func(n ast.Node) bool {
				if use, isUse := n.(*ast.Ident); isUse && r.p.info().Uses[use] == obj {
					r.ch.replace(use.Pos(), use.End(), names[i])
				}
				return true
			})
		}
		init = strings.Join(names, ", ") + " := " + r.text(as.Rhs[0])
	}
	r.ch.before(s, r.lock+"\n"+init+"\n"+r.unlock)
	r.ch.replace(s.Init.Pos(), s.Cond.Pos(), "")
}

// clashes reports whether the function declares another variable of a name
// outside of the if.
func (r *regions) clashes(obj types.Object, s *ast.IfStmt) bool {
	found := false
	ast.Inspect(r.fn, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && id.Name == obj.Name() && !contains(s, id.Pos()) && r.p.info().ObjectOf(id) != nil {
			found = true
		}
		return !found
	})
	return found
}

func (r *regions) partOfElse(p place) bool {
	outer, ok := p.path[1].(*ast.IfStmt)
	return ok && outer.Else == p.path[0]
}

// name gives the value of a lookup a name under the lock, before a statement.
func (r *regions) name(a mapAccess, s ast.Stmt) bool {
	if a.write || len(a.path) < 2 {
		return false
	}
	e, ok := a.path[1].(ast.Expr)
	if !ok || r.costOf(r.p, e, r.locked, 0) != quick || !hoistable(a.of(e), s) {
		return false
	}
	t := r.p.info().TypeOf(e)
	if _, tuple := t.(*types.Tuple); tuple || t == nil {
		return false
	}
	v := r.ch.fresh(r.p.of(s), valueName(e), "value", "found")
	r.ch.before(s, fmt.Sprintf("%s\n%s := %s\n%s", r.lock, v, r.text(e), r.unlock))
	r.ch.replace(e.Pos(), e.End(), v)
	return true
}

// valueName names the value of a lookup or a length.
func valueName(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.IndexExpr:
		return singular(lastName(x.X))
	case *ast.CallExpr:
		if id, ok := x.Fun.(*ast.Ident); ok && id.Name == "len" {
			return "n"
		}
	}
	return "value"
}

// rangeStatement goes over a copy of the map, made under the lock.
func (r *regions) rangeStatement(s *ast.RangeStmt) bool {
	over := r.in(s.X)
	if len(over) > 0 {
		if !isMap(r.p.info().TypeOf(s.X)) || !isPathOrIndex(s.X) {
			return false
		}
		v := r.ch.fresh(r.p.of(s), "copied", "snapshot")
		r.ch.need(r.p.file, "maps")
		r.ch.before(s, fmt.Sprintf("%s\n%s := %s.Clone(%s)\n%s", r.lock, v, pkgName(r.p.file, "maps"), r.text(s.X), r.unlock))
		r.ch.replace(s.X.Pos(), s.X.End(), v)
	}
	return r.block(s.Body.List)
}

// hoist names what a simple statement reads, or writes, under the lock.
func (r *regions) hoist(s ast.Stmt) bool {
	if as, ok := s.(*ast.AssignStmt); ok && len(as.Lhs) == 1 && len(as.Rhs) == 1 && len(r.in(as.Lhs[0])) > 0 {
		// m[k] = compute(k): the value is computed before the lock is taken.
		if len(r.in(as.Rhs[0])) > 0 || as.Tok != token.ASSIGN || !isPathOrIndex(as.Lhs[0]) {
			return false
		}
		v := r.ch.fresh(r.p.of(s), "value", "computed")
		r.ch.before(s, fmt.Sprintf("%s := %s\n%s", v, r.text(as.Rhs[0]), r.lock))
		r.ch.replace(as.Rhs[0].Pos(), as.Rhs[0].End(), v)
		r.ch.after(s, r.unlock)
		return true
	}
	if ret, ok := s.(*ast.ReturnStmt); ok && r.costOf(r.p, s, r.locked, 0) == quick && ast.Node(bodyOf(r.fn)) == r.p.of(ret).anchorBlock() && len(inFunction(r.by.uses, r.fn)) == 0 && r.ch.mark().edits == r.began.edits {
		r.ch.before(ret, r.lock+"\ndefer "+r.unlock)
		return true
	}
	for _, a := range r.in(s) {
		if !r.name(a, s) {
			return false
		}
	}
	return true
}
