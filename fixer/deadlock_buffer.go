package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
)

// roomForAll gives a channel a buffer for all that is sent on it.
func (d *deadlock) roomForAll(p place, ch ast.Expr, uses *chanUses, w weight) bool {
	if len(uses.makes) != 1 || limits(uses.makes[0]) {
		return false
	}
	n, ok := d.sentOn(p, ch, 0)
	if !ok || len(n.terms) == 0 && n.number <= 0 {
		return false
	}
	return d.withBuffer(uses.makes[0], d.text(ch), n.String(), w, "")
}

// limits reports whether a channel is made to limit how many do something: a
// buffer of values that mean nothing.
func limits(m place) bool {
	c, ok := typeUnder[*types.Chan](m.info().TypeOf(m.node().(ast.Expr)))
	if !ok || capacity(m) == nil {
		return false
	}
	st, isStruct := c.Elem().Underlying().(*types.Struct)
	return isStruct && st.NumFields() == 0
}

// withBuffer writes a capacity into a make.
func (d *deadlock) withBuffer(m place, name, size string, w weight, why string) bool {
	call := m.node().(*ast.CallExpr)
	c := d.change()
	if len(call.Args) > 1 {
		if d.text(call.Args[1]) == size {
			return false
		}
		c.replace(call.Args[1].Pos(), call.Args[1].End(), size)
	} else {
		c.insert(call.Args[0].End(), ", "+size)
	}
	if why == "" {
		why = fmt.Sprintf("%s (%s) gets room for all that is sent on it, so that no sender waits for a receiver.", name, d.where(call.Pos()))
	}
	return d.offer(idea{rule: "deadlock/with-buffer", title: fmt.Sprintf("give %s a buffer of %s", name, size), weight: w, change: c, why: why})
}
