package navigate

import (
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/source/workspace"
)

// implementations lists the user's types that implement an interface, or their
// methods that implement one of its methods; none for any other object.
func (p *Program) implementations(s spot, obj types.Object) Answer {
	method, _ := obj.(*types.Func)
	iface := interfaceOf(obj)
	if iface == nil || iface.NumMethods() == 0 {
		return Answer{}
	}
	lines := texts{}
	out := Answer{Title: "Implementations of " + labelOf(obj), Note: "among your types"}
	for _, pkg := range s.code.Packages {
		if pkg.Types == nil {
			continue
		}
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			found, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || found.IsAlias() || types.IsInterface(found.Type()) {
				continue
			}
			if target := implementing(found, iface, method); target != nil {
				at := s.code.Fset.PositionFor(target.Pos(), false)
				out.Hits = append(out.Hits, lines.hit(Place{at.Filename, at.Line, at.Column}, target.Name(), labelOf(target), ""))
			}
		}
	}
	sortHits(out.Hits)
	return out
}

// implementing is what of a type implements the interface: the type, or its
// method where one is asked for; nil when it does not.
func implementing(name *types.TypeName, iface *types.Interface, method *types.Func) types.Object {
	named, ok := name.Type().(*types.Named)
	if !ok || named.TypeParams().Len() > 0 {
		return nil
	}
	pointer := types.NewPointer(named)
	if !types.Implements(named, iface) && !types.Implements(pointer, iface) {
		return nil
	}
	if method == nil {
		return name
	}
	found, _, _ := types.LookupFieldOrMethod(pointer, false, method.Pkg(), method.Name())
	if f, ok := found.(*types.Func); ok {
		return f.Origin()
	}
	return nil
}

// interfaceOf is the interface that an object is, or is a method of.
func interfaceOf(obj types.Object) *types.Interface {
	switch o := obj.(type) {
	case *types.TypeName:
		iface, _ := o.Type().Underlying().(*types.Interface)
		return iface
	case *types.Func:
		return workspace.InterfaceOf(o)
	}
	return nil
}

func sortHits(list []Hit) {
	slices.SortStableFunc(list, func(a, b Hit) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
}
