package navigate

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/pausetui/pausetui/source/workspace"
)

// ErrNoFunction is returned for a place in no function, on the name of none.
var ErrNoFunction = errors.New("there is no function here")

// Callers lists who calls the function whose name is at a place, or else
// the one around it: in the user's packages that the program is built from, and
// in the function's own package. A call through an interface that the
// function's type implements only may be one; where the function is taken as a
// value, any code that has the value may call it.
func (p *Program) Callers(ctx context.Context, at At) (Answer, error) {
	s, err := p.find(ctx, at)
	if errors.Is(err, ErrChanged) && at.Name != "" { // the column may be off where the line is right
		s, err = p.find(ctx, At{Place: at.Place})
	}
	if err != nil {
		return Answer{}, err
	}
	fn := functionAt(s)
	if fn == nil {
		return Answer{}, ErrNoFunction
	}
	c := &calls{code: s.code, name: fn.FullName(), target: fn, lines: texts{}}
	out := Answer{Title: "Callers of " + labelOf(fn), Note: "in your packages"}
	searched := s.code.Packages
	if s.code != p.code && p.code != nil {
		searched = append(slices.Clone(searched), p.code.Packages...)
	}
	if !slices.Contains(searched, s.pkg) {
		searched = append(slices.Clone(searched), s.pkg)
		out.Note += fmt.Sprintf(", and in %s itself", s.pkg.PkgPath)
	}
	for _, pkg := range searched {
		if err := ctx.Err(); err != nil {
			return Answer{}, err
		}
		c.search(pkg)
	}
	sortHits(c.hits)
	out.Hits = slices.CompactFunc(c.hits, func(a, b Hit) bool { return a.Place == b.Place }) // test variants of a package
	if workspace.InterfaceOf(fn) == nil && fn.Signature().Recv() != nil && fn.Exported() {
		out.Note += "; libraries may call it through interfaces of their own"
	}
	return out, nil
}

// functionAt is the function named at a spot, or else the one that is declared
// around it; nil without either.
func functionAt(s spot) *types.Func {
	if id := s.ident(); id != nil {
		if fn, ok := objectOf(s, id).(*types.Func); ok {
			return fn
		}
	}
	for _, n := range s.path {
		if decl, ok := n.(*ast.FuncDecl); ok {
			if fn, ok := s.pkg.TypesInfo.Defs[decl.Name].(*types.Func); ok {
				return fn.Origin()
			}
		}
	}
	return nil
}

// calls collects the places that use a function.
type calls struct {
	code   *workspace.Code
	name   string // the function's full name: packages that were loaded apart have objects of their own
	target *types.Func
	lines  texts
	hits   []Hit
}

func (c *calls) search(pkg *packages.Package) {
	if pkg.TypesInfo == nil {
		return
	}
	local := c.in(pkg)
	for _, file := range pkg.Syntax {
		var path []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				path = path[:len(path)-1]
				return true
			}
			path = append(path, n)
			if id, ok := n.(*ast.Ident); ok {
				c.look(pkg, local, id, path)
			}
			return true
		})
	}
}

// look adds the place of an identifier if it uses the function.
func (c *calls) look(pkg *packages.Package, local *types.Func, id *ast.Ident, path []ast.Node) {
	if id.Name != c.target.Name() {
		return
	}
	used, ok := pkg.TypesInfo.Uses[id].(*types.Func)
	if !ok {
		return
	}
	used = used.Origin()
	through := used.FullName() != c.name
	if through && !reaches(used, local) {
		return
	}
	note := use(path)
	switch {
	case through && note == "":
		note = "may call"
	case through:
		note = "may " + note
	}
	at := pkg.Fset.PositionFor(id.Pos(), false)
	c.hits = append(c.hits, c.lines.hit(Place{at.Filename, at.Line, at.Column}, id.Name, around(pkg, path), note))
}

// in is the function as a package knows it: types that were loaded apart cannot
// be compared with each other.
func (c *calls) in(pkg *packages.Package) *types.Func {
	if c.target.Pkg() == nil || pkg.Types == nil || pkg.Types == c.target.Pkg() {
		return c.target
	}
	known := imported(pkg.Types, c.target.Pkg().Path(), map[*types.Package]bool{})
	recv := receiverName(c.target)
	if known == nil || known == c.target.Pkg() || recv == "" {
		return c.target
	}
	name, ok := known.Scope().Lookup(recv).(*types.TypeName)
	if !ok {
		return c.target
	}
	found, _, _ := types.LookupFieldOrMethod(types.NewPointer(name.Type()), false, known, c.target.Name())
	if f, ok := found.(*types.Func); ok {
		return f.Origin()
	}
	return c.target
}

// imported finds a package among what another one imports, directly or not.
func imported(from *types.Package, path string, seen map[*types.Package]bool) *types.Package {
	if from.Path() == path {
		return from
	}
	seen[from] = true
	for _, p := range from.Imports() {
		if seen[p] {
			continue
		}
		if found := imported(p, path, seen); found != nil {
			return found
		}
	}
	return nil
}

func receiverName(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return ""
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok {
		return named.Obj().Name()
	}
	return ""
}

// reaches reports whether a call of an interface's method may reach a method.
func reaches(used, target *types.Func) bool {
	iface := workspace.InterfaceOf(used)
	if iface == nil || workspace.InterfaceOf(target) != nil {
		return false
	}
	recv := target.Signature().Recv()
	if recv == nil {
		return false
	}
	t := recv.Type()
	if _, ok := t.(*types.Pointer); !ok {
		t = types.NewPointer(t)
	}
	return types.Implements(t, iface)
}

// use tells how a function is used at the end of a path: called (""), in a go
// or defer statement, or as a value.
func use(path []ast.Node) string {
	at := len(path) - 1
	expr := path[at]
	for at--; at >= 0 && isPart(path[at], expr); at-- {
		expr = path[at]
	}
	call, ok := path[max(at, 0)].(*ast.CallExpr)
	if !ok || call.Fun != expr {
		return "as a value"
	}
	if at > 0 {
		switch path[at-1].(type) {
		case *ast.GoStmt:
			return "go"
		case *ast.DeferStmt:
			return "defer"
		}
	}
	return ""
}

// isPart tells an expression that still means the function that its part means:
// x.f, (f), f[int].
func isPart(n, part ast.Node) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		return n.Sel == part
	case *ast.ParenExpr, *ast.IndexListExpr:
		return true
	case *ast.IndexExpr:
		return n.X == part
	}
	return false
}

// around names the function that a path is in.
func around(pkg *packages.Package, path []ast.Node) string {
	for _, n := range path {
		decl, ok := n.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if fn, ok := pkg.TypesInfo.Defs[decl.Name].(*types.Func); ok {
			return labelOf(fn)
		}
		return decl.Name.Name
	}
	if pkg.Types != nil {
		return "package " + pkg.Types.Name()
	}
	return ""
}
