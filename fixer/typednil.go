package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// typedNil fixes a function that returns a nil pointer as an interface: the
// interface is not nil, and its caller goes on to use it. It reports whether the
// nil that was used is one.
func (f nilRules) typedNil(s suspect, src source, call *ast.CallExpr) bool {
	sig, ok := src.info().TypeOf(call.Fun).(*types.Signature)
	if !ok || src.result >= sig.Results().Len() || !types.IsInterface(sig.Results().At(src.result).Type()) {
		return false
	}
	result := sig.Results().At(src.result).Type()
	held := s.info().TypeOf(s.bad)
	typed := isPointer(held) || f.holdsNil(s)
	d, ok := f.declarationOf(src.callee(call))
	if !ok {
		if typed && isPointer(held) {
			f.sayTypedNil(s, src, call, held, result, nil)
		}
		return typed
	}
	var returns []*ast.ReturnStmt
	mixed := false
	for _, r := range returnsOf(d.node()) {
		if src.result >= len(r.Results) {
			continue
		}
		e := ast.Unparen(r.Results[src.result])
		if t := d.info().TypeOf(e); t == nil || !isPointer(t) || d.info().Types[e].IsNil() {
			continue
		} else if !isPointer(held) || types.Identical(t, held) {
			returns, held = append(returns, r), t
		} else {
			mixed = true
		}
		f.returnNil(d, r, e, result, src.result)
	}
	if typed && isPointer(held) && (!mixed || isPointer(s.info().TypeOf(s.bad))) {
		f.sayTypedNil(s, src, call, held, result, returns)
	}
	return typed
}

// returnNil makes one return statement give nil itself.
func (f nilRules) returnNil(d place, r *ast.ReturnStmt, e ast.Expr, t types.Type, result int) {
	name := funcName(d.node())
	switch x := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if !isPath(e) {
			return
		}
		path := f.text(e)
		if id, isIdent := x.(*ast.Ident); isIdent {
			v, ok := d.info().ObjectOf(id).(*types.Var)
			if ok && f.declareAs(d, v, t) {
				return
			}
		}
		if d.of(r).anchor() != ast.Stmt(r) {
			return
		}
		f.offer(idea{rule: "typednil/return-nil", title: fmt.Sprintf("let %s return nil when there is no %s", name, path), weight: origin, grounds: "a nil pointer in an interface is not nil",
			change: f.change().replace(r.Pos(), r.End(), fmt.Sprintf("if %s != nil {\n\t%s\n}\nreturn %s", path, f.text(r), f.returnText(d, r, result))),
			why:    fmt.Sprintf("An interface that holds a nil pointer is not nil itself; %s now returns nil.", name)})
	case *ast.CallExpr:
		at := d.of(r)
		if len(r.Results) != 1 || at.anchor() != ast.Stmt(r) {
			return
		}
		v := fresh(at, "problem", "failure", "result")
		f.offer(idea{rule: "typednil/return-nil", title: fmt.Sprintf("let %s return nil when %s does", name, short(f.text(x.Fun))), weight: origin, grounds: "a nil pointer in an interface is not nil",
			change: f.change().replace(r.Pos(), r.End(), fmt.Sprintf("if %s := %s; %s != nil {\n\treturn %s\n}\nreturn nil", v, f.text(x), v, v)),
			why:    fmt.Sprintf("An interface that holds a nil pointer is not nil itself; %s now returns nil.", name)})
	}
}

// returnText is the text of the results of a return, with nil for one of them.
func (f nilRules) returnText(d place, r *ast.ReturnStmt, result int) string {
	text := ""
	for i, e := range r.Results {
		part := f.text(e)
		if i == result {
			part = "nil"
		}
		text = join(text, part)
	}
	return text
}

// declareAs declares a variable as the interface that it is returned as, where
// nothing asks for more.
func (f nilRules) declareAs(d place, v *types.Var, t types.Type) bool {
	if v == nil {
		return false
	}
	var spec *ast.ValueSpec
	for _, def := range f.definitions(d, v) {
		if s, ok := def.stmt.(*ast.ValueSpec); ok && def.of == fromNothing && s.Type != nil && len(s.Names) == 1 {
			spec = s
		}
	}
	text, fits := typeText(d, t)
	if spec == nil || !fits || !onlyPassedOn(d, v) {
		return false
	}
	return f.offer(idea{rule: "typednil/declare-as", title: fmt.Sprintf("declare %s as %s", v.Name(), text), weight: origin - 1, change: f.change().replace(spec.Type.Pos(), spec.Type.End(), text),
		why: fmt.Sprintf("%s is returned as %s; declared as one (%s) it is nil until something is assigned to it.", v.Name(), text, f.where(spec.Pos()))})
}

// onlyPassedOn reports whether a variable is only assigned, compared and returned.
func onlyPassedOn(d place, v *types.Var) bool {
	fine := true
	ast.Inspect(d.node(), func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || d.info().Uses[id] != v {
			return fine
		}
		switch up := d.of(id).path[1].(type) {
		case *ast.ReturnStmt:
		case *ast.AssignStmt:
			for _, e := range up.Rhs {
				fine = fine && e != ast.Expr(id)
			}
		case *ast.BinaryExpr:
			fine = fine && (up.Op == token.EQL || up.Op == token.NEQ)
		default:
			fine = false
		}
		return fine
	})
	return fine
}

// sayTypedNil says that an interface holds a nil pointer, and which return
// statement put it there, where one of them alone can have.
func (f nilRules) sayTypedNil(s suspect, src source, call *ast.CallExpr, held, result types.Type, returns []*ast.ReturnStmt) {
	if src.unsure {
		return
	}
	name := "the result of " + brief(f.text(call.Fun))
	if src.object != nil && types.IsInterface(src.object.Type()) {
		name = src.object.Name()
	}
	at := call.Pos()
	if len(returns) == 1 {
		at = returns[0].Pos()
	}
	local := types.RelativeTo(src.pkg.Types)
	f.diagnosis.Sentence = fmt.Sprintf("%s holds a nil %s: %s returned it as %s (%s)", name, types.TypeString(held, local), brief(f.text(call.Fun)), withArticle(types.TypeString(result, local)), f.where(at))
	f.diagnosis.Origin = f.relWhere(at)
}

// holdsNil returns the pointer type of the nil that an interface holds.
func (f nilRules) holdsNil(s suspect) bool {
	a := f.value(s.place, f.at, s.bad)
	return a.known && !a.value.Nil && len(a.value.Children) == 1 && a.value.Children[0].Nil
}
