package analysis

import (
	"go/ast"
	"go/token"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// ChanUses are the places where one channel, or channels that cannot be told
// from it, is used.
type ChanUses struct {
	Makes    []syntax.Place // calls of make
	Sends    []syntax.Place // *ast.SendStmt
	receives []syntax.Place // *ast.UnaryExpr
	Ranges   []syntax.Place // *ast.RangeStmt
	Closes   []syntax.Place // calls of close
}

// Takes lists receives and ranges.
func (u *ChanUses) Takes() []syntax.Place {
	return append(append([]syntax.Place(nil), u.receives...), u.Ranges...)
}

// UsesOfClass lists the uses of the channels of a class.
func (f *Analysis) UsesOfClass(class any) *ChanUses {
	if f.uses == nil {
		f.uses = map[any]*ChanUses{}
		f.Each(f.collectUses)
	}
	if u := f.uses[class]; u != nil && class != nil {
		return u
	}
	return &ChanUses{}
}

func (f *Analysis) collectUses(p syntax.Place) {
	fl := f.FlowOf()
	of := func(ch ast.Expr) *ChanUses {
		class := fl.Class(p, ch)
		if class == nil {
			return &ChanUses{}
		}
		u := f.uses[class]
		if u == nil {
			u = &ChanUses{}
			f.uses[class] = u
		}
		return u
	}
	ast.Inspect(p.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			u := of(n.Chan)
			u.Sends = append(u.Sends, p.Of(n))
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				u := of(n.X)
				u.receives = append(u.receives, p.Of(n))
			}
		case *ast.RangeStmt:
			if syntax.IsChan(p.Info().TypeOf(n.X)) {
				u := of(n.X)
				u.Ranges = append(u.Ranges, p.Of(n))
			}
		case *ast.CallExpr:
			switch name, call := p.Builtin(n); name {
			case "close":
				u := of(call.Args[0])
				u.Closes = append(u.Closes, p.Of(n))
			case "make":
				if syntax.IsChan(p.Info().TypeOf(n)) {
					u := of(n)
					u.Makes = append(u.Makes, p.Of(n))
				}
			}
		}
		return true
	})
}
