package regress

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/source/workspace"
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

// reaches reports whether a call of a function may run another one: by the
// functions that the bodies name, and what an interface's method may be: by name
// alone where it has the other's, which may be promoted from an embedded type.
// Where there are too many to look at, it may.
func (m *maker) reaches(from workspace.Func, to *types.Func) bool {
	x := m.c.Code.Index()
	seen := map[*types.Func]bool{}
	next := []workspace.Func{from}
	for ; len(next) > 0 && len(seen) < maxReached; next = next[1:] {
		fn := next[0]
		if x.Same(fn.Object, to) {
			return true
		}
		if fn.Object == nil || seen[fn.Object] || fn.Decl.Body == nil {
			continue
		}
		seen[fn.Object] = true
		found := false
		ast.Inspect(fn.Decl.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if called, ok := fn.Package.TypesInfo.Uses[id].(*types.Func); ok {
					found = found || throughInterface(called) && called.Name() == to.Name()
					next = append(next, x.Targets(called.Origin())...)
				}
			}
			return !found
		})
		if found {
			return true
		}
	}
	return len(next) > 0
}

func throughInterface(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}
