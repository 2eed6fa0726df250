package workspace

import "go/types"

// InterfaceOf is the interface that a method is declared by; nil of another one.
func InterfaceOf(fn *types.Func) *types.Interface {
	recv := fn.Signature().Recv()
	if recv == nil {
		return nil
	}
	iface, _ := recv.Type().Underlying().(*types.Interface)
	return iface
}

// implements reports whether the type of a method implements an interface. A type parameter of
// either matches any type, so for generic types true means that it may.
func implements(method *types.Func, iface *types.Interface) bool {
	t := method.Signature().Recv().Type()
	if types.Implements(t, iface) {
		return true
	}
	if _, pointer := t.(*types.Pointer); !pointer {
		t = types.NewPointer(t)
	}
	if types.Implements(t, iface) {
		return true
	}
	set := types.NewMethodSet(t)
	for m := range iface.Methods() {
		if own := set.Lookup(m.Pkg(), m.Name()); own == nil || !fits(own.Type(), m.Type()) {
			return false
		}
	}
	return iface.NumMethods() > 0
}

// fits reports whether two types are the same with some type arguments.
func fits(a, b types.Type) bool {
	if isParameter(a) || isParameter(b) {
		return true
	}
	switch a := types.Unalias(a).(type) {
	case *types.Pointer:
		b, ok := types.Unalias(b).(*types.Pointer)
		return ok && fits(a.Elem(), b.Elem())
	case *types.Slice:
		b, ok := types.Unalias(b).(*types.Slice)
		return ok && fits(a.Elem(), b.Elem())
	case *types.Array:
		b, ok := types.Unalias(b).(*types.Array)
		return ok && a.Len() == b.Len() && fits(a.Elem(), b.Elem())
	case *types.Map:
		b, ok := types.Unalias(b).(*types.Map)
		return ok && fits(a.Key(), b.Key()) && fits(a.Elem(), b.Elem())
	case *types.Chan:
		b, ok := types.Unalias(b).(*types.Chan)
		return ok && a.Dir() == b.Dir() && fits(a.Elem(), b.Elem())
	case *types.Named:
		b, ok := types.Unalias(b).(*types.Named)
		if !ok || a.Origin() != b.Origin() {
			return false
		}
		for i := range a.TypeArgs().Len() {
			if !fits(a.TypeArgs().At(i), b.TypeArgs().At(i)) {
				return false
			}
		}
		return true
	case *types.Signature:
		b, ok := types.Unalias(b).(*types.Signature)
		return ok && a.Variadic() == b.Variadic() && allFit(a.Params(), b.Params()) && allFit(a.Results(), b.Results())
	}
	return types.Identical(a, b)
}

func allFit(a, b *types.Tuple) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !fits(a.At(i).Type(), b.At(i).Type()) {
			return false
		}
	}
	return true
}

func isParameter(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}
