package exits

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// adapted writes a node of one function for a place in another: expressions are
// swapped by their text, and a message that names the one function names the
// other. It is false where a name would mean something else there: a local
// variable that is not among the swaps, or a message that names one.
func (f *Finder) adapted(from syntax.Place, root ast.Node, to syntax.Place, swaps map[string]string) (string, bool) {
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

// alikeExits writes what neighbors do with the same bad value.
func (f *Finder) alikeExits(p syntax.Place) []Exit {
	var list []Exit
	for _, r := range f.Alike {
		for _, lines := range f.ported(r, p) {
			list = append(list, Exit{Lines: lines, Imports: packagesUsed(r), Weight: Origin - 1,
				How: fmt.Sprintf("does as %s does (%s)", syntax.FuncName(r.Function()), f.Where(r.Stmt.Pos()))})
		}
		if len(list) > 2 {
			break
		}
	}
	return list
}

// ported writes the body of a refusal for another place.
func (f *Finder) ported(r analysis.Refusal, p syntax.Place) []string {
	from, to := r.Signature(), p.Signature()
	last, isReturn := r.Stmt.Body.List[len(r.Stmt.Body.List)-1].(*ast.ReturnStmt)
	if from == nil || to == nil || !isReturn || r.Function() == p.Function() && syntax.Contains(r.Stmt, p.Node().Pos()) {
		return nil
	}
	swaps := f.swapsFor(r, p)
	var list []string
	if identicalResults(from, to) && (len(last.Results) > 0 || to.Results().Len() == 0) {
		parts, fits := make([]string, len(r.Stmt.Body.List)), true
		for i, s := range r.Stmt.Body.List {
			text, ok := f.adapted(r.Place, s, p, swaps)
			parts[i], fits = text, fits && ok
		}
		if fits {
			list = append(list, strings.Join(parts, "\n"))
		}
	}
	n, m := from.Results().Len(), to.Results().Len()
	if n > 0 && m > 0 && len(last.Results) == n && syntax.IsError(to.Results().At(m-1).Type()) && syntax.ImplementsError(from.Results().At(n-1).Type()) {
		rest, ok := syntax.ZeroResults(p, to, 1)
		text, fits := f.adapted(r.Place, last.Results[n-1], p, swaps)
		if ok && fits && !r.Info().Types[last.Results[n-1]].IsNil() {
			list = append(list, "return "+syntax.Join(rest, text))
		}
	}
	return list
}

func identicalResults(a, b *types.Signature) bool {
	if a.Results().Len() != b.Results().Len() {
		return false
	}
	for i := range a.Results().Len() {
		x, y := a.Results().At(i).Type(), b.Results().At(i).Type()
		_, param := x.(*types.TypeParam)
		if !types.Identical(x, y) && (!param || x.String() != y.String()) {
			return false
		}
	}
	return true
}

// swapsFor maps what plays a part in one function to what plays the same part in
// another: the receiver, parameters that are of one type and are either called
// the same or alone of that type, what the looked-up value is called, and what
// the lookup is given.
func (f *Finder) swapsFor(r analysis.Refusal, p syntax.Place) map[string]string {
	swaps := map[string]string{}
	from, to := r.Signature(), p.Signature()
	if from.Recv() != nil && to.Recv() != nil && types.Identical(from.Recv().Type(), to.Recv().Type()) {
		swaps[from.Recv().Name()] = to.Recv().Name()
	}
	for i := range from.Params().Len() {
		x := from.Params().At(i)
		if y := samePart(x, from, to); y != nil {
			swaps[x.Name()] = y.Name()
		}
	}
	if r.Bad == nil {
		return swaps
	}
	if id, ok := ast.Unparen(r.Looked).(*ast.Ident); ok && types.Identical(r.Info().TypeOf(id), p.Info().TypeOf(r.Bad)) && syntax.IsPath(r.Bad) {
		swaps[id.Name] = f.Text(r.Bad)
	}
	theirs, ours := f.Trace(r.Place, -1, r.Looked), f.Trace(p, -1, r.Bad)
	if theirs.Expr != nil && ours.Expr != nil && theirs.Function() == r.Function() && ours.Function() == p.Function() {
		given, _ := f.argumentsFor(ast.Unparen(theirs.Expr), ast.Unparen(ours.Expr))
		for their, our := range given {
			swaps[their] = our
		}
	}
	return swaps
}

// samePart finds the parameter of another function that plays the part of x.
func samePart(x *types.Var, from, to *types.Signature) *types.Var {
	alone := func(s *types.Signature) (only *types.Var, n int) {
		for i := range s.Params().Len() {
			if v := s.Params().At(i); types.Identical(v.Type(), x.Type()) {
				only, n = v, n+1
			}
		}
		return only, n
	}
	for i := range to.Params().Len() {
		if y := to.Params().At(i); y.Name() == x.Name() && types.Identical(x.Type(), y.Type()) {
			return y
		}
	}
	_, theirs := alone(from)
	y, ours := alone(to)
	if _, basic := x.Type().Underlying().(*types.Basic); basic || theirs != 1 || ours != 1 || y.Name() == "" || y.Name() == "_" {
		return nil
	}
	return y
}

// argumentsFor maps the text of what one call or lookup is given to the text of
// what another of the same is given.
func (f *Finder) argumentsFor(theirs, ours ast.Expr) (map[string]string, bool) {
	theirFun, theirArgs := callParts(theirs)
	fun, args := callParts(ours)
	if fun == nil || theirFun == nil || len(theirArgs) != len(args) {
		return nil, false
	}
	swaps := map[string]string{}
	for i, a := range theirArgs {
		swaps[f.Text(a)] = f.Text(args[i])
	}
	if a, isSel := theirFun.(*ast.SelectorExpr); isSel {
		if b, isSel := fun.(*ast.SelectorExpr); isSel {
			swaps[f.Text(a.X)] = f.Text(b.X)
		}
	}
	return swaps, true
}

// callParts splits a call or a lookup into what is called and what it is given.
func callParts(e ast.Expr) (fun ast.Expr, args []ast.Expr) {
	switch e := e.(type) {
	case *ast.CallExpr:
		return ast.Unparen(e.Fun), e.Args
	case *ast.IndexExpr:
		return ast.Unparen(e.X), []ast.Expr{e.Index}
	}
	return nil, nil
}

// packagesUsed lists the packages that the body of a refusal names.
func packagesUsed(r analysis.Refusal) []string {
	var list []string
	ast.Inspect(r.Stmt.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if pkg, ok := r.Info().Uses[id].(*types.PkgName); ok {
				list = append(list, pkg.Imported().Path())
			}
		}
		return true
	})
	return list
}
