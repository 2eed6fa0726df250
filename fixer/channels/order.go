package channels

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// CloseInGoroutine puts a close of the channel after the wait for its senders, in a goroutine of
// its own, where the channel is drained before that wait.
func (f Rules) CloseInGoroutine(s analysis.Suspect, wait syntax.Place, name string, ch *code.Change, what string) (drained bool) {
	first, drained := f.drainedBefore(s, wait)
	if !drained {
		return false
	}
	stmt, lead := wait.Statement(), f.LineIndentAt(first)
	ch.Remove(stmt).InsertAbove(first, fmt.Sprintf("%sgo func() {\n%s\t%s\n%s\tclose(%s)\n%s}()\n\n", lead, lead, f.Text(stmt), lead, name, lead))
	f.Offer(proposal.Idea{Rule: "chan/put-close-after-wait", Title: fmt.Sprintf("close %s when all senders are done", name), Weight: exits.Origin - 1, Change: ch,
		Why: fmt.Sprintf("%s. A goroutine waits for them and closes it then, so that what receives at %s comes to its end.", syntax.UpperFirst(what), f.Where(first.Pos()))})
	return true
}

// drainedBefore finds the statement, before the wait in the same list, that
// receives until the channel is closed.
func (f Rules) drainedBefore(s analysis.Suspect, wait syntax.Place) (ast.Stmt, bool) {
	list := syntax.Statements(wait.AnchorBlock())
	n := f.drainsIn(s, wait, func(n ast.Node) bool { return n.End() < wait.Node().Pos() })
	if n == nil {
		return nil, false
	}
	first, i := syntax.Within(list, n.Pos())
	return first, i >= 0
}

// drainsIn finds what ranges over the channel in the function of a place: a
// loop, or a call of a function with one.
func (f Rules) drainsIn(s analysis.Suspect, at syntax.Place, where func(ast.Node) bool) ast.Node {
	ranges := f.usesOf(s.Place, s.Bad).Ranges
	is := func(_ syntax.Place, n ast.Node) bool {
		for _, r := range ranges {
			if r.Node() == n {
				return true
			}
		}
		return false
	}
	var found ast.Node
	ast.Inspect(syntax.BodyOf(at.Function()), func(n ast.Node) bool {
		if n == nil || found != nil {
			return false
		}
		switch x := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.RangeStmt:
			if where(n) && is(at, n) {
				found = n
			}
		case *ast.CallExpr:
			if d, ok := f.DeclarationOf(at.Callee(x)); ok && where(n) && f.Transitive(d, d.Node(), is) {
				found = n
			}
		}
		return found == nil
	})
	return found
}

// WaitFor finds the wait for the senders, and the channel's name there: the first wait that is fit.
func (f Rules) WaitFor(s analysis.Suspect, fit func(wait syntax.Place, wg ast.Expr) bool) (wait syntax.Place, name string, ok bool) {
	objects := f.aliases(s.Place, s.Bad)
	f.Each(func(p syntax.Place) {
		ast.Inspect(p.File, func(n ast.Node) bool {
			if ok {
				return false
			}
			if wg, _ := syntax.WaitGroupCall(p, n, "Wait"); wg != nil {
				at := p.Of(n)
				if at.Statement() == nil {
					return true
				}
				if text, found := f.nameAt(at, objects, wg); found && fit(at, wg) {
					wait, name, ok = at, text, true
				}
			}
			return true
		})
	})
	return wait, name, ok
}

func anyWait(syntax.Place, ast.Expr) bool { return true }

// nameAt writes how one of the objects is named at a place, by its use in the
// same declaration; wg tells the receiver's path for fields.
func (f Rules) nameAt(at syntax.Place, objects []types.Object, wg ast.Expr) (string, bool) {
	d := at.Declaration()
	if d == nil {
		return "", false
	}
	name, found := "", false
	for _, obj := range objects {
		v, isVar := obj.(*types.Var)
		if !isVar {
			continue
		}
		if v.IsField() {
			if sel, ok := ast.Unparen(wg).(*ast.SelectorExpr); ok {
				if t := syntax.Named(at.Info().TypeOf(sel.X)); t != nil {
					if o, _, _ := types.LookupFieldOrMethod(t, true, t.Obj().Pkg(), v.Name()); o != nil && f.Same(o, v) {
						return f.Text(sel.X) + "." + v.Name(), true
					}
				}
			}
			continue
		}
		if !found && at.Sees(v) {
			name, found = v.Name(), true
		}
	}
	return name, found
}

// sendAfterClose: the close comes before the last send.
func (f Rules) sendAfterClose(s analysis.Suspect) {
	closes := f.closes(s.Place, s.Bad)
	if len(closes) == 0 {
		return
	}
	var at []string
	for _, c := range closes {
		at = append(at, f.Where(c.Node().Pos()))
	}
	f.Reason(proposal.Further+"it is closed at "+strings.Join(at, " and "), closes[0].Node().Pos())
	f.closeAfterWaitOnSend(s, closes)
}

// closeAfterWaitOnSend: one of several workers closes while the others still send.
func (f Rules) closeAfterWaitOnSend(s analysis.Suspect, closes []syntax.Place) {
	ch := f.Change()
	for _, c := range closes {
		if !f.RunsAsGoroutine(c) || c.Statement() == nil {
			return
		}
		ch.Remove(c.Statement())
	}
	if wait, name, ok := f.WaitFor(s, anyWait); ok {
		f.CloseInGoroutine(s, wait, name, ch, "the workers no longer close the channel that the others still send on")
	}
}

// usesOf returns the uses of a channel; never nil.
func (f Rules) usesOf(p syntax.Place, ch ast.Expr) *analysis.ChanUses {
	return f.UsesOfClass(f.FlowOf().Class(p, ch))
}
