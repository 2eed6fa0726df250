package fixer

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// ownError writes an error the way the function makes its others: with the
// package's own error type or its own helper.
func (f *exitFinder) ownError(p place, m message) (string, bool) {
	fn := p.function()
	result := ""
	ast.Inspect(bodyOf(fn), func(n ast.Node) bool {
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
func (f *exitFinder) likeHelper(p place, call *ast.CallExpr, m message) string {
	fn := p.callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != p.pkg.PkgPath || len(call.Args) == 0 {
		return ""
	}
	sig := fn.Type().(*types.Signature)
	n := sig.Params().Len()
	if !sig.Variadic() || n < 2 || !isString(sig.Params().At(n-2).Type()) || len(call.Args) < n-1 {
		return ""
	}
	args := make([]string, 0, n)
	for _, a := range call.Args[:n-2] {
		if !isPath(a) {
			return ""
		}
		args = append(args, f.text(a))
	}
	return f.text(call.Fun) + "(" + strings.Join(append(args, m.formatted()), ", ") + ")"
}

// formatted is the message as the arguments of a printf-like function.
func (m message) formatted() string {
	return strings.Join(append([]string{strconv.Quote(m.format)}, m.args...), ", ")
}

// likeLiteral copies &ParseError{Line: n, Msg: "…"} with another message.
func (f *exitFinder) likeLiteral(p place, lit *ast.CompositeLit, prefix string, m message) string {
	st, ok := underStruct(p.info().TypeOf(lit))
	if !ok || lit.Type == nil {
		return ""
	}
	text := m.quoted()
	if len(m.args) > 0 {
		text = pkgName(p.file, "fmt") + ".Sprintf(" + m.quoted() + ")"
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
		field := fieldOf(st, key.Name)
		switch {
		case field == nil:
			return ""
		case isString(field.Type()) && !used && isMessageName(key.Name) && (p.info().Types[kv.Value].Value != nil || !isPathOrIndex(kv.Value)):
			parts, used = append(parts, key.Name+": "+text), true
		case isError(field.Type()) && !used:
			errText, path := m.errorText(p.file)
			if path != "fmt" {
				return ""
			}
			parts, used = append(parts, key.Name+": "+errText), true
		case isPathOrIndex(kv.Value):
			parts = append(parts, key.Name+": "+f.text(kv.Value))
		}
	}
	if !used {
		return ""
	}
	return prefix + f.text(lit.Type) + "{" + strings.Join(parts, ", ") + "}"
}

func isMessageName(name string) bool {
	switch strings.ToLower(name) {
	case "msg", "message", "reason", "text", "detail", "details", "what", "problem", "description", "why", "cause":
		return true
	}
	return false
}

// isPath reports whether an expression is a name or a path of fields.
func isPath(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isPath(e.X)
	}
	return false
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func underStruct(t types.Type) (*types.Struct, bool) {
	if t == nil {
		return nil, false
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	return st, ok
}

func fieldOf(st *types.Struct, name string) *types.Var {
	for i := range st.NumFields() {
		if st.Field(i).Name() == name {
			return st.Field(i)
		}
	}
	return nil
}
