package fixer

import (
	"go/types"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// sharedMapOf finds what holds the map, and all that uses it.
func sharedMapOf(f *proposal.Proposal, s analysis.Suspect) (*sharedMap, bool) {
	root, at, ok := f.MapRoot(s.Place, s.Bad, 0)
	if !ok {
		return nil, false
	}
	m := &sharedMap{Proposal: f, root: root, classes: map[any]bool{}}
	fl := f.FlowOf()
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
