package builtin

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// saysOnce finds a comment that allows one call only: "must be called at most
// once", "exactly once for each Start".
var saysOnce = regexp.MustCompile(`(?i)\b(at most|exactly|only|be called|call it|just) once\b|\bonce (only|per|for each)\b`)

// calledOnce: the function that stopped says that it is to be called once, and
// a function on the stack calls it more often.
func (f *fixer) calledOnce() {
	d, ok := f.home.path[0].(*ast.FuncDecl)
	if !ok || d.Doc == nil || !saysOnce.MatchString(strings.Join(strings.Fields(d.Doc.Text()), " ")) {
		return
	}
	call, _, ok := f.callerOf(f.home, f.at)
	if !ok || call.anchor() == nil {
		return
	}
	f.twiceOnAWay(d, call)
	f.onceInLoop(d, call)
}

// callsAlike lists the calls of one function in another.
func (f *fixer) callsAlike(d *ast.FuncDecl, in place) []place {
	obj := f.home.info().Defs[d.Name]
	var list []place
	ast.Inspect(bodyOf(in.function()), func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if fn := in.callee(c); fn != nil && f.same(originOf(fn), obj) && in.of(c).function() == in.function() && in.of(c).statement() != nil {
				list = append(list, in.of(c))
			}
		}
		return true
	})
	return list
}

// twiceOnAWay: one way through the caller comes to two calls.
func (f *fixer) twiceOnAWay(d *ast.FuncDecl, call place) {
	list := f.callsAlike(d, call)
	for _, a := range list {
		for _, b := range list {
			if a.node() == b.node() || a.deferred() || !b.deferred() && !f.leadsTo(a, b) {
				continue
			}
			f.firstOfTwo(d, a, b)
		}
	}
}

// leadsTo tells whether the control flow leads from one node to another.
func (f *fixer) leadsTo(a, b place) bool {
	for _, n := range f.waysFrom(a, a.statement(), nil).nodes {
		if contains(n, b.node().Pos()) {
			return true
		}
	}
	return false
}

// firstOfTwo: where both calls say the same, or the first runs on every turn
// of a loop, it goes; else the function ends with it.
func (f *fixer) firstOfTwo(d *ast.FuncDecl, a, b place) {
	name := funcName(d)
	f.diagnosis.Sentence += fmt.Sprintf("; %s is to be called once, and %s calls it at %s and again at %s", name, funcName(a.function()), f.where(a.node().Pos()), f.where(b.node().Pos()))
	f.diagnosis.Origin = f.relWhere(a.node().Pos())
	deeper := len(a.loops()) > len(b.loops())
	if deeper || f.text(a.node()) == f.text(b.node()) {
		f.offer(idea{title: fmt.Sprintf("leave %s to the call at %s", name, f.where(b.node().Pos())), weight: origin - 1, change: f.change().remove(a.statement()),
			why:     fmt.Sprintf("The way through %s comes to the call at %s too; now %s is called once.", funcName(a.function()), f.where(b.node().Pos()), name),
			grounds: f.onceGrounds(d)})
		return
	}
	if sig := a.signature(); sig != nil && sig.Results().Len() == 0 && a.anchorBlock() != b.anchorBlock() && !b.deferred() {
		f.offer(idea{title: fmt.Sprintf("end %s with its call of %s", funcName(a.function()), name), weight: origin - 1, change: f.change().after(a.statement(), "return"),
			why:     fmt.Sprintf("Where %s was called at %s, there is nothing left to do.", name, f.where(a.node().Pos())),
			grounds: f.onceGrounds(d)})
	}
}

func (f *fixer) onceGrounds(d *ast.FuncDecl) string {
	return fmt.Sprintf("the comment on %s says that it is called once (%s)", funcName(d), f.where(d.Pos()))
}

// onceInLoop: the call runs again on a later turn of a loop.
func (f *fixer) onceInLoop(d *ast.FuncDecl, call place) {
	stmt, isStmt := call.statement().(*ast.ExprStmt)
	l := call.loop()
	if !isStmt || l == nil || !f.waysFrom(call, stmt, nil).again {
		return
	}
	if sel, ok := ast.Unparen(call.node().(*ast.CallExpr).Fun).(*ast.SelectorExpr); ok {
		base, _ := rootOf(sel.X)
		if root := call.object(base); root != nil && contains(l, root.Pos()) {
			return // another one on each turn
		}
	}
	name := funcName(d)
	f.diagnosis.Sentence += fmt.Sprintf("; %s is to be called once, and the loop in %s calls it on more than one turn (%s)", name, funcName(call.function()), f.where(stmt.Pos()))
	f.diagnosis.Origin = f.relWhere(stmt.Pos())
	why := fmt.Sprintf("Later turns of the loop at %s no longer call %s.", f.where(l.Pos()), name)
	title := fmt.Sprintf("call %s on one turn only", name)
	if is, flag, ok := f.flagBeside(call, stmt, l); ok {
		open, shut := "", ""
		if b, isBinary := is.Cond.(*ast.BinaryExpr); isBinary && b.Op == token.LOR {
			open, shut = "(", ")"
		}
		f.offer(idea{title: title, weight: origin - 2, grounds: f.onceGrounds(d), why: why,
			change: f.change().insert(is.Cond.Pos(), "!"+flag+" && "+open).insert(is.Cond.End(), shut)})
		return
	}
	flag := f.fresh(call, "called", "done")
	ch := f.change().before(l, flag+" := false")
	lead := lineIndentAt(f, stmt)
	ch.replace(stmt.Pos(), stmt.End(), fmt.Sprintf("if !%s {\n%s\t%s = true\n%s\t%s\n%s}", flag, lead, flag, lead, f.text(stmt), lead))
	f.offer(idea{title: title, weight: origin - 1, grounds: f.onceGrounds(d), why: why, change: ch})
}

// flagBeside finds a variable of the caller that is set to true beside the
// call, outside of the loop false, so that it tells whether the call has run.
func (f *fixer) flagBeside(call place, stmt ast.Stmt, l ast.Stmt) (*ast.IfStmt, string, bool) {
	block, ok := call.anchorBlock().(*ast.BlockStmt)
	if !ok {
		return nil, "", false
	}
	is, ok := call.of(block).path[1].(*ast.IfStmt)
	if !ok || is.Body != block || is.Else != nil || is.Init != nil {
		return nil, "", false
	}
	for _, s := range block.List {
		as, isAssign := s.(*ast.AssignStmt)
		if !isAssign || as.Tok != token.ASSIGN || len(as.Lhs) != 1 || f.text(as.Rhs[0]) != "true" {
			continue
		}
		v, isVar := call.object(as.Lhs[0]).(*types.Var)
		if !isVar || v.IsField() || contains(l, v.Pos()) || !f.setOnlyHere(call, v, as) {
			continue
		}
		return is, v.Name(), true
	}
	return nil, "", false
}

// setOnlyHere tells whether a variable is true only by one assignment.
func (f *fixer) setOnlyHere(p place, v *types.Var, as *ast.AssignStmt) bool {
	for _, def := range f.definitions(p, v) {
		if def.stmt != ast.Node(as) && def.of != fromNothing && (def.expr == nil || f.text(def.expr) != "false") {
			return false
		}
	}
	return true
}
