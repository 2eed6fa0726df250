package deadlock

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// onChannel is a waiter at a channel, or at a case of its select.
type onChannel struct {
	waiter
	class any
	ch    ast.Expr
	use   syntax.Place // the send, the receive or the range itself
}

// sendersWaiting lists the goroutines that wait to send, also in a select.
func (d *deadlock) sendersWaiting() []onChannel {
	var list []onChannel
	for _, w := range d.of(waitSend, waitSelect) {
		if w.kind == waitSend {
			list = append(list, onChannel{w, d.FlowOf().Class(w.Place, w.on), w.on, w.Place})
			continue
		}
		for _, c := range w.Node().(*ast.SelectStmt).Body.List {
			if s, ok := c.(*ast.CommClause).Comm.(*ast.SendStmt); ok {
				list = append(list, onChannel{w, d.FlowOf().Class(w.Place, s.Chan), s.Chan, w.Of(s)})
			}
		}
	}
	return list
}

// receiversWaiting lists the goroutines that wait to receive, also in a select.
func (d *deadlock) receiversWaiting() []onChannel {
	var list []onChannel
	for _, w := range d.of(waitReceive, waitSelect) {
		if w.kind == waitReceive && w.on != nil {
			list = append(list, onChannel{w, d.FlowOf().Class(w.Place, w.on), w.on, w.Place})
			continue
		}
		ast.Inspect(w.Node(), func(n ast.Node) bool {
			u, ok := n.(*ast.UnaryExpr)
			if ok && u.Op == token.ARROW && w.Of(u).Comm() != nil && selectOf(w.Of(u), w.Of(u).Comm()) == w.Node() {
				list = append(list, onChannel{w, d.FlowOf().Class(w.Place, u.X), u.X, w.Of(u)})
			}
			return true
		})
	}
	return list
}

// startedByGo reports whether WaitGroup.Go started a goroutine.
func startedByGo(w waiter) bool {
	for _, fr := range w.frames {
		if strings.HasPrefix(fr.Function, "sync.(*WaitGroup).Go") {
			return true
		}
	}
	return false
}

// statementAt returns the statement, in a list of its function's, that a frame of
// a waiter is executing.
func (d *deadlock) statementAt(w waiter, i int) (syntax.Place, bool) {
	if i == w.at {
		s := w.Anchor()
		if s == nil {
			return syntax.Place{}, false
		}
		return w.Of(s), true
	}
	fr := w.frames[i]
	if !fr.User {
		return syntax.Place{}, false
	}
	home, ok := d.FunctionAt(fr)
	if !ok {
		return syntax.Place{}, false
	}
	fn := d.Innermost(home, fr.Function, fr.Line)
	var best ast.Stmt
	ast.Inspect(syntax.BodyOf(fn), func(n ast.Node) bool {
		if n == nil || d.Line(n.Pos()) > fr.Line || d.Line(n.End()) < fr.Line {
			return false
		}
		if _, isLit := n.(*ast.FuncLit); isLit {
			return false
		}
		switch s := n.(type) {
		case *ast.ExprStmt, *ast.AssignStmt, *ast.ReturnStmt, *ast.DeclStmt, *ast.SendStmt, *ast.DeferStmt:
			best = s.(ast.Stmt)
		case *ast.IfStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.ForStmt:
			best = s.(ast.Stmt)
		}
		return true
	})
	if best == nil {
		return syntax.Place{}, false
	}
	at := home.Of(best)
	if s := at.Anchor(); s != nil {
		return home.Of(s), true
	}
	return syntax.Place{}, false
}
