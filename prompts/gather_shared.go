package prompts

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/workspace"
)

const (
	maxAliases   = 12 // names of one shared thing
	maxAllUses   = 40 // of it
	maxStopLines = 6  // of other goroutines that are looked at
)

// concurrent are the classes where goroutines meet: who else uses what they
// share comes first there.
var concurrent = []debugger.Class{debugger.Deadlock, debugger.ConcurrentMap, debugger.ClosedChannel, debugger.NegativeWaitGroup, debugger.UnlockUnlocked}

// shared notes who uses the channels, locks and maps on the failing line and,
// in a deadlock, on the lines that other goroutines wait on.
func (t *tracer) shared(fn workspace.Func, roots []ast.Expr) {
	class := t.g.c.Stop.Panic.Class
	t.sharedOn(fn, roots)
	if class != debugger.Deadlock && class != debugger.ConcurrentMap {
		return
	}
	for i, f := range t.g.waits {
		if i == maxStopLines {
			break
		}
		if fn, ok := t.g.c.Code.FuncAt(f.File, f.Line); ok {
			t.sharedOn(fn, t.roots(fn, f.Line))
		}
	}
}

func (t *tracer) sharedOn(fn workspace.Func, roots []ast.Expr) {
	info := fn.Package.TypesInfo
	for _, root := range roots {
		ast.Inspect(root, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			if v := variableOf(info, e); v != nil && t.isShared(v.Type()) {
				t.users(v, ownerName(info, e))
			}
			return true
		})
	}
}

func variableOf(info *types.Info, e ast.Expr) *types.Var {
	var id *ast.Ident
	switch e := e.(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return nil
	}
	v, _ := info.ObjectOf(id).(*types.Var)
	return v
}

func ownerName(info *types.Info, e ast.Expr) string {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		if n := ownerOf(info, sel); n != nil {
			return n.Obj().Name()
		}
	}
	return ""
}

// isShared reports whether goroutines meet at a value of the type. A map counts
// where the runtime says so.
func (t *tracer) isShared(typ types.Type) bool {
	typ = deref(typ)
	switch typ.Underlying().(type) {
	case *types.Chan:
		return true
	case *types.Map:
		return t.g.c.Stop.Panic.Class == debugger.ConcurrentMap
	}
	n, ok := typ.(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync"
}

// users notes all uses of a shared thing under all its names.
func (t *tracer) users(v *types.Var, owner string) {
	if t.shares[v.Origin()] {
		return
	}
	r := relation{rank: rankShared, at: v.Pos(), field: v, owner: owner, all: true}
	if slices.Contains(concurrent, t.g.c.Stop.Panic.Class) {
		r.rank = rankCalled
	}
	names := []*types.Var{v}
	for i := 0; i < len(names) && i < maxAliases; i++ {
		if t.shares[names[i].Origin()] {
			continue
		}
		t.shares[names[i].Origin()] = true
		for _, u := range t.x.Uses(names[i]) {
			if !u.Test && len(r.uses) < maxAllUses {
				r.uses = append(r.uses, u)
			}
		}
		names = append(names, t.aliases(names[i])...)
	}
	if len(r.uses) > 0 {
		t.found = append(t.found, r)
	}
}

// aliases are the other names of what a variable holds: parameters that it is
// passed for, what is passed for it, fields and variables it is stored in, and
// what functions return it to.
func (t *tracer) aliases(v *types.Var) []*types.Var {
	var list []*types.Var
	seen := map[*ast.FuncDecl]bool{}
	for _, u := range t.x.Uses(v) {
		if u.In.Decl == nil {
			continue
		}
		if u.Kind == workspace.Write && u.Value != nil {
			list = append(list, t.sourcesOf(*u.In, u.Value, u.Result)...)
		}
		if seen[u.In.Decl] {
			continue
		}
		seen[u.In.Decl] = true
		info := u.In.Package.TypesInfo
		list = append(list, t.goesTo(*u.In, 0, func(e ast.Expr) bool {
			have := variableOf(info, strip(e))
			return have != nil && t.x.Same(have, v) && (have.IsField() || have.Pos() == v.Pos())
		})...)
		if index, ok := parameter(*u.In, v); ok {
			list = append(list, t.given(*u.In, index)...)
		}
	}
	return list
}

// sourcesOf are the variables that a value is read from, also those that a
// called function returns.
func (t *tracer) sourcesOf(in workspace.Func, value ast.Expr, result int) []*types.Var {
	info := in.Package.TypesInfo
	if v := variableOf(info, strip(value)); v != nil {
		return []*types.Var{v}
	}
	call, ok := ast.Unparen(value).(*ast.CallExpr)
	if !ok {
		return nil
	}
	var list []*types.Var
	for _, fn := range t.x.Callees(info, call) {
		inspectOwn(fn.Decl.Body, func(n ast.Node) {
			if r, ok := n.(*ast.ReturnStmt); ok && result < len(r.Results) {
				if v := variableOf(fn.Package.TypesInfo, strip(r.Results[result])); v != nil {
					list = append(list, v)
				}
			}
		})
	}
	return list
}

// strip takes parentheses and the address operator off.
func strip(e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok {
		return ast.Unparen(u.X)
	}
	return e
}

// goesTo are the variables that an expression of a function is given to: those
// it is assigned to, fields of literals, parameters of what is called with it,
// and what the function's callers do with it when it is returned. Of an
// expression with several results, one is meant.
func (t *tracer) goesTo(in workspace.Func, result int, is func(ast.Expr) bool) []*types.Var {
	info := in.Package.TypesInfo
	var list []*types.Var
	add := func(e ast.Expr) {
		if v := variableOf(info, ast.Unparen(e)); v != nil {
			list = append(list, v)
		}
	}
	ast.Inspect(in.Decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			for i, a := range n.Args {
				if is(a) {
					list = append(list, t.parameters(info, n, i)...)
				}
			}
		case *ast.KeyValueExpr:
			if is(n.Value) {
				add(n.Key)
			}
		case *ast.AssignStmt:
			for i, r := range n.Rhs {
				if is(r) && i+result < len(n.Lhs) {
					add(n.Lhs[i+result])
				}
			}
		case *ast.ReturnStmt:
			for i, r := range n.Results {
				if is(r) && in.Object != nil {
					list = append(list, t.returnedTo(in, i)...)
				}
			}
		}
		return true
	})
	return list
}

// returnedTo are the variables that the callers of a function give one of its
// results to.
func (t *tracer) returnedTo(fn workspace.Func, result int) []*types.Var {
	var list []*types.Var
	for _, u := range t.x.Calls(fn.Object) {
		if u.In.Decl != nil && !u.Test && u.In.Decl != fn.Decl && !t.returns[returned{u.Node, result}] {
			t.returns[returned{u.Node, result}] = true
			list = append(list, t.goesTo(*u.In, result, func(e ast.Expr) bool { return ast.Unparen(e) == u.Node })...)
		}
	}
	return list
}

// parameters are those of the functions that a call may lead to, in one place.
func (t *tracer) parameters(info *types.Info, call *ast.CallExpr, index int) []*types.Var {
	var list []*types.Var
	var sigs []*types.Signature
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		if sig, ok := info.TypeOf(lit).(*types.Signature); ok {
			sigs = append(sigs, sig)
		}
	}
	for _, fn := range t.x.Callees(info, call) {
		if fn.Object != nil {
			sigs = append(sigs, fn.Object.Signature())
		}
	}
	for _, sig := range sigs {
		if index < sig.Params().Len() && !sig.Variadic() {
			list = append(list, sig.Params().At(index))
		}
	}
	return list
}

// given are the variables that the callers of a function pass in one place.
func (t *tracer) given(fn workspace.Func, index int) []*types.Var {
	if index < 0 {
		return nil
	}
	var list []*types.Var
	for _, u := range t.x.Calls(fn.Object) {
		call, ok := u.Node.(*ast.CallExpr)
		if !ok || u.Test || u.In.Decl == nil {
			continue
		}
		if arg := argumentOf(call, index); arg != nil {
			if v := variableOf(u.In.Package.TypesInfo, strip(arg)); v != nil {
				list = append(list, v)
			}
		}
	}
	return list
}
