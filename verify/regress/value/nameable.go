package value

import (
	"go/types"
	"strings"
)

// scope is what source in a package can name: its own declarations, and the
// exported ones of packages that it can import.
type scope struct{ from *types.Package }

func (r *Reader) scope() scope { return scope{r.From} }

// nameable reports whether source in the package can name a type; the error names the
// part that it cannot.
func (s scope) nameable(at site, t types.Type) error {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return s.nameableNamed(at, t)
	case *types.Pointer:
		return s.nameable(at, t.Elem())
	case *types.Slice:
		return s.nameable(at, t.Elem())
	case *types.Array:
		return s.nameable(at, t.Elem())
	case *types.Chan:
		return s.nameable(at, t.Elem())
	case *types.Map:
		if err := s.nameable(at, t.Key()); err != nil {
			return err
		}
		return s.nameable(at, t.Elem())
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				if err := s.nameable(at, v.Type()); err != nil {
					return err
				}
			}
		}
	case *types.Struct:
		for f := range t.Fields() {
			if !s.visible(f) {
				return at.refuse("is a struct with the field %s of another package: cannot be rebuilt", f.Name())
			}
			if err := s.nameable(at, f.Type()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s scope) nameableNamed(at site, t *types.Named) error {
	o := t.Obj()
	if o.Pkg() == nil {
		return nil
	}
	name := o.Pkg().Name() + "." + o.Name()
	if o.Parent() != o.Pkg().Scope() {
		return at.refuse("is a %s, a type declared inside a function: cannot be rebuilt", name)
	}
	if !s.visible(o) {
		return at.refuse("is a %s, which is not exported: cannot be rebuilt", name)
	}
	if o.Pkg().Path() != s.from.Path() && o.Pkg().Name() == "main" {
		return at.refuse("is a %s of another program: cannot be rebuilt", name)
	}
	if !s.importable(o.Pkg()) {
		return at.refuse("is a %s, which %s cannot import: cannot be rebuilt", name, s.from.Path())
	}
	for arg := range t.TypeArgs().Types() {
		if err := s.nameable(at, arg); err != nil {
			return err
		}
	}
	return nil
}

func (s scope) visible(o types.Object) bool {
	return o.Exported() || o.Pkg() == nil || o.Pkg().Path() == s.from.Path()
}

// importable reports whether a test in the package can import a package: there is no
// circle, and internal packages are its own.
func (s scope) importable(p *types.Package) bool {
	if p.Path() == s.from.Path() {
		return true
	}
	if before, _, ok := cutInternal(p.Path()); ok && !strings.HasPrefix(s.from.Path()+"/", before) {
		return false
	}
	return !reaches(p, s.from.Path(), map[*types.Package]bool{})
}

// cutInternal splits a path before its last internal element.
func cutInternal(path string) (before, after string, ok bool) {
	i := strings.LastIndex("/"+path+"/", "/internal/")
	if i < 0 {
		return path, "", false
	}
	return path[:i], path[i:], true
}

// reaches reports whether a package imports another, directly or not.
func reaches(from *types.Package, path string, seen map[*types.Package]bool) bool {
	if seen[from] {
		return false
	}
	seen[from] = true
	for _, p := range from.Imports() {
		if p.Path() == path || reaches(p, path, seen) {
			return true
		}
	}
	return false
}
