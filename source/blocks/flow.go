package blocks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"
)

// flow finds where a variable is set: by a statement, or through what shares its
// data: another variable, a parameter, a receiver, a result.
type flow struct {
	*index
	places []setting
	level  effect // the highest of the places
	seen   map[token.Pos]bool
	open   bool // not all uses were looked at yet
}

// effect is what a use of a variable may do to it.
type effect int

const (
	onlyRead effect = iota
	mayBeSet        // code outside of the user's modules gets the data
	isSet           // a statement sets it
	escapes         // it is kept where it cannot be followed
)

// site is an identifier in the user's code.
type site struct {
	pkg  *packages.Package
	file *ast.File
	id   *ast.Ident
}

// setting is a place where a variable is set or may be set.
type setting struct {
	site
	effect
	path []ast.Node // from the innermost expression to the file
}

// path returns the nodes around a site, from the innermost to the file.
func (s site) path() []ast.Node {
	path, _ := astutil.PathEnclosingInterval(s.file, s.id.Pos(), s.id.End())
	return path
}

// settings returns where a variable is set, or may be.
func (ix *index) settings(v *types.Var) *flow {
	if known, ok := ix.flows[v]; ok {
		return known
	}
	f := &flow{index: ix, seen: map[token.Pos]bool{}}
	ix.flows[v] = f                   // for code that calls itself
	f.variable(v, !isPackageLevel(v)) // of a parameter it is asked where data is shared
	return f
}

// effectOf is what a function does to a parameter or its receiver.
func (f *flow) effectOf(v *types.Var) effect {
	g := f.settings(v)
	if g.open && g != f {
		return escapes // functions that call each other
	}
	return g.level
}

func (f *flow) variable(v *types.Var, ours bool) {
	for _, use := range f.uses[v] {
		if !f.seen[use.id.Pos()] {
			f.seen[use.id.Pos()] = true
			f.follow(use, use.path(), ours)
		}
	}
}

func (f *flow) add(at site, path []ast.Node, e effect) {
	f.level = max(f.level, e)
	if e > onlyRead {
		f.places = append(f.places, setting{at, e, path})
	}
}

// follow judges what happens to the expression path[0], which is the variable,
// a part of it, or shares its data. What is ours is no handle to something else,
// also where its type is one from outside of the user's modules.
func (f *flow) follow(at site, path []ast.Node, ours bool) {
	e, ok := path[0].(ast.Expr)
	if !ok || len(path) < 2 {
		return
	}
	t := at.pkg.TypesInfo.TypeOf(e)
	shared := f.shares(t) || ours && f.isHandle(t) && !isLock(t)
	switch p := path[1].(type) {
	case *ast.SelectorExpr:
		f.selector(at, path, p, e, ours)
	case *ast.IndexExpr:
		if p.X == e {
			f.follow(at, path[1:], ours)
		}
	case *ast.ParenExpr, *ast.StarExpr, *ast.SliceExpr, *ast.TypeAssertExpr:
		f.follow(at, path[1:], ours)
	case *ast.UnaryExpr:
		switch p.Op {
		case token.AND:
			f.follow(at, path[1:], true)
		case token.ARROW: // a value less is in the channel
			f.add(at, path, mayBeSet)
		}
	case *ast.CallExpr:
		f.called(at, path, p, shared, ours)
	case *ast.CompositeLit, *ast.KeyValueExpr:
		if shared {
			f.add(at, path, escapes)
		}
	default:
		f.statement(at, path, shared, ours)
	}
}

// statement judges a statement, or the declaration of a variable, that has the
// expression path[0] as a part.
func (f *flow) statement(at site, path []ast.Node, shared, ours bool) {
	e := path[0].(ast.Expr)
	switch p := path[1].(type) {
	case *ast.IncDecStmt:
		f.add(at, path, isSet)
	case *ast.AssignStmt:
		f.assigned(at, path, p, shared, ours)
	case *ast.ValueSpec:
		if i := slices.Index(p.Values, e); i >= 0 && shared {
			f.alias(at, path, p.Names, i, len(p.Values), ours)
		}
	case *ast.RangeStmt:
		f.ranged(at, path, p, e, ours)
	case *ast.SendStmt:
		if p.Chan == e {
			f.add(at, path, isSet)
		} else if shared {
			f.add(at, path, escapes)
		}
	case *ast.ReturnStmt:
		if shared {
			f.returned(at, path, ours)
		}
	}
}

// selector judges v.f and v.M.
func (f *flow) selector(at site, path []ast.Node, p *ast.SelectorExpr, e ast.Expr, ours bool) {
	info := at.pkg.TypesInfo
	method, ok := info.Uses[p.Sel].(*types.Func)
	switch {
	case p.Sel == e && len(path) > 2: // package.v
		f.follow(at, path[1:], ours)
	case !ok:
		f.follow(at, path[1:], ours)
	default:
		f.add(at, path, f.method(info.TypeOf(e), method, ours))
	}
}

// method is what a method does to its receiver, which is held in a value of type
// t.
func (f *flow) method(t types.Type, method *types.Func, ours bool) effect {
	recv := method.Origin().Signature().Recv()
	if recv == nil {
		return onlyRead
	}
	if types.IsInterface(recv.Type()) {
		level := onlyRead
		for _, m := range f.methods[method.Name()] {
			if fn, ok := m.(*types.Func); ok {
				level = max(level, f.method(fn.Signature().Recv().Type(), fn, ours))
			}
		}
		return level
	}
	if _, users := f.decls[method.Origin()]; users {
		if !f.shares(recv.Type()) {
			return onlyRead // a copy
		}
		return f.effectOf(recv)
	}
	_, pointer := recv.Type().(*types.Pointer)
	if !f.shares(t) && !pointer || f.isHandle(t) && !ours || isLock(recv.Type()) {
		return onlyRead
	}
	return mayBeSet
}

// assigned judges an assignment to the expression, or of it.
func (f *flow) assigned(at site, path []ast.Node, p *ast.AssignStmt, shared, ours bool) {
	e := path[0].(ast.Expr)
	if slices.Contains(p.Lhs, e) {
		f.add(at, path, isSet)
		return
	}
	if i := slices.Index(p.Rhs, e); i >= 0 && shared {
		var names []*ast.Ident
		for _, left := range p.Lhs {
			id, _ := left.(*ast.Ident)
			names = append(names, id)
		}
		f.alias(at, path, names, i, len(p.Rhs), ours)
	}
}

// alias follows the local variable that a value is assigned to: names[i], or all where
// one expression gives them all.
func (f *flow) alias(at site, path []ast.Node, names []*ast.Ident, i, values int, ours bool) {
	if values == len(names) {
		names = names[i : i+1]
	}
	for _, id := range names {
		if id == nil {
			f.add(at, path, escapes)
			continue
		}
		if id.Name == "_" {
			continue
		}
		v, ok := at.pkg.TypesInfo.ObjectOf(id).(*types.Var)
		if !ok || isPackageLevel(v) {
			f.add(at, path, escapes)
			continue
		}
		f.variable(v, ours)
	}
}

// ranged judges a loop over the expression, or one that sets it.
func (f *flow) ranged(at site, path []ast.Node, p *ast.RangeStmt, e ast.Expr, ours bool) {
	if p.X != e {
		f.add(at, path, isSet)
		return
	}
	for _, part := range []ast.Expr{p.Key, p.Value} {
		if part != nil && f.shares(at.pkg.TypesInfo.TypeOf(part)) {
			id, _ := part.(*ast.Ident)
			f.alias(at, path, []*ast.Ident{id}, 0, 1, ours)
		}
	}
}

// called judges a call to which the expression is given.
func (f *flow) called(at site, path []ast.Node, call *ast.CallExpr, shared, ours bool) {
	info := at.pkg.TypesInfo
	i := slices.Index(call.Args, path[0].(ast.Expr))
	if i < 0 || !shared {
		return
	}
	if tv := info.Types[call.Fun]; tv.IsType() {
		f.follow(at, path[1:], ours)
		return
	}
	switch fn := callee(info, call).(type) {
	case *types.Builtin:
		switch fn.Name() {
		case "append":
			f.follow(at, path[1:], ours)
		case "clear", "close", "copy", "delete":
			f.add(at, path, isSet)
		}
	case *types.Func:
		switch {
		case fn.Pkg() != nil && fn.Pkg().Path() == Library: // it reads
		case isMethodExpr(info, call):
			f.add(at, path, escapes)
		default:
			f.add(at, path, f.parameter(fn, i))
		}
	default: // a function that is held in a variable
		f.add(at, path, escapes)
	}
}

// callee is the function, or builtin, that a call names; nil where it is computed.
func callee(info *types.Info, call *ast.CallExpr) types.Object {
	fun := ast.Unparen(call.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	switch f := fun.(type) {
	case *ast.Ident:
		return info.Uses[f]
	case *ast.SelectorExpr:
		return info.Uses[f.Sel]
	}
	return nil
}

// parameter is what a function does to what its i-th parameter is given.
func (f *flow) parameter(fn *types.Func, i int) effect {
	fn = fn.Origin()
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		level := mayBeSet
		for _, m := range f.methods[fn.Name()] {
			if method, ok := m.(*types.Func); ok && method.Signature().Params().Len() == fn.Signature().Params().Len() {
				level = max(level, f.parameter(method, i))
			}
		}
		return level
	}
	if _, users := f.decls[fn]; !users {
		return mayBeSet
	}
	params := fn.Signature().Params()
	return f.effectOf(params.At(min(i, params.Len()-1)))
}

// returned follows the result of a function to its calls.
func (f *flow) returned(at site, path []ast.Node, ours bool) {
	for _, n := range path {
		switch n := n.(type) {
		case *ast.FuncLit:
			f.add(at, path, escapes)
			return
		case *ast.FuncDecl:
			f.results(at, path, n, ours)
			return
		}
	}
}

func (f *flow) results(at site, path []ast.Node, decl *ast.FuncDecl, ours bool) {
	fn := at.pkg.TypesInfo.Defs[decl.Name]
	if decl.Recv != nil {
		f.add(at, path, escapes) // a method may be called through an interface
		return
	}
	for _, use := range f.uses[fn] {
		if f.seen[use.id.Pos()] {
			continue
		}
		f.seen[use.id.Pos()] = true
		around := use.path()
		for len(around) > 1 {
			call, ok := around[0].(*ast.CallExpr)
			if ok && callee(use.pkg.TypesInfo, call) != nil {
				break
			}
			around = around[1:]
		}
		f.follow(use, around, ours)
	}
}

// isMethodExpr reports whether a call is one of T.Method.
func isMethodExpr(info *types.Info, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && info.Selections[sel] != nil && info.Selections[sel].Kind() == types.MethodExpr
}
