package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// libraryRefused: a function of a library panicked because of what it was given.
func (f libraryRules) libraryRefused(lib string) {
	p, call, ok := f.refusingCall(lib)
	if !ok {
		return
	}
	f.diagnosis.Expr = short(f.text(call))
	f.diagnosis.Sentence = fmt.Sprintf("%s (%s) panics: %s", f.text(call.Fun), f.where(call.Pos()), firstLine(f.panic.Message))
	fn := p.callee(call)
	name := ""
	if fn != nil {
		name = fn.Name()
	}
	switch {
	case strings.HasPrefix(f.panic.Message, "regexp: "):
		f.badPattern(p, call)
	case strings.Contains(f.panic.Message, "Builder copied by value"):
		f.copiedBuilder(p, call)
	case strings.Contains(f.panic.Message, "flag redefined"):
		f.flagTwice(p, call)
	case strings.Contains(f.panic.Message, "conflicts with pattern"), strings.Contains(f.panic.Message, "multiple registrations"):
		f.routeTwice(p, call)
	case strings.Contains(f.panic.Message, "inconsistently typed value"):
		f.storedOtherType(p, call)
	case strings.Contains(f.panic.Message, "called after Scan"):
		f.beforeScan(p, call)
	case strings.Contains(f.panic.Message, "negative count from Read"):
		f.negativeRead()
	case strings.Contains(f.panic.Message, "incorrect nonce length"), strings.Contains(f.panic.Message, "IV length must equal block size"):
		f.wrongNonce(p, call)
	case strings.Contains(f.panic.Message, "odd argument count"):
		f.oddPairs(p, call)
	case name == "Must":
		f.badTemplate(p, call)
	}
	f.mustToError(p, call, name)
	f.refusedValue(p, call)
}

// refusingCall finds the call of the library function on the culprit's line.
func (f libraryRules) refusingCall(lib string) (place, *ast.CallExpr, bool) {
	outer := lib
	for i := f.at - 1; i >= 0; i-- {
		if fr := f.c.Stop.Frames[i]; !fr.Runtime && !fr.User {
			outer = fr.Function
			break
		}
	}
	outer = debugger.WithoutTypeArguments(outer)
	name := outer[strings.LastIndexByte(outer, '.')+1:]
	var any place
	for _, p := range f.callsOnLine() {
		call := p.node().(*ast.CallExpr)
		fn := p.callee(call)
		if fn == nil || f.ownsPackage(fn.Pkg()) {
			continue
		}
		if fn.Name() == name {
			return p, call, true
		}
		if any.file == nil {
			any = p
		}
	}
	if any.file == nil {
		return place{}, nil, false
	}
	return any, any.node().(*ast.CallExpr), true
}

// mustToError calls the variant that returns an error in place of one that
// panics: Compile for MustCompile, the call itself for template.Must.
func (f libraryRules) mustToError(p place, call *ast.CallExpr, name string) {
	if name == "Must" && len(call.Args) == 1 {
		if inner, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr); ok && !isConstantCall(p, inner) {
			f.refusalRules.handleResult(p, call, f.text(inner), inner)
		}
		return
	}
	rest, ok := strings.CutPrefix(name, "Must")
	sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || rest == "" || !isSel || len(call.Args) == 0 || isConstantCall(p, call) {
		return
	}
	fn := p.callee(call)
	if sig := fn.Type().(*types.Signature); sig.Recv() == nil && fn.Pkg().Scope().Lookup(rest) == nil {
		return
	}
	text := f.text(sel.X) + "." + rest + strings.TrimPrefix(f.text(call), f.text(call.Fun))
	f.handleMust(p, call, text)
}

// isConstantCall reports whether a call is given constants only: then the
// program text is wrong, and an error would help no caller.
func isConstantCall(p place, call *ast.CallExpr) bool {
	for _, a := range call.Args {
		if tv := p.info().Types[a]; tv.Value == nil {
			return false
		}
	}
	return true
}

// handleMust is handleResult for a call whose error variant has another name.
func (f libraryRules) handleMust(p place, call *ast.CallExpr, text string) {
	anchor := p.anchor()
	if anchor == nil || !hoistable(p, anchor) {
		return
	}
	at := p.of(anchor)
	for _, e := range f.exits(at, message{"%v", []string{"err"}}, "err") {
		ch := f.change().need(p.file, e.imports...)
		check := fmt.Sprintf("if err != nil {\n\t%s\n}", indented(e.lines))
		if as, ok := anchor.(*ast.AssignStmt); ok && len(as.Lhs) == 1 && ast.Unparen(as.Rhs[0]) == ast.Expr(call) && as.Tok.String() == ":=" {
			ch.insert(as.Lhs[0].End(), ", err").replace(call.Pos(), call.End(), text).after(as, check)
		} else {
			name := ch.fresh(at, mustName(f.text(call.Fun)), "value", "parsed")
			ch.before(anchor, fmt.Sprintf("%s, err := %s\n%s", name, text, check)).replace(call.Pos(), call.End(), name)
		}
		if e.edit != nil && !e.edit(ch) {
			continue
		}
		f.offer(idea{rule: "library/handle-must", title: fmt.Sprintf("check the error instead of %s: %s", f.text(call.Fun), shortHow(e)), weight: e.weight, change: ch, grounds: e.grounds,
			why: fmt.Sprintf("What is given here is not known to be right; where it is not, %s %s.", funcName(at.function()), e.how)})
	}
}

// mustName names the result of a Must function.
func mustName(fun string) string {
	if strings.HasPrefix(fun, "regexp.") {
		return "re"
	}
	return "parsed"
}

// badTemplate: the text of a template is none, or it is parsed before it knows
// its functions.
func (f libraryRules) badTemplate(p place, call *ast.CallExpr) {
	inner, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr)
	if !ok {
		return
	}
	msg := f.panic.Message
	switch {
	case strings.Contains(msg, "not defined") && strings.Contains(msg, "function"):
		f.functionsFirst(p, call, inner)
	case strings.Contains(msg, "unexpected EOF"):
		f.closeTemplate(p, inner)
	}
}

// functionsFirst hands a template its functions before its text.
func (f libraryRules) functionsFirst(p place, must, parse *ast.CallExpr) {
	sel, ok := parse.Fun.(*ast.SelectorExpr)
	outer, isOuter := p.path[1].(*ast.SelectorExpr)
	if !ok {
		return
	}
	if isOuter && outer.Sel.Name == "Funcs" && len(p.path) > 2 {
		whole, isCall := p.path[2].(*ast.CallExpr)
		if !isCall {
			return
		}
		args := strings.TrimPrefix(f.text(whole), f.text(whole.Fun))
		ch := f.change().insert(sel.X.End(), ".Funcs"+args).replace(must.End(), whole.End(), "")
		f.offer(idea{rule: "library/functions-first", title: "give the template its functions before its text", weight: origin - 1, change: ch,
			why: "A function must be known when the text that calls it is parsed."})
		return
	}
	m := regexp.MustCompile(`function "(\w+)" not defined`).FindStringSubmatch(f.panic.Message)
	if m == nil {
		return
	}
	usual := map[string]string{"upper": "ToUpper", "toUpper": "ToUpper", "lower": "ToLower", "toLower": "ToLower", "trim": "TrimSpace", "join": "Join",
		"contains": "Contains", "split": "Split", "replace": "ReplaceAll", "repeat": "Repeat", "hasPrefix": "HasPrefix", "hasSuffix": "HasSuffix", "title": "Title"}
	if value := usual[m[1]]; value != "" {
		tmpl := f.text(parse.Fun)
		tmpl = tmpl[:strings.IndexByte(tmpl, '.')]
		ch := f.change().insert(sel.X.End(), fmt.Sprintf(".Funcs(%s.FuncMap{%q: %s.%s})", tmpl, m[1], pkgName(p.file, "strings"), value)).need(p.file, "strings")
		f.offer(idea{rule: "library/functions-first", title: fmt.Sprintf("give the template a function %s", m[1]), weight: origin, change: ch,
			why: fmt.Sprintf("The text calls %s, which templates do not have by themselves.", m[1])})
	}
}

// closeTemplate adds the end that an if, range or with lacks.
func (f libraryRules) closeTemplate(p place, parse *ast.CallExpr) {
	if len(parse.Args) != 1 {
		return
	}
	lit, ok := ast.Unparen(parse.Args[0]).(*ast.BasicLit)
	if id, isIdent := ast.Unparen(parse.Args[0]).(*ast.Ident); isIdent {
		if c, isConst := p.info().ObjectOf(id).(*types.Const); isConst {
			f.each(func(q place) {
				ast.Inspect(q.file, func(n ast.Node) bool {
					if vs, isSpec := n.(*ast.ValueSpec); isSpec && len(vs.Names) == 1 && len(vs.Values) == 1 && q.info().Defs[vs.Names[0]] == types.Object(c) {
						lit, ok = vs.Values[0].(*ast.BasicLit)
					}
					return true
				})
			})
		}
	}
	if !ok || lit == nil {
		return
	}
	f.offer(idea{rule: "library/close-template", title: "end what the template begins", weight: origin + 1, change: f.change().insert(lit.End()-1, "{{end}}"),
		why: "An if, range or with of the text has no end."})
}
