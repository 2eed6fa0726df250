package review

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
)

// An edit may leave a call as it is and have it call something else: it adds a method that an
// embedded field had until then, or gives a field another type.

// Recalled says how calls that stand as they did call something else after the edit of a
// package; empty where they do not. before and after give the files of a package of the user's
// by its import path, and none of others. locks tells that what they called is of package sync:
// a program that waits for nothing any more may well pass a test.
func Recalled(before, after func(path string) map[string]string, path string) (how string, locks bool) {
	r := recalling{was: loadedBy(before, path), now: loadedBy(after, path)}
	if p, q := r.was.known[path], r.now.known[path]; p != nil && q != nil {
		for _, find := range []func(p, q *types.Package) *recall{r.calls, r.methods, r.variables} {
			if found := find(p, q); found != nil {
				return "makes " + match.Cut(found.at) + " call " + found.to.display(q) + ", not " + found.from.display(p), found.from.inSync()
			}
		}
	}
	return "", false
}

type recalling struct{ was, now loaded }

// loaded is a package with those that it imports.
type loaded struct {
	loader
	typed
	path string
}

func loadedBy(own func(path string) map[string]string, path string) loaded {
	l := loader{withSync(own), map[string]*types.Package{}}
	return loaded{l, l.load(path), path}
}

// recall is a call, or a method of a type, that is another function than it was.
type recall struct {
	at       string
	from, to callee
}

// callee is what a call calls.
type callee struct {
	fn    *types.Func
	other string // what it is in words where it is no function of the user's
}

const (
	elsewhere  = "what another package declares"
	isVariable = "a function in a variable"
)

func (c callee) inSync() bool {
	return c.fn != nil && c.fn.Pkg() != nil && c.fn.Pkg().Path() == "sync"
}

// key tells callees apart, also where a receiver becomes a pointer.
func (c callee) key() string {
	if c.fn == nil {
		return c.other
	}
	key := c.fn.Name()
	if recv := c.fn.Signature().Recv(); recv != nil {
		key = typeName(recv.Type()) + "." + key
	}
	if c.fn.Pkg() != nil {
		key = c.fn.Pkg().Path() + "." + key
	}
	return key
}

// display names a callee as the package p does.
func (c callee) display(p *types.Package) string {
	if c.fn == nil {
		return c.other
	}
	of := func(other *types.Package) string {
		if other == p {
			return ""
		}
		return other.Name()
	}
	if recv := c.fn.Signature().Recv(); recv != nil {
		return "(" + types.TypeString(recv.Type(), of) + ")." + c.fn.Name()
	}
	if c.fn.Pkg() != nil && c.fn.Pkg() != p {
		return c.fn.Pkg().Name() + "." + c.fn.Name()
	}
	return c.fn.Name()
}

// calling is a call as it is written, in a function.
type calling struct {
	in string
	as match.Form
}

// callees are what the calls of a package call, and the calls as they are written.
func (t typed) callees() (order []calling, text map[calling]string, at map[calling][]callee) {
	text, at = map[calling]string{}, map[calling][]callee{}
	for _, f := range t.files {
		for _, d := range f.Decls {
			in := ""
			if fn, ok := d.(*ast.FuncDecl); ok {
				in = syntax.Key(fn)
			}
			for call := range syntax.All[*ast.CallExpr](d) {
				if c := t.called(call); c.key() != "" {
					key := calling{in, match.FormOf(call)}
					order, at[key] = append(order, key), append(at[key], c)
					text[key] = types.ExprString(call)
				}
			}
		}
	}
	return order, text, at
}

// calls finds a call that stands in a function as it did.
func (r recalling) calls(*types.Package, *types.Package) *recall {
	_, _, was := r.was.callees()
	order, text, now := r.now.callees()
	for _, key := range order {
		for _, from := range missing(was[key], now[key]) {
			for _, to := range missing(now[key], was[key]) {
				if r.isAnother(from, to) {
					return &recall{text[key], from, to}
				}
			}
		}
	}
	return nil
}

// missing are the callees that stand in a list more often than in another one.
func missing(list, other []callee) (left []callee) {
	n := map[string]int{}
	for _, c := range other {
		n[c.key()]++
	}
	for _, c := range list {
		if n[c.key()]--; n[c.key()] < 0 {
			left = append(left, c)
		}
	}
	return left
}

// methods finds a method of a type: other packages, and libraries, may call it.
func (r recalling) methods(was, now *types.Package) *recall {
	for _, name := range was.Scope().Names() {
		old, ok := was.Scope().Lookup(name).(*types.TypeName)
		to, is := now.Scope().Lookup(name).(*types.TypeName)
		if !ok || !is || types.IsInterface(old.Type()) {
			continue
		}
		if found := r.methodsOf(name, old.Type(), to.Type()); found != nil {
			return found
		}
	}
	return nil
}

// methodsOf finds a method of a type as it was that is another one of the type as it is.
func (r recalling) methodsOf(name string, was, now types.Type) *recall {
	for s := range types.NewMethodSet(types.NewPointer(was)).Methods() {
		from := callee{fn: s.Obj().(*types.Func).Origin()}
		object, _, _ := types.LookupFieldOrMethod(now, true, from.fn.Pkg(), from.fn.Name())
		to, ok := object.(*types.Func)
		if ok && r.isAnother(from, callee{fn: to.Origin()}) {
			return &recall{name + "." + from.fn.Name(), from, callee{fn: to.Origin()}}
		}
	}
	return nil
}

// variables finds a field, or a variable of the package, that was of a type of package sync
// and is of another one that has its methods, or may have.
func (r recalling) variables(was, now *types.Package) *recall {
	for _, name := range was.Scope().Names() {
		from, to := was.Scope().Lookup(name), now.Scope().Lookup(name)
		if to == nil {
			continue
		}
		if found := r.lock(name, from.Type(), to.Type()); found != nil {
			return found
		}
		fields := map[string]types.Type{}
		if st, ok := to.Type().Underlying().(*types.Struct); ok {
			for f := range st.Fields() {
				fields[f.Name()] = f.Type()
			}
		}
		if st, ok := from.Type().Underlying().(*types.Struct); ok {
			for f := range st.Fields() {
				if found := r.lock(name+"."+f.Name(), f.Type(), fields[f.Name()]); found != nil {
					return found
				}
			}
		}
	}
	return nil
}

// lock finds a method of a type of package sync that is another one of a type as it is.
func (r recalling) lock(name string, was, now types.Type) *recall {
	was, now = single(was), single(now)
	if n, ok := was.(*types.Named); !ok || now == nil || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "sync" {
		return nil
	}
	if isUnknown(now) {
		for s := range types.NewMethodSet(types.NewPointer(was)).Methods() {
			from := callee{fn: s.Obj().(*types.Func)}
			return &recall{name + "." + from.fn.Name(), from, callee{other: elsewhere}}
		}
	}
	return r.methodsOf(name, was, now)
}

// single is the type of what a pointer leads to, or a list holds.
func single(t types.Type) types.Type {
	for t != nil {
		list, ok := t.(interface{ Elem() types.Type })
		if !ok {
			return types.Unalias(t)
		}
		t = list.Elem()
	}
	return nil
}

// isAnother reports whether a callee does something else than the one in whose place it is.
// One of a type of package sync does not, nor one that passes on to what was called, or was
// moved. The method of an interface may be any: what it holds is looked at elsewhere, but for a
// lock.
func (r recalling) isAnother(from, to callee) bool {
	abstract := to.fn != nil && to.fn.Signature().Recv() != nil && types.IsInterface(to.fn.Signature().Recv().Type())
	switch {
	case from.key() == "" || to.key() == "" || from.key() == to.key() || to.inSync() && !abstract:
		return false
	case from.inSync():
		return true
	case to.fn == nil:
		return to.other != elsewhere
	case abstract:
		return false
	}
	in, fn := r.now.declaration(to.fn)
	if fn == nil {
		return true
	}
	_, old := r.was.declaration(from.fn)
	moved := old != nil && match.FormOf(old.Body) == match.FormOf(fn.Body)
	return !moved && !in.passesOn(fn)
}

// declaration is that of a function of the user's with a body, and its package; nil for others.
func (l loaded) declaration(of *types.Func) (typed, *ast.FuncDecl) {
	if of == nil || of.Pkg() == nil {
		return typed{}, nil
	}
	in := l.typed
	if path := of.Pkg().Path(); path != l.path {
		in = loadedBy(l.own, path).typed
	}
	receiver := ""
	if recv := of.Signature().Recv(); recv != nil {
		receiver = typeName(recv.Type())
	}
	for _, f := range in.files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && syntax.Key(fn) == receiver+"."+of.Name() {
				return in, fn
			}
		}
	}
	return typed{}, nil
}

// passesOn reports whether a method does nothing but to call the method of its name of a part
// of its receiver with what it is given, and to lock around that.
func (t typed) passesOn(fn *ast.FuncDecl) (passes bool) {
	for _, s := range fn.Body.List {
		var e ast.Expr
		switch s := s.(type) {
		case *ast.ExprStmt:
			e = s.X
		case *ast.DeferStmt:
			e = s.Call
		case *ast.ReturnStmt:
			if len(s.Results) == 1 {
				e = s.Results[0]
			}
		}
		call, ok := e.(*ast.CallExpr)
		if !ok {
			return false
		}
		if _, deferred := s.(*ast.DeferStmt); !deferred && t.isPassing(fn, call) {
			passes = true
		} else if !t.called(call).inSync() {
			return false
		}
	}
	return passes
}

// isPassing reports whether a call is that of passesOn.
func (t typed) isPassing(fn *ast.FuncDecl, call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || fn.Recv == nil || sel.Sel.Name != fn.Name.Name {
		return false
	}
	part, ok := sel.X.(*ast.SelectorExpr) // the receiver itself would call this method again
	if !ok || !t.declares(fn.Recv, t.object(part.X)) {
		return false
	}
	var given []*ast.Ident
	for _, f := range fn.Type.Params.List {
		given = append(given, f.Names...)
	}
	return slices.EqualFunc(given, call.Args, func(id *ast.Ident, arg ast.Expr) bool { return t.info.Defs[id] == t.object(arg) })
}

// called is what a call calls; a zero value where that is not known.
func (t typed) called(call *ast.CallExpr) callee {
	var object types.Object
	switch e := calledExpr(call).(type) {
	case *ast.Ident:
		object = t.info.Uses[e]
	case *ast.SelectorExpr:
		if s := t.info.Selections[e]; s != nil {
			object = s.Obj()
		} else if object = t.info.Uses[e.Sel]; object == nil {
			if typ := t.info.TypeOf(e.X); typ != nil && typ != types.Typ[types.Invalid] {
				return callee{other: elsewhere} // of what is embedded, or of a type of another package
			}
		}
	}
	switch o := object.(type) {
	case *types.Func:
		return callee{fn: o.Origin()}
	case *types.Var:
		return callee{other: isVariable}
	}
	return callee{}
}
