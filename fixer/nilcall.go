package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// nilFromCall: a function returned nil. Its error was ignored, or nil is how
// it says that there is nothing.
func (f nilRules) nilFromCall(s suspect, src source, call *ast.CallExpr) {
	if !f.typedNil(s, src, call) && ast.Unparen(s.bad) != ast.Expr(call) {
		f.noteOf(src, fmt.Sprintf("%s (%s) returned nil%s", brief(f.text(call.Fun)), f.where(call.Pos()), errorIgnored(src, call)), call.Pos())
	}
	f.refuseAt(s, src, "nothing found")
	f.calleeReturnsField(s, src, call)
}

// calleeReturnsField fixes a getter or constructor that hands out what is never set.
func (f nilRules) calleeReturnsField(s suspect, src source, call *ast.CallExpr) {
	d, ok := f.declarationOf(src.callee(call))
	if !ok {
		return
	}
	for _, r := range returnsOf(d.node()) {
		if src.result >= len(r.Results) {
			continue
		}
		inner := f.trace(d.of(r.Results[src.result]), -1, r.Results[src.result])
		switch {
		case inner.of == fromNothing && inner.stmt != nil:
		case inner.expr == nil:
		default:
			if sel, isSel := ast.Unparen(inner.expr).(*ast.SelectorExpr); isSel {
				if t, field := structOf(inner.place, sel); t != nil && !f.isOptional(t, field) {
					f.setInConstructors(t, field, f.without(t, field), origin)
				}
			}
		}
	}
}

// errorIgnored says of a call whose result is bad that its error is thrown away.
func errorIgnored(src source, call *ast.CallExpr) string {
	as, ok := src.stmt.(*ast.AssignStmt)
	sig, isSig := src.info().TypeOf(call.Fun).(*types.Signature)
	if !ok || !isSig || len(as.Rhs) != 1 || sig.Results().Len() != len(as.Lhs) || len(as.Lhs) < 2 || !isError(sig.Results().At(len(as.Lhs)-1).Type()) {
		return ""
	}
	if id, isIdent := as.Lhs[len(as.Lhs)-1].(*ast.Ident); !isIdent || id.Name != "_" {
		return ""
	}
	return ", and its error is ignored"
}

func nextStatement(p place, s ast.Stmt) ast.Stmt {
	for _, n := range p.path {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		for i, other := range list {
			if other == s && i+1 < len(list) {
				return list[i+1]
			}
		}
	}
	return nil
}

// declares reports whether the assignment is the one that gives the object its value.
func declares(p place, as *ast.AssignStmt, obj types.Object) bool {
	for _, l := range as.Lhs {
		if p.object(l) == obj {
			return true
		}
	}
	return false
}

// commaOKOf uses or adds the second result of a map lookup or assertion.
func (f nilRules) commaOKOf(ch *change, at place, as *ast.AssignStmt) (test string, ok bool) {
	if len(as.Rhs) != 1 || as.Tok != token.DEFINE {
		return "", false
	}
	switch e := ast.Unparen(as.Rhs[0]).(type) {
	case *ast.IndexExpr:
		if !isMap(at.info().TypeOf(e.X)) {
			return "", false
		}
	case *ast.TypeAssertExpr:
	default:
		return "", false
	}
	name := f.flag(at)
	if len(as.Lhs) == 1 {
		ch.insert(as.Lhs[0].End(), ", "+name)
		return "!" + name, true
	}
	if id, isIdent := as.Lhs[1].(*ast.Ident); isIdent && id.Name == "_" {
		ch.replace(id.Pos(), id.End(), name)
		return "!" + name, true
	}
	return "", false
}

// otherOptionals checks the other pointers of the same struct that the
// statement follows and that may be missing as well.
func (f nilRules) otherOptionals(s suspect) []check {
	sel, ok := s.bad.(*ast.SelectorExpr)
	anchor := s.anchor()
	if !ok || anchor == nil {
		return nil
	}
	base := f.text(sel.X)
	done := map[string]bool{f.text(sel): true}
	var list []check
	visit(anchor, func(n ast.Node) {
		outer, ok := n.(*ast.SelectorExpr)
		if !ok {
			return
		}
		inner, ok := ast.Unparen(outer.X).(*ast.SelectorExpr)
		if !ok || f.text(inner.X) != base || done[f.text(inner)] || !isPointer(s.info().TypeOf(inner)) {
			return
		}
		t, field := structOf(s.place, inner)
		if t == nil || !f.isOptional(t, field) {
			return
		}
		done[f.text(inner)] = true
		other := s
		other.bad = inner
		list = append(list, check{f.text(inner) + " == nil", f.nilMessage(other, source{})})
	})
	return list
}
