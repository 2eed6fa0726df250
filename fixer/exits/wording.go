package exits

import (
	"go/ast"
	"go/constant"
	"go/types"
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
