package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
)

// refuseCycle: a walk that can fail notes what it is done with, and a way leads
// back to what it has only begun with. That is refused by an error: what is
// begun is in the map, as false.
func (o *overflow) refuseCycle(ask place, mark *ast.AssignStmt) {
	ix := ask.node().(*ast.IndexExpr)
	is, ok := ask.path[1].(*ast.IfStmt)
	if !ok || is.Cond != ast.Expr(ix) || is.Init != nil || is.Else != nil || ask.anchorBlock() != ast.Node(bodyOf(ask.function())) {
		return
	}
	if o.text(mark.Rhs[0]) != "true" || !isBool(ask.info().TypeOf(ix)) || !o.indexedOnly(ask, ix.X) {
		return
	}
	what := o.text(ix.Index)
	e, ok := o.errorReturn(ask, message{"%v needs itself", []string{what}}, "")
	if !ok {
		return
	}
	ended, begun := fresh(ask, "ended", "through"), fresh(ask, "begun", "entered")
	entry := o.text(ix)
	ch := o.change().need(ask.file, e.imports...).
		replace(is.Cond.Pos(), is.Cond.End(), fmt.Sprintf("%s, %s := %s; %s", ended, begun, entry, ended)).
		insert(is.Body.Rbrace+1, fmt.Sprintf(" else if %s {\n%s\n}\n%s = false\n", begun, e.lines, entry)).
		insert(is.Body.Rbrace+1, fmt.Sprintf("defer func() {\nif !%s { // it failed\ndelete(%s, %s)\n}\n}()", entry, o.text(ix.X), what))
	o.offer(idea{rule: "overflow/refuse-cycle", title: fmt.Sprintf("refuse what leads back to %s: %s", what, shortHow(e)), weight: origin - 1, change: ch, grounds: e.grounds,
		why: fmt.Sprintf("%s can fail, and there is no right order for things that need one another. What has been begun is in %s as false; coming back to it is an error.", funcName(ask.function()), o.text(ix.X))})
}

// indexedOnly reports whether a map is only ever made, and read and written by
// its keys: nothing counts it or iterates over it.
func (f *overflow) indexedOnly(p place, m ast.Expr) bool {
	obj := p.object(m)
	if obj == nil {
		return false
	}
	if v, ok := obj.(*types.Var); ok && !v.IsField() && !isGlobal(v) {
		return false // a parameter, or one of a closure: others may hold it by another name
	}
	only := true
	f.each(func(q place) {
		ast.Inspect(q.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				only = only && !f.same(q.object(n.X), obj)
			case *ast.CallExpr:
				for _, a := range n.Args {
					only = only && !f.same(q.object(a), obj)
				}
			case *ast.ReturnStmt:
				for _, r := range n.Results {
					only = only && !f.same(q.object(r), obj)
				}
			}
			return only
		})
	})
	return only
}
