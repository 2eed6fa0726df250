package fixer

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
	"strings"
)

// Errors are worded as the function words its others, with the same beginning
// ("line %d: …"), and name what they are about.

// prefixed begins a message as the function begins its other errors.
func (f *exitFinder) prefixed(p place, m message) message {
	type beginning struct {
		format string
		args   []string
	}
	var found []beginning
	body := bodyOf(p.function())
	if body == nil {
		return m
	}
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !isErrorMaker(p, call) || len(call.Args) == 0 {
			return true
		}
		tv := p.info().Types[call.Args[0]]
		if tv.Value == nil || tv.Value.Kind() != constant.String {
			return true
		}
		format := constant.StringVal(tv.Value)
		cut := strings.Index(format, ": ")
		if cut < 0 {
			return true
		}
		head := format[:cut+2]
		verbs := strings.Count(head, "%")
		if verbs > len(call.Args)-1 || strings.Contains(head, "%w") {
			return true
		}
		b := beginning{format: head}
		for _, a := range call.Args[1 : 1+verbs] {
			if !meansTheSame(p, a) {
				return true
			}
			b.args = append(b.args, f.text(a))
		}
		if strings.HasPrefix(format[cut+2:], "%w") || strings.HasPrefix(format[cut+2:], "%v") {
			if verbs == 0 {
				return true // "open log: %w" names what was done, not where
			}
		}
		found = append(found, b)
		return true
	})
	if len(found) == 0 {
		return m
	}
	for _, b := range found[1:] {
		if b.format != found[0].format {
			return m
		}
	}
	if strings.HasPrefix(m.format, found[0].format) {
		return m
	}
	return message{found[0].format + m.format, append(append([]string(nil), found[0].args...), m.args...)}
}

// isErrorMaker recognizes fmt.Errorf and errors.New.
func isErrorMaker(p place, call *ast.CallExpr) bool {
	fn := p.callee(call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	full := fn.Pkg().Path() + "." + fn.Name()
	return full == "fmt.Errorf" || full == "errors.New"
}

// meansTheSame reports whether the names in an expression of the same function
// mean the same at p, and it cannot fail there: elements that are not there do.
func meansTheSame(p place, e ast.Expr) bool {
	scope := p.pkg.Types.Scope().Innermost(p.node().Pos())
	if scope == nil || !isPathOrIndex(e) {
		return false
	}
	fine := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SliceExpr:
			fine = false
		case *ast.IndexExpr:
			fine = fine && (isMap(p.info().TypeOf(n.X)) || p.info().Types[n.Index].Value != nil)
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return fine
		}
		obj := p.info().Uses[id]
		if v, isVar := obj.(*types.Var); !isVar || v.IsField() {
			return fine
		}
		_, seen := scope.LookupParent(id.Name, p.node().Pos())
		fine = fine && seen == obj
		return fine
	})
	return fine
}

// thing names what a text is for people: "line", "version"; from the name of
// the variable, or of a function that parses it.
func (f indexRules) thing(p place, text string) string {
	name := lowerFirst(text[strings.LastIndexByte(text, '.')+1:])
	generic := len(name) <= 2 || name == "str" || name == "text" || name == "raw" || name == "arg" || name == "val" || name == "value" || name == "input" || name == "data" || name == "buf"
	if d := p.declaration(); d != nil && generic {
		low := lowerFirst(d.Name.Name)
		for _, verb := range []string{"parse", "decode", "read", "split", "scan", "unmarshal", "load"} {
			if rest := strings.TrimPrefix(low, verb); rest != low && rest != "" {
				return spaced(lowerFirst(rest))
			}
		}
	}
	if generic {
		return ""
	}
	return spaced(name)
}

// spaced writes camel case as words.
func spaced(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte(' ')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// separatorOf returns the constant text at which a call of strings.Split and
// the like cuts; fields is true for those that cut at white space.
func separatorOf(p place, call *ast.CallExpr) (sep string, fields, ok bool) {
	fn := p.callee(call)
	if fn == nil {
		return "", false, false
	}
	switch fn.Name() {
	case "Fields":
		return "", true, true
	case "Split", "SplitN", "SplitAfter", "SplitAfterN":
		if len(call.Args) < 2 {
			return "", false, false
		}
		tv := p.info().Types[call.Args[1]]
		if tv.Value != nil && tv.Value.Kind() == constant.String {
			return constant.StringVal(tv.Value), false, true
		}
	}
	return "", false, false
}

// malformed words what is wrong with a text that has too few parts.
func (f indexRules) malformed(x indexing, n int64) (message, bool) {
	src := f.trace(x.place, -1, x.base)
	call, ok := src.expr.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || src.result != 0 || src.declaration() != x.declaration() {
		return message{}, false
	}
	fn := src.callee(call)
	if fn == nil || fn.Pkg() == nil {
		return message{}, false
	}
	arg := f.subject(src.place, call)
	if arg == nil {
		return message{}, false
	}
	text := f.text(arg)
	thing := f.thing(x.place, text)
	lead := "%q"
	if thing != "" {
		lead = thing + " %q"
	}
	switch pkg := fn.Pkg().Path(); {
	case pkg == "strings" || pkg == "bytes":
		sep, fields, known := separatorOf(src.place, call)
		switch {
		case known && !fields && n == 1 && sep != "":
			return message{lead + " has no " + strings.ReplaceAll(strconv.Quote(sep), "%", "%%"), []string{text}}, true
		case known && fields:
			return message{lead + " has %d fields, want at least " + fmt.Sprint(n+1), []string{text, "len(" + f.text(x.base) + ")"}}, true
		default:
			return message{lead + " has %d parts, want at least " + fmt.Sprint(n+1), []string{text, "len(" + f.text(x.base) + ")"}}, true
		}
	case pkg == "regexp" && strings.HasPrefix(fn.Name(), "Find"):
		return message{"malformed " + lead, []string{text}}, true
	}
	return message{}, false
}

// subject is the text that a call takes apart: its first argument, or, for one
// that was trimmed or converted on the way, what was given to that.
func (f indexRules) subject(p place, call *ast.CallExpr) ast.Expr {
	for e := call.Args[0]; ; {
		if isPath(e) {
			if t := p.info().TypeOf(e); t != nil && isString(t) {
				return e
			}
			return nil
		}
		inner, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || len(inner.Args) == 0 {
			return nil
		}
		e = inner.Args[0]
	}
}
