package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
)

// usualFunction sets a function field that was never given a value to the only
// function of the package that fits it and that nothing uses.
func (f nilRules) usualFunction(t *types.Named, field *types.Var, suspects []building) bool {
	sig, ok := field.Type().Underlying().(*types.Signature)
	if !ok || t.Obj().Pkg() == nil {
		return false
	}
	var lacking []building
	for _, b := range suspects {
		if b.pkg.PkgPath == t.Obj().Pkg().Path() {
			lacking = append(lacking, b)
		}
	}
	fn := f.unusedFunction(lacking, sig)
	if fn == nil || len(lacking) > 4 {
		return false
	}
	ch := f.change()
	for _, b := range lacking {
		if !ch.setField(b, []fieldInit{{field, field.Name(), fn.Name()}}) {
			return false
		}
	}
	first := lacking[0]
	f.blameSuspects(t, suspects, first, field)
	return f.offer(idea{rule: "usualfunc/usual-function", title: fmt.Sprintf("set %s to %s in %s", field.Name(), fn.Name(), first.buildName()), weight: origin - 2, change: ch,
		grounds: fmt.Sprintf("%s fits %s, and nothing else uses it (%s)", fn.Name(), field.Name(), f.where(fn.Pos())),
		why:     fmt.Sprintf("%s is built without %s, which now starts as %s.", t.Obj().Name(), field.Name(), fn.Name())})
}

// unusedFunction is the only function of the package of the buildings that has a
// signature and is not named anywhere.
func (f nilRules) unusedFunction(lacking []building, sig *types.Signature) *types.Func {
	if len(lacking) == 0 || lacking[0].pkg.Types == nil {
		return nil
	}
	scope := lacking[0].pkg.Types.Scope()
	var fits []*types.Func
	for _, name := range scope.Names() {
		if fn, ok := scope.Lookup(name).(*types.Func); ok && name != "main" && name != "init" && types.Identical(fn.Type(), sig) {
			fits = append(fits, fn)
		}
	}
	fits = slices.DeleteFunc(fits, func(fn *types.Func) bool {
		used := false
		f.each(func(p place) {
			ast.Inspect(p.file, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && !used {
					used = f.same(p.info().Uses[id], fn)
				}
				return !used
			})
		})
		return used
	})
	if len(fits) != 1 {
		return nil
	}
	return fits[0]
}
