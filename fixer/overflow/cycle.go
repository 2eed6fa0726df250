package overflow

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// refuseCycle: a walk that can fail notes what it is done with, and a way leads
// back to what it has only begun with. That is refused by an error: what is
// begun is in the map, as false.
func (o *overflow) refuseCycle(ask syntax.Place, mark *ast.AssignStmt) {
	ix := ask.Node().(*ast.IndexExpr)
	is, ok := ask.Path[1].(*ast.IfStmt)
	if !ok || is.Cond != ast.Expr(ix) || is.Init != nil || is.Else != nil || ask.AnchorBlock() != ast.Node(syntax.BodyOf(ask.Function())) {
		return
	}
	if o.Text(mark.Rhs[0]) != "true" || !syntax.IsBool(ask.Info().TypeOf(ix)) || !o.indexedOnly(ask, ix.X) {
		return
	}
	what := o.Text(ix.Index)
	e, ok := o.ErrorReturn(ask, exits.Message{Format: "%v needs itself", Args: []string{what}}, "")
	if !ok {
		return
	}
	ended, begun := syntax.Fresh(ask, "ended", "through"), syntax.Fresh(ask, "begun", "entered")
	entry := o.Text(ix)
	ch := o.Change().Need(ask.File, e.Imports...).
		Replace(is.Cond.Pos(), is.Cond.End(), fmt.Sprintf("%s, %s := %s; %s", ended, begun, entry, ended)).
		Insert(is.Body.Rbrace+1, fmt.Sprintf(" else if %s {\n%s\n}\n%s = false\n", begun, e.Lines, entry)).
		Insert(is.Body.Rbrace+1, fmt.Sprintf("defer func() {\nif !%s { // it failed\ndelete(%s, %s)\n}\n}()", entry, o.Text(ix.X), what))
	o.Offer(proposal.Idea{Rule: "overflow/refuse-cycle", Title: fmt.Sprintf("refuse what leads back to %s: %s", what, proposal.ShortHow(e)), Weight: exits.Origin - 1, Change: ch, Grounds: e.Grounds,
		Why: fmt.Sprintf("%s can fail, and there is no right order for things that need one another. What has been begun is in %s as false; coming back to it is an error.", syntax.FuncName(ask.Function()), o.Text(ix.X))})
}

// indexedOnly reports whether a map is only ever made, and read and written by
// its keys: nothing counts it or iterates over it.
func (o *overflow) indexedOnly(p syntax.Place, m ast.Expr) bool {
	obj := p.Object(m)
	if obj == nil {
		return false
	}
	if v, ok := obj.(*types.Var); ok && !v.IsField() && !syntax.IsGlobal(v) {
		return false // a parameter, or one of a closure: others may hold it by another name
	}
	only := true
	o.Each(func(q syntax.Place) {
		ast.Inspect(q.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				only = only && !o.Same(q.Object(n.X), obj)
			case *ast.CallExpr:
				for _, a := range n.Args {
					only = only && !o.Same(q.Object(a), obj)
				}
			case *ast.ReturnStmt:
				for _, r := range n.Results {
					only = only && !o.Same(q.Object(r), obj)
				}
			}
			return only
		})
	})
	return only
}

// recursions lists the calls of the cycle's function in itself.
func (o *overflow) recursions(t cycleFunc) []syntax.Place {
	var list []syntax.Place
	ast.Inspect(syntax.BodyOf(t.fn), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && o.callsSelf(t, call) {
			list = append(list, t.Of(call))
		}
		return true
	})
	return list
}

func (o *overflow) callsSelf(t cycleFunc, call *ast.CallExpr) bool {
	switch fn := t.fn.(type) {
	case *ast.FuncDecl:
		callee := t.Callee(call)
		return callee != nil && o.Same(syntax.OriginOf(callee), syntax.OriginOf(t.Info().Defs[fn.Name]))
	case *ast.FuncLit:
		for _, lit := range o.FlowOf().Callees(t.Place, call) {
			if lit == any(fn) {
				return true
			}
		}
	}
	return false
}

// parameters lists the parameters of the cycle's function in order.
func (o *overflow) parameters(t cycleFunc) []*types.Var {
	var list []*types.Var
	for _, field := range syntax.TypeOfFunc(t.fn).Params.List {
		for _, n := range field.Names {
			v, _ := t.Info().Defs[n].(*types.Var)
			list = append(list, v)
		}
	}
	return list
}
