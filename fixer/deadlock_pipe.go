package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// pipe: the two ends of an io.Pipe are used one after the other, or the
// writing end is never closed.
func (d otherWaits) pipe(w waiter) {
	call, ok := w.node().(*ast.CallExpr)
	if !ok {
		return
	}
	if strings.Contains(w.library, "Read") || d.readsPipe(w) {
		d.unclosedPipe(w)
		return
	}
	top := w.top()
	d.say(call.Pos(), "%s (%s) writes to a pipe that is read only afterwards: a write waits for its reader", funcName(w.function()), d.where(call.Pos()))
	list := bodyOf(w.function()).List
	_, i := within(list, call.Pos())
	if i < 0 || top == nil {
		return
	}
	j := i + 1
	end := w.pipeEnd(call)
	for j < len(list) && end != nil && d.namesObject(w.place, list[j], end) {
		j++
	}
	part := list[i:j]
	if leaves(part) || declaresFor(w.place, part, list[j:]) {
		return
	}
	d.offer(idea{rule: "deadlock/pipe", title: "write to the pipe from a goroutine", weight: origin, change: d.change().wrap(part, "go func() {", "}()"),
		why: "The write runs concurrently with the read, as a pipe needs it."})
}

func (d otherWaits) readsPipe(w waiter) bool {
	for _, fr := range w.frames[:w.at] {
		if fr.Function == "io.(*pipe).read" || fr.Function == "io.(*PipeReader).Read" {
			return true
		}
	}
	return false
}

// pipeEnd is the variable of an end of a pipe that a call uses.
func (w waiter) pipeEnd(call *ast.CallExpr) types.Object {
	var found types.Object
	ast.Inspect(call, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, isVar := w.info().ObjectOf(id).(*types.Var); isVar && strings.HasPrefix(types.TypeString(v.Type(), nil), "*io.Pipe") {
				found = v
			}
		}
		return true
	})
	return found
}

// namesObject reports whether a statement is a call that uses a variable.
func (d otherWaits) namesObject(p place, s ast.Stmt, obj types.Object) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && p.info().Uses[id] == obj {
			found = true
		}
		return !found
	})
	_, isExpr := s.(*ast.ExprStmt)
	return found && isExpr
}

// unclosedPipe closes the writing end when the goroutine that writes ends.
func (d otherWaits) unclosedPipe(w waiter) {
	var lit *ast.FuncLit
	var name string
	ast.Inspect(bodyOf(w.function()), func(n ast.Node) bool {
		g, ok := n.(*ast.GoStmt)
		if !ok {
			return true
		}
		l, isLit := g.Call.Fun.(*ast.FuncLit)
		if !isLit {
			return true
		}
		ast.Inspect(l, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if t := w.info().TypeOf(id); t != nil && types.TypeString(t, nil) == "*io.PipeWriter" {
					lit, name = l, id.Name
				}
			}
			return true
		})
		return false
	})
	if lit == nil {
		return
	}
	d.say(lit.Pos(), "%s reads a pipe to its end, and the goroutine that writes (%s) never closes it", d.whereWaits(w), d.where(lit.Pos()))
	d.offer(idea{rule: "deadlock/unclosed-pipe", title: fmt.Sprintf("close %s when all is written", name), weight: origin, change: d.change().first(lit.Body, "defer "+name+".Close()"),
		why: "The reader sees the end of the data when the writing end is closed."})
}
