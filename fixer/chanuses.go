package fixer

import (
	"go/ast"
	"go/token"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// chanUses are the places where one channel, or channels that cannot be told
// from it, is used.
type chanUses struct {
	makes    []syntax.Place // calls of make
	sends    []syntax.Place // *ast.SendStmt
	receives []syntax.Place // *ast.UnaryExpr
	ranges   []syntax.Place // *ast.RangeStmt
	closes   []syntax.Place // calls of close
}

// takes lists receives and ranges.
func (u *chanUses) takes() []syntax.Place {
	return append(append([]syntax.Place(nil), u.receives...), u.ranges...)
}

// usesOf returns the uses of a channel; never nil.
func (f channelRules) usesOf(p syntax.Place, ch ast.Expr) *chanUses {
	return f.usesOfClass(f.flowOf().Class(p, ch))
}

func (f *analysis) usesOfClass(class any) *chanUses {
	if f.uses == nil {
		f.uses = map[any]*chanUses{}
		f.Each(f.collectUses)
	}
	if u := f.uses[class]; u != nil && class != nil {
		return u
	}
	return &chanUses{}
}

func (f *analysis) collectUses(p syntax.Place) {
	fl := f.flowOf()
	of := func(ch ast.Expr) *chanUses {
		class := fl.Class(p, ch)
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
	ast.Inspect(p.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			u := of(n.Chan)
			u.sends = append(u.sends, p.Of(n))
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				u := of(n.X)
				u.receives = append(u.receives, p.Of(n))
			}
		case *ast.RangeStmt:
			if syntax.IsChan(p.Info().TypeOf(n.X)) {
				u := of(n.X)
				u.ranges = append(u.ranges, p.Of(n))
			}
		case *ast.CallExpr:
			switch name, call := p.Builtin(n); name {
			case "close":
				u := of(call.Args[0])
				u.closes = append(u.closes, p.Of(n))
			case "make":
				if syntax.IsChan(p.Info().TypeOf(n)) {
					u := of(n)
					u.makes = append(u.makes, p.Of(n))
				}
			}
		}
		return true
	})
}

// sel returns the select statement that a communication clause belongs to.
func selectOf(p syntax.Place, c *ast.CommClause) *ast.SelectStmt {
	for i, n := range p.Path {
		if n == ast.Node(c) && i+2 < len(p.Path) {
			s, _ := p.Path[i+2].(*ast.SelectStmt)
			return s
		}
	}
	return nil
}
