package fixer

import (
	"go/ast"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// groupUses are the calls on one WaitGroup that count down.
type groupUses struct {
	dones, gos []syntax.Place
}

func (d *deadlock) groupUsesOf(p syntax.Place, wg ast.Expr) groupUses {
	class := d.FlowOf().Class(p, wg)
	if class == nil {
		return groupUses{}
	}
	return once(d.chain.groups, class, func() groupUses { return d.groupUsesOfClass(class) })
}

func (d *deadlock) groupUsesOfClass(class any) groupUses {
	var u groupUses
	d.Each(func(q syntax.Place) {
		ast.Inspect(q.File, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for method, list := range map[string]*[]syntax.Place{"Done": &u.dones, "Go": &u.gos} {
				if e, _ := syntax.WaitGroupCall(q, call, method); e != nil && d.FlowOf().Class(q, e) == class {
					*list = append(*list, q.Of(call))
				}
			}
			return true
		})
	})
	return u
}
