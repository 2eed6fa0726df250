package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// formatsItself: a method that a library calls to print or encode a value hands
// that value to the library again.
func (o *overflow) formatsItself(t turn) {
	d, ok := t.fn.(*ast.FuncDecl)
	call, isCall := t.node().(*ast.CallExpr)
	if !ok || !isCall || d.Recv == nil || t.into == "" {
		return
	}
	recv := named(t.info().TypeOf(d.Recv.List[0].Type))
	if recv == nil {
		return
	}
	if o.embedsItself(t, d, recv) {
		return
	}
	var args []ast.Expr
	for _, a := range call.Args {
		o.argumentsOf(t.place, a, recv, &args)
	}
	for _, a := range args {
		o.convertArgument(t, d, recv, a)
	}
}

// argumentsOf collects the values of the method's type in an argument.
func (o *overflow) argumentsOf(p place, e ast.Expr, recv *types.Named, list *[]ast.Expr) {
	e = ast.Unparen(e)
	if n := named(p.info().TypeOf(e)); n != nil && n.Origin() == recv.Origin() {
		*list = append(*list, e)
		return
	}
	switch x := e.(type) {
	case *ast.CompositeLit:
		for _, el := range x.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			o.argumentsOf(p, el, recv, list)
		}
	case *ast.UnaryExpr:
		o.argumentsOf(p, x.X, recv, list)
	case *ast.CallExpr:
		if name, _ := p.builtin(x); name == "append" {
			for _, a := range x.Args {
				o.argumentsOf(p, a, recv, list)
			}
		}
	}
}

// convertArgument hands the value over as a type without the method.
func (o *overflow) convertArgument(t turn, d *ast.FuncDecl, recv *types.Named, a ast.Expr) {
	_, isPtr := t.info().TypeOf(a).(*types.Pointer)
	own := o.isReceiver(t, d, a)
	if !own && isSelector(a) {
		o.nameInstead(t, a)
		return
	}
	o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end: %s (%s) calls %s of %s again", funcName(d), o.text(o.callText(t)), o.where(t.node().Pos()), d.Name.Name, o.text(a))
	o.partInstead(t, d, recv, a)
	ch := o.change()
	var text string
	switch u := recv.Underlying().(type) {
	case *types.Struct:
		name := fresh(t.place, "plain", "bare", lowerFirst(recv.Obj().Name())+"Fields")
		typ, ok := typeText(t.place, recv)
		if !ok {
			return
		}
		ch.first(d.Body, "type "+name+" "+typ+" // has the fields, and not the methods")
		text = name + "(" + o.text(a) + ")"
		if isPtr {
			text = "(*" + name + ")(" + o.text(a) + ")"
		}
	case *types.Basic:
		text = u.Name() + "(" + o.text(a) + ")"
		if isPtr {
			text = u.Name() + "(*" + o.text(a) + ")"
		}
	case *types.Slice, *types.Map, *types.Array:
		typ, ok := typeText(t.place, u)
		if !ok || isPtr {
			return
		}
		text = typ + "(" + o.text(a) + ")"
	default:
		return
	}
	ch.replace(a.Pos(), a.End(), text)
	o.offer(idea{title: fmt.Sprintf("hand %s over without its %s method", o.text(a), d.Name.Name), weight: origin, change: ch,
		why: fmt.Sprintf("%s finds a type that has no %s, and so shows the value itself.", o.text(o.callText(t)), d.Name.Name)})
}

// partInstead shows the field that a message is about, where a method shows
// the other fields by name and then the whole value.
func (o *overflow) partInstead(t turn, d *ast.FuncDecl, recv *types.Named, a ast.Expr) {
	st, ok := underStruct(recv)
	if !ok || d.Name.Name != "Error" {
		return
	}
	shown := map[string]bool{}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if sel, isSel := n.(*ast.SelectorExpr); isSel && o.isReceiver(t, d, sel.X) {
			shown[sel.Sel.Name] = true
		}
		return true
	})
	for i := range st.NumFields() {
		f := st.Field(i)
		if shown[f.Name()] || !isError(f.Type()) && !(isString(f.Type()) && isMessageName(f.Name())) {
			continue
		}
		path := strings.TrimPrefix(o.text(a), "&") + "." + f.Name()
		o.offer(idea{title: fmt.Sprintf("show %s instead of %s", path, o.text(a)), weight: origin - 1, change: o.change().replace(a.Pos(), a.End(), path),
			why: fmt.Sprintf("The message is completed by %s, which it did not show, instead of by the whole error.", path)})
	}
}

// isReceiver reports whether an expression is the method's own receiver.
func (o *overflow) isReceiver(t turn, d *ast.FuncDecl, e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	if s, ok := e.(*ast.StarExpr); ok {
		e = s.X
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && len(d.Recv.List[0].Names) > 0 && t.info().ObjectOf(id) == t.info().Defs[d.Recv.List[0].Names[0]]
}

// nameInstead prints the name of a linked value instead of the whole of it.
func (o *overflow) nameInstead(t turn, a ast.Expr) {
	_, expr := o.nameField(t.place, a)
	_, isPtr := t.info().TypeOf(a).(*types.Pointer)
	anchor := t.anchor()
	if expr == "" || !isPtr || anchor == nil || !isPathOrIndex(a) {
		return
	}
	field := expr[strings.LastIndexByte(expr, '.')+1:]
	st, _ := underStruct(t.info().TypeOf(a))
	if f := fieldOf(st, field); f == nil || !isString(f.Type()) {
		return
	}
	o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end: it shows %s (%s), which leads back to the value it came from", funcName(t.fn), o.text(a), o.where(a.Pos()))
	ch := o.change()
	name := ch.fresh(t.of(anchor), lowerFirst(lastName(a))+field, "name", "label")
	ch.before(anchor, fmt.Sprintf("%s := \"<nil>\"\nif %s != nil {\n\t%s = %s\n}", name, o.text(a), name, expr))
	ch.replace(a.Pos(), a.End(), name)
	o.offer(idea{title: fmt.Sprintf("show only the %s of %s", field, o.text(a)), weight: origin + 1, change: ch,
		why: fmt.Sprintf("What %s leads to is no longer shown as a whole, so that the way does not lead back.", o.text(a))})
}

// embedsItself: the value is embedded in a struct made for the occasion, which
// gets its methods with it.
func (o *overflow) embedsItself(t turn, d *ast.FuncDecl, recv *types.Named) bool {
	var field *ast.Field
	var lit *ast.CompositeLit
	ast.Inspect(d.Body, func(n ast.Node) bool {
		l, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		st, isStruct := l.Type.(*ast.StructType)
		if !isStruct {
			return true
		}
		for _, f := range st.Fields.List {
			if n := named(t.info().TypeOf(f.Type)); len(f.Names) == 0 && n != nil && n.Origin() == recv.Origin() {
				field, lit = f, l
			}
		}
		return true
	})
	if field == nil {
		return false
	}
	name := fresh(t.place, "plain", "bare", "fields")
	typ, ok := typeText(t.place, recv)
	if !ok {
		return false
	}
	ch := o.change().first(d.Body, "type "+name+" "+typ+" // has the fields, and not the methods")
	star, isPtr := field.Type.(*ast.StarExpr)
	if isPtr {
		ch.replace(star.X.Pos(), star.X.End(), name)
	} else {
		ch.replace(field.Type.Pos(), field.Type.End(), name)
	}
	for _, el := range lit.Elts {
		value := el
		if kv, isPair := el.(*ast.KeyValueExpr); isPair {
			id, isIdent := kv.Key.(*ast.Ident)
			if !isIdent || id.Name != recv.Obj().Name() {
				continue
			}
			ch.replace(id.Pos(), id.End(), name)
			value = kv.Value
		}
		if n := named(t.info().TypeOf(value)); n == nil || n.Origin() != recv.Origin() {
			continue
		}
		if isPtr {
			ch.insert(value.Pos(), "(*"+name+")(").insert(value.End(), ")")
		} else {
			ch.insert(value.Pos(), name+"(").insert(value.End(), ")")
		}
	}
	o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end: the struct at %s embeds %s, and so has its %s too", funcName(d), o.where(field.Pos()), recv.Obj().Name(), d.Name.Name)
	return o.offer(idea{title: fmt.Sprintf("embed %s without its methods", recv.Obj().Name()), weight: origin, change: ch,
		why: fmt.Sprintf("The embedded type has the fields of %s and none of its methods; %s shows them as they are.", recv.Obj().Name(), o.text(o.callText(t)))})
}

// comparesItself: Is calls errors.Is on the error itself, which calls Is.
func (o *overflow) comparesItself(t turn) {
	d, ok := t.fn.(*ast.FuncDecl)
	call, isCall := t.node().(*ast.CallExpr)
	if !ok || !isCall || d.Recv == nil || d.Name.Name != "Is" || t.into == "" || len(call.Args) != 2 || !o.isReceiver(t, d, call.Args[0]) {
		return
	}
	ret, ok := t.anchor().(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 || ast.Unparen(ret.Results[0]) != ast.Expr(call) {
		return
	}
	typ := o.text(d.Recv.List[0].Type)
	name := o.flag(t.place)
	o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end: errors.Is (%s) asks Is of the same error again", funcName(d), o.where(call.Pos()))
	o.offer(idea{title: "compare the types instead of asking errors.Is again", weight: origin,
		change: o.change().instead(ret, fmt.Sprintf("_, %s := %s.(%s)\nreturn %s", name, o.text(call.Args[1]), typ, name)),
		why:    fmt.Sprintf("Is now says whether the target is a %s; errors.Is itself goes through the chain of errors.", typ)})
}

// calledItself: a method calls itself where what it wraps, or its own field,
// was meant.
func (o *overflow) calledItself(t turn) {
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
func (o *overflow) wrappedInstead(t turn, d *ast.FuncDecl, call *ast.CallExpr, sel *ast.SelectorExpr, st *types.Struct) {
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
		o.offer(idea{title: fmt.Sprintf("call %s of %s.%s", d.Name.Name, o.text(sel.X), field.Name()), weight: origin,
			change: o.change().insert(sel.X.End(), "."+field.Name()),
			why:    fmt.Sprintf("%s passes on to what it wraps, instead of to itself.", funcName(d))})
	}
}

func withoutReceiver(fn *types.Func) types.Type {
	sig := fn.Type().(*types.Signature)
	return types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
}

// fieldInstead reads or sets the field that a getter or setter is for.
func (o *overflow) fieldInstead(t turn, d *ast.FuncDecl, call *ast.CallExpr, sel *ast.SelectorExpr, st *types.Struct) {
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
			o.offer(idea{title: "return the field " + path, weight: origin - 1, change: o.change().replace(call.Pos(), call.End(), path),
				why: fmt.Sprintf("%s is the getter of that field.", funcName(d))})
		}
		set := strings.EqualFold("Set"+field.Name(), d.Name.Name)
		if es, isStmt := t.anchor().(*ast.ExprStmt); set && isStmt && es.X == ast.Expr(call) && len(call.Args) == 1 {
			o.offer(idea{title: "set the field " + path, weight: origin - 1, change: o.change().replace(es.Pos(), es.End(), path+" = "+o.text(call.Args[0])),
				why: fmt.Sprintf("%s is the setter of that field.", funcName(d))})
		}
	}
}

// lengthInstead: Len, Less and Swap of a slice, or of a struct around one.
func (o *overflow) lengthInstead(t turn, d *ast.FuncDecl, call *ast.CallExpr, sel *ast.SelectorExpr, recv types.Type) {
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
		o.offer(idea{title: fmt.Sprintf("return len(%s)", h), weight: origin, change: o.change().replace(call.Pos(), call.End(), "len("+h+")"),
			why: fmt.Sprintf("%s is the length of %s.", funcName(d), h)})
	case name == "Swap" && len(call.Args) == 2:
		if es, ok := t.anchor().(*ast.ExprStmt); ok {
			i, j := o.text(call.Args[0]), o.text(call.Args[1])
			o.offer(idea{title: "swap the two elements", weight: origin, change: o.change().replace(es.Pos(), es.End(), fmt.Sprintf("%s[%s], %s[%s] = %s[%s], %s[%s]", h, i, h, j, h, j, h, i)),
				why: "Swap exchanges the elements themselves."})
		}
	case name == "Less" && len(call.Args) == 2 && elem != nil:
		if b, ok := elem.Underlying().(*types.Basic); ok && b.Info()&types.IsOrdered != 0 {
			o.offer(idea{title: "compare the two elements", weight: origin, change: o.change().replace(call.Pos(), call.End(), fmt.Sprintf("%s[%s] < %s[%s]", h, o.text(call.Args[0]), h, o.text(call.Args[1]))),
				why: "Less compares the elements themselves."})
		}
	}
}

// importedInstead: a function calls itself where the function of that name of
// an imported package was meant.
func (o *overflow) importedInstead(t turn, d *ast.FuncDecl, call *ast.CallExpr) {
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
		o.offer(idea{title: fmt.Sprintf("call %s.%s", name, fn.Name()), weight: origin, change: o.change().replace(id.Pos(), id.End(), name+"."+fn.Name()),
			why: fmt.Sprintf("%s is named like %s.%s and called itself instead of that.", d.Name.Name, name, fn.Name())})
	}
}

// alwaysCalls reports whether a function has no way out before it calls itself.
func (o *overflow) alwaysCalls(t turn, d *ast.FuncDecl, call *ast.CallExpr) bool {
	at := t.of(d.Body)
	w := waysFrom(at, nil, func(n ast.Node) bool { return contains(n, call.Pos()) })
	return len(w.exits) == 0
}

// closureItself: a function literal calls the variable that holds it by now,
// where what that held before was meant.
func (o *overflow) closureItself(t turn) {
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
	o.offer(idea{title: fmt.Sprintf("keep what %s was before", id.Name), weight: origin, change: ch,
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
