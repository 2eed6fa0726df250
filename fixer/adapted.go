package fixer

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// adapted writes a node of one function for a place in another: expressions are
// swapped by their text, and a message that names the one function names the
// other. It is false where a name would mean something else there: a local
// variable that is not among the swaps, or a message that names one.
func (f *exitFinder) adapted(from syntax.Place, root ast.Node, to syntax.Place, swaps map[string]string) (string, bool) {
	scope := to.Pkg.Types.Scope().Innermost(to.Node().Pos())
	if scope == nil {
		return "", false
	}
	a := &adaptation{f: f.Code, from: from, to: to, scope: scope, root: root, swaps: swaps, fits: true}
	ast.Inspect(root, a.visit)
	text, ok := code.SplicedText(f.Text(root), a.list)
	if !ok || !a.fits {
		return "", false
	}
	pos := f.Case.Code.Fset.PositionFor(root.Pos(), false)
	return strings.ReplaceAll(text, "\n"+code.LineIndent(f.Source(pos.Filename), pos.Offset), "\n"), true
}

// adaptation is the state of one walk of adapted.
type adaptation struct {
	f        *code.Code
	from, to syntax.Place
	scope    *types.Scope // at to
	root     ast.Node
	swaps    map[string]string
	list     []code.Splice
	fits     bool
}

func (a *adaptation) visit(n ast.Node) bool {
	if !a.fits {
		return false
	}
	e, ok := n.(ast.Expr)
	if !ok {
		return true
	}
	if with, hit := a.swaps[a.f.Text(e)]; hit {
		a.swap(e, with)
		return false
	}
	switch e := e.(type) {
	case *ast.SelectorExpr: // not the name of a field
		ast.Inspect(e.X, a.visit)
		return false
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			a.message(e)
		}
	case *ast.Ident:
		a.fits = a.meansTheSame(e)
	}
	return true
}

func (a *adaptation) swap(e ast.Expr, with string) {
	fset := a.f.Case.Code.Fset
	at := fset.PositionFor(e.Pos(), false).Offset - fset.PositionFor(a.root.Pos(), false).Offset
	a.list = append(a.list, code.Splice{Start: at, End: at + len(a.f.Text(e)), Text: with, Order: len(a.list)})
}

// meansTheSame reports whether a name that is not swapped is the same object at
// the other place.
func (a *adaptation) meansTheSame(id *ast.Ident) bool {
	obj := a.from.Info().Uses[id]
	if obj == nil || syntax.Contains(a.root, obj.Pos()) || obj.Parent() == types.Universe {
		return true
	}
	switch o := obj.(type) {
	case *types.Var:
		if o.IsField() {
			return true // the key of a literal
		}
	case *types.PkgName:
		return true // the change imports it
	}
	if a.from.Pkg != a.to.Pkg {
		return false
	}
	_, seen := a.scope.LookupParent(id.Name, a.to.Node().Pos())
	return seen == obj
}

// message makes a text that begins with the name of the one function begin with
// that of the other. One that names the function elsewhere is about something
// that the other function may not do.
func (a *adaptation) message(lit *ast.BasicLit) {
	text := lit.Value
	ours, theirs := a.from.Declaration(), a.to.Declaration()
	if ours != nil && theirs != nil && ours != theirs {
		if t := typeOfMethod(ours); t != "" && t != typeOfMethod(theirs) && wordPattern(t).MatchString(text) {
			a.fits = false
			return
		}
		for _, form := range []func(string) string{func(s string) string { return s }, syntax.LowerFirst, func(s string) string { return syntax.Spaced(syntax.LowerFirst(s)) }} {
			name := form(ours.Name.Name)
			beginning := regexp.MustCompile("^([\"`](?:\\w+\\.)?)" + regexp.QuoteMeta(name) + ": ")
			text = beginning.ReplaceAllString(text, "${1}"+form(theirs.Name.Name)+": ")
			if _, noun := a.swaps[name]; !noun && name != form(theirs.Name.Name) && wordPattern(name).MatchString(text) {
				a.fits = false
				return
			}
		}
	}
	for name, with := range a.swaps {
		if !token.IsIdentifier(name) || name == with || !wordPattern(name).MatchString(text) {
			continue
		}
		if !token.IsIdentifier(with) {
			a.fits = false
			return
		}
		text = wordPattern(name).ReplaceAllLiteralString(text, with)
	}
	if text != lit.Value {
		a.swap(lit, text)
	}
}

// typeOfMethod names the type that a method belongs to.
func typeOfMethod(d *ast.FuncDecl) string {
	t, _, ok := strings.Cut(syntax.FuncName(d), ".")
	if !ok {
		return ""
	}
	return t
}

func wordPattern(name string) *regexp.Regexp {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
}
