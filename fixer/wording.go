package fixer

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// Errors are worded as the function words its others, with the same beginning
// ("line %d: …"), and name what they are about.

// prefixed begins a message as the function begins its other errors.
func (f *exitFinder) prefixed(p syntax.Place, m message) message {
	type beginning struct {
		format string
		args   []string
	}
	var found []beginning
	body := syntax.BodyOf(p.Function())
	if body == nil {
		return m
	}
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !isErrorMaker(p, call) || len(call.Args) == 0 {
			return true
		}
		tv := p.Info().Types[call.Args[0]]
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
			b.args = append(b.args, f.Text(a))
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
func isErrorMaker(p syntax.Place, call *ast.CallExpr) bool {
	fn := p.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	full := fn.Pkg().Path() + "." + fn.Name()
	return full == "fmt.Errorf" || full == "errors.New"
}

// meansTheSame reports whether the names in an expression of the same function
// mean the same at p, and it cannot fail there: elements that are not there do.
func meansTheSame(p syntax.Place, e ast.Expr) bool {
	scope := p.Pkg.Types.Scope().Innermost(p.Node().Pos())
	if scope == nil || !syntax.IsPathOrIndex(e) {
		return false
	}
	fine := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SliceExpr:
			fine = false
		case *ast.IndexExpr:
			fine = fine && (syntax.IsMap(p.Info().TypeOf(n.X)) || p.Info().Types[n.Index].Value != nil)
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return fine
		}
		obj := p.Info().Uses[id]
		if v, isVar := obj.(*types.Var); !isVar || v.IsField() {
			return fine
		}
		_, seen := scope.LookupParent(id.Name, p.Node().Pos())
		fine = fine && seen == obj
		return fine
	})
	return fine
}

// thing names what a text is for people: "line", "version"; from the name of
// the variable, or of a function that parses it.
func (f indexRules) thing(p syntax.Place, text string) string {
	name := syntax.LowerFirst(text[strings.LastIndexByte(text, '.')+1:])
	generic := len(name) <= 2 || name == "str" || name == "text" || name == "raw" || name == "arg" || name == "val" || name == "value" || name == "input" || name == "data" || name == "buf"
	if d := p.Declaration(); d != nil && generic {
		low := syntax.LowerFirst(d.Name.Name)
		for _, verb := range []string{"parse", "decode", "read", "split", "scan", "unmarshal", "load"} {
			if rest := strings.TrimPrefix(low, verb); rest != low && rest != "" {
				return syntax.Spaced(syntax.LowerFirst(rest))
			}
		}
	}
	if generic {
		return ""
	}
	return syntax.Spaced(name)
}

// separatorOf returns the constant text at which a call of strings.Split and
// the like cuts; fields is true for those that cut at white space.
func separatorOf(p syntax.Place, call *ast.CallExpr) (sep string, fields, ok bool) {
	fn := p.Callee(call)
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
		tv := p.Info().Types[call.Args[1]]
		if tv.Value != nil && tv.Value.Kind() == constant.String {
			return constant.StringVal(tv.Value), false, true
		}
	}
	return "", false, false
}

// malformed words what is wrong with a text that has too few parts.
func (f indexRules) malformed(x indexing, n int64) (message, bool) {
	src := f.Trace(x.Place, -1, x.base)
	call, ok := src.Expr.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || src.Result != 0 || src.Declaration() != x.Declaration() {
		return message{}, false
	}
	fn := src.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return message{}, false
	}
	arg := f.subject(src.Place, call)
	if arg == nil {
		return message{}, false
	}
	text := f.Text(arg)
	thing := f.thing(x.Place, text)
	lead := "%q"
	if thing != "" {
		lead = thing + " %q"
	}
	switch pkg := fn.Pkg().Path(); {
	case pkg == "strings" || pkg == "bytes":
		sep, fields, known := separatorOf(src.Place, call)
		switch {
		case known && !fields && n == 1 && sep != "":
			return message{lead + " has no " + strings.ReplaceAll(strconv.Quote(sep), "%", "%%"), []string{text}}, true
		case known && fields:
			return message{lead + " has %d fields, want at least " + fmt.Sprint(n+1), []string{text, "len(" + f.Text(x.base) + ")"}}, true
		default:
			return message{lead + " has %d parts, want at least " + fmt.Sprint(n+1), []string{text, "len(" + f.Text(x.base) + ")"}}, true
		}
	case pkg == "regexp" && strings.HasPrefix(fn.Name(), "Find"):
		return message{"malformed " + lead, []string{text}}, true
	}
	return message{}, false
}

// subject is the text that a call takes apart: its first argument, or, for one
// that was trimmed or converted on the way, what was given to that.
func (f indexRules) subject(p syntax.Place, call *ast.CallExpr) ast.Expr {
	for e := call.Args[0]; ; {
		if syntax.IsPath(e) {
			if t := p.Info().TypeOf(e); t != nil && syntax.IsString(t) {
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
