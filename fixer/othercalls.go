package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// What other calls of a function are followed by, this one may lack: this file
// finds the check after another call of the same function, or another lookup in
// the same map, and does the same.

// leavings lists the if statements of a function that do nothing but leave, in
// source order.
func leavings(root ast.Node) []*ast.IfStmt {
	var list []*ast.IfStmt
	ast.Inspect(root, func(n ast.Node) bool {
		if _, closure := n.(*ast.FuncLit); closure && n != root {
			return false
		}
		if s, ok := n.(*ast.IfStmt); ok && s.Else == nil && leavesEarly(s.Body) {
			list = append(list, s)
		}
		return true
	})
	return list
}

// leavesEarly reports whether a block ends by leaving the function or the iteration of a loop.
func leavesEarly(b *ast.BlockStmt) bool {
	if len(b.List) == 0 || len(b.List) > 3 {
		return false
	}
	switch s := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.CONTINUE && s.Label == nil
	}
	return false
}

// dedented is the text of a statement without the indentation of its first line.
func (f *facts) dedented(s ast.Node) string {
	pos := f.c.Code.Fset.PositionFor(s.Pos(), false)
	indent := lineIndent(f.source(pos.Filename), pos.Offset)
	return strings.ReplaceAll(f.text(s), "\n"+indent, "\n")
}

// asOtherCalls does with what a call or a lookup gives what the user's other
// calls of the same function, or lookups in the same map, do with it: the check
// that follows them is copied, with our names. who is the function it is of.
func (f *facts) asOtherCalls(at place, e ast.Expr, name string) (m meant, who string, ok bool) {
	for _, other := range f.othersLike(at, e) {
		as, check := checkAfter(other)
		if check == nil || check.Else != nil || !leavesEarly(check.Body) {
			continue
		}
		subject, ok := ast.Unparen(as.Lhs[0]).(*ast.Ident)
		if !ok || !testsResult(other, check.Cond, as) {
			continue
		}
		swaps, ok := f.argumentsFor(other.node().(ast.Expr), e)
		if !ok {
			continue
		}
		swaps[subject.Name] = name
		lines := make([]string, len(check.Body.List))
		for i, stmt := range check.Body.List {
			if lines[i], ok = f.adapted(other, stmt, at, swaps); !ok {
				break
			}
		}
		if !ok {
			continue
		}
		who = funcName(other.declaration())
		return meant{lines: strings.Join(lines, "\n"), weight: handled - 4,
			how: fmt.Sprintf("does what %s does after its own (%s)", who, f.where(check.Pos()))}, who, true
	}
	return meant{}, "", false
}

// argumentsFor maps the text of what one call or lookup is given to the text of
// what another of the same is given.
func (f *facts) argumentsFor(theirs, ours ast.Expr) (map[string]string, bool) {
	theirFun, theirArgs := callParts(theirs)
	fun, args := callParts(ours)
	if fun == nil || theirFun == nil || len(theirArgs) != len(args) {
		return nil, false
	}
	swaps := map[string]string{}
	for i, a := range theirArgs {
		swaps[f.text(a)] = f.text(args[i])
	}
	if a, isSel := theirFun.(*ast.SelectorExpr); isSel {
		if b, isSel := fun.(*ast.SelectorExpr); isSel {
			swaps[f.text(a.X)] = f.text(b.X)
		}
	}
	return swaps, true
}

// callParts splits a call or a lookup into what is called and what it is given.
func callParts(e ast.Expr) (fun ast.Expr, args []ast.Expr) {
	switch e := e.(type) {
	case *ast.CallExpr:
		return ast.Unparen(e.Fun), e.Args
	case *ast.IndexExpr:
		return ast.Unparen(e.X), []ast.Expr{e.Index}
	}
	return nil, nil
}

// othersLike lists the other calls of a function, or lookups in a map.
func (f *facts) othersLike(at place, e ast.Expr) []place {
	var list []place
	switch e := e.(type) {
	case *ast.CallExpr:
		fn := at.callee(e)
		if fn == nil {
			return nil
		}
		calls, _ := f.callsOf(fn)
		for _, c := range calls {
			if c.node() != ast.Node(e) {
				list = append(list, c)
			}
		}
	case *ast.IndexExpr:
		obj := at.object(e.X)
		f.each(func(p place) {
			ast.Inspect(p.file, func(n ast.Node) bool {
				if ix, ok := n.(*ast.IndexExpr); ok && ix != e && obj != nil && f.same(p.object(ix.X), obj) {
					list = append(list, p.of(ix))
				}
				return true
			})
		})
	}
	return list
}

// checkAfter returns the assignment that takes a call's result, and the if
// that comes right after it, or that it belongs to.
func checkAfter(call place) (*ast.AssignStmt, *ast.IfStmt) {
	as, ok := call.path[1].(*ast.AssignStmt)
	if !ok || len(as.Rhs) != 1 {
		return nil, nil
	}
	if check, ok := call.path[2].(*ast.IfStmt); ok && check.Init == ast.Stmt(as) {
		return as, check
	}
	check, _ := nextStatement(call.of(as), as).(*ast.IfStmt)
	return as, check
}

// testsResult reports whether a condition asks whether there is a result: x ==
// nil, !ok.
func testsResult(p place, cond ast.Expr, as *ast.AssignStmt) bool {
	looked, kind := tested(p, ast.Unparen(cond))
	if kind != "nil" && kind != "missing" {
		return false
	}
	for _, l := range as.Lhs {
		if obj := p.object(l); obj != nil && p.object(looked) == obj {
			return true
		}
	}
	return false
}

func namesObject(p place, e ast.Node, obj types.Object) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && obj != nil && p.info().ObjectOf(id) == obj {
			found = true
		}
		return !found
	})
	return found
}
