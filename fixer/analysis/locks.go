package analysis

import (
	"go/ast"

	"github.com/pausetui/pausetui/fixer/syntax"
)

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
