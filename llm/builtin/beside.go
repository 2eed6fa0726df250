package builtin

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// What a function does with one bad value it should do with the next: this file
// finds the checks that stand beside the faulting statement, or behind other
// calls of the same function, and does the same.

// checkKind is what a check looks at.
type checkKind int

const (
	otherCheck checkKind = iota
	nilCheck             // x == nil
	okCheck              // !ok
	emptyCheck           // len(x) == 0, len(x) < 2
	blankCheck           // s == ""
	rangeCheck           // i < 0, i >= len(x)
	zeroCheck            // n == 0
	errorCheck           // err != nil
)

// turnaway is an if statement that leaves when a value is bad.
type turnaway struct {
	place
	stmt *ast.IfStmt
	kind checkKind
}

// turnaways lists the checks of a function that do nothing but leave, in source order.
func (f *fixer) turnaways(p place, root ast.Node) []turnaway {
	var list []turnaway
	ast.Inspect(root, func(n ast.Node) bool {
		if _, closure := n.(*ast.FuncLit); closure && n != root {
			return false
		}
		s, ok := n.(*ast.IfStmt)
		if ok && s.Else == nil && turnsAway(s.Body) {
			list = append(list, turnaway{place: p.of(s), stmt: s, kind: kindOf(p, s.Cond)})
		}
		return true
	})
	return list
}

// turnsAway tells whether a block ends by leaving the function or the turn of a loop.
func turnsAway(b *ast.BlockStmt) bool {
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

// kindOf tells what a condition looks at.
func kindOf(p place, cond ast.Expr) checkKind {
	switch c := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if c.Op == token.NOT && isBool(p.info().TypeOf(c.X)) {
			if _, isCall := ast.Unparen(c.X).(*ast.CallExpr); !isCall {
				return okCheck
			}
		}
	case *ast.BinaryExpr:
		if c.Op == token.LOR {
			return kindOf(p, c.X)
		}
		return kindOfComparison(p, c)
	}
	return otherCheck
}

func kindOfComparison(p place, c *ast.BinaryExpr) checkKind {
	name, _ := p.builtin(c.X)
	right, _ := p.builtin(c.Y)
	switch n, isConst := constantInt(p, c.Y); {
	case p.info().Types[c.Y].IsNil():
		if isError(p.info().TypeOf(c.X)) {
			return errorCheck
		}
		if c.Op == token.EQL {
			return nilCheck
		}
	case name == "len" || name == "cap":
		return emptyCheck
	case right == "len":
		return rangeCheck
	case isString(p.info().TypeOf(c.X)) && p.info().Types[c.Y].Value != nil:
		return blankCheck
	case isConst && c.Op == token.LSS && n == 0:
		return rangeCheck
	case isConst && n == 0:
		return zeroCheck
	}
	return otherCheck
}

// asBeside does what the function does for another value that is bad in the
// same way, or what the same loop does with any item that it cannot use.
func (f *fixer) asBeside(p place, kind checkKind) (meant, bool) {
	fn := p.function()
	if fn == nil || bodyOf(fn) == nil {
		return meant{}, false
	}
	var best *turnaway
	list := f.turnaways(p, bodyOf(fn))
	for i, r := range list {
		skips := isContinue(r.stmt)
		switch {
		case contains(r.stmt, p.node().Pos()):
			continue
		case skips && (p.loop() == nil || r.loop() != p.loop() || !r.refuses()):
			continue
		case !skips && r.kind != kind:
			continue
		}
		if !f.wordsFit(r, p) {
			continue
		}
		if best == nil || r.kind == kind && best.kind != kind || skips && !isContinue(best.stmt) && best.kind != kind {
			best = &list[i]
		}
	}
	if best == nil || isErrorReturn(best.place, best.stmt) {
		return meant{}, false // errorReturn words an error of its own
	}
	m := meant{lines: f.bodyText(best.stmt), weight: handled - 3,
		grounds: fmt.Sprintf("%s does the same for %s (%s)", funcName(fn), short(f.text(best.stmt.Cond)), f.where(best.stmt.Pos()))}
	m.how = "goes on with the next item, as it does for others"
	if !isContinue(best.stmt) {
		m.how = strings.TrimSpace("returns" + strings.TrimPrefix(lastLine(m.lines), "return"))
	}
	return m, true
}

func lastLine(lines string) string {
	lines = strings.TrimSpace(lines)
	return strings.TrimSpace(lines[strings.LastIndexByte(lines, '\n')+1:])
}

func isContinue(s *ast.IfStmt) bool {
	_, ok := s.Body.List[len(s.Body.List)-1].(*ast.BranchStmt)
	return ok
}

// isErrorReturn tells whether a check leaves with an error.
func isErrorReturn(p place, s *ast.IfStmt) bool {
	r, ok := s.Body.List[len(s.Body.List)-1].(*ast.ReturnStmt)
	if !ok || len(r.Results) == 0 {
		return false
	}
	last := r.Results[len(r.Results)-1]
	return implementsError(p.info().TypeOf(last)) && !p.info().Types[last].IsNil()
}

// bodyText is the text of a check's body, its lines at the left margin.
func (f *fixer) bodyText(s *ast.IfStmt) string {
	lines := make([]string, len(s.Body.List))
	for i, stmt := range s.Body.List {
		lines[i] = f.dedented(stmt)
	}
	return strings.Join(lines, "\n")
}

// dedented is the text of a statement without the indentation of its first line.
func (f *fixer) dedented(s ast.Node) string {
	pos := f.c.Code.Fset.PositionFor(s.Pos(), false)
	indent := lineIndent(f.source(pos.Filename), pos.Offset)
	return strings.ReplaceAll(f.text(s), "\n"+indent, "\n")
}

// refuses tells whether a check that goes on with the next item does so because
// the item cannot be used, and not because there is nothing to do.
func (r turnaway) refuses() bool {
	if len(r.stmt.Body.List) > 1 {
		return true // it counts or reports them
	}
	if b, ok := ast.Unparen(r.stmt.Cond).(*ast.BinaryExpr); ok && b.Op == token.EQL && r.kind == emptyCheck {
		n, isConst := constantInt(r.place, b.Y)
		return isConst && n > 0 // an empty line is nothing to do
	}
	switch r.kind {
	case errorCheck, okCheck, emptyCheck, nilCheck, rangeCheck:
		return true
	}
	return false
}

// wordsFit tells whether all names in a check's body mean the same at p.
func (f *fixer) wordsFit(r turnaway, p place) bool {
	scope := p.pkg.Types.Scope().Innermost(p.node().Pos())
	if scope == nil {
		return false
	}
	fit := true
	ast.Inspect(r.stmt.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || !fit {
			return fit
		}
		obj := r.info().Uses[id]
		if obj == nil || obj.Pkg() == nil || contains(r.stmt.Body, obj.Pos()) {
			return true
		}
		if v, isVar := obj.(*types.Var); isVar && (v.IsField() || isError(v.Type()) && r.kind == errorCheck) {
			fit = v.IsField()
			return fit
		}
		if fn, isFunc := obj.(*types.Func); isFunc && fn.Type().(*types.Signature).Recv() != nil {
			return true
		}
		if _, isPkg := obj.(*types.PkgName); isPkg {
			return true
		}
		_, seen := scope.LookupParent(id.Name, p.node().Pos())
		fit = seen == obj && !f.testedBy(r, obj)
		return fit
	})
	return fit
}

// testedBy tells whether a check looks at an object: then its body speaks of
// that one, not of ours.
func (f *fixer) testedBy(r turnaway, obj types.Object) bool {
	found := false
	ast.Inspect(r.stmt.Cond, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && r.info().Uses[id] == obj {
			_, found = obj.(*types.Var)
		}
		return !found
	})
	return found
}

// asOtherCalls does with what a call or a lookup gives what the user's other
// calls of the same function, or lookups in the same map, do with it: the check
// that follows them is copied, with our names.
func (f *fixer) asOtherCalls(at place, e ast.Expr, name string) (meant, bool) {
	fun, args := callParts(e)
	if fun == nil {
		return meant{}, false
	}
	for _, other := range f.othersLike(at, e) {
		theirFun, theirArgs := callParts(other.node().(ast.Expr))
		if len(theirArgs) != len(args) {
			continue
		}
		as, check := f.checkBehind(other)
		if check == nil || check.Else != nil || !turnsAway(check.Body) {
			continue
		}
		subject, ok := ast.Unparen(as.Lhs[0]).(*ast.Ident)
		if !ok || !testsResult(other, check.Cond, as) {
			continue
		}
		swaps := map[string]string{subject.Name: name}
		for i, a := range theirArgs {
			swaps[f.text(a)] = f.text(args[i])
		}
		if a, isSel := theirFun.(*ast.SelectorExpr); isSel {
			if b, isSel := fun.(*ast.SelectorExpr); isSel {
				swaps[f.text(a.X)] = f.text(b.X)
			}
		}
		lines := make([]string, len(check.Body.List))
		for i, stmt := range check.Body.List {
			lines[i] = f.substituted(other, stmt, swaps)
		}
		who := funcName(other.declaration())
		return meant{lines: strings.Join(lines, "\n"), weight: handled - 4, how: "does what " + who + " does",
			grounds: fmt.Sprintf("%s does the same behind its own (%s)", who, f.where(check.Pos()))}, true
	}
	return meant{}, false
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
func (f *fixer) othersLike(at place, e ast.Expr) []place {
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

// checkBehind returns the assignment that takes a call's result, and the if
// that comes right behind it, or that it belongs to.
func (f *fixer) checkBehind(call place) (*ast.AssignStmt, *ast.IfStmt) {
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

// testsResult tells whether a condition asks whether there is a result: x ==
// nil, !ok.
func testsResult(p place, cond ast.Expr, as *ast.AssignStmt) bool {
	if kind := kindOf(p, cond); kind != nilCheck && kind != okCheck {
		return false
	}
	for _, l := range as.Lhs {
		if obj := p.object(l); obj != nil && namesObject(p, cond, obj) {
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

// substituted is the text of a node with some of its expressions replaced, by
// their text.
func (f *fixer) substituted(p place, root ast.Node, swaps map[string]string) string {
	text := f.text(root)
	base := f.c.Code.Fset.PositionFor(root.Pos(), false).Offset
	var list []splice
	ast.Inspect(root, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if id, isIdent := e.(*ast.Ident); isIdent {
			if _, isVar := p.info().ObjectOf(id).(*types.Var); !isVar {
				return true
			}
		}
		with, hit := swaps[f.text(e)]
		if !hit {
			if sel, isSel := e.(*ast.SelectorExpr); isSel { // not the name of a field
				ast.Inspect(sel.X, func(m ast.Node) bool {
					if x, ok := m.(ast.Expr); ok {
						if with, hit := swaps[f.text(x)]; hit {
							at := f.c.Code.Fset.PositionFor(x.Pos(), false).Offset - base
							list = append(list, splice{at, at + len(f.text(x)), with, len(list)})
							return false
						}
					}
					return true
				})
				return false
			}
			return true
		}
		at := f.c.Code.Fset.PositionFor(e.Pos(), false).Offset - base
		list = append(list, splice{at, at + len(f.text(e)), with, len(list)})
		return false
	})
	out, ok := splicedText(text, list)
	if !ok {
		return text
	}
	pos := f.c.Code.Fset.PositionFor(root.Pos(), false)
	return strings.ReplaceAll(out, "\n"+lineIndent(f.source(pos.Filename), pos.Offset), "\n")
}
