package fixer

import (
	"go/ast"
)

// groupUses are the calls on one WaitGroup that count down.
type groupUses struct {
	dones, gos []place
}

func (d *deadlock) groupUsesOf(p place, wg ast.Expr) groupUses {
	class := d.flowOf().class(p, wg)
	if class == nil {
		return groupUses{}
	}
	return once(d.chain.groups, class, func() groupUses { return d.groupUsesOfClass(class) })
}

func (d *deadlock) groupUsesOfClass(class any) groupUses {
	var u groupUses
	d.each(func(q place) {
		ast.Inspect(q.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for method, list := range map[string]*[]place{"Done": &u.dones, "Go": &u.gos} {
				if e, _ := waitGroupCall(q, call, method); e != nil && d.flowOf().class(q, e) == class {
					*list = append(*list, q.of(call))
				}
			}
			return true
		})
	})
	return u
}
