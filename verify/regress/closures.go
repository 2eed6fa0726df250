package regress

import (
	"go/ast"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/regress/value"
	"github.com/pausetui/pausetui/verify/syntax"
)

// closures finds function literals of a package by the names that the compiler
// gives them.
type closures struct{ pkg *packages.Package }

func closuresOf(fn workspace.Func) closures { return closures{fn.Package} }

// find returns the literal of a name such as "main.(*T).Run.func2.1": the first
// literal in the second one of the method Run.
func (c closures) find(function string) (value.Closure, bool) {
	name := symbol(function)
	if short(function) != c.pkg.Types.Name()+"."+name && short(function) != "main."+name {
		return value.Closure{}, false
	}
	for _, file := range c.pkg.Syntax {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			rest, ok := strings.CutPrefix(name, declared(workspace.Func{Decl: decl})+".func")
			if !ok {
				continue
			}
			lit := nested(decl.Body, strings.Split(rest, "."))
			source, err := regular.Read(c.pkg.Fset.Position(decl.Pos()).Filename)
			if lit == nil || err != nil || c.pkg.Fset.Position(lit.End()).Offset > len(source) {
				return value.Closure{}, false
			}
			return value.Closure{Lit: lit, Info: c.pkg.TypesInfo, Fset: c.pkg.Fset, Source: source}, true
		}
	}
	return value.Closure{}, false
}

// nested follows the numbers of literals inward; nil where there is none.
func nested(body ast.Node, numbers []string) *ast.FuncLit {
	var lit *ast.FuncLit
	for _, text := range numbers {
		n, err := strconv.Atoi(text)
		list := syntax.Literals(body)
		if err != nil || n < 1 || n > len(list) {
			return nil
		}
		lit = list[n-1]
		body = lit.Body
	}
	return lit
}
