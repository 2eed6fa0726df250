package blocks

import "go/types"

// shares reports whether a copy of a value of the type has data in common with
// it that code may change.
func (ix *index) shares(t types.Type) bool { return ix.sharesDeep(t, 0) }

func (ix *index) sharesDeep(t types.Type, depth int) bool {
	const deep = 10
	switch {
	case t == nil || depth > deep:
		return true
	case ix.isHandle(t):
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic, *types.Signature:
		return false
	case *types.Array:
		return ix.sharesDeep(u.Elem(), depth+1)
	case *types.Struct:
		if ix.isForeign(t) { // a time, a regular expression
			return false
		}
		for field := range u.Fields() {
			if ix.sharesDeep(field.Type(), depth+1) {
				return true
			}
		}
		return false
	}
	return true
}

// isHandle reports whether a value of the type refers to something of another
// module: a logger, a database, an error.
func (ix *index) isHandle(t types.Type) bool {
	if t == nil {
		return false
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return ix.isForeign(p.Elem())
	}
	return types.IsInterface(t) && ix.isForeign(t)
}

// isForeign reports whether a type is declared outside of the user's modules.
func (ix *index) isForeign(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	_, users := ix.decls[named.Origin().Obj()]
	return !users && (named.Obj().Pkg() == nil || named.Obj().Parent() == named.Obj().Pkg().Scope())
}

// isLock reports whether values of the type say nothing: those of package sync
// that only order what goroutines do.
func isLock(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "sync" {
		return false
	}
	switch named.Obj().Name() {
	case "Mutex", "RWMutex", "WaitGroup", "Once", "Cond":
		return true
	}
	return false
}
