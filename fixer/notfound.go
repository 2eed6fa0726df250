package fixer

import (
	"fmt"
	"go/ast"
	"strings"
)

// callNoun names what a function looks for: findColumn and columnIndex give "column".
func callNoun(call *ast.CallExpr) string {
	name := callName(call)
	for _, suffix := range []string{"Index", "Position", "Pos", "At", "Of", "By", "Idx", "Named"} {
		if rest := strings.TrimSuffix(name, suffix); rest != name && rest != "" {
			name = rest
		}
	}
	if name == "index" || name == "position" || name == "search" {
		return "entry"
	}
	return spaced(name)
}

// notFound refuses the -1 that a search returns, right after it.
func (f libraryRules) notFound(p place, name string, src source, call *ast.CallExpr) {
	as, ok := src.stmt.(*ast.AssignStmt)
	if !ok || src.of2(as).anchor() != ast.Stmt(as) {
		return
	}
	m := message{percent(f.text(call)) + ": not found", nil}
	if len(call.Args) == 2 && isPathOrIndex(call.Args[0]) && isPathOrIndex(call.Args[1]) && isString(src.info().TypeOf(call.Args[0])) {
		m = message{"%q: no %q in it", []string{f.text(call.Args[0]), f.text(call.Args[1])}}
		if t := src.info().TypeOf(call.Args[1]); t != nil && !isString(t) {
			m = message{"%q: no %q in it", []string{f.text(call.Args[0]), "string(" + f.text(call.Args[1]) + ")"}}
		}
	}
	if fn := src.callee(call); fn != nil && fn.Pkg() != nil && f.ownsPackage(fn.Pkg()) {
		m, _ = f.missingMessage(source{place: src.place, expr: call}, callNoun(call))
	}
	at := src.of2(as)
	for _, e := range f.exits(at, m, "") {
		ch := f.change().after(as, "if "+name+" < 0 {\n\t"+indented(e.lines)+"\n}").need(p.file, e.imports...)
		if e.edit != nil && !e.edit(ch) {
			continue
		}
		f.offer(idea{rule: "notfound/not-found", title: fmt.Sprintf("check that %s was found: %s", name, shortHow(e)), weight: e.weight, change: ch, grounds: e.grounds,
			why: fmt.Sprintf("%s gives -1 when there is nothing; then %s %s.", short(f.text(call)), funcName(at.function()), e.how)})
	}
}
