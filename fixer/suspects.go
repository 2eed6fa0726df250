package fixer

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/workspace"
)

// without lists the buildings of a struct that leave a field out.
func (f *facts) without(t *types.Named, field *types.Var) []building {
	return slices.DeleteFunc(f.buildings(t), func(b building) bool { return !b.lacks(field) })
}

// suspects lists the buildings of a struct that leave out the field that sel reads:
// one of them made the value. Those that the value's other fields rule out are no
// suspects.
func (f *analysis) suspects(src source, sel *ast.SelectorExpr, t *types.Named, field *types.Var) []building {
	lacking := f.without(t, field)
	if named(src.info().TypeOf(sel.X)) != t { // the field is promoted: sel.X is another struct
		return lacking
	}
	holder := f.value(src.place, src.frame, sel.X)
	if !holder.known {
		return lacking
	}
	all := f.buildings(t)
	left := slices.DeleteFunc(slices.Clone(lacking), func(b building) bool { return f.ruledOut(b, all, holder.value.Deref()) })
	if len(left) == 0 {
		return lacking
	}
	return left
}

// ruledOut reports whether a building cannot have made a value: it has a field that
// the building leaves nil, that another building sets, and that nothing sets later.
func (f *analysis) ruledOut(b building, all []building, value debugger.Variable) bool {
	st, ok := underStruct(b.info().TypeOf(b.made()))
	if !ok || f.leaves(b) {
		return false
	}
	for i := range st.NumFields() {
		field := st.Field(i)
		has, known := value.Child(field.Name())
		if !known || !canBeNil(has) || has.Nil || !b.lacks(field) || st.Tag(i) != "" {
			continue // a tag is read by decoders, which set fields unseen
		}
		explained := slices.ContainsFunc(all, func(o building) bool { return !o.lacks(field) })
		if explained && !f.setOutsideLiterals(field) {
			return true
		}
	}
	return false
}

// made is the expression whose type is the struct that a building makes.
func (b building) made() ast.Expr {
	switch {
	case b.literal != nil:
		return b.literal
	case b.alloc != nil:
		return b.alloc.Args[0]
	}
	return b.spec.Type
}

// canBeNil reports whether a value is of a kind that can be nil, and was read.
func canBeNil(v debugger.Variable) bool {
	switch v.Kind {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Chan, reflect.Func, reflect.Interface:
		return v.Unreadable == ""
	}
	return false
}

// setOutsideLiterals reports whether the code gives a field a value, or may, other than
// where the struct is made.
func (f *facts) setOutsideLiterals(field *types.Var) bool {
	return slices.ContainsFunc(f.c.Code.Index().Uses(field), func(u workspace.Use) bool {
		_, statement := u.Node.(ast.Stmt)
		return u.Kind == workspace.Address || u.Kind == workspace.Write && statement
	})
}

// leaves reports whether the function of a building hands values of its struct to code
// that is not the user's: a decoder may fill them.
func (f *analysis) leaves(b building) bool {
	d := b.declaration()
	if d == nil {
		return false
	}
	made := named(b.info().TypeOf(b.made()))
	found := false
	ast.Inspect(d, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found {
			return !found
		}
		fn := b.callee(call)
		if fn == nil {
			return true
		}
		if _, users := f.c.Code.Index().Decl(fn); users {
			return true
		}
		found = slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
			t := b.info().TypeOf(a)
			return t != nil && named(t) == made
		})
		return !found
	})
	return found
}
