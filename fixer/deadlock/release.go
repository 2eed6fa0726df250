package deadlock

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// releaseFirst unlocks before the statement whose call leads to the second Lock, if neither that
// statement nor those after it use what the lock guards.
func (d lockWaits) releaseFirst(l syntax.LockUse, at syntax.Place, uses []syntax.LockUse, callee string) {
	c, ok := d.criticalOf(l, syntax.InFunction(uses, l.Function()))
	if !ok {
		return
	}
	s, i := syntax.Within(c.list, at.Node().Pos())
	if i <= c.from || i >= c.to || mentions(s, c.whole) != 1 {
		return
	}
	for _, after := range c.list[i+1 : c.to] {
		if mentions(after, c.whole) > 0 {
			return
		}
	}
	ch := d.Change().Remove(c.unlock).Before(s, d.UnlockOf(l))
	if c.deferred {
		ways := syntax.WaysFrom(l.Place, l.Node(), func(n ast.Node) bool { return syntax.Contains(s, n.Pos()) })
		for _, e := range ways.Exits {
			if mentions(e, c.whole) > 0 {
				return
			}
			ch.Before(e, d.UnlockOf(l))
		}
	}
	d.Offer(proposal.Idea{Rule: "order/unlock-first", Title: fmt.Sprintf("call %s before %s", d.UnlockOf(l), callee), Weight: exits.Origin, Change: ch,
		Why: fmt.Sprintf("%s takes the lock itself, and nothing from there on uses what it guards.", callee)})
}

// critical is the part of a statement list between a lock and its only unlock.
type critical struct {
	list     []ast.Stmt
	from, to int // of the lock, and of the end: the unlock, or the end of the function
	unlock   ast.Stmt
	deferred bool
	whole    string // what the mutex is a part of, which it guards
}

func (d lockWaits) criticalOf(l syntax.LockUse, own []syntax.LockUse) (critical, bool) {
	if len(own) != 2 || l.Statement() == nil {
		return critical{}, false
	}
	u := own[0]
	if u.Node() == l.Node() {
		u = own[1]
	}
	body := syntax.BodyOf(l.Function())
	c := critical{list: syntax.Statements(l.Of(l.Statement()).Path[1]), whole: d.guardedBy(l), deferred: u.Deferred()}
	_, c.from = syntax.Within(c.list, l.Node().Pos())
	c.unlock, c.to = syntax.Within(c.list, u.Node().Pos())
	_, isCall := c.unlock.(*ast.ExprStmt)
	if c.deferred {
		_, isCall = c.unlock.(*ast.DeferStmt)
		c.to = len(c.list)
		if len(body.List) != len(c.list) || body.List[0] != c.list[0] {
			return c, false // what follows the block has the lock, too
		}
	}
	return c, isCall && c.whole != "" && u.Method == l.Unlock()
}

// guardedBy is the text of what has the mutex as a field; "" for a mutex of its own.
func (d lockWaits) guardedBy(l syntax.LockUse) string {
	if t := syntax.Named(l.Info().TypeOf(l.Mutex)); t == nil || t.Obj().Pkg() == nil || t.Obj().Pkg().Path() != "sync" {
		return types.ExprString(l.Mutex) // the mutex is embedded
	}
	if sel, ok := ast.Unparen(l.Mutex).(*ast.SelectorExpr); ok {
		return types.ExprString(sel.X)
	}
	return ""
}

// mentions counts where a statement names what a mutex guards; a field of it counts twice.
func mentions(s ast.Stmt, whole string) (n int) {
	calls := map[ast.Expr]bool{}
	ast.Inspect(s, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.CallExpr:
			calls[ast.Unparen(x.Fun)] = true
		case *ast.SelectorExpr:
			if types.ExprString(x.X) == whole && !calls[x] {
				n++
			}
		}
		if e, ok := x.(ast.Expr); ok && types.ExprString(e) == whole {
			n++
			return false
		}
		return true
	})
	return n
}
