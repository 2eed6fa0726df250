package review

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/effect/match"
)

// describer writes expressions of a function in words that mean the same in all functions of
// the package: fields by the types that have them, variables by what they are, not by their
// names.
type describer struct {
	typed
	variables map[types.Object]described
	steps     int  // how many it has made
	telling   bool // it names a field, a function, a variable or a type of the user's
	unknown   bool // it names something that cannot be described
}

// mostSteps is how many steps a description takes at most: each of many variables may be made
// of several others.
const mostSteps = 100

// described is what a local variable is.
type described struct {
	as   string   // "parameter", "receiver"
	typ  string   // of a parameter, as it is written
	of   ast.Expr // what it is given
	at   int      // which of the results
	sets int      // how often it is given a value
}

func (t typed) describer(fn *ast.FuncDecl) *describer {
	d := &describer{typed: t, variables: map[types.Object]described{}}
	fields := func(list *ast.FieldList, as string) {
		if list == nil {
			return
		}
		for _, f := range list.List {
			for _, name := range f.Names {
				d.variables[t.info.Defs[name]] = described{as: as, typ: types.ExprString(f.Type)}
			}
		}
	}
	set := func(e ast.Expr, as string, of ast.Expr, at int) {
		if id, ok := e.(*ast.Ident); ok {
			v := t.info.ObjectOf(id)
			if t.info.Defs[id] == nil {
				of = nil // it may be what it was before
			}
			d.variables[v] = described{as: as, of: of, at: at, sets: d.variables[v].sets + 1}
		}
	}
	fields(fn.Recv, "receiver")
	for n := range ast.Preorder(fn) {
		switch n := n.(type) {
		case *ast.FuncType:
			fields(n.Params, "parameter")
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				set(l, "", n.Rhs[min(i, len(n.Rhs)-1)], max(0, i-len(n.Rhs)+1))
			}
		case *ast.RangeStmt:
			set(n.Key, "index", n.X, 0)
			set(n.Value, "element", n.X, 0)
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if len(n.Values) > 0 {
					set(name, "", n.Values[min(i, len(n.Values)-1)], max(0, i-len(n.Values)+1))
				}
			}
		case *ast.IncDecStmt:
			set(n.X, "", nil, 0)
		}
	}
	return d
}

// of describes an expression.
func (d *describer) of(e ast.Expr) string {
	e = ast.Unparen(e)
	if v := d.info.Types[e].Value; v != nil {
		return v.ExactString()
	}
	if d.steps++; d.steps > mostSteps {
		d.unknown = true
		return ""
	}
	switch e := e.(type) {
	case *ast.Ident:
		return d.name(e)
	case *ast.SelectorExpr:
		return d.selected(e)
	case *ast.BinaryExpr:
		return d.of(e.X) + " " + e.Op.String() + " " + d.of(e.Y)
	case *ast.UnaryExpr:
		if e.Op != token.ARROW {
			return e.Op.String() + "(" + d.of(e.X) + ")"
		}
	case *ast.StarExpr:
		return "*(" + d.of(e.X) + ")"
	case *ast.IndexExpr:
		return d.of(e.X) + "[" + d.argument(e.Index) + "]"
	case *ast.CallExpr:
		return d.call(e)
	}
	d.unknown = true
	return ""
}

func (d *describer) name(id *ast.Ident) string {
	switch o := d.info.ObjectOf(id).(type) {
	case *types.Nil, *types.Builtin, *types.TypeName:
		return id.Name
	case *types.Var:
		if v, local := d.variables[o]; local {
			return d.local(v)
		}
		if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
			d.telling = true
			return "variable " + id.Name
		}
	}
	d.unknown = true
	return ""
}

// local describes a local variable: a parameter by its type, others by what they are given, if
// that is one value.
func (d *describer) local(v described) string {
	switch {
	case v.typ != "":
		b := types.Universe.Lookup(strings.TrimLeft(v.typ, "[]*."))
		d.telling = d.telling || b == nil
		return v.as + " " + v.typ
	case v.sets != 1 || v.of == nil:
	case v.as != "":
		return v.as + " of " + d.of(v.of)
	case v.at == 0:
		return d.of(v.of)
	default:
		return fmt.Sprintf("result %d of %s", v.at, d.of(v.of))
	}
	d.unknown = true
	return ""
}

// selected describes a field by the type that has it, whatever leads there.
func (d *describer) selected(e *ast.SelectorExpr) string {
	if s := d.info.Selections[e]; s != nil && s.Kind() == types.FieldVal {
		d.telling = true
		return "field " + typeName(s.Recv()) + "." + e.Sel.Name
	}
	id, ok := ast.Unparen(e.X).(*ast.Ident)
	if !ok {
		d.unknown = true
		return ""
	}
	if from, ok := d.info.Uses[id].(*types.PkgName); ok {
		return from.Imported().Path() + "." + e.Sel.Name
	}
	typ := d.variables[d.info.ObjectOf(id)].typ // a type that is not loaded
	d.telling, d.unknown = true, d.unknown || typ == ""
	return "field " + strings.TrimPrefix(typ, "*") + "." + e.Sel.Name
}

// call describes what a call returns: by a function of the package, the same for the same
// constants; by another one that is no method, or a conversion, the same of the same.
func (d *describer) call(call *ast.CallExpr) string {
	callee, own := d.callee(call).(*types.Func)
	var args []string
	for _, a := range call.Args {
		if own {
			args = append(args, d.argument(a))
		} else {
			args = append(args, d.of(a))
		}
	}
	list := "(" + strings.Join(args, ", ") + ")"
	if own {
		d.telling = true
		return callee.FullName() + list
	}
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return d.of(fun) + list
	case *ast.SelectorExpr:
		if id, ok := fun.X.(*ast.Ident); ok && isPackage(d.info.Uses[id]) {
			return d.of(fun) + list
		}
	}
	d.unknown = true
	return ""
}

func isPackage(o types.Object) bool {
	_, ok := o.(*types.PkgName)
	return ok
}

// argument describes what a function of the package is given, or an entry is looked up by:
// a constant, a field, a variable of the package. Others may be any.
func (d *describer) argument(e ast.Expr) string {
	of := describer{typed: d.typed, variables: d.variables, steps: d.steps}
	text := of.of(e)
	if d.steps = of.steps; !of.unknown && (of.telling || d.info.Types[ast.Unparen(e)].Value != nil) {
		return text
	}
	return "_"
}

// answer describes a result of a type as a guard gives it: a constant, something empty, an
// error that has a name, one that is made there, or what is known.
func (d *describer) answer(typ string, e ast.Expr) string {
	e = ast.Unparen(e)
	id, isName := e.(*ast.Ident)
	switch v := d.info.Types[e].Value; {
	case v != nil:
		return v.ExactString()
	case isName && slices.Contains([]string{"nil", "true", "false"}, id.Name):
		return id.Name
	case match.ZeroValue(e):
		return types.ExprString(e)
	case typ != "error":
		return d.of(e)
	}
	if sel, ok := e.(*ast.SelectorExpr); ok {
		id, isName = sel.X.(*ast.Ident)
	}
	if isName {
		if _, local := d.variables[d.info.ObjectOf(id)]; !local {
			return "sentinel"
		}
	}
	return "error"
}
