package analysis

import (
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// MapRoot follows a map to the field or variable that holds it, through
// lookups in other maps, parameters and calls that return it.
func (f *Analysis) MapRoot(p syntax.Place, e ast.Expr, depth int) (*types.Var, syntax.Place, bool) {
	if depth > MaxTrace {
		return nil, p, false
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return f.MapRoot(p, x.X, depth+1)
	case *ast.SelectorExpr:
		v, ok := p.Info().ObjectOf(x.Sel).(*types.Var)
		return v, p, ok
	case *ast.CallExpr:
		decl, ok := f.DeclarationOf(p.Callee(x))
		if !ok {
			return nil, p, false
		}
		for _, r := range syntax.ReturnsOf(decl.Node()) {
			if len(r.Results) > 0 && syntax.IsMap(decl.Info().TypeOf(r.Results[0])) {
				if v, at, found := f.MapRoot(decl.Of(r), r.Results[0], depth+1); found {
					return v, at, true
				}
			}
		}
	case *ast.Ident:
		v, ok := p.Info().ObjectOf(x).(*types.Var)
		if !ok {
			return nil, p, false
		}
		return f.variableRoot(p, v, x, depth)
	}
	return nil, p, false
}

func (f *Analysis) variableRoot(p syntax.Place, v *types.Var, id *ast.Ident, depth int) (*types.Var, syntax.Place, bool) {
	if syntax.IsGlobal(v) || v.IsField() {
		return v, p, true
	}
	if fn, call, index := f.ParamOf(p, v); fn != nil {
		for _, c := range call {
			args := c.Node().(*ast.CallExpr).Args
			if index < 0 { // a receiver
				if sel, ok := ast.Unparen(c.Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr); ok {
					return f.MapRoot(c, sel.X, depth+1)
				}
			} else if index < len(args) {
				return f.MapRoot(c, args[index], depth+1)
			}
		}
		return nil, p, false
	}
	for _, d := range f.Definitions(p.Of(id), v) {
		if d.Expr == nil || !syntax.IsMap(v.Type()) || d.Kind == code.FromRange {
			continue
		}
		switch x := ast.Unparen(d.Expr).(type) {
		case *ast.IndexExpr, *ast.SelectorExpr, *ast.Ident:
			return f.MapRoot(d.Place, x, depth+1)
		}
	}
	return v, p, true
}

// ParamOf tells of which function a variable is a parameter or receiver, with
// the calls of that; index is -1 for a receiver.
func (f *Analysis) ParamOf(p syntax.Place, v *types.Var) (fn ast.Node, calls []syntax.Place, index int) {
	for _, n := range p.Path {
		ft := syntax.TypeOfFunc(n)
		if ft == nil {
			continue
		}
		d, _ := n.(*ast.FuncDecl)
		i, receiver, found := syntax.ParamIndex(p, ft, d, v)
		if !found {
			continue
		}
		if receiver {
			i = -1
		}
		return n, f.CallsOfFunction(p, n), i
	}
	return nil, nil, 0
}

// CallsOfFunction lists the calls of a declared function, or of a literal that
// is called where it stands or held by a variable; also those of go statements.
func (f *Analysis) CallsOfFunction(p syntax.Place, fn ast.Node) []syntax.Place {
	if d, ok := fn.(*ast.FuncDecl); ok {
		if obj, isFunc := p.Info().Defs[d.Name].(*types.Func); isFunc {
			calls, _ := f.CallsOf(obj)
			return calls
		}
		return nil
	}
	at := p.Of(fn)
	if call, ok := at.Path[1].(*ast.CallExpr); ok && ast.Unparen(call.Fun) == fn {
		return []syntax.Place{p.Of(call)}
	}
	var list []syntax.Place
	for obj, lits := range f.FlowOf().Literals {
		for _, l := range lits {
			if ast.Node(l) != fn {
				continue
			}
			ast.Inspect(p.File, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && p.Object(call.Fun) == obj {
					list = append(list, p.Of(call))
				}
				return true
			})
		}
	}
	return list
}
