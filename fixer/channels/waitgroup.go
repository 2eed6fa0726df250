package channels

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/evidence"
)

// Done explains a Done that ran more often than Add counted.
func Done(p *proposal.Proposal) {
	f := Rules{p}
	var done syntax.Place
	var wg ast.Expr
	for _, p := range f.CallsOnLine() {
		for _, method := range []string{"Done", "Add"} {
			if e, _ := syntax.WaitGroupCall(p, p.Node(), method); e != nil && wg == nil {
				done, wg = p, e
			}
		}
	}
	if wg == nil { // the line of a return, with a deferred Done
		ast.Inspect(f.Home.Path[0], func(n ast.Node) bool {
			if e, _ := syntax.WaitGroupCall(f.Home, n, "Done"); e != nil && wg == nil {
				done, wg = f.Home.Of(n), e
			}
			return true
		})
	}
	if wg == nil {
		return
	}
	text := f.Text(wg)
	f.Diagnosis = evidence.Diagnosis{Expr: text, Value: "negative", Origin: f.RelWhere(done.Node().Pos()),
		Sentence: fmt.Sprintf("%s is counted down more often than up: %s (%s)", text, f.Text(done.Node()), f.Where(done.Node().Pos()))}
	objects := f.holders(done, wg)
	dones := f.groupCalls(objects, "Done")
	f.doneAfterClose(done)
	f.extraDone(dones)
}

// leaveAtClose has a loop end when the channel that it receives from is closed.
func (f Rules) leaveAtClose(p syntax.Place, as *ast.AssignStmt, channel string) {
	if sig := p.Signature(); sig == nil || sig.Results().Len() > 0 || as.Tok != token.DEFINE {
		return
	}
	ok := f.flag(p)
	lines := "if !" + ok + " {\n\treturn\n}"
	ch := f.Change().Insert(as.Lhs[0].End(), ", "+ok)
	at := p.Of(as)
	if clause, isCase := at.Path[1].(*ast.CommClause); isCase && clause.Comm == ast.Stmt(as) {
		if len(clause.Body) == 0 {
			return
		}
		ch.Before(clause.Body[0], lines)
	} else {
		ch.After(as, lines)
	}
	f.Offer(proposal.Idea{Rule: "channel/leave-at-close", Title: "end the loop when " + channel + " is closed", Weight: exits.Origin, Change: ch,
		Why: fmt.Sprintf("%s now returns when %s is closed, in place of taking zero values from it.", syntax.FuncName(p.Function()), channel)})
}

// doneAfterClose says that a loop counts down for what it receives, and does not
// see that the channel is closed: then it receives at once, without end.
func (f Rules) doneAfterClose(done syntax.Place) {
	loop, ok := done.Loop().(*ast.ForStmt)
	if !ok || loop.Cond != nil {
		return
	}
	steps := loop.Body.List
	for _, n := range done.Path {
		if c, ok := n.(*ast.CommClause); ok && syntax.Contains(loop, c.Pos()) {
			steps = append(slices.Clone(steps), c.Comm)
		}
	}
	for _, s := range steps {
		as, ok := s.(*ast.AssignStmt)
		if !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 || as.Pos() > done.Node().Pos() {
			continue
		}
		get, ok := ast.Unparen(as.Rhs[0]).(*ast.UnaryExpr)
		if !ok || get.Op != token.ARROW {
			continue
		}
		if sites := f.closes(done.Of(get.X), get.X); len(sites) > 0 {
			f.Reason(fmt.Sprintf("%sthe loop goes on after %s is closed (%s)", proposal.Further, f.Text(get.X), f.Where(sites[0].Node().Pos())), as.Pos())
			f.leaveAtClose(done, as, f.Text(get.X))
			return
		}
	}
}

// holders collects the variables, fields and parameters that are the group.
func (f Rules) holders(p syntax.Place, wg ast.Expr) []types.Object {
	return f.passed(p, wg, 8, func(t types.Type) bool { return types.TypeString(t, nil) == "*sync.WaitGroup" })
}

func (f Rules) groupCalls(objects []types.Object, method string) []syntax.Place {
	var list []syntax.Place
	f.Each(func(p syntax.Place) {
		ast.Inspect(p.File, func(n ast.Node) bool {
			if wg, call := syntax.WaitGroupCall(p, n, method); wg != nil && f.has(objects, p.Object(wg)) {
				list = append(list, p.Of(call))
			}
			return true
		})
	})
	return list
}

// extraDone removes the Done calls that a deferred one makes superfluous, or
// the second of two in a row.
func (f Rules) extraDone(dones []syntax.Place) {
	byFunc := map[ast.Node][]syntax.Place{}
	var order []ast.Node
	for _, d := range dones {
		fn := d.Function()
		if len(byFunc[fn]) == 0 {
			order = append(order, fn)
		}
		byFunc[fn] = append(byFunc[fn], d)
	}
	for _, fn := range order {
		list := byFunc[fn]
		deferred := 0
		for _, d := range list {
			if d.Deferred() {
				deferred++
			}
		}
		ch := f.Change()
		removed := 0
		for i, d := range list {
			if d.Statement() == nil {
				continue
			}
			switch {
			case deferred > 0 && !d.Deferred(), deferred > 1 && d.Deferred() && i > 0:
				ch.Remove(d.Statement())
				removed++
			}
		}
		if removed > 0 {
			f.Offer(proposal.Idea{Rule: "group/extra-done", Title: fmt.Sprintf("drop the extra Done in %s", syntax.FuncName(fn)), Weight: exits.Origin, Change: ch,
				Why: "The deferred Done counts down on every way out; the other one counted a second time."})
			continue
		}
	}
}
