package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/source/evidence"
)

// reflection is a call of package reflect that cannot be done on its value.
type reflection struct {
	*fixer
	place    // of the call
	call     *ast.CallExpr
	recv     ast.Expr // the reflect.Value or reflect.Type
	method   string
	viaTypes bool // recv is a reflect.Type
}

var (
	onKind     = lazyregexp.New(`call of reflect\.Value\.(\w+) on (\w+) Value`)
	ofType     = lazyregexp.New(`^reflect: (\w+) of (?:non-(\w+)|invalid) type (.+)$`)
	notAssign  = lazyregexp.New(`value of type (.+) (?:is not assignable to|cannot be converted to) type (.+)$`)
	fewOrMany  = lazyregexp.New(`too (few|many) input arguments`)
	unexported = lazyregexp.New(`unexported field`)
)

// reflectMisuse: a value was used by reflection in a way that it does not allow.
func (f refusalRules) reflectMisuse() {
	r, ok := f.reflectCall()
	if !ok {
		return
	}
	message := f.panic.Message
	text := r.text(r.recv)
	f.diagnosis = evidence.Diagnosis{Expr: text, Origin: f.relWhere(r.call.Pos()),
		Sentence: fmt.Sprintf("%s (%s) cannot be called on %s: %s", r.method, f.where(r.call.Pos()), text, message)}
	switch {
	case strings.Contains(message, "on zero Value"):
		f.diagnosis.Value = "the zero Value"
		r.zeroValue()
	case strings.Contains(message, "unaddressable value"):
		f.diagnosis.Value = "not addressable"
		r.unaddressable()
	case unexported.MatchString(message):
		f.diagnosis.Value = "an unexported field"
		r.unexportedField()
	case onKind.MatchString(message):
		f.diagnosis.Value = onKind.FindStringSubmatch(message)[2]
		r.wrongKind(f.diagnosis.Value)
	case ofType.MatchString(message):
		f.diagnosis.Value = ofType.FindStringSubmatch(message)[3]
		r.wrongType(f.diagnosis.Value)
	case notAssign.MatchString(message):
		m := notAssign.FindStringSubmatch(message)
		r.notAssignable(m[1], m[2])
	case fewOrMany.MatchString(message):
		r.argumentCount()
	case strings.Contains(message, "out of range") || strings.Contains(message, "out of bounds"):
		r.indexRange()
	}
}

// reflectCall finds the call of package reflect on the culprit's line.
func (f refusalRules) reflectCall() (*reflection, bool) {
	lib, inside := f.inLibrary()
	if !inside {
		return nil, false
	}
	for i := f.at - 1; i >= 0; i-- { // the outermost of the library's frames that are one call's
		if fr := f.c.Stop.Frames[i]; !fr.Runtime && strings.HasPrefix(fr.Function, "reflect.") {
			lib = fr.Function
			break
		}
	}
	name := lib[strings.LastIndexByte(lib, '.')+1:]
	if m := onKind.FindStringSubmatch(f.panic.Message); m != nil {
		name = m[1]
	}
	var best *reflection
	for _, p := range f.callsOnLine() {
		call := p.node().(*ast.CallExpr)
		fn := p.callee(call)
		sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if fn == nil || !isSel || fn.Pkg() == nil || fn.Pkg().Path() != "reflect" || fn.Type().(*types.Signature).Recv() == nil {
			continue
		}
		r := &reflection{fixer: f.fixer, place: p, call: call, recv: sel.X, method: fn.Name(), viaTypes: recvName(fn) == "Type"}
		if fn.Name() == name {
			return r, true
		}
		if best == nil || best.setsOrGets() < r.setsOrGets() {
			best = r
		}
	}
	return best, best != nil
}

// setsOrGets prefers calls that ask much of their value.
func (r *reflection) setsOrGets() int {
	switch {
	case strings.HasPrefix(r.method, "Set"), r.method == "Interface", r.method == "Call":
		return 2
	case r.method == "Kind", r.method == "IsValid", r.method == "CanSet":
		return 0
	}
	return 1
}

// made is the call that made a reflect.Value: FieldByName, MapIndex, ValueOf, …
func (r *reflection) made() (source, *ast.CallExpr, string) {
	src := r.trace(r.place, r.at, r.recv)
	call, ok := ast.Unparen(orNil(src.expr)).(*ast.CallExpr)
	if !ok {
		return src, nil, ""
	}
	fn := src.callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "reflect" {
		return src, nil, ""
	}
	return src, call, fn.Name()
}

// zeroValue: a lookup found nothing, or there was no value to begin with.
func (r *reflection) zeroValue() {
	src, call, name := r.made()
	m := message{percent(r.text(r.recv)) + " has no value", nil}
	switch name {
	case "FieldByName", "MethodByName", "MapIndex":
		what := map[string]string{"FieldByName": "field", "MethodByName": "method", "MapIndex": "key"}[name]
		r.diagnosis.Sentence = fmt.Sprintf("%s is the zero Value: %s (%s) found no such %s", r.text(r.recv), short(r.text(call)), r.where(call.Pos()), what)
		if ast.Unparen(r.recv) == ast.Expr(call) {
			r.diagnosis.Sentence = fmt.Sprintf("%s (%s) found no such %s, and gave the zero Value", short(r.text(call)), r.where(call.Pos()), what)
		}
		m = r.lookupMessage(src, call, what)
		r.otherSpelling(src, call, what)
	case "ValueOf", "Indirect", "Elem":
		r.diagnosis.Sentence = fmt.Sprintf("%s is the zero Value: %s (%s) was given nil", r.text(r.recv), short(r.text(call)), r.where(call.Pos()))
		m = message{r.subjectOf(call) + " is nil", nil}
	}
	if call != nil {
		r.diagnosis.Origin = r.relWhere(call.Pos())
	}
	r.checkValue(src, func(v string) string { return "!" + v + ".IsValid()" }, m, "has a value")
	r.nilText(src)
}

// subjectOf names what a value was made of.
func (r *reflection) subjectOf(call *ast.CallExpr) string {
	if len(call.Args) == 1 {
		return percent(r.text(call.Args[0]))
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		return percent(r.text(sel.X))
	}
	return "the value"
}

func (r *reflection) lookupMessage(src source, call *ast.CallExpr, what string) message {
	if len(call.Args) != 1 {
		return message{"no such " + what, nil}
	}
	a := call.Args[0]
	if tv := src.info().Types[a]; tv.Value != nil {
		return message{fmt.Sprintf("no %s %s", what, percent(strings.Trim(r.text(a), "\"`"))), nil}
	}
	if !isPathOrIndex(a) {
		return message{"no such " + what, nil}
	}
	verb := "%v"
	if t := src.info().TypeOf(a); t != nil && isString(t) {
		verb = "%q"
	}
	return message{"no " + what + " " + verb, []string{r.text(a)}}
}

// otherSpelling corrects the name of a field or method that there is in
// another spelling.
func (r *reflection) otherSpelling(src source, call *ast.CallExpr, what string) {
	if len(call.Args) != 1 || what == "key" {
		return
	}
	tv := src.info().Types[call.Args[0]]
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if tv.Value == nil || !ok {
		return
	}
	want := strings.Trim(tv.Value.ExactString(), `"`)
	t := r.reflectedType(src.place, sel.X, 0)
	if t == nil {
		return
	}
	for _, name := range memberNames(t, what) {
		if name != want && (strings.EqualFold(name, want) || within1(name, want)) {
			r.offer(idea{rule: "reflect/other-spelling", title: fmt.Sprintf("look for %s instead of %s", name, want), weight: origin,
				change: r.change().replace(call.Args[0].Pos(), call.Args[0].End(), `"`+name+`"`),
				why:    fmt.Sprintf("%s has a %s of that name, and none called %s.", types.TypeString(t, func(p *types.Package) string { return "" }), what, want)})
		}
	}
}

func memberNames(t types.Type, what string) []string {
	var list []string
	if what == "method" {
		set := types.NewMethodSet(t)
		for i := range set.Len() {
			if fn := set.At(i).Obj(); fn.Exported() {
				list = append(list, fn.Name())
			}
		}
		return list
	}
	if st, ok := underStruct(t); ok {
		for i := range st.NumFields() {
			list = append(list, st.Field(i).Name())
		}
	}
	return list
}

// within1 reports whether two names differ by one letter.
func within1(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || len(a) < 3 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return a[i:] == b[i+1:] || len(a) == len(b) && a[i+1:] == b[i+1:]
}

// reflectedType is the static type of what a reflect.Value was made of; nil
// when it is not known.
func (r *reflection) reflectedType(p place, e ast.Expr, depth int) types.Type {
	src := r.trace(p, r.at, e)
	call, ok := ast.Unparen(orNil(src.expr)).(*ast.CallExpr)
	if !ok || depth > maxTrace {
		return nil
	}
	fn := src.callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "reflect" {
		return nil
	}
	sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	switch fn.Name() {
	case "ValueOf", "TypeOf":
		inner := r.trace(src.place, src.frame, call.Args[0])
		if inner.expr == nil {
			return nil
		}
		t := inner.info().TypeOf(inner.expr)
		if t == nil || types.IsInterface(t) {
			return nil
		}
		return t
	case "Indirect":
		return r.reflectedType(src.place, call.Args[0], depth+1)
	case "Elem":
		if isSel {
			if t := r.reflectedType(src.place, sel.X, depth+1); t != nil {
				if ptr, isPtr := t.Underlying().(*types.Pointer); isPtr {
					return ptr.Elem()
				}
			}
		}
	}
	return nil
}

// checkValue refuses a reflect.Value for which test holds: right after the
// assignment that gave it, or before the statement that uses it.
func (r *reflection) checkValue(src source, test func(string) string, m message, good string) {
	anchor := r.anchor()
	if anchor == nil {
		return
	}
	if as, ok := src.stmt.(*ast.AssignStmt); ok && src.object != nil && src.of2(as).anchor() == ast.Stmt(as) && src.declaration() == r.declaration() {
		at := src.of2(as)
		name := src.object.Name()
		for _, e := range r.exits(at, m, "") {
			ch := r.change().after(as, "if "+test(name)+" {\n\t"+indented(e.lines)+"\n}").need(at.file, e.imports...)
			if e.edit != nil && !e.edit(ch) {
				continue
			}
			r.offer(idea{rule: "reflect/check-value", title: fmt.Sprintf("check that %s %s: %s", name, good, shortHow(e)), weight: e.weight, change: ch, grounds: e.grounds,
				why: fmt.Sprintf("%s is looked at before it is used; otherwise %s %s.", name, funcName(at.function()), e.how)})
		}
		return
	}
	at := r.of(anchor)
	for _, e := range r.exits(at, m, "") {
		ch := r.change().need(at.file, e.imports...)
		name, ok := r.nameFirst(ch, anchor)
		if !ok {
			return
		}
		ch.before(anchor, "if "+test(name)+" {\n\t"+indented(e.lines)+"\n}")
		if e.edit != nil && !e.edit(ch) {
			continue
		}
		r.offer(idea{rule: "reflect/check-value", title: fmt.Sprintf("check that %s %s: %s", short(r.text(r.recv)), good, shortHow(e)), weight: e.weight, change: ch, grounds: e.grounds,
			why: fmt.Sprintf("The value is looked at before it is used; otherwise %s %s.", funcName(at.function()), e.how)})
	}
}

// nameFirst gives the value a name before a statement, unless it has one.
func (r *reflection) nameFirst(ch *change, anchor ast.Stmt) (string, bool) {
	text := r.text(r.recv)
	if isPath(r.recv) {
		return text, true
	}
	if !hoistable(r.of(r.recv), anchor) {
		return "", false
	}
	names := []string{"field", "value", "v", "rv"}
	if call, ok := ast.Unparen(r.recv).(*ast.CallExpr); ok {
		if fn := r.callee(call); fn != nil {
			switch fn.Name() {
			case "MethodByName", "Method":
				names = append([]string{"method"}, names...)
			case "Index":
				names = append([]string{"elem"}, names...)
			case "ValueOf", "Indirect", "Elem", "MapIndex":
				names = names[1:]
			}
		}
	}
	name := ch.fresh(r.of(anchor), names...)
	ch.before(anchor, name+" := "+text)
	r.replaceAll(ch, anchor, text, name)
	return name, true
}

// nilText writes nil as fmt does, in a function that makes text of any value.
func (r *reflection) nilText(src source) {
	as, ok := src.stmt.(*ast.AssignStmt)
	sig := r.signature()
	if !ok || sig == nil || sig.Results().Len() != 1 || !isString(sig.Results().At(0).Type()) || src.object == nil || src.of2(as).anchor() != ast.Stmt(as) {
		return
	}
	r.offer(idea{rule: "reflect/nil-text", title: "write <nil> where there is no value", weight: soft,
		change: r.change().after(as, fmt.Sprintf("if !%s.IsValid() {\n\treturn \"<nil>\"\n}", src.object.Name())),
		why:    "A nil has no type and no fields; it is written as fmt writes it."})
}
