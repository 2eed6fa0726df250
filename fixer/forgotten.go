package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// Where a struct is built without one of its fields, the value that was meant
// is often at hand: a parameter of that name, the field of the value that is
// being copied, a default that the package declares.

// atHand is a value for a field that a building leaves out.
type atHand struct {
	text    string
	path    string // to import
	grounds string
}

// forgotten finds the value that a building was meant to give a field.
func (f *facts) forgotten(b building, field *types.Var) (atHand, bool) {
	for _, find := range []func(building, *types.Var) (atHand, bool){f.parameterFor, f.copiedFrom} {
		if v, ok := find(b, field); ok {
			return v, true
		}
	}
	return atHand{}, false
}

// parameterFor finds the parameter that a constructor takes and does not store.
func (f *facts) parameterFor(b building, field *types.Var) (atHand, bool) {
	fn := b.function()
	ft := typeOfFunc(fn)
	if ft == nil {
		return atHand{}, false
	}
	var found *ast.Ident
	named := false
	for _, p := range ft.Params.List {
		for _, id := range p.Names {
			v, ok := b.info().Defs[id].(*types.Var)
			if !ok || id.Name == "_" || !types.AssignableTo(v.Type(), field.Type()) {
				continue
			}
			same := strings.EqualFold(id.Name, field.Name())
			if !same && (named || found != nil || usedIn(b.place, bodyOf(fn), v) || !types.Identical(v.Type(), field.Type())) {
				continue
			}
			if same && !named {
				found, named = id, true
			} else if found == nil {
				found = id
			}
		}
	}
	if found == nil {
		return atHand{}, false
	}
	return atHand{text: found.Name, grounds: fmt.Sprintf("%s takes %s and does not keep it (%s)", b.buildName(), found.Name, f.where(found.Pos()))}, true
}

func usedIn(p place, root ast.Node, v types.Object) bool {
	return root != nil && namesObject(p, root, v)
}

// copiedFrom finds the field of the value that a Clone or Copy makes a copy of.
func (f *facts) copiedFrom(b building, field *types.Var) (atHand, bool) {
	d := b.declaration()
	if d == nil || b.literal == nil {
		return atHand{}, false
	}
	from := ""
	for _, e := range b.literal.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		ast.Inspect(e, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if id, isIdent := sel.X.(*ast.Ident); isIdent {
				if st, isStruct := underStruct(b.info().TypeOf(id)); isStruct && fieldOf(st, field.Name()) == field {
					from = id.Name
				}
			}
			return true
		})
	}
	low := strings.ToLower(d.Name.Name)
	copies := false
	for _, word := range []string{"clone", "copy", "with", "dup", "snapshot", "fork", "derive", "child"} {
		copies = copies || strings.Contains(low, word)
	}
	if from == "" || !copies {
		return atHand{}, false
	}
	text := from + "." + field.Name()
	v := atHand{text: text, grounds: fmt.Sprintf("%s copies the other fields of %s (%s)", funcName(d), from, f.where(b.node().Pos()))}
	if isMap(field.Type()) {
		v.text, v.path = pkgName(b.file, "maps")+".Clone("+text+")", "maps"
	}
	return v, true
}
