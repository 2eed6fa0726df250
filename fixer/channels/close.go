// Package channels has the rules for channels, groups and mutexes that are closed or
// released too often, or sent to after their close.
package channels

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/nilness"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/evidence"
)

// Rules are those for channels and groups: a channel is closed twice or sent to after
// that, a group is counted down below zero.
type Rules struct{ *proposal.Proposal }

// Close explains a channel that was closed twice, sent to after its close, or closed
// without ever having been made.
func Close(p *proposal.Proposal) {
	f := Rules{p}
	s, ok := f.Choose(f.channelUses)
	if !ok {
		return
	}
	text := f.Text(s.Bad)
	switch {
	case strings.Contains(f.Panic.Message, "nil channel"):
		f.Diagnosis = evidence.Diagnosis{Expr: text, Value: "nil", Sentence: text + " is nil when it is closed"}
		nilness.ValueOrigin(f.Proposal, s.Place, f.At, s.Bad, "channel")
	case strings.Contains(f.Panic.Message, "send on"):
		f.Diagnosis = evidence.Diagnosis{Expr: text, Value: "closed", Sentence: text + " is closed when " + syntax.FuncName(s.Function()) + " sends on it"}
		f.sendAfterClose(s)
	default:
		f.Diagnosis = evidence.Diagnosis{Expr: text, Value: "closed", Sentence: text + " is closed already when " + syntax.FuncName(s.Function()) + " closes it"}
		f.doubleClose(s)
	}
	if f.Diagnosis.Origin == "" {
		f.Diagnosis.Origin = f.RelWhere(s.Expr.Pos())
	}
}

func (f Rules) channelUses(p syntax.Place, n ast.Node) []analysis.Suspect {
	switch n := n.(type) {
	case *ast.CallExpr:
		if name, call := p.Builtin(n); name == "close" && !strings.Contains(f.Panic.Message, "send on") {
			return []analysis.Suspect{{Expr: n, Bad: call.Args[0], Fact: analysis.Unknown}}
		}
	case *ast.SendStmt:
		if strings.Contains(f.Panic.Message, "send on") {
			return []analysis.Suspect{{Expr: n.Chan, Bad: n.Chan, Fact: analysis.Unknown}}
		}
	}
	return nil
}

// closes lists the close calls of the same channel, as statements.
func (f Rules) closes(p syntax.Place, ch ast.Expr) []syntax.Place {
	return f.channelSites(p, ch, func(q syntax.Place, n ast.Node) ast.Expr {
		if call, ok := n.(*ast.CallExpr); ok {
			if name, _ := q.Builtin(call); name == "close" {
				return call.Args[0]
			}
		}
		return nil
	})
}

// channelSites finds nodes that use the same channel: the same variable or
// field, or a parameter that it is passed as.
func (f Rules) channelSites(p syntax.Place, ch ast.Expr, pick func(syntax.Place, ast.Node) ast.Expr) []syntax.Place {
	objects := f.aliases(p, ch)
	var list []syntax.Place
	f.Each(func(q syntax.Place) {
		ast.Inspect(q.File, func(n ast.Node) bool {
			e := pick(q, n)
			if e == nil {
				return true
			}
			for _, obj := range objects {
				if f.Same(q.Object(e), obj) {
					list = append(list, q.Of(n))
					break
				}
			}
			return true
		})
	})
	return list
}

// aliases collects the variables, fields and parameters that hold a channel.
func (f Rules) aliases(p syntax.Place, ch ast.Expr) []types.Object {
	return f.passed(p, ch, 12, syntax.IsChan)
}

// passed collects the variables, fields and parameters that hold a value of a kind of types,
// as calls pass it on; most bounds how many are followed.
func (f Rules) passed(p syntax.Place, e ast.Expr, most int, is func(types.Type) bool) []types.Object {
	list := []types.Object{p.Object(e)}
	for i := 0; i < len(list) && i < most; i++ {
		obj := list[i]
		f.Each(func(q syntax.Place) {
			ast.Inspect(q.File, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				sig, ok := q.Info().TypeOf(call.Fun).(*types.Signature)
				if !ok {
					return true
				}
				for j, a := range call.Args {
					if j >= sig.Params().Len() || !is(q.Info().TypeOf(a)) {
						continue
					}
					param, arg := paramObject(q, call, j), q.Object(a)
					if param == nil || arg == nil {
						continue
					}
					if f.Same(arg, obj) && !f.has(list, param) {
						list = append(list, param)
					}
					if f.Same(param, obj) && !f.has(list, arg) {
						list = append(list, arg)
					}
				}
				return true
			})
		})
	}
	return list
}

func (f Rules) has(list []types.Object, o types.Object) bool {
	return slices.ContainsFunc(list, func(x types.Object) bool { return f.Same(x, o) })
}

// paramObject returns the parameter that an argument becomes.
func paramObject(p syntax.Place, call *ast.CallExpr, i int) types.Object {
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		n := 0
		for _, field := range lit.Type.Params.List {
			for _, name := range field.Names {
				if n == i {
					return p.Info().Defs[name]
				}
				n++
			}
		}
		return nil
	}
	if fn := p.Callee(call); fn != nil {
		return syntax.OriginOf(fn).Type().(*types.Signature).Params().At(i)
	}
	return nil
}

// doubleClose: more than one close, or one that runs more than once.
func (f Rules) doubleClose(s analysis.Suspect) {
	sites := f.closes(s.Place, s.Bad)
	if len(sites) > 1 {
		var at []string
		for _, c := range sites {
			at = append(at, f.Where(c.Node().Pos()))
		}
		f.Reason(proposal.Further+"it is closed at "+strings.Join(at, " and "), sites[0].Node().Pos())
	} else if len(sites) == 1 && f.StartedInLoop(sites[0]) {
		f.Reason(proposal.Further+"each goroutine that runs "+syntax.FuncName(sites[0].Function())+" closes it", sites[0].Node().Pos())
		f.closeAfterWait(s, sites[0])
	} else if len(sites) == 1 {
		known := "no other close of it was found"
		if name := syntax.FuncName(sites[0].Function()); sites[0].Loop() == nil && name != "main" {
			known += ": an earlier call of " + name + " closed it"
		}
		f.Add(known)
	}
	f.runOnce(s, sites)
}

// closeAfterWait: each of several workers closes what all of them send on. The one who waits
// for them closes it instead.
func (f Rules) closeAfterWait(s analysis.Suspect, site syntax.Place) {
	stmt := site.Statement()
	if stmt == nil {
		return
	}
	const what = "each of the workers closed it when its own work was done"
	wait, name, ok := f.WaitFor(s, anyWait)
	if !ok || f.CloseInGoroutine(s, wait, name, f.Change().Remove(stmt), what) || wait.Deferred() {
		return
	}
	f.Offer(proposal.Idea{Rule: "chan/close-after-wait", Title: fmt.Sprintf("close %s when all workers are done", name), Weight: exits.Origin,
		Change: f.Change().Remove(stmt).After(wait.Statement(), "close("+name+")"),
		Why:    fmt.Sprintf("%s. It is closed once, after %s.", syntax.UpperFirst(what), f.Text(wait.Statement()))})
}

// flag returns a name for a comma-ok result: "ok", unless an ok is visible
// there already. To assign to that one, or to hide it from the statement
// that follows, would change what the code after it sees.
func (f Rules) flag(p syntax.Place) string {
	pos := p.Node().Pos()
	if scope := p.Pkg.Types.Scope().Innermost(pos); scope != nil {
		if _, obj := scope.LookupParent("ok", pos); obj == nil {
			return "ok"
		}
	}
	return syntax.Fresh(p, "found", "present", "holds")
}
