package analysis

import (
	"go/ast"
	"go/token"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// ChanUses are the places where one channel is used. Channels that may be the same count
// as one.
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

// UnlockOf is the call that releases what a use locks.
func (f *Analysis) UnlockOf(l syntax.LockUse) string {
	return f.Text(l.Mutex) + "." + l.Unlock() + "()"
}

// LockUses lists the calls on all mutexes of the user's code.
func (f *Analysis) LockUses() []syntax.LockUse {
	var list []syntax.LockUse
	f.Each(func(p syntax.Place) {
		for _, l := range syntax.Locks(p) {
			list = append(list, syntax.LockUse{LockCall: l, Class: f.MutexClass(l.Place)})
		}
	})
	return list
}

// MutexClass is the class of the mutex that a call of its method is for: that
// of the field, also of an embedded one.
func (f *Analysis) MutexClass(p syntax.Place) any {
	sel, ok := ast.Unparen(p.Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if s := p.Info().Selections[sel]; s != nil && len(s.Index()) > 1 {
		if field := embeddedField(s.Recv(), s.Index()); field != nil {
			return f.FlowOf().Find(syntax.OriginOf(field))
		}
	}
	return f.FlowOf().Class(p, sel.X)
}
