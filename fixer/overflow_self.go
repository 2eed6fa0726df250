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
func (o *overflow) formatsItself(t cycleFunc) {
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
func (o *overflow) convertArgument(t cycleFunc, d *ast.FuncDecl, recv *types.Named, a ast.Expr) {
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
	o.offer(idea{rule: "overflow/convert-argument", title: fmt.Sprintf("hand %s over without its %s method", o.text(a), d.Name.Name), weight: origin, change: ch,
		why: fmt.Sprintf("%s finds a type that has no %s, and so shows the value itself.", o.text(o.callText(t)), d.Name.Name)})
}

// partInstead shows the field that a message is about, where a method shows
// the other fields by name and then the whole value.
func (o *overflow) partInstead(t cycleFunc, d *ast.FuncDecl, recv *types.Named, a ast.Expr) {
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
		o.offer(idea{rule: "overflow/part-instead", title: fmt.Sprintf("show %s instead of %s", path, o.text(a)), weight: origin - 1, change: o.change().replace(a.Pos(), a.End(), path),
			why: fmt.Sprintf("The message is completed by %s, which it did not show, instead of by the whole error.", path)})
	}
}

// isReceiver reports whether an expression is the method's own receiver.
func (o *overflow) isReceiver(t cycleFunc, d *ast.FuncDecl, e ast.Expr) bool {
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
func (o *overflow) nameInstead(t cycleFunc, a ast.Expr) {
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
	o.offer(idea{rule: "overflow/name-instead", title: fmt.Sprintf("show only the %s of %s", field, o.text(a)), weight: origin + 1, change: ch,
		why: fmt.Sprintf("What %s leads to is no longer shown as a whole, so that the way does not lead back.", o.text(a))})
}

// embedsItself: the value is embedded in a struct made for the occasion, which
// gets its methods with it.
func (o *overflow) embedsItself(t cycleFunc, d *ast.FuncDecl, recv *types.Named) bool {
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
	return o.offer(idea{rule: "overflow/embeds-itself", title: fmt.Sprintf("embed %s without its methods", recv.Obj().Name()), weight: origin, change: ch,
		why: fmt.Sprintf("The embedded type has the fields of %s and none of its methods; %s shows them as they are.", recv.Obj().Name(), o.text(o.callText(t)))})
}

// comparesItself: Is calls errors.Is on the error itself, which calls Is.
func (o *overflow) comparesItself(t cycleFunc) {
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
	o.offer(idea{rule: "overflow/compares-itself", title: "compare the types instead of asking errors.Is again", weight: origin,
		change: o.change().instead(ret, fmt.Sprintf("_, %s := %s.(%s)\nreturn %s", name, o.text(call.Args[1]), typ, name)),
		why:    fmt.Sprintf("Is now says whether the target is a %s; errors.Is itself goes through the chain of errors.", typ)})
}
