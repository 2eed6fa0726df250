package fixer

import (
	"fmt"
	"go/ast"
)

// forgetClosed takes a closed channel out of the map or field it is kept in.
func (f channelRules) forgetClosed(s suspect) {
	bad := ast.Unparen(s.bad)
	src := f.trace(s.place, -1, bad)
	stmt := s.statement()
	if stmt == nil || s.deferred() {
		return
	}
	if l, ok := src.stmt.(*ast.RangeStmt); ok && src.of == fromRange && l.Key != nil {
		l = f.outermost(s.place, l)
		container := f.text(l.X)
		if isMap(s.info().TypeOf(l.X)) {
			f.offer(idea{rule: "chan/forget-closed", title: fmt.Sprintf("empty %s once its channels are closed", container), weight: origin, change: f.change().after(l, "clear("+container+")"),
				why: fmt.Sprintf("Closed channels stayed in %s, to be closed again; they are now taken out.", container)})
		} else if isPath(l.X) {
			f.offer(idea{rule: "chan/forget-closed", title: fmt.Sprintf("empty %s once its channels are closed", container), weight: origin, change: f.change().after(l, container+" = nil"),
				why: fmt.Sprintf("Closed channels stayed in %s, to be closed again; they are now taken out.", container)})
		}
		return
	}
	ix, ok := bad.(*ast.IndexExpr)
	if !ok && src.expr != nil {
		ix, ok = ast.Unparen(src.expr).(*ast.IndexExpr)
	}
	if ok && isMap(s.info().TypeOf(ix.X)) && isPathOrIndex(ix) {
		f.offer(idea{rule: "chan/forget-closed", title: fmt.Sprintf("delete the closed channel from %s", f.text(ix.X)), weight: origin,
			change: f.change().after(stmt, fmt.Sprintf("delete(%s, %s)", f.text(ix.X), f.text(ix.Index))),
			why:    fmt.Sprintf("The closed channel stayed in %s, to be used again; it is now taken out.", f.text(ix.X))})
		f.lookupAgain(s, src)
	}
}

// outermost climbs from a range over a local element to the range that gave it.
func (f channelRules) outermost(p place, l *ast.RangeStmt) *ast.RangeStmt {
	for {
		id, ok := ast.Unparen(l.X).(*ast.Ident)
		if !ok {
			return l
		}
		outer := f.trace(p, -1, id)
		next, isRange := outer.stmt.(*ast.RangeStmt)
		if outer.of != fromRange || !isRange || next == l {
			return l
		}
		l = next
	}
}

// lookupAgain leaves a function whose lookup finds no channel any more.
func (f channelRules) lookupAgain(s suspect, src source) {
	as, ok := src.stmt.(*ast.AssignStmt)
	if !ok || len(as.Lhs) != 1 {
		return
	}
	sig := s.signature()
	if sig == nil || sig.Results().Len() != 0 {
		return
	}
	ix := ast.Unparen(src.expr).(*ast.IndexExpr)
	okName := f.flag(s.place)
	ch := f.change().after(s.statement(), fmt.Sprintf("delete(%s, %s)", f.text(ix.X), f.text(ix.Index))).
		insert(as.Lhs[0].End(), ", "+okName).after(as, "if !"+okName+" {\n\treturn\n}")
	f.offer(idea{rule: "chan/lookup-again", title: fmt.Sprintf("delete the closed channel from %s, and close only what is there", f.text(ix.X)), weight: origin - 1, change: ch,
		why: "A key is closed once: then it is taken out, and a second time finds nothing to close."})
}
