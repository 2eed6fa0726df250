package fixer

import (
	"go/ast"
)

// sendLeftOut: a way through the goroutine leaves its only send out.
func (d receiveWaits) sendLeftOut(r onChannel, uses *chanUses) {
	byFunc := map[ast.Node][]place{}
	var order []ast.Node
	for _, s := range uses.sends {
		fn := s.function()
		if len(byFunc[fn]) == 0 {
			order = append(order, fn)
		}
		byFunc[fn] = append(byFunc[fn], s)
	}
	for _, fn := range order {
		list := byFunc[fn]
		if anyDeferred(list) || list[0].loop() != nil {
			continue
		}
		if _, _, alive := d.running(list[0], fn); alive {
			continue
		}
		if exits := d.leftOut(fn, list, nil, func(ast.Node) bool { return false }); len(exits) > 0 {
			d.say(exits[0].Pos(), "%s gets no value: %s ends without sending at %s", d.text(r.ch), d.callerName(list[0]), d.leaves(fn, list, exits))
		}
	}
}

// conditionNot says when a send in a branch is passed by.
func (d *deadlock) conditionNot(s place) string {
	for i, n := range s.path {
		switch n := n.(type) {
		case *ast.IfStmt:
			if i > 0 && s.path[i-1] == ast.Node(n.Body) {
				return " unless " + short(d.text(n.Cond))
			}
		case *ast.FuncLit, *ast.FuncDecl:
			return ""
		}
	}
	return ""
}
