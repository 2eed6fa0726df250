package regress

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/workspace"
)

// maxReached bounds the functions that are looked into.
const maxReached = 2000

// spared tells why a call of a function is no test of the fault: the bad value
// comes from elsewhere, and a fix there leaves the call with the value that it
// was given as broken as it was. Only guards at the symptom would pass.
func (m *maker) spared(fn workspace.Func, k *constructors) error {
	origin := newConstructors(m.c, fn.Object).origin.Object
	if origin == nil || m.reaches(fn, origin) {
		return nil
	}
	if k != nil {
		for _, c := range k.known {
			if c == nil || !c.Used {
				continue
			}
			at := m.c.Code.Fset.Position(c.Func.Pos())
			if made, ok := m.c.Code.FuncAt(at.Filename, at.Line); ok && m.reaches(made, origin) {
				return nil
			}
		}
	}
	return fmt.Errorf("its bad value comes from %s (%s), which the call does not run", origin.Name(), m.c.Diagnosis.Origin)
}

// reaches tells whether a call of a function may run another one: by the
// functions that the bodies name, and by name alone where an interface is called.
func (m *maker) reaches(from workspace.Func, to *types.Func) bool {
	seen := map[*types.Func]bool{}
	for next := []workspace.Func{from}; len(next) > 0 && len(seen) < maxReached; next = next[1:] {
		fn := next[0]
		if fn.Object == to {
			return true
		}
		if seen[fn.Object] || fn.Decl == nil || fn.Decl.Body == nil {
			continue
		}
		seen[fn.Object] = true
		found := false
		ast.Inspect(fn.Decl.Body, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return !found
			}
			called, ok := fn.Package.TypesInfo.Uses[id].(*types.Func)
			if !ok {
				return !found
			}
			called = called.Origin()
			found = found || called == to || throughInterface(called) && called.Name() == to.Name()
			at := m.c.Code.Fset.Position(called.Pos())
			if inner, ok := m.c.Code.FuncAt(at.Filename, at.Line); ok && inner.Object == called {
				next = append(next, inner)
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

func throughInterface(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}
