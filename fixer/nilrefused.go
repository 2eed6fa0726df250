package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// refuseAt checks a value for nil right where it was got: after the
// assignment, in the function that made it.
func (f nilRules) refuseAt(s suspect, src source, why string) {
	as, ok := src.stmt.(*ast.AssignStmt)
	if !ok || src.object == nil || src.file == nil || isError(src.object.Type()) {
		return // without an error all is well
	}
	at := src.of2(as)
	name := src.object.Name()
	if at.anchor() != ast.Stmt(as) || !declares(at, as, src.object) {
		return
	}
	m, cond := f.missingMessage(src, name)
	same := at.function() == s.function()
	var after ast.Stmt = as
	if checks := at.checksOf(as, src.object); len(checks) > 0 {
		after = checks[len(checks)-1]
	}
	if same && as.End() < s.expr.Pos() && s.expr.Pos() < after.End() {
		return // which is too late
	}
	for _, e := range f.exitsWithout(at, m, name) {
		ch := f.change().need(at.file, e.imports...)
		ch.after(after, fmt.Sprintf("if %s {\n\t%s\n}", cond, indented(e.lines)))
		if e.edit != nil && !e.edit(ch) {
			continue
		}
		w := e.weight
		if !same && w < hiding {
			w -= 5
		}
		f.offer(idea{rule: "nil/refuse-at", title: fmt.Sprintf("check %s where it is looked up: %s", name, shortHow(e)), weight: w, change: ch, grounds: e.grounds,
			why: fmt.Sprintf("Where %s (%s) gives nothing, %s %s.", short(f.text(src.expr)), f.where(as.Pos()), funcName(at.function()), e.how)})
	}
}

// missingMessage says what was not there.
func (f nilRules) missingMessage(src source, name string) (message, string) {
	cond := name + " == nil"
	name = noun(name, src.info().TypeOf(src.expr))
	switch e := ast.Unparen(src.expr).(type) {
	case *ast.IndexExpr:
		if isMap(src.info().TypeOf(e.X)) && isPathOrIndex(e.Index) {
			return keyMessage(src.place, name, e.Index, f.text(e.Index)), cond
		}
	case *ast.CallExpr:
		for _, a := range stringsFirst(src.place, e.Args) {
			if t := src.info().TypeOf(a); t != nil && isPathOrIndex(a) {
				if _, basic := t.Underlying().(*types.Basic); basic {
					return keyMessage(src.place, name, a, f.text(a)), cond
				}
			}
		}
		return message{percent(f.text(e.Fun)) + " returned no " + name, nil}, cond
	}
	return message{"no " + name, nil}, cond
}

// noun is what a value is called in a message: by its type where the name of the
// variable is too short to mean something to a reader.
func noun(name string, t types.Type) string {
	if results, ok := t.(*types.Tuple); ok && results.Len() > 0 {
		t = results.At(0).Type()
	}
	if n := named(t); n != nil && len(name) <= 2 {
		return lowerFirst(n.Obj().Name())
	}
	return name
}

// stringsFirst puts arguments that are text before the others.
func stringsFirst(p place, args []ast.Expr) []ast.Expr {
	var texts, others []ast.Expr
	for _, a := range args {
		if t := p.info().TypeOf(a); t != nil && isString(t) {
			texts = append(texts, a)
		} else {
			others = append(others, a)
		}
	}
	return append(texts, others...)
}

func keyMessage(p place, name string, key ast.Expr, text string) message {
	if tv := p.info().Types[key]; tv.Value != nil {
		return message{fmt.Sprintf("no %s for %s", name, percent(strings.ReplaceAll(text, `"`, "'"))), nil}
	}
	verb := "%v"
	if t := p.info().TypeOf(key); t != nil && isString(t) {
		verb = "%q"
	}
	if tv := p.info().TypeOf(key); tv != nil && isString(tv) && !strings.HasPrefix(name, "entry") {
		return message{"no " + name + " %q", []string{text}}
	}
	return message{"no " + name + " for " + verb, []string{text}}
}

// refuseNil is the guard at the symptom.
func (f nilRules) refuseNil(s suspect, src source) {
	if call, ok := ast.Unparen(s.bad).(*ast.CallExpr); ok {
		if fn := s.callee(call); fn == nil || fn.FullName() != "reflect.TypeOf" { // which returns nil for nil
			return
		}
		at := slices.IndexFunc(call.Args, func(a ast.Expr) bool { return f.nothing(s.place, a) == "nil" })
		if at < 0 {
			return
		}
		s.bad, src = call.Args[at], source{}
	}
	if !isPathOrIndex(s.bad) {
		return
	}
	text := f.text(s.bad)
	f.shortCircuit(s.place, good(text+" != nil"), text+" == nil", "nil")
	f.guard(s.place, text+" == nil", f.nilMessage(s, src), text)
}

func (f nilRules) nilMessage(s suspect, src source) message {
	text := f.text(s.bad)
	if ix, ok := s.bad.(*ast.IndexExpr); ok && isPathOrIndex(ix.Index) && isMap(s.info().TypeOf(ix.X)) {
		return keyMessage(s.place, "entry in "+percent(f.text(ix.X)), ix.Index, f.text(ix.Index))
	}
	if sel, ok := s.bad.(*ast.SelectorExpr); ok {
		if id, key := f.nameField(s.place, sel.X); key != "" {
			return message{id + " has no " + sel.Sel.Name, []string{key}}
		}
		return message{percent(f.text(sel.X)) + " has no " + sel.Sel.Name, nil}
	}
	if src.expr != nil && src.declaration() == s.declaration() && src.stmt != nil && src.of != fromRange {
		m, _ := f.missingMessage(src, lastName(s.bad))
		return m
	}
	if n := named(s.info().TypeOf(s.bad)); n != nil && isPath(s.bad) {
		return message{"no " + lowerFirst(n.Obj().Name()) + ": " + percent(text) + " is nil", nil}
	}
	return message{percent(text) + " is nil", nil}
}

// nameField finds a field that names a record for people: its ID, Name, Key or the like.
func (f nilRules) nameField(p place, e ast.Expr) (format, expr string) {
	t := p.info().TypeOf(e)
	st, ok := underStruct(t)
	n := named(t)
	if !ok || n == nil || !isPath(e) {
		return "", ""
	}
	for _, want := range []string{"Name", "name", "ID", "Id", "id", "Key", "key", "Title", "title", "SKU", "Code", "Email", "Path"} {
		field := fieldOf(st, want)
		if field == nil || !field.Exported() && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() != p.pkg.PkgPath {
			continue
		}
		if b, basic := field.Type().Underlying().(*types.Basic); basic {
			verb := "%v"
			if b.Info()&types.IsString != 0 {
				verb = "%q"
			}
			return strings.ToLower(n.Obj().Name()) + " " + verb, f.text(e) + "." + want
		}
	}
	return "", ""
}
