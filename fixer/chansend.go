package fixer

import (
	"fmt"
	"go/ast"
	"strings"
)

// sendAfterClose: the close comes before the last send.
func (f channelRules) sendAfterClose(s suspect) {
	closes := f.closes(s.place, s.bad)
	if len(closes) == 0 {
		f.forgetWhereClosed(s)
		return
	}
	var at []string
	for _, c := range closes {
		at = append(at, f.where(c.node().Pos()))
	}
	f.reason(further+"it is closed at "+strings.Join(at, " and "), closes[0].node().Pos())
	f.closeAfterWaitOnSend(s, closes)
}

// closeAfterWaitOnSend: one of several workers closes while the others still send.
func (f channelRules) closeAfterWaitOnSend(s suspect, closes []place) {
	ch := f.change()
	for _, c := range closes {
		if !f.runsAsGoroutine(c) || c.statement() == nil {
			return
		}
		ch.remove(c.statement())
	}
	f.putCloseAfterWait(s, ch, "the workers no longer close the channel that the others still send on")
}

// forgetWhereClosed: the channel came out of a map or slice whose members are
// closed elsewhere without being taken out.
func (f channelRules) forgetWhereClosed(s suspect) {
	src := f.trace(s.place, -1, s.bad)
	var container ast.Expr
	switch e := ast.Unparen(s.bad).(type) {
	case *ast.IndexExpr:
		container = e.X
	}
	if src.expr != nil && container == nil {
		if ix, ok := ast.Unparen(src.expr).(*ast.IndexExpr); ok {
			container = ix.X
		} else if src.of == fromRange {
			container = src.expr
		}
	}
	if container == nil {
		return
	}
	obj := s.object(container)
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if name, _ := p.builtin(call); name != "close" {
				return true
			}
			at := suspect{place: p.of(call), expr: call, bad: call.Args[0]}
			from := f.trace(at.place, -1, call.Args[0])
			matches := false
			if ix, isIndex := ast.Unparen(call.Args[0]).(*ast.IndexExpr); isIndex {
				matches = f.same(p.object(ix.X), obj)
			} else if from.expr != nil {
				e := ast.Unparen(from.expr)
				if ix, isIndex := e.(*ast.IndexExpr); isIndex {
					e = ix.X
				}
				matches = f.same(from.place.object(e), obj)
			}
			if matches {
				f.note(fmt.Sprintf("it is closed at %s and stays in %s", f.where(call.Pos()), f.text(container)), call.Pos())
			}
			return true
		})
	})
}
