package fixer

import (
	"fmt"
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
				if setter, ok := f.setsIn(p, d.Body.List[j], v); ok {
					f.moveUp(p, d.Body.List, i, j, v, setter)
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

// moveUp puts statement j of a list, with the check of its error, before statement i.
func (f mapRules) moveUp(p place, list []ast.Stmt, i, j int, v types.Object, setter *types.Func) {
	moved := []ast.Stmt{list[j]}
	if as, ok := list[j].(*ast.AssignStmt); ok && j+1 < len(list) {
		if check, isIf := list[j+1].(*ast.IfStmt); isIf && check.Init == nil && mentionsObject(p, check.Cond, p.object(as.Lhs[len(as.Lhs)-1])) {
			moved = append(moved, check)
		}
	}
	ch := f.change()
	text := ""
	for _, s := range moved {
		if needsBetween(p, s, list[i].Pos(), list[j].Pos()) {
			return
		}
		text += f.text(s) + "\n"
		ch.remove(s)
	}
	ch.before(list[i], text[:len(text)-1])
	f.blame(fmt.Sprintf("%s (%s) sets it only later", setter.Name(), f.where(list[j].Pos())), list[j].Pos())
	f.offer(idea{rule: "tooearly/move-up", title: fmt.Sprintf("call %s first", setter.Name()), weight: origin - 2, change: ch,
		grounds: fmt.Sprintf("%s gives %s its value, and is called after its first use (%s)", setter.Name(), v.Name(), f.where(list[j].Pos())),
		why:     fmt.Sprintf("%s is used before %s has set it; the call now comes before.", v.Name(), setter.Name())})
}

// needsBetween reports whether a statement uses a variable that is declared
// between two positions.
func needsBetween(p place, s ast.Stmt, from, to token.Pos) bool {
	needs := false
	ast.Inspect(s, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj := p.info().Uses[id]; obj != nil && from <= obj.Pos() && obj.Pos() < to {
				needs = true
			}
		}
		return !needs
	})
	return needs
}
