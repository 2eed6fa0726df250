package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// wrongKind: the method is for values of another kind.
func (r *reflection) wrongKind(kind string) {
	text := r.text(r.recv)
	r.diagnosis.Sentence = fmt.Sprintf("%s is %s, for which there is no %s (%s)", text, kindWord(kind), r.method, r.where(r.call.Pos()))
	switch kind {
	case "ptr":
		r.followPointer()
	case "interface":
		r.insideInterface()
	}
	switch r.method {
	case "IsNil":
		r.askWhetherNil()
	case "Elem":
		r.passPointer()
		r.indirectInstead()
	default:
		r.anyKindText()
		r.checkKind()
	}
}

func kindWord(kind string) string {
	switch kind {
	case "ptr":
		return "a pointer"
	case "func":
		return "a function"
	}
	if strings.ContainsAny(kind[:1], "aeiou") {
		return "an " + kind
	}
	return "a " + kind
}

// insideInterface looks at the value that an interface holds.
func (r *reflection) insideInterface() {
	anchor := r.anchor()
	if anchor == nil {
		return
	}
	ch := r.change()
	name, ok := r.nameFirst(ch, anchor)
	if !ok {
		return
	}
	ch.before(anchor, fmt.Sprintf("if %s.Kind() == %s.Interface {\n\t%s = %s.Elem()\n}", name, pkgName(r.file, "reflect"), name, name))
	r.offer(idea{title: fmt.Sprintf("look at what %s holds", short(r.text(r.recv))), weight: origin, change: ch,
		why: fmt.Sprintf("%s is an interface; Elem is the value in it, which has a kind of its own.", r.text(r.recv))})
}

// wrongType: the same for a reflect.Type.
func (r *reflection) wrongType(typ string) {
	text := r.text(r.recv)
	r.diagnosis.Sentence = fmt.Sprintf("%s is %s, for which there is no %s (%s)", text, typ, r.method, r.where(r.call.Pos()))
	if strings.HasPrefix(typ, "*") {
		r.followPointer()
	}
	if r.method == "Elem" {
		r.passPointer()
	}
	r.checkKind()
}

// followPointer looks at what a pointer points at, where the values of the
// function are made of its argument: all of the same argument alike.
func (r *reflection) followPointer() {
	src, call, name := r.made()
	if call == nil || name != "ValueOf" && name != "TypeOf" {
		if !r.viaTypes {
			r.offer(idea{title: fmt.Sprintf("follow the pointer %s", short(r.text(r.recv))), weight: origin + 1,
				change: r.change().insert(r.recv.Pos(), pkgName(r.file, "reflect")+".Indirect(").insert(r.recv.End(), ")"),
				why:    "Indirect gives what a pointer points at, and other values as they are."})
		}
		return
	}
	arg := r.text(call.Args[0])
	ch := r.change()
	done := 0
	ast.Inspect(bodyOf(src.function()), func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || len(c.Args) != 1 || r.text(c.Args[0]) != arg {
			return true
		}
		fn := src.callee(c)
		if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "reflect" {
			return true
		}
		switch fn.Name() {
		case "ValueOf":
			ch.insert(c.Pos(), pkgName(src.file, "reflect")+".Indirect(").insert(c.End(), ")")
			done++
		case "TypeOf":
			if as, isAssign := src.of2(c).path[1].(*ast.AssignStmt); isAssign && len(as.Lhs) == 1 && len(as.Rhs) == 1 {
				t := r.text(as.Lhs[0])
				ch.after(as, fmt.Sprintf("if %s.Kind() == %s.Pointer {\n\t%s = %s.Elem()\n}", t, pkgName(src.file, "reflect"), t, t))
				done++
			}
		}
		return true
	})
	if done == 0 {
		return
	}
	r.diagnosis.Sentence += fmt.Sprintf(": %s may be a pointer (%s)", arg, r.where(call.Pos()))
	r.diagnosis.Origin = r.relWhere(call.Pos())
	r.offer(idea{title: fmt.Sprintf("follow %s where it is a pointer", arg), weight: origin, change: ch,
		why: fmt.Sprintf("What %s points at is looked at; a value that is no pointer stays as it is.", arg)})
}

// askWhetherNil asks values only whether they are nil that can be.
func (r *reflection) askWhetherNil() {
	name := fresh(r.of(r.file), "isNilValue", "nilValue")
	d := r.declaration()
	if d == nil {
		return
	}
	ref := pkgName(r.file, "reflect")
	ch := r.change().replace(r.call.Pos(), r.call.End(), name+"("+r.text(r.recv)+")")
	ch.after(d, fmt.Sprintf("\n// %s reports whether a value is of a kind that can be nil, and is.\nfunc %s(v %s.Value) bool {\n\tswitch v.Kind() {\n\tcase %s:\n\t\treturn v.IsNil()\n\t}\n\treturn false\n}",
		name, name, ref, ref+".Chan, "+ref+".Func, "+ref+".Interface, "+ref+".Map, "+ref+".Pointer, "+ref+".Slice"))
	r.offer(idea{title: "ask only what can be nil whether it is", weight: origin, change: ch,
		why: "Numbers, strings and structs are never nil, and cannot be asked; channels, functions, interfaces, maps, pointers and slices can."})
}

// kindsOf are the kinds that a method is for, as the tests that Value offers,
// or a comparison.
func (r *reflection) kindTest(v string) (test, want string) {
	ref := pkgName(r.file, "reflect")
	switch r.method {
	case "Int", "SetInt", "OverflowInt":
		return "!" + v + ".CanInt()", "an integer"
	case "Uint", "SetUint":
		return "!" + v + ".CanUint()", "an unsigned integer"
	case "Float", "SetFloat":
		return "!" + v + ".CanFloat()", "a floating-point number"
	case "Bool", "SetBool":
		return v + ".Kind() != " + ref + ".Bool", "a bool"
	case "SetString":
		return v + ".Kind() != " + ref + ".String", "a string"
	case "NumField", "Field", "FieldByName", "FieldByIndex":
		return v + ".Kind() != " + ref + ".Struct", "a struct"
	case "MapKeys", "MapRange", "MapIndex", "SetMapIndex", "Key":
		return v + ".Kind() != " + ref + ".Map", "a map"
	case "Len", "Index", "Slice":
		return v + ".Kind() != " + ref + ".Slice && " + v + ".Kind() != " + ref + ".Array", "a slice"
	case "Elem":
		return v + ".Kind() != " + ref + ".Pointer", "a pointer"
	case "Call":
		return v + ".Kind() != " + ref + ".Func", "a function"
	}
	return "", ""
}

// checkKind refuses values of another kind.
func (r *reflection) checkKind() {
	if test, _ := r.kindTest("v"); test == "" {
		return
	}
	_, want := r.kindTest("v")
	src, call, name := r.made()
	m := message{percent(short(r.text(r.recv))) + " is not " + want, nil}
	if call != nil && (name == "ValueOf" || name == "TypeOf") && isPath(call.Args[0]) {
		m = message{"%T is not " + want, []string{r.text(call.Args[0])}}
	}
	r.checkValue(src, func(v string) string { t, _ := r.kindTest(v); return t }, m, "is "+want)
}

// anyKindText prints a value whatever its kind, where it is only printed.
func (r *reflection) anyKindText() {
	outer, ok := r.path[1].(*ast.CallExpr)
	if !ok {
		return
	}
	fn := r.callee(outer)
	switch r.method {
	case "Int", "Uint", "Float", "Bool":
	default:
		return
	}
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "fmt" {
		return
	}
	r.offer(idea{title: fmt.Sprintf("print %s whatever its kind", short(r.text(r.recv))), weight: origin,
		change: r.change().replace(r.call.Pos(), r.call.End(), r.text(r.recv)),
		why:    "fmt prints the value that a reflect.Value holds, of any kind."})
}

// passPointer passes a pointer where the function looks at what it points at.
func (r *reflection) passPointer() {
	src, call, name := r.made()
	if call == nil || name != "ValueOf" && name != "TypeOf" {
		return
	}
	r.addressAtCallers(src, call, nil)
}

// addressAtCallers makes the calls of the function hand over the address of
// the variable that they pass by value.
func (r *reflection) addressAtCallers(src source, call *ast.CallExpr, more func(*change)) {
	id, ok := ast.Unparen(call.Args[0]).(*ast.Ident)
	if !ok {
		return
	}
	v, ok := src.info().ObjectOf(id).(*types.Var)
	if !ok {
		return
	}
	fn, calls, index := r.paramOf(src.place, v)
	if fn == nil {
		if d, found := r.definition(src.place, v, id.Pos()); found && d.of != fromParam && !isPointer(v.Type()) && !types.IsInterface(v.Type()) {
			r.localAddress(src, call, more)
		}
		return
	}
	if !types.IsInterface(v.Type()) || index < 0 {
		return
	}
	ch := r.change()
	var at []string
	for _, c := range calls {
		args := c.node().(*ast.CallExpr).Args
		if index >= len(args) {
			continue
		}
		a := args[index]
		t := c.info().TypeOf(a)
		if t == nil || isPointer(t) || types.IsInterface(t) || !addressable(a) {
			continue
		}
		ch.insert(a.Pos(), "&")
		at = append(at, r.where(a.Pos()))
	}
	if len(at) == 0 {
		return
	}
	if more != nil {
		more(ch)
	}
	r.diagnosis.Sentence += fmt.Sprintf(": %s passes a copy (%s)", funcName(calls[0].function()), at[0])
	r.diagnosis.Origin = r.relWhere(calls[0].node().Pos())
	r.offer(idea{title: fmt.Sprintf("pass a pointer to %s", funcName(fn)), weight: origin - 1, change: ch,
		why: fmt.Sprintf("%s changes what it is given; that takes the variable itself, not a copy (%s).", funcName(fn), strings.Join(at, ", "))})
}

func addressable(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return x.Name != "nil"
	case *ast.SelectorExpr:
		return true
	case *ast.CompositeLit:
		return true
	}
	return false
}

func (r *reflection) localAddress(src source, call *ast.CallExpr, more func(*change)) {
	ch := r.change().insert(call.Args[0].Pos(), "&")
	if more != nil {
		more(ch)
	}
	r.offer(idea{title: fmt.Sprintf("look at %s through its address", r.text(call.Args[0])), weight: origin, change: ch,
		why: "A value that is to be changed must be reached through a pointer."})
}

// indirectInstead follows a pointer only where there is one.
func (r *reflection) indirectInstead() {
	if r.viaTypes {
		return
	}
	r.offer(idea{title: fmt.Sprintf("follow %s only where it is a pointer", short(r.text(r.recv))), weight: origin + 1,
		change: r.change().replace(r.call.Pos(), r.call.End(), pkgName(r.file, "reflect")+".Indirect("+r.text(r.recv)+")"),
		why:    "Indirect gives what a pointer points at, and other values as they are."})
}

// unaddressable: a copy cannot be changed.
func (r *reflection) unaddressable() {
	root, call := r.rootValue()
	r.diagnosis.Sentence = fmt.Sprintf("%s cannot be changed by %s (%s): it is part of a copy", r.text(r.recv), r.method, r.where(r.call.Pos()))
	if call == nil {
		return
	}
	r.diagnosis.Origin = r.relWhere(call.Pos())
	fn := root.callee(call)
	if fn == nil || fn.Name() != "ValueOf" && fn.Name() != "Indirect" {
		return
	}
	inner := call
	if fn.Name() == "Indirect" {
		c, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr)
		if !ok || len(c.Args) != 1 {
			return
		}
		inner = c
	}
	r.addressAtCallers(root, inner, func(ch *change) {
		if fn.Name() == "ValueOf" {
			ch.insert(call.End(), ".Elem()")
		}
	})
	r.byPointer(root, inner, fn.Name() == "ValueOf")
}

// rootValue climbs from v.Field(i).Index(j) to the ValueOf that v came from.
func (r *reflection) rootValue() (source, *ast.CallExpr) {
	e := r.recv
	p := r.place
	for range maxTrace {
		src := r.trace(p, r.at, e)
		call, ok := ast.Unparen(orNil(src.expr)).(*ast.CallExpr)
		if !ok {
			return src, nil
		}
		fn := src.callee(call)
		if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "reflect" {
			return src, nil
		}
		sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if fn.Type().(*types.Signature).Recv() == nil || !isSel {
			return src, call
		}
		p, e = src.place, sel.X
	}
	return source{}, nil
}

// byPointer gives a function that takes a struct by value, and changes it, a pointer.
func (r *reflection) byPointer(root source, call *ast.CallExpr, elem bool) {
	id, ok := ast.Unparen(call.Args[0]).(*ast.Ident)
	if !ok {
		return
	}
	v, ok := root.info().ObjectOf(id).(*types.Var)
	if !ok {
		return
	}
	fn, calls, index := r.paramOf(root.place, v)
	d, isDecl := fn.(*ast.FuncDecl)
	if !isDecl || index < 0 || types.IsInterface(v.Type()) || isPointer(v.Type()) {
		return
	}
	ch := r.change()
	for _, field := range d.Type.Params.List {
		for _, n := range field.Names {
			if root.info().Defs[n] == types.Object(v) && len(field.Names) == 1 {
				ch.insert(field.Type.Pos(), "*")
			}
		}
	}
	for _, c := range calls {
		args := c.node().(*ast.CallExpr).Args
		if index < len(args) && addressable(args[index]) {
			ch.insert(args[index].Pos(), "&")
		}
	}
	if elem {
		ch.insert(call.End(), ".Elem()")
	}
	r.offer(idea{title: fmt.Sprintf("pass a pointer to %s", funcName(d)), weight: origin, change: ch,
		why: fmt.Sprintf("%s changes what it is given; that takes the variable itself, not a copy.", funcName(d))})
}

// unexportedField: only exported fields are for others to read or set.
func (r *reflection) unexportedField() {
	text := r.text(r.recv)
	test := ".CanInterface()"
	if strings.HasPrefix(r.method, "Set") {
		test = ".CanSet()"
	}
	r.diagnosis.Sentence = fmt.Sprintf("%s is an unexported field, which %s (%s) may not use", text, r.method, r.where(r.call.Pos()))
	anchor := r.anchor()
	if anchor == nil {
		return
	}
	r.printField()
	if l := r.loop(); l != nil && overItems(r.place) {
		ch := r.change()
		name := text
		if !isPathOrIndex(r.recv) && !r.pureLookup(r.recv) {
			var ok bool
			if name, ok = r.nameFirst(ch, anchor); !ok {
				return
			}
		}
		at, target := anchor, loopBody(l)
		if len(target.List) > 0 && r.pureLookup(r.recv) && !usesDeclaredIn(r.place, r.recv, target) {
			at = target.List[0]
		}
		ch.before(at, fmt.Sprintf("if !%s%s {\n\tcontinue\n}", name, test))
		r.offer(idea{title: "pass over unexported fields", weight: origin, change: ch,
			why: "Reflection may look at unexported fields and not hand them out; they are the type's own affair."})
		return
	}
	m := message{percent(short(text)) + " is not exported", nil}
	src, _, _ := r.made()
	r.checkValue(src, func(v string) string { return "!" + v + test }, m, "can be used")
}

// pureLookup reports whether an expression only selects fields by index: it can
// be evaluated twice.
func (r *reflection) pureLookup(e ast.Expr) bool {
	pure := true
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			fn := r.callee(call)
			pure = pure && fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "reflect" && (fn.Name() == "Field" || fn.Name() == "Index" || fn.Name() == "Elem")
		}
		return pure
	})
	return pure
}

func usesDeclaredIn(p place, e ast.Expr, body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj := p.info().ObjectOf(id); obj != nil && contains(body, obj.Pos()) {
				found = true
			}
		}
		return !found
	})
	return found
}

// printField prints a field without handing it out.
func (r *reflection) printField() {
	outer, ok := r.path[1].(*ast.CallExpr)
	if !ok || r.method != "Interface" {
		return
	}
	fn := r.callee(outer)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "fmt" {
		return
	}
	r.offer(idea{title: fmt.Sprintf("print %s without Interface", short(r.text(r.recv))), weight: origin + 2,
		change: r.change().replace(r.call.Pos(), r.call.End(), r.text(r.recv)),
		why:    "fmt prints what a reflect.Value holds, also of unexported fields; nothing is handed out."})
}

// notAssignable: a value of another type is to be stored.
func (r *reflection) notAssignable(have, want string) {
	if len(r.call.Args) == 0 {
		return
	}
	arg := r.call.Args[len(r.call.Args)-1]
	if r.method == "Convert" {
		arg = r.recv
	}
	r.diagnosis.Value = have
	r.diagnosis.Sentence = fmt.Sprintf("%s (%s) got %s where %s is wanted", r.method, r.where(r.call.Pos()), have, want)
	if r.method == "Set" && (numeric(have) && numeric(want) || strings.HasSuffix(want, "."+have)) {
		r.offer(idea{title: fmt.Sprintf("convert %s to the type of %s", short(r.text(arg)), short(r.text(r.recv))), weight: origin,
			change: r.change().insert(arg.End(), ".Convert("+r.text(r.recv)+".Type())"),
			why:    fmt.Sprintf("A %s can be converted to %s; reflection does not do so by itself.", have, want)})
	}
	anchor := r.anchor()
	if r.method != "Set" || anchor == nil || !hoistable(r.of(arg), anchor) {
		return
	}
	at := r.of(anchor)
	recv := r.text(r.recv)
	for _, e := range r.exits(at, message{"cannot set %s to a value of type %s", []string{recv + ".Type()", "%[1]s.Type()"}}, "") {
		ch := r.change().need(at.file, e.imports...)
		name := r.text(arg)
		if !isPath(arg) {
			name = ch.fresh(at, "value", "v", "rv")
			ch.before(anchor, name+" := "+r.text(arg))
			ch.replace(arg.Pos(), arg.End(), name)
		}
		lines := strings.ReplaceAll(indented(e.lines), "%[1]s.Type()", name+".Type()")
		ch.before(anchor, fmt.Sprintf("if !%s.Type().AssignableTo(%s.Type()) {\n\t%s\n}", name, recv, lines))
		if e.edit != nil && !e.edit(ch) {
			continue
		}
		r.offer(idea{title: fmt.Sprintf("check that %s has the right type: %s", short(r.text(arg)), shortHow(e)), weight: e.weight, change: ch, grounds: e.grounds,
			why: fmt.Sprintf("The types are compared first; where they do not fit, %s %s.", funcName(at.function()), e.how)})
	}
}

func numeric(typ string) bool {
	switch strings.TrimLeft(typ, "u") {
	case "int", "int8", "int16", "int32", "int64", "intptr", "float32", "float64":
		return true
	}
	return false
}

// argumentCount: Call got another number of arguments than the function takes.
func (r *reflection) argumentCount() {
	if r.method != "Call" || len(r.call.Args) != 1 {
		return
	}
	arg := r.call.Args[0]
	anchor := r.anchor()
	if anchor == nil || !isPath(arg) || !isPath(r.recv) {
		return
	}
	in, fn := r.text(arg), r.text(r.recv)
	r.diagnosis.Sentence = fmt.Sprintf("%s (%s) does not take as many arguments as %s holds", fn, r.where(r.call.Pos()), in)
	at := r.of(anchor)
	for _, e := range r.exits(at, message{"got %d arguments, want %d", []string{"len(" + in + ")", fn + ".Type().NumIn()"}}, "") {
		ch := r.change().need(at.file, e.imports...).before(anchor, fmt.Sprintf("if len(%s) != %s.Type().NumIn() {\n\t%s\n}", in, fn, indented(e.lines)))
		if e.edit != nil && !e.edit(ch) {
			continue
		}
		r.offer(idea{title: fmt.Sprintf("check the number of arguments: %s", shortHow(e)), weight: e.weight, change: ch, grounds: e.grounds,
			why: fmt.Sprintf("The arguments are counted before the call; where they do not fit, %s %s.", funcName(at.function()), e.how)})
	}
}

// indexRange: a field or element was asked for that is not there.
func (r *reflection) indexRange() {
	if len(r.call.Args) != 1 {
		return
	}
	index := r.call.Args[0]
	count := map[string]string{"Field": "NumField", "Index": "Len", "In": "NumIn", "Out": "NumOut", "Method": "NumMethod"}[r.method]
	if count == "" {
		return
	}
	r.diagnosis.Sentence = fmt.Sprintf("%s (%s) has no %s %s", r.text(r.recv), r.where(r.call.Pos()), strings.ToLower(r.method), r.text(index))
	r.loopByCount(index, count)
	anchor := r.anchor()
	if anchor == nil || !isPathOrIndex(index) || !isPath(r.recv) {
		return
	}
	r.guard(r.place, fmt.Sprintf("%s >= %s.%s()", r.text(index), r.text(r.recv), count),
		message{fmt.Sprintf("no %s %%d", strings.ToLower(r.method)), []string{r.text(index)}}, r.text(index))
}

// loopByCount ends the loop by the number of what the value itself has.
func (r *reflection) loopByCount(index ast.Expr, count string) {
	id, ok := ast.Unparen(index).(*ast.Ident)
	if !ok || !isPath(r.recv) {
		return
	}
	obj := r.info().ObjectOf(id)
	for _, l := range r.loops() {
		switch l := l.(type) {
		case *ast.ForStmt:
			b, isBinary := ast.Unparen(orNil(l.Cond)).(*ast.BinaryExpr)
			if !isBinary || r.object(b.X) != obj {
				continue
			}
			bound := fmt.Sprintf("%s.%s()", r.text(r.recv), count)
			if b.Op == token.LEQ && r.text(b.Y) == bound {
				r.offer(idea{title: fmt.Sprintf("end the loop before %s", bound), weight: origin, change: r.change().replace(b.OpPos, b.OpPos+2, "<"),
					why: "The last index is the number less one."})
				return
			}
			if r.text(b.Y) != bound {
				r.offer(idea{title: fmt.Sprintf("end the loop at %s", bound), weight: origin, change: r.change().replace(b.OpPos, b.End(), "< "+bound),
					why: fmt.Sprintf("The loop goes by what %s itself has.", r.text(r.recv))})
			}
			return
		case *ast.RangeStmt:
			if l.Key == nil || r.object(l.Key) != obj {
				continue
			}
			if isInteger(r.info().TypeOf(l.X)) {
				r.offer(idea{title: fmt.Sprintf("count to %s.%s()", r.text(r.recv), count), weight: origin,
					change: r.change().replace(l.X.Pos(), l.X.End(), fmt.Sprintf("%s.%s()", r.text(r.recv), count)),
					why:    fmt.Sprintf("The loop goes by what %s itself has.", r.text(r.recv))})
			}
			return
		}
	}
}
