package bounds

import (
	"fmt"
	"go/ast"
	"go/constant"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/syntax"
)

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
func (f indexRules) malformed(x indexing, n int64) (exits.Message, bool) {
	src := f.Trace(x.Place, -1, x.base)
	call, ok := src.Expr.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || src.Result != 0 || src.Declaration() != x.Declaration() {
		return exits.Message{}, false
	}
	fn := src.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return exits.Message{}, false
	}
	arg := f.subject(src.Place, call)
	if arg == nil {
		return exits.Message{}, false
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
			return exits.Message{Format: lead + " has no " + strings.ReplaceAll(strconv.Quote(sep), "%", "%%"), Args: []string{text}}, true
		case known && fields:
			return exits.Message{Format: lead + " has %d fields, want at least " + fmt.Sprint(n+1), Args: []string{text, "len(" + f.Text(x.base) + ")"}}, true
		default:
			return exits.Message{Format: lead + " has %d parts, want at least " + fmt.Sprint(n+1), Args: []string{text, "len(" + f.Text(x.base) + ")"}}, true
		}
	case pkg == "regexp" && strings.HasPrefix(fn.Name(), "Find"):
		return exits.Message{Format: "malformed " + lead, Args: []string{text}}, true
	}
	return exits.Message{}, false
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
