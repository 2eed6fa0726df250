package prompts

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/workspace"
)

// suspect is what may be bad of the calls of a function.
type suspect struct {
	callee  *types.Func
	results []int
	args    []int // -1 is the receiver
}

// suspectCalls are the call that the program stopped in, and those that the values
// blamed come from. Of these the results that the code drops count, too: often the
// error that says that another one is bad.
func (g *gathering) suspectCalls(t *tracer, fn workspace.Func, roots []ast.Expr) []suspect {
	info := fn.Package.TypesInfo
	var list []suspect
	add := func(e ast.Expr, results, args []int) {
		if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
			list = append(list, suspect{workspace.Callee(info, call), results, args})
		}
	}
	for _, root := range roots {
		ast.Inspect(root, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				add(call, nil, g.stoppedBy(info, call))
			}
			return true
		})
	}
	for _, s := range g.suspects(fn, roots) {
		if s.rank == rankRest {
			continue
		}
		add(s.expr, []int{0}, []int{-1})
		for _, v := range reads(info, s.expr) {
			if v.IsField() {
				continue
			}
			for _, u := range t.x.Writes(v) {
				add(u.Value, append(dropped(u.Node), u.Result), nil)
			}
		}
	}
	return list
}

// dropped are the results that a statement gives to no variable.
func dropped(n ast.Node) []int {
	var list []int
	if as, ok := n.(*ast.AssignStmt); ok {
		for i, e := range as.Lhs {
			if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
				list = append(list, i)
			}
		}
	}
	return list
}

// stoppedBy are the computed arguments of the call that the program stopped in; none
// of another call.
func (g *gathering) stoppedBy(info *types.Info, call *ast.CallExpr) []int {
	callee := workspace.Callee(info, call)
	if g.at <= 0 || callee == nil {
		return nil
	}
	below, _, _ := strings.Cut(g.c.Stop.Frames[g.at-1].Function, "[")
	if below[strings.LastIndexByte(below, '.')+1:] != callee.Name() {
		return nil
	}
	var list []int
	for i, arg := range call.Args {
		if info.Types[arg].Value == nil && (!callee.Signature().Variadic() || i < callee.Signature().Params().Len()-1) {
			list = append(list, i)
		}
	}
	return list
}

// sameCall is where functions of the user's modules check what they give to a
// suspect call, or what it returns to them.
func (g *gathering) sameCall(t *tracer, fn workspace.Func, roots []ast.Expr) []checked {
	var list []checked
	for _, s := range g.suspectCalls(t, fn, roots) {
		if s.callee == nil {
			continue
		}
		for _, u := range t.x.Uses(s.callee) {
			if u.Kind != workspace.Call || u.Test || u.In.Decl == nil {
				continue
			}
			call := u.Node.(*ast.CallExpr)
			if c, ok := t.checksArgs(s, u, call); ok {
				list = append(list, c)
			} else if c, ok := t.checksResults(s, u, call); ok {
				list = append(list, c)
			}
		}
	}
	return list
}

func (t *tracer) checksArgs(s suspect, u workspace.Use, call *ast.CallExpr) (checked, bool) {
	info := u.In.Package.TypesInfo
	var at debugger.Frame
	at.File, at.Line = t.x.Where(call.Pos())
	for _, i := range s.args {
		arg := argumentOf(call, i)
		if arg == nil {
			continue
		}
		if bound, ok := ast.Unparen(arg).(*ast.CallExpr); ok && i >= 0 {
			if id, ok := bound.Fun.(*ast.Ident); ok && (id.Name == "min" || id.Name == "max") {
				return checked{call.Pos(), call.End(), u.In.Decl}, true
			}
		}
		for _, is := range t.conditions(*u.In, at) {
			if common(reads(info, arg), reads(info, is.Cond)) {
				return checked{is.Pos(), max(is.End(), call.End()), u.In.Decl}, true
			}
		}
	}
	return checked{}, false
}

func (t *tracer) checksResults(s suspect, u workspace.Use, call *ast.CallExpr) (found checked, ok bool) {
	info := u.In.Package.TypesInfo
	var results []*types.Var
	ast.Inspect(u.In.Decl.Body, func(n ast.Node) bool {
		if as, ok := n.(*ast.AssignStmt); ok && len(as.Rhs) == 1 && ast.Unparen(as.Rhs[0]) == call {
			for _, i := range s.results {
				if i < len(as.Lhs) {
					results = append(results, reads(info, as.Lhs[i])...)
				}
			}
		}
		return true
	})
	_, line := t.x.Where(call.Pos())
	ast.Inspect(u.In.Decl.Body, func(n ast.Node) bool {
		if is, isIf := n.(*ast.IfStmt); isIf && !ok && is.Cond.Pos() > call.Pos() && common(results, reads(info, is.Cond)) {
			if _, first := t.x.Where(is.Pos()); first < line+maxSiblingLines {
				found, ok = checked{min(call.Pos(), is.Pos()), is.End(), u.In.Decl}, true
			}
		}
		return !ok
	})
	return found, ok
}

// reads are the variables and fields that an expression reads: of a.b, b.
func reads(info *types.Info, e ast.Expr) []*types.Var {
	var list []*types.Var
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		v := variableOf(info, x)
		if v != nil {
			list = append(list, v.Origin())
		}
		return v == nil
	})
	return list
}

func common(a, b []*types.Var) bool {
	return slices.ContainsFunc(a, func(v *types.Var) bool { return slices.Contains(b, v) })
}

// sameMethod is where the methods that implement the same interface's method as
// the function check the same parameter, or a field of the same type, and leave.
func (g *gathering) sameMethod(t *tracer, fn workspace.Func, roots []ast.Expr) []checked {
	var params []int
	var fields []types.Type
	for _, root := range roots {
		for _, v := range reads(fn.Package.TypesInfo, root) {
			if v.IsField() {
				fields = append(fields, v.Type())
			} else if i, ok := parameter(fn, v); ok && i >= 0 {
				params = append(params, i)
			}
		}
	}
	var list []checked
	for _, m := range g.peers(t, fn) {
		inspectOwn(m.Decl.Body, func(n ast.Node) {
			is, ok := n.(*ast.IfStmt)
			if !ok || !exits(is.Body) {
				return
			}
			if slices.ContainsFunc(reads(m.Package.TypesInfo, is.Cond), func(v *types.Var) bool {
				if v.IsField() {
					return slices.ContainsFunc(fields, func(f types.Type) bool { return types.Identical(f, v.Type()) })
				}
				i, ok := parameter(m, v)
				return ok && slices.Contains(params, i)
			}) {
				list = append(list, checked{is.Pos(), is.End(), m.Decl})
			}
		})
	}
	return list
}

// peers are the user's methods that implement a method of an interface that a
// function implements, too: one of the user's, or of what its package imports.
func (g *gathering) peers(t *tracer, fn workspace.Func) []workspace.Func {
	if fn.Object == nil || fn.Object.Signature().Recv() == nil {
		return nil
	}
	scopes := slices.Clone(fn.Package.Types.Imports())
	for _, pkg := range g.c.Code.Packages {
		if pkg.Types != nil {
			scopes = append(scopes, pkg.Types)
		}
	}
	var list []workspace.Func
	for _, pkg := range scopes {
		for _, name := range pkg.Scope().Names() {
			tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			m, _, _ := types.LookupFieldOrMethod(tn.Type(), false, fn.Object.Pkg(), fn.Object.Name())
			method, ok := m.(*types.Func)
			if !ok || !types.IsInterface(tn.Type()) {
				continue
			}
			if all := t.x.Targets(method); slices.ContainsFunc(all, func(f workspace.Func) bool { return t.x.Same(f.Object, fn.Object) }) {
				list = append(list, all...)
			}
		}
	}
	return slices.DeleteFunc(list, func(f workspace.Func) bool { return f.Decl == fn.Decl || g.isTest(f.File) })
}
