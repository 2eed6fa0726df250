package fixer

import (
	"go/ast"
	"go/token"
)

// chanUses are the places where one channel, or channels that cannot be told
// from it, is used.
type chanUses struct {
	makes    []place // calls of make
	sends    []place // *ast.SendStmt
	receives []place // *ast.UnaryExpr
	ranges   []place // *ast.RangeStmt
	closes   []place // calls of close
}

// takes lists receives and ranges.
func (u *chanUses) takes() []place {
	return append(append([]place(nil), u.receives...), u.ranges...)
}

// usesOf returns the uses of a channel; never nil.
func (f channelRules) usesOf(p place, ch ast.Expr) *chanUses {
	return f.usesOfClass(f.flowOf().class(p, ch))
}

func (f *analysis) usesOfClass(class any) *chanUses {
	if f.uses == nil {
		f.uses = map[any]*chanUses{}
		f.each(f.collectUses)
	}
	if u := f.uses[class]; u != nil && class != nil {
		return u
	}
	return &chanUses{}
}

func (f *analysis) collectUses(p place) {
	fl := f.flowOf()
	of := func(ch ast.Expr) *chanUses {
		class := fl.class(p, ch)
		if class == nil {
			return &chanUses{}
		}
		u := f.uses[class]
		if u == nil {
			u = &chanUses{}
			f.uses[class] = u
		}
		return u
	}
	ast.Inspect(p.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			u := of(n.Chan)
			u.sends = append(u.sends, p.of(n))
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				u := of(n.X)
				u.receives = append(u.receives, p.of(n))
			}
		case *ast.RangeStmt:
			if isChan(p.info().TypeOf(n.X)) {
				u := of(n.X)
				u.ranges = append(u.ranges, p.of(n))
			}
		case *ast.CallExpr:
			switch name, call := p.builtin(n); name {
			case "close":
				u := of(call.Args[0])
				u.closes = append(u.closes, p.of(n))
			case "make":
				if isChan(p.info().TypeOf(n)) {
					u := of(n)
					u.makes = append(u.makes, p.of(n))
				}
			}
		}
		return true
	})
}

// comm returns the clause of a select whose communication the node is; nil
// without one.
func (p place) comm() *ast.CommClause {
	for i := 1; i < len(p.path); i++ {
		switch n := p.path[i].(type) {
		case *ast.CommClause:
			if n.Comm == p.path[i-1] {
				return n
			}
			return nil
		case *ast.BlockStmt:
			return nil
		}
	}
	return nil
}

// sel returns the select statement that a communication clause belongs to.
func selectOf(p place, c *ast.CommClause) *ast.SelectStmt {
	for i, n := range p.path {
		if n == ast.Node(c) && i+2 < len(p.path) {
			s, _ := p.path[i+2].(*ast.SelectStmt)
			return s
		}
	}
	return nil
}
