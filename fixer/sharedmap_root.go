package fixer

import (
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// sharedMapOf finds what holds the map, and all that uses it.
func sharedMapOf(f *proposal, s suspect) (*sharedMap, bool) {
	root, at, ok := f.mapRoot(s.Place, s.bad, 0)
	if !ok {
		return nil, false
	}
	m := &sharedMap{proposal: f, root: root, classes: map[any]bool{}}
	fl := f.flowOf()
	class := fl.Find(syntax.OriginOf(root))
	for range 3 {
		m.classes[class] = true
		class = fl.ElemOf(class)
	}
	if root.IsField() {
		decl, found := f.FieldDecl(root)
		if !found {
			return nil, false
		}
		m.home = decl
		m.owner = m.structWith(root)
		if m.owner == nil {
			return nil, false
		}
	} else {
		defs := f.Definitions(at, root)
		if !syntax.IsGlobal(root) || len(defs) == 0 || defs[0].Stmt == nil {
			return nil, false
		}
		m.home = defs[0].Of(defs[0].Stmt)
	}
	m.collect()
	m.by = m.chooseGuard()
	return m, len(m.accesses) > 0
}

// structWith returns the named struct type that declares a field.
func (f *sharedMap) structWith(field *types.Var) *types.Named {
	for _, pkg := range f.Case.Code.Packages {
		if pkg.Types == nil || pkg.Types != field.Pkg() {
			continue
		}
		for _, obj := range pkg.TypesInfo.Defs {
			tn, ok := obj.(*types.TypeName)
			if !ok {
				continue
			}
			n, ok := tn.Type().(*types.Named)
			if !ok {
				continue
			}
			if st, isStruct := n.Underlying().(*types.Struct); isStruct {
				for i := range st.NumFields() {
					if st.Field(i) == field.Origin() || st.Field(i) == field {
						return n
					}
				}
			}
		}
	}
	return nil
}

// mapRoot follows a map to the field or variable that holds it, through
// lookups in other maps, parameters and calls that return it.
func (f *analysis) mapRoot(p syntax.Place, e ast.Expr, depth int) (*types.Var, syntax.Place, bool) {
	if depth > maxTrace {
		return nil, p, false
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return f.mapRoot(p, x.X, depth+1)
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
				if v, at, found := f.mapRoot(decl.Of(r), r.Results[0], depth+1); found {
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

func (f *analysis) variableRoot(p syntax.Place, v *types.Var, id *ast.Ident, depth int) (*types.Var, syntax.Place, bool) {
	if syntax.IsGlobal(v) || v.IsField() {
		return v, p, true
	}
	if fn, call, index := f.paramOf(p, v); fn != nil {
		for _, c := range call {
			args := c.Node().(*ast.CallExpr).Args
			if index < 0 { // a receiver
				if sel, ok := ast.Unparen(c.Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr); ok {
					return f.mapRoot(c, sel.X, depth+1)
				}
			} else if index < len(args) {
				return f.mapRoot(c, args[index], depth+1)
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
			return f.mapRoot(d.Place, x, depth+1)
		}
	}
	return v, p, true
}

// paramOf tells of which function a variable is a parameter or receiver, with
// the calls of that; index is -1 for a receiver.
func (f *analysis) paramOf(p syntax.Place, v *types.Var) (fn ast.Node, calls []syntax.Place, index int) {
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
		return n, f.callsOfFunction(p, n), i
	}
	return nil, nil, 0
}

// callsOfFunction lists the calls of a declared function, or of a literal that
// is called where it stands or held by a variable; also those of go statements.
func (f *analysis) callsOfFunction(p syntax.Place, fn ast.Node) []syntax.Place {
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
	for obj, lits := range f.flowOf().Literals {
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
