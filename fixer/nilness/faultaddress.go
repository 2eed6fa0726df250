package nilness

import (
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// sizes are those of 64-bit processors. Traces of 32-bit programs are judged by them as well.
var sizes = types.SizesFor("gc", "amd64")

// byAddress judges a suspect by the fault address of a trace: reading a field of a nil pointer
// faults at the field's offset. Address 0 may also be an explicit nil check of the compiler's, so
// it only makes other suspects less likely.
func (f nilRules) byAddress(p syntax.Place, s analysis.Suspect) analysis.Suspect {
	if f.Panic.Fault == nil || s.Fact != analysis.Unknown {
		return s
	}
	from, size, ok := access(p, s.Expr)
	switch at := *f.Panic.Fault; {
	case !ok:
	case at >= uint64(from) && at < uint64(from+size):
		s.Fits = true
	case at != 0:
		s.Fact = analysis.No
	}
	return s
}

// access is the offset, and the size in bytes, of what an expression reads through a pointer, a
// function value or an interface.
func access(p syntax.Place, e ast.Expr) (from, size int64, ok bool) {
	switch e := e.(type) {
	case *ast.StarExpr:
		return sized(0, p.Info().TypeOf(e))
	case *ast.CallExpr: // of a function value
		return 0, pointerSize, true
	case *ast.SelectorExpr:
		sel := p.Info().Selections[e]
		if sel == nil {
			return 0, 0, false
		}
		if methods, ok := sel.Recv().Underlying().(*types.Interface); ok {
			return inTable(methods, sel.Obj().Name())
		}
		if sel.Kind() == types.FieldVal {
			return inStruct(sel)
		}
	}
	return 0, 0, false
}

const pointerSize = 8

// inTable is where an interface's itab has a method: after three words, sorted by name.
func inTable(t *types.Interface, name string) (from, size int64, ok bool) {
	for i := range t.NumMethods() { // sorted by name
		if t.Method(i).Name() == name {
			return (3 + int64(i)) * pointerSize, pointerSize, true
		}
	}
	return 0, 0, false
}

// inStruct is the offset and the size of the field that a selection reads first.
func inStruct(sel *types.Selection) (from, size int64, ok bool) {
	t := sel.Recv()
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	for _, i := range sel.Index() {
		st, ok := t.Underlying().(*types.Struct)
		if !ok { // the rest is behind an embedded pointer, which is read first
			break
		}
		fields := make([]*types.Var, i+1)
		for j := range fields {
			fields[j] = st.Field(j)
			if generic(fields[j].Type()) {
				return 0, 0, false
			}
		}
		from += sizes.Offsetsof(fields)[i]
		t = fields[i].Type()
	}
	return sized(from, t)
}

func sized(from int64, t types.Type) (int64, int64, bool) {
	if t == nil || generic(t) {
		return 0, 0, false
	}
	return from, max(sizes.Sizeof(t), 1), true
}

// generic reports whether the size of a type depends on type arguments.
func generic(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Array:
		return generic(t.Elem())
	case *types.Struct:
		for field := range t.Fields() {
			if generic(field.Type()) {
				return true
			}
		}
	case *types.Named:
		return t.TypeParams().Len() > t.TypeArgs().Len() || generic(t.Underlying()) // one of a generic function has no arguments of its own
	}
	return false
}
