package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// nilFromCall: a function returned nil. Its error was ignored, or nil is how
// it says that there is nothing.
func (f nilRules) nilFromCall(s suspect, src source, call *ast.CallExpr) {
	if !f.typedNil(s, src, call) && ast.Unparen(s.bad) != ast.Expr(call) {
		f.noteOf(src, fmt.Sprintf("%s (%s) returned nil%s", brief(f.text(call.Fun)), f.where(call.Pos()), errorIgnored(src, call)), call.Pos())
	}
	f.checkIgnoredError(src, call)
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
			f.valueAtDeclaration(inner)
			f.shadowed(inner)
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

// checkIgnoredError takes the error that was thrown away, and acts on it.
func (f nilRules) checkIgnoredError(src source, call *ast.CallExpr) {
	as, ok := src.stmt.(*ast.AssignStmt)
	if !ok || len(as.Lhs) < 2 || len(as.Rhs) != 1 {
		return
	}
	last, isIdent := as.Lhs[len(as.Lhs)-1].(*ast.Ident)
	sig, isSig := src.info().TypeOf(call.Fun).(*types.Signature)
	if !isIdent || !isSig || sig.Results().Len() != len(as.Lhs) || !isError(sig.Results().At(sig.Results().Len()-1).Type()) {
		return
	}
	at := src.of2(as)
	if at.anchor() != ast.Stmt(as) {
		return
	}
	errName := last.Name
	if errName != "_" && checkedAfter(at, as, last) {
		return
	}
	for _, e := range f.exits(at, message{percent(f.text(call.Fun)) + ": %v", []string{"err"}}, errorName(errName)) {
		ch := f.change().need(at.file, e.imports...)
		tok := as.Tok
		if errName == "_" {
			ch.replace(last.Pos(), last.End(), "err")
			if tok == token.ASSIGN {
				ch.before(as, "var err error")
			}
		}
		ch.after(as, fmt.Sprintf("if %s != nil {\n\t%s\n}", errorName(errName), indented(e.lines)))
		if e.edit != nil && !e.edit(ch) {
			continue
		}
		w := e.weight
		if w < hiding {
			w = max(origin, w-handled)
		}
		f.offer(idea{rule: "nil/check-ignored-error", title: fmt.Sprintf("check the error of %s: %s", short(f.text(call.Fun)), shortHow(e)), weight: w, change: ch, grounds: e.grounds,
			why: fmt.Sprintf("%s says why it returned nothing, and its error is not checked (%s); %s %s now.", f.text(call.Fun), f.where(as.Pos()), funcName(at.function()), e.how)})
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

func errorName(name string) string {
	if name == "_" {
		return "err"
	}
	return name
}

// checkedAfter reports whether the statements right after an assignment look at the error.
func checkedAfter(at place, as *ast.AssignStmt, id *ast.Ident) bool {
	obj := at.info().ObjectOf(id)
	next := nextStatement(at, as)
	found := false
	if next != nil {
		if cond, ok := next.(*ast.IfStmt); ok {
			ast.Inspect(cond.Cond, func(n ast.Node) bool {
				if x, ok := n.(*ast.Ident); ok && at.info().ObjectOf(x) == obj {
					found = true
				}
				return true
			})
			if found && len(cond.Body.List) > 0 {
				switch cond.Body.List[len(cond.Body.List)-1].(type) {
				case *ast.ReturnStmt, *ast.BranchStmt:
					return true
				}
				return false
			}
		}
	}
	return found
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

// hoistLookup gives m[k] or find(k) in m[k].f a name, and checks it.
func (f nilRules) hoistLookup(s suspect) bool {
	e := ast.Unparen(s.bad)
	ix, isIndex := e.(*ast.IndexExpr)
	call, isCall := e.(*ast.CallExpr)
	lookup := isIndex && isMap(s.info().TypeOf(ix.X))
	anchor := s.anchor()
	if (!lookup && !isCall) || anchor == nil || !hoistable(s.of(s.bad), anchor) {
		return false
	}
	at := s.of(anchor)
	var name string
	var m message
	cond := ""
	if lookup {
		name = fresh(at, singular(lastName(ix.X)), "entry", "value")
		m = keyMessage(s.place, singular(lastName(ix.X)), ix.Index, f.text(ix.Index))
		if !isPathOrIndex(ix.Index) {
			m = message{"no such " + singular(lastName(ix.X)), nil}
		}
	} else {
		t := s.info().TypeOf(call)
		if _, tuple := t.(*types.Tuple); tuple {
			return false
		}
		name = fresh(at, callName(call), "value", "found")
		m, cond = f.missingMessage(source{place: s.place, expr: call}, name)
	}
	done := false
	for _, x := range f.exits(at, m, "") {
		ch := f.change().need(s.file, x.imports...)
		head := fmt.Sprintf("%s := %s", name, f.text(s.bad))
		test := cond
		if lookup {
			okName := f.flag(at)
			head = fmt.Sprintf("%s, %s := %s", name, okName, f.text(s.bad))
			test = "!" + okName
		}
		ch.before(anchor, fmt.Sprintf("%s\nif %s {\n\t%s\n}", head, test, indented(x.lines)))
		f.replaceAll(ch, anchor, f.text(s.bad), name)
		if x.edit != nil && !x.edit(ch) {
			continue
		}
		done = f.offer(idea{rule: "nil/hoist-lookup", title: fmt.Sprintf("check that %s is there: %s", short(f.text(s.bad)), shortHow(x)), weight: x.weight, change: ch, grounds: x.grounds,
			why: fmt.Sprintf("The result is looked at before it is used; where there is none, %s %s.", funcName(at.function()), x.how)}) || done
	}
	return done
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

// replaceAll replaces every expression of that text inside a statement.
func (f *facts) replaceAll(ch *change, root ast.Node, text, name string) {
	ast.Inspect(root, func(n ast.Node) bool {
		if _, closure := n.(*ast.FuncLit); closure {
			return false
		}
		if e, ok := n.(ast.Expr); ok && f.text(e) == text {
			ch.replace(e.Pos(), e.End(), name)
			return false
		}
		return true
	})
}

// callName names the result of a call: FindUser gives "user".
func callName(call *ast.CallExpr) string {
	name := lowerFirst(lastName(call.Fun))
	for _, prefix := range []string{"find", "get", "lookup", "look", "load", "fetch", "first", "last", "by"} {
		if rest := strings.TrimPrefix(name, prefix); rest != name && rest != "" {
			return lowerFirst(rest)
		}
	}
	return name
}

// singular names one of many: "users" gives "user".
func singular(name string) string {
	switch {
	case strings.HasSuffix(name, "ies") && len(name) > 4:
		return lowerFirst(strings.TrimSuffix(name, "ies") + "y")
	case strings.HasSuffix(name, "ss"):
		return lowerFirst(name)
	case strings.HasSuffix(name, "s") && len(name) > 2:
		return lowerFirst(strings.TrimSuffix(name, "s"))
	}
	return "entry"
}
