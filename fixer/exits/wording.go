package exits

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// Errors are worded as the function words its others, with the same beginning
// ("line %d: …"), and name what they are about.

// prefixed begins a message as the function begins its other errors.
func (f *Finder) prefixed(p syntax.Place, m Message) Message {
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
	if strings.HasPrefix(m.Format, found[0].format) {
		return m
	}
	return Message{found[0].format + m.Format, append(append([]string(nil), found[0].args...), m.Args...)}
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

// ownError writes an error the way the function makes its others: with the
// package's own error type or its own helper.
func (f *Finder) ownError(p syntax.Place, m Message) (string, bool) {
	fn := p.Function()
	result := ""
	ast.Inspect(syntax.BodyOf(fn), func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok && n != fn {
			return false
		}
		r, ok := n.(*ast.ReturnStmt)
		if !ok || len(r.Results) == 0 || result != "" {
			return true
		}
		switch e := ast.Unparen(r.Results[len(r.Results)-1]).(type) {
		case *ast.CallExpr:
			result = f.likeHelper(p, e, m)
		case *ast.UnaryExpr:
			if lit, ok := e.X.(*ast.CompositeLit); ok && e.Op == token.AND {
				result = f.likeLiteral(p, lit, "&", m)
			}
		case *ast.CompositeLit:
			result = f.likeLiteral(p, e, "", m)
		}
		return true
	})
	return result, result != ""
}

// likeHelper copies a call such as p.errorf("…", args) with another message.
func (f *Finder) likeHelper(p syntax.Place, call *ast.CallExpr, m Message) string {
	fn := p.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != p.Pkg.PkgPath || len(call.Args) == 0 {
		return ""
	}
	sig := fn.Type().(*types.Signature)
	n := sig.Params().Len()
	if !sig.Variadic() || n < 2 || !syntax.IsString(sig.Params().At(n-2).Type()) || len(call.Args) < n-1 {
		return ""
	}
	args := make([]string, 0, n)
	for _, a := range call.Args[:n-2] {
		if !syntax.IsPath(a) {
			return ""
		}
		args = append(args, f.Text(a))
	}
	return f.Text(call.Fun) + "(" + strings.Join(append(args, m.formatted()), ", ") + ")"
}

// formatted is the message as the arguments of a printf-like function.
func (m Message) formatted() string {
	return strings.Join(append([]string{strconv.Quote(m.Format)}, m.Args...), ", ")
}

// likeLiteral copies &ParseError{Line: n, Msg: "…"} with another message.
func (f *Finder) likeLiteral(p syntax.Place, lit *ast.CompositeLit, prefix string, m Message) string {
	st, ok := syntax.UnderStruct(p.Info().TypeOf(lit))
	if !ok || lit.Type == nil {
		return ""
	}
	text := m.quoted()
	if len(m.Args) > 0 {
		text = syntax.PkgName(p.File, "fmt") + ".Sprintf(" + m.quoted() + ")"
	}
	var parts []string
	used := false
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return ""
		}
		key, ok := kv.Key.(*ast.Ident)
		if !ok {
			return ""
		}
		field := syntax.FieldOf(st, key.Name)
		switch {
		case field == nil:
			return ""
		case syntax.IsString(field.Type()) && !used && isMessageName(key.Name) && (p.Info().Types[kv.Value].Value != nil || !syntax.IsPathOrIndex(kv.Value)):
			parts, used = append(parts, key.Name+": "+text), true
		case syntax.IsError(field.Type()) && !used:
			errText, path := m.errorText(p.File)
			if path != "fmt" {
				return ""
			}
			parts, used = append(parts, key.Name+": "+errText), true
		case syntax.IsPathOrIndex(kv.Value):
			parts = append(parts, key.Name+": "+f.Text(kv.Value))
		}
	}
	if !used {
		return ""
	}
	return prefix + f.Text(lit.Type) + "{" + strings.Join(parts, ", ") + "}"
}

func isMessageName(name string) bool {
	switch strings.ToLower(name) {
	case "msg", "message", "reason", "text", "detail", "details", "what", "problem", "description", "why", "cause":
		return true
	}
	return false
}
