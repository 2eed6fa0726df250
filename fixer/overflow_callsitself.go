package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// calledItself: a method calls itself where what it wraps, or its own field,
// was meant.
func (o *overflow) calledItself(t cycleFunc) {
	call, ok := t.node().(*ast.CallExpr)
	d, isDecl := t.fn.(*ast.FuncDecl)
	if !ok || !isDecl || t.into != "" {
		return
	}
	if d.Recv == nil {
		o.importedInstead(t, d, call)
		return
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !o.isReceiver(t, d, sel.X) || sel.Sel.Name != d.Name.Name {
		return
	}
	recv := t.info().TypeOf(sel.X)
	st, isStruct := underStruct(recv)
	if isStruct {
		o.wrappedInstead(t, d, call, sel, st)
		o.fieldInstead(t, d, call, sel, st)
	}
	o.lengthInstead(t, d, call, sel, recv)
}

// wrappedInstead calls the same method of a field.
func (o *overflow) wrappedInstead(t cycleFunc, d *ast.FuncDecl, call *ast.CallExpr, sel *ast.SelectorExpr, st *types.Struct) {
	fn, ok := t.info().Defs[d.Name].(*types.Func)
	if !ok {
		return
	}
	for i := range st.NumFields() {
		field := st.Field(i)
		obj, _, _ := types.LookupFieldOrMethod(field.Type(), true, t.pkg.Types, d.Name.Name)
		m, isMethod := obj.(*types.Func)
		if !isMethod || !types.Identical(withoutReceiver(m), withoutReceiver(fn)) {
			continue
		}
		o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end (%s): it never comes to %s.%s", funcName(d), o.where(call.Pos()), o.text(sel.X), field.Name())
		o.offer(idea{rule: "overflow/wrapped-instead", title: fmt.Sprintf("call %s of %s.%s", d.Name.Name, o.text(sel.X), field.Name()), weight: origin,
			change: o.change().insert(sel.X.End(), "."+field.Name()),
			why:    fmt.Sprintf("%s passes on to what it wraps, instead of to itself.", funcName(d))})
	}
}

func withoutReceiver(fn *types.Func) types.Type {
	sig := fn.Type().(*types.Signature)
	return types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
}

// fieldInstead reads or sets the field that a getter or setter is for.
func (o *overflow) fieldInstead(t cycleFunc, d *ast.FuncDecl, call *ast.CallExpr, sel *ast.SelectorExpr, st *types.Struct) {
	fn, ok := t.info().Defs[d.Name].(*types.Func)
	if !ok {
		return
	}
	sig := fn.Type().(*types.Signature)
	for i := range st.NumFields() {
		field := st.Field(i)
		if field.Embedded() {
			continue
		}
		path := o.text(sel.X) + "." + field.Name()
		get := strings.EqualFold(field.Name(), strings.TrimPrefix(d.Name.Name, "Get")) || strings.EqualFold("is"+field.Name(), d.Name.Name) || strings.EqualFold(field.Name(), d.Name.Name)
		if get && len(call.Args) == 0 && sig.Results().Len() == 1 && types.AssignableTo(field.Type(), sig.Results().At(0).Type()) {
			o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end (%s) instead of reading %s", funcName(d), o.where(call.Pos()), path)
			o.offer(idea{rule: "overflow/field-instead", title: "return the field " + path, weight: origin - 1, change: o.change().replace(call.Pos(), call.End(), path),
				why: fmt.Sprintf("%s is the getter of that field.", funcName(d))})
		}
		set := strings.EqualFold("Set"+field.Name(), d.Name.Name)
		if es, isStmt := t.anchor().(*ast.ExprStmt); set && isStmt && es.X == ast.Expr(call) && len(call.Args) == 1 {
			o.offer(idea{rule: "overflow/field-instead", title: "set the field " + path, weight: origin - 1, change: o.change().replace(es.Pos(), es.End(), path+" = "+o.text(call.Args[0])),
				why: fmt.Sprintf("%s is the setter of that field.", funcName(d))})
		}
	}
}

// lengthInstead: Len, Less and Swap of a slice, or of a struct around one.
func (o *overflow) lengthInstead(t cycleFunc, d *ast.FuncDecl, call *ast.CallExpr, sel *ast.SelectorExpr, recv types.Type) {
	var holders []string
	var elem types.Type
	if s, ok := typeUnder[*types.Slice](recv); ok {
		holders, elem = []string{o.text(sel.X)}, s.Elem()
	} else if st, isStruct := underStruct(recv); isStruct {
		for i := range st.NumFields() {
			switch u := st.Field(i).Type().Underlying().(type) {
			case *types.Slice:
				holders, elem = append(holders, o.text(sel.X)+"."+st.Field(i).Name()), u.Elem()
			case *types.Map:
				holders = append(holders, o.text(sel.X)+"."+st.Field(i).Name())
			}
		}
	} else if isMap(recv) {
		holders = []string{o.text(sel.X)}
	}
	if len(holders) != 1 {
		return
	}
	h := holders[0]
	switch name := d.Name.Name; {
	case (name == "Len" || name == "Size" || name == "Count") && len(call.Args) == 0:
		o.offer(idea{rule: "overflow/length-instead", title: fmt.Sprintf("return len(%s)", h), weight: origin, change: o.change().replace(call.Pos(), call.End(), "len("+h+")"),
			why: fmt.Sprintf("%s is the length of %s.", funcName(d), h)})
	case name == "Swap" && len(call.Args) == 2:
		if es, ok := t.anchor().(*ast.ExprStmt); ok {
			i, j := o.text(call.Args[0]), o.text(call.Args[1])
			o.offer(idea{rule: "overflow/length-instead", title: "swap the two elements", weight: origin, change: o.change().replace(es.Pos(), es.End(), fmt.Sprintf("%s[%s], %s[%s] = %s[%s], %s[%s]", h, i, h, j, h, j, h, i)),
				why: "Swap exchanges the elements themselves."})
		}
	case name == "Less" && len(call.Args) == 2 && elem != nil:
		if b, ok := elem.Underlying().(*types.Basic); ok && b.Info()&types.IsOrdered != 0 {
			o.offer(idea{rule: "overflow/length-instead", title: "compare the two elements", weight: origin, change: o.change().replace(call.Pos(), call.End(), fmt.Sprintf("%s[%s] < %s[%s]", h, o.text(call.Args[0]), h, o.text(call.Args[1]))),
				why: "Less compares the elements themselves."})
		}
	}
}

// importedInstead: a function calls itself where the function of that name of
// an imported package was meant.
func (o *overflow) importedInstead(t cycleFunc, d *ast.FuncDecl, call *ast.CallExpr) {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || id.Name != d.Name.Name || t.pkg.Types == nil || !o.alwaysCalls(t, d, call) {
		return
	}
	for _, imp := range t.pkg.Types.Imports() {
		name, imported := importName(t.file, imp)
		fn, isFunc := imp.Scope().Lookup(upperFirst(id.Name)).(*types.Func)
		if !imported || !isFunc || o.ownsPackage(imp) {
			continue
		}
		o.offer(idea{rule: "overflow/imported-instead", title: fmt.Sprintf("call %s.%s", name, fn.Name()), weight: origin, change: o.change().replace(id.Pos(), id.End(), name+"."+fn.Name()),
			why: fmt.Sprintf("%s is named like %s.%s and called itself instead of that.", d.Name.Name, name, fn.Name())})
	}
}

// alwaysCalls reports whether a function has no way out before it calls itself.
func (o *overflow) alwaysCalls(t cycleFunc, d *ast.FuncDecl, call *ast.CallExpr) bool {
	at := t.of(d.Body)
	w := waysFrom(at, nil, func(n ast.Node) bool { return contains(n, call.Pos()) })
	return len(w.exits) == 0
}

// closureItself: a function literal calls the variable that holds it by now,
// where what that held before was meant.
func (o *overflow) closureItself(t cycleFunc) {
	lit, ok := t.fn.(*ast.FuncLit)
	call, isCall := t.node().(*ast.CallExpr)
	if !ok || !isCall {
		return
	}
	at := t.of(lit)
	var as *ast.AssignStmt
	for _, n := range at.path {
		if s, isAssign := n.(*ast.AssignStmt); isAssign && as == nil {
			as = s
		}
	}
	if as == nil || as.Tok != token.ASSIGN || len(as.Lhs) != 1 {
		return
	}
	id, ok := as.Lhs[0].(*ast.Ident)
	if !ok || !mentionsObject(t.place, call.Fun, t.info().ObjectOf(id)) {
		return
	}
	v, isVar := t.info().ObjectOf(id).(*types.Var)
	stmt := t.of(as).anchor()
	if !isVar || stmt == nil || !o.hadValue(t.place, v, as) {
		return
	}
	name := fresh(t.of(as), "next", "inner", "previous")
	ch := o.change().before(stmt, fmt.Sprintf("%s := %s", name, id.Name))
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if use, isIdent := n.(*ast.Ident); isIdent && t.info().Uses[use] == types.Object(v) {
			ch.replace(use.Pos(), use.End(), name)
		}
		return true
	})
	o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end: the function assigned to it at %s calls %s, which is that function by now", id.Name, o.where(as.Pos()), id.Name)
	o.diagnosis.Origin = o.relWhere(as.Pos())
	o.offer(idea{rule: "overflow/closure-itself", title: fmt.Sprintf("keep what %s was before", id.Name), weight: origin, change: ch,
		why: fmt.Sprintf("A literal sees the variable, not the value it had; %s keeps the earlier function for it.", name)})
}

func mentionsObject(p place, e ast.Node, obj types.Object) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && obj != nil && p.info().ObjectOf(id) == obj {
			found = true
		}
		return !found
	})
	return found
}

// hadValue reports whether a variable got a value before an assignment.
func (o *overflow) hadValue(p place, v *types.Var, as *ast.AssignStmt) bool {
	if fn, _, _ := o.paramOf(p.of(as), v); fn != nil {
		return true
	}
	for _, d := range o.definitions(p.of(as), v) {
		if d.stmt != ast.Node(as) && d.of == fromExpr && d.stmt.Pos() < as.Pos() {
			return true
		}
	}
	return false
}
