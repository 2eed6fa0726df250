package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/source/evidence"
)

// nilDereference: a nil pointer, function or interface was used.
func (f nilRules) nilDereference() {
	s, ok := f.choose(f.dereferences)
	if !ok {
		return
	}
	text := f.text(s.bad)
	f.diagnosis = evidence.Diagnosis{Expr: text, Value: "nil", Sentence: text + " is nil"}
	f.cannotBe = f.givesNoNil
	src := f.trace(s.place, f.at, s.bad)
	f.treatAlike(s.place, s.bad, "nil", "missing")
	f.plainMistakes()
	f.nilOrigin(s, src)
	f.mapRules.setTooLate(s.object(s.bad))
	f.sizeRules.deferBeforeCheck(src)
	f.optionalPart(s, src)
	f.firstNode(s)
	f.mirrorOther(s)
	f.receiverBase(s)
	f.nilString(s)
	f.walkCondition(s)
	f.refuseNil(s, src)
	f.optionalCall(s)
	if f.diagnosis.Origin == "" {
		f.diagnosis.Origin = f.relWhere(s.expr.Pos())
	}
}

// dereferences finds what may be nil: bases of selectors, targets of stars,
// called function values, receivers of interface methods.
func (f nilRules) dereferences(p place, n ast.Node) []suspect {
	found := func(e, bad ast.Expr) []suspect {
		bad = ast.Unparen(bad)
		if tv := p.info().Types[bad]; tv.IsType() || !nilable(tv.Type) {
			return nil
		}
		if u, ok := bad.(*ast.UnaryExpr); ok && u.Op == token.AND {
			return nil
		}
		if neverNil(p, bad) {
			return nil
		}
		return []suspect{{expr: e, bad: bad, fact: f.isNil(p, f.at, bad)}}
	}
	switch n := n.(type) {
	case *ast.SelectorExpr:
		sel := p.info().Selections[n]
		if sel == nil {
			return nil
		}
		switch sel.Kind() {
		case types.FieldVal:
			return append(found(n, n.X), f.embedded(p, n, sel)...)
		case types.MethodVal:
			_, isInterface := sel.Recv().Underlying().(*types.Interface)
			if isInterface || !hasPointerReceiver(sel) || f.nilInCallee(sel) {
				return append(found(n, n.X), f.embedded(p, n, sel)...)
			}
			return f.embedded(p, n, sel)
		}
	case *ast.StarExpr:
		if tv := p.info().Types[n.X]; !tv.IsType() {
			return found(n, n.X)
		}
	case *ast.IndexExpr:
		if isPointer(p.info().TypeOf(n.X)) {
			return found(n, n.X)
		}
	case *ast.CallExpr:
		return f.nilCalls(p, n, found)
	}
	return nil
}

// nilCalls: calls of nil functions, and of the library with a nil argument.
func (f nilRules) nilCalls(p place, call *ast.CallExpr, found func(e, bad ast.Expr) []suspect) []suspect {
	if tv := p.info().Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return nil
	}
	var list []suspect
	if p.callee(call) == nil {
		list = found(call, call.Fun)
	}
	if _, library := f.inLibrary(); library {
		for _, a := range call.Args {
			if t := p.info().TypeOf(a); t != nil && nilable(t) && !p.info().Types[a].IsNil() {
				for _, s := range found(call, a) {
					if s.fact == yes {
						list = append(list, s)
					}
				}
			}
		}
	}
	return list
}

// nilInCallee reports whether a method with a pointer receiver may have stopped
// in the library, so that its receiver is a suspect here.
func (f nilRules) nilInCallee(sel *types.Selection) bool {
	_, library := f.inLibrary()
	return library
}

func hasPointerReceiver(sel *types.Selection) bool {
	fn, ok := sel.Obj().(*types.Func)
	if !ok {
		return false
	}
	recv := fn.Type().(*types.Signature).Recv()
	return recv != nil && isPointer(recv.Type())
}

// embedded finds embedded pointers that a promoted field or method goes through.
func (f nilRules) embedded(p place, n *ast.SelectorExpr, sel *types.Selection) []suspect {
	if len(sel.Index()) < 2 {
		return nil
	}
	t := sel.Recv()
	text := f.text(n.X)
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		st, ok := underStruct(t)
		if !ok {
			return nil
		}
		field := st.Field(i)
		text += "." + field.Name()
		t = field.Type()
		_, isInterface := t.Underlying().(*types.Interface)
		if !isPointer(t) && !isInterface {
			continue
		}
		if a := f.values.variable(f.at, text); a.known && a.value.Nil {
			f.diagnosis.Sentence = text + " is nil"
			f.nilEmbedded(p, field, named(sel.Recv()))
			return nil
		}
	}
	return nil
}

// owner finds the struct that embeds a field, in t or what it embeds.
func owner(t types.Type, field *types.Var) (*types.Named, bool) {
	st, ok := underStruct(t)
	for depth := 0; ok && depth < 4; depth++ {
		var next types.Type
		for i := range st.NumFields() {
			if st.Field(i) == field {
				return named(t), named(t) != nil
			}
			if st.Field(i).Embedded() && next == nil {
				next = st.Field(i).Type()
			}
		}
		if next == nil {
			return nil, false
		}
		t = next
		st, ok = underStruct(t)
	}
	return nil, false
}

// nilEmbedded sets an embedded pointer where its struct is built.
func (f nilRules) nilEmbedded(p place, field *types.Var, t *types.Named) {
	if t == nil {
		return
	}
	f.diagnosis = evidence.Diagnosis{Expr: field.Name(), Value: "nil", Sentence: fmt.Sprintf("the embedded %s of %s is nil", field.Name(), t.Obj().Name())}
	f.setInConstructors(p, t, field, origin)
}

func nilable(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Signature:
		_, isParam := t.(*types.TypeParam)
		return !isParam
	}
	return false
}

// neverNil reports whether an expression cannot be nil: functions, &x, new, package names.
func neverNil(p place, e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncLit, *ast.CompositeLit:
		return true
	case *ast.Ident, *ast.SelectorExpr:
		_, isFunc := p.object(e).(*types.Func)
		return isFunc
	case *ast.CallExpr:
		name, _ := p.builtin(e)
		return name == "new" || name == "make"
	}
	return false
}

// nilOrigin follows the nil to where it came from and fixes it there.
func (f nilRules) nilOrigin(s suspect, src source) {
	switch {
	case src.through != nil:
		if s, ok := owner(src.info().TypeOf(src.expr), src.through); ok {
			f.setInConstructors(src.place, s, src.through, origin)
			f.blameWriters("the embedded "+src.through.Name()+" of "+s.Obj().Name(), src.through)
		}
	case src.of == fromNothing:
		f.note(fmt.Sprintf("%s is declared without a value (%s)", src.object.Name(), f.where(src.stmt.Pos())), src.stmt.Pos())
		f.valueAtDeclaration(src)
		f.shadowed(src)
	case src.expr == nil || src.of == fromParam:
		if src.object != nil {
			f.note(fmt.Sprintf("%s is given nil for %s", funcName(s.function()), src.object.Name()), s.expr.Pos())
		}
	case src.of == fromRange:
		f.note(fmt.Sprintf("an element of %s (%s) is nil", f.text(src.expr), f.where(src.expr.Pos())), src.expr.Pos())
		f.nilElements(src)
	default:
		f.nilFromExpr(s, src)
	}
}

// givesNoNil reports whether a definition makes a value: its type's literal, or
// what a function returns that returns nothing else.
func (f nilRules) givesNoNil(d source) bool {
	if d.expr == nil || d.of != fromExpr {
		return false
	}
	e := ast.Unparen(d.expr)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND || d.file != nil && neverNil(d.place, e) {
		return true
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || d.file == nil {
		return false
	}
	callee, ok := f.declarationOf(d.callee(call))
	if !ok {
		return false
	}
	list := returnsOf(callee.node())
	for _, r := range list {
		if d.result >= len(r.Results) {
			return false
		}
		result := ast.Unparen(r.Results[d.result])
		if u, isAddress := result.(*ast.UnaryExpr); !(isAddress && u.Op == token.AND) && !neverNil(callee, result) {
			return false
		}
	}
	return len(list) > 0
}

func (f nilRules) nilFromExpr(s suspect, src source) {
	switch e := ast.Unparen(src.expr).(type) {
	case *ast.SelectorExpr:
		f.nilField(s, src, e)
	case *ast.Ident:
		if v, ok := src.info().ObjectOf(e).(*types.Var); ok && isGlobal(v) {
			f.globalNil(src.place, v)
			f.blameWriters(e.Name, v)
		} else if e.Name == "nil" {
			f.note(fmt.Sprintf("%s passes nil (%s)", funcName(src.function()), f.where(e.Pos())), e.Pos())
			f.valueForNil(src, e)
		}
	case *ast.IndexExpr:
		if isMap(src.info().TypeOf(e.X)) {
			f.note(f.noValue(src, e), e.Pos())
			f.refuseAt(s, src, "no such key")
		} else {
			f.note(fmt.Sprintf("an element of %s (%s) is nil", f.text(e.X), f.where(e.Pos())), e.Pos())
		}
	case *ast.CallExpr:
		f.nilFromCall(s, src, e)
	case *ast.TypeAssertExpr:
		f.note(fmt.Sprintf("the assertion at %s did not hold, and its result is not checked", f.where(e.Pos())), e.Pos())
		f.refuseAt(s, src, "unexpected type")
	}
}

// globalNil notes that a package variable is never given a value, where no
// assignment does.
func (f nilRules) globalNil(p place, v *types.Var) {
	for _, d := range f.definitions(p, v) {
		if d.of != fromNothing {
			return
		}
	}
	if f.writtenOrTaken(v) || v.Exported() && v.Pkg().Name() != "main" {
		return
	}
	f.every.value = true
}

// nilField sets a field in what builds its struct, unless nil is one of its meanings.
func (f nilRules) nilField(s suspect, src source, sel *ast.SelectorExpr) {
	t, field := structOf(src.place, sel)
	if t == nil {
		if v, ok := src.object2(sel.Sel); ok && isGlobal(v) {
			f.globalNil(src.place, v)
			f.blameWriters(v.Name(), v)
		}
		return
	}
	w := origin
	if f.saysNil(field) || f.isOptional(t, field) {
		w = soft
	}
	if f.mapRules.lostWrite(field) || f.mapRules.neverCalled(t, field) {
		return
	}
	if f.usualFunction(t, field) {
		return
	}
	f.sizeRules.sectionDefault(src, sel, t, field)
	f.setInConstructors(src.place, t, field, w)
	f.every.value = f.every.value || f.neverGiven(t, field)
	if len(f.found) == 0 {
		f.blameWriters(t.Obj().Name()+"."+field.Name(), field)
	}
}

// isOptional reports whether a field may well be nil: links of a structure to
// its own kind, and fields that some literals set and others do not.
func (f nilRules) isOptional(t *types.Named, field *types.Var) bool {
	if n := named(field.Type()); n != nil && n.Obj() == t.Obj() {
		return true
	}
	set := 0
	for _, b := range f.buildings(t) {
		if !b.lacks(field) {
			set++
		}
	}
	return set > 0
}

// setInConstructors gives a field a fresh value wherever its struct is built without it.
func (f nilRules) setInConstructors(p place, t *types.Named, field *types.Var, w weight) {
	if linked(field.Type()) {
		return // a missing link is an end, not a mistake
	}
	var lacking []building
	for _, b := range f.buildings(t) {
		if b.lacks(field) && !f.assignedAfter(b, field) {
			lacking = append(lacking, b)
		}
	}
	if len(lacking) == 0 || len(lacking) > 6 {
		return
	}
	first := lacking[0]
	f.note(f.neverSets(first, field), first.node().Pos())
	ch := f.change()
	value, grounds := "", ""
	for _, b := range lacking {
		v, ok := f.forgotten(b, field)
		if ok {
			w = origin - 1
		} else if v.text, v.path, ok = f.freshValue(b.place, field.Type(), b.declaration()); !ok {
			return
		}
		if !ch.setField(b, []fieldInit{{field, field.Name(), v.text}}) {
			return
		}
		ch.need(b.file, v.path)
		value, grounds = v.text, v.grounds
	}
	f.offer(idea{title: fmt.Sprintf("set %s in %s", field.Name(), first.buildName()), weight: w, change: ch, grounds: grounds,
		why: fmt.Sprintf("%s is built without %s; it now gets %s.", t.Obj().Name(), field.Name(), value)})
}

// valueAtDeclaration gives a variable its value where it is declared.
func (f nilRules) valueAtDeclaration(src source) {
	spec, ok := src.stmt.(*ast.ValueSpec)
	if !ok || spec.Type == nil || len(spec.Names) != 1 {
		return
	}
	at := src.of2(spec)
	text, path, ok := f.freshValue(at, src.object.Type(), nil)
	if !ok {
		return
	}
	ch := f.change().need(src.file, path)
	if _, isInterface := src.object.Type().Underlying().(*types.Interface); isInterface {
		ch.insert(spec.Type.End(), " = "+text)
	} else {
		ch.replace(spec.Type.Pos(), spec.Type.End(), "= "+text)
	}
	w := origin
	if len(f.definitions(src.place, src.object.(*types.Var))) > 1 {
		w = soft // it is assigned elsewhere: this only stands in
	}
	f.offer(idea{title: fmt.Sprintf("give %s a value where it is declared", src.object.Name()), weight: w, change: ch,
		why: fmt.Sprintf("%s (%s) now starts as %s.", src.object.Name(), f.where(spec.Pos()), text)})
}

// shadowed finds a := that declares another variable of the same name and type
// where the outer one was meant.
func (f nilRules) shadowed(src source) {
	v := src.object
	inScope := func(p place, as *ast.AssignStmt) bool {
		return isGlobal(v) || v != nil && v.Parent() != nil && v.Parent().Contains(as.Pos()) && as.Pos() > v.Pos()
	}
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			as, ok := n.(*ast.AssignStmt)
			if !ok || as.Tok != token.DEFINE || v == nil || !inScope(p, as) {
				return true
			}
			hit := -1
			for i, l := range as.Lhs {
				id, isIdent := l.(*ast.Ident)
				if !isIdent || id.Name != v.Name() || p.pkg.PkgPath != v.Pkg().Path() {
					continue
				}
				if def := p.info().Defs[id]; def != nil && types.Identical(def.Type(), v.Type()) {
					hit = i
				}
			}
			if hit >= 0 {
				f.unshadow(p, as, hit)
			}
			return true
		})
	})
}

func (f nilRules) unshadow(p place, as *ast.AssignStmt, hit int) {
	at := p.of(as)
	ch := f.change()
	lines := ""
	for i, l := range as.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok || i == hit || id.Name == "_" || p.info().Defs[id] == nil {
			continue
		}
		typ, fits := typeText(p, p.info().Defs[id].Type())
		if !fits {
			return
		}
		lines += fmt.Sprintf("var %s %s\n", id.Name, typ)
	}
	if lines != "" {
		if at.anchor() != ast.Stmt(as) {
			return
		}
		ch.before(as, strings.TrimSuffix(lines, "\n"))
	}
	ch.replace(as.TokPos, as.TokPos+2, "=")
	name := f.text(as.Lhs[hit])
	f.blame(fmt.Sprintf("%s (%s) sets another variable of that name with :=", funcName(at.function()), f.where(as.Pos())), as.Pos())
	outer := "the outer " + name
	if _, isGlobal := p.pkg.Types.Scope().Lookup(name).(*types.Var); isGlobal {
		outer = "the package's " + name
	}
	f.offer(idea{title: fmt.Sprintf("assign to %s instead of a new variable", outer), weight: origin - 3, change: ch,
		why: fmt.Sprintf("The := at %s declares a second %s that ends with its block; = sets the one that is used here.", f.where(as.Pos()), name)})
}

// valueForNil passes a fresh value where nil was passed or assigned.
func (f nilRules) valueForNil(src source, e *ast.Ident) {
	t := src.info().TypeOf(e)
	if src.object != nil {
		t = src.object.Type()
	}
	text, path, ok := f.freshValue(src.place, t, src.declaration())
	if !ok {
		return
	}
	f.offer(idea{title: fmt.Sprintf("give %s instead of nil", text), weight: origin + 2, change: f.change().replace(e.Pos(), e.End(), text).need(src.file, path),
		why: fmt.Sprintf("At %s a value takes the place of nil.", f.where(e.Pos()))})
}
