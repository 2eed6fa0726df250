package fixer

import (
	"fmt"
	"go/ast"
	"slices"
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
		if !r.otherNumber(kind) {
			r.checkKind()
		}
	}
}

func kindWord(kind string) string {
	switch kind {
	case "ptr":
		return "a pointer"
	case "func":
		return "a function"
	}
	return withArticle(kind)
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
	r.offer(idea{rule: "reflect/inside-interface", title: fmt.Sprintf("look at what %s holds", short(r.text(r.recv))), weight: origin, change: ch,
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
			r.offer(idea{rule: "reflect/follow-pointer", title: fmt.Sprintf("follow the pointer %s", short(r.text(r.recv))), weight: origin + 1,
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
	r.offer(idea{rule: "reflect/follow-pointer", title: fmt.Sprintf("follow %s where it is a pointer", arg), weight: origin, change: ch,
		why: fmt.Sprintf("What %s points at is looked at; a value that is not a pointer stays as it is.", arg)})
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
	r.offer(idea{rule: "reflect/ask-whether-nil", title: "ask only what can be nil whether it is", weight: origin, change: ch,
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

// numberKinds are the kinds of each family of numbers, and the type that its
// methods take.
var numberKinds = map[string]struct {
	kinds []string
	wide  string
}{
	"Int":   {[]string{"Int", "Int8", "Int16", "Int32", "Int64"}, "int64"},
	"Uint":  {[]string{"Uint", "Uint8", "Uint16", "Uint32", "Uint64", "Uintptr"}, "uint64"},
	"Float": {[]string{"Float32", "Float64"}, "float64"},
}

// otherNumber reports whether the method is for numbers and the value is a
// number of another family: to refuse it would refuse good input. Where a whole
// number is stored, it is stored by the kind of the value.
func (r *reflection) otherNumber(kind string) bool {
	own, sets := strings.CutPrefix(r.method, "Set")
	if _, isNumber := numberKinds[own]; !isNumber || own == "Float" && sets {
		return false
	}
	for family, other := range numberKinds {
		if family == own || !slices.Contains(other.kinds, upperFirst(kind)) {
			continue
		}
		es, isStmt := r.anchor().(*ast.ExprStmt)
		if !sets || !isStmt || es.X != ast.Expr(r.call) || len(r.call.Args) != 1 {
			return true
		}
		v := fresh(r.place, "field", "value", "target")
		cases := pkgName(r.file, "reflect") + "." + strings.Join(other.kinds, ", "+pkgName(r.file, "reflect")+".")
		arg := r.text(r.call.Args[0])
		r.offer(idea{rule: "reflect/other-number", title: fmt.Sprintf("store %s by the kind of %s", arg, short(r.text(r.recv))), weight: origin,
			change: r.change().replace(es.Pos(), es.End(), fmt.Sprintf("switch %s := %s; %s.Kind() {\ncase %s:\n\t%s.Set%s(%s(%s))\ndefault:\n\t%s.%s(%s)\n}",
				v, r.text(r.recv), v, cases, v, family, other.wide, arg, v, r.method, arg)),
			why: fmt.Sprintf("%s is for values of another kind; a value of kind %s is set with Set%s.", r.method, kind, family)})
		return true
	}
	return false
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
	r.offer(idea{rule: "reflect/any-kind-text", title: fmt.Sprintf("print %s whatever its kind", short(r.text(r.recv))), weight: origin,
		change: r.change().replace(r.call.Pos(), r.call.End(), r.text(r.recv)),
		why:    "fmt prints the value that a reflect.Value holds, of any kind."})
}
