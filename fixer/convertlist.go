package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// convertList makes a []T of a []any, as encoding/json decodes every list into
// an empty interface: each element is asked for its type.
func (f typeRules) convertList(a assertion) {
	want, isSlice := a.want.Underlying().(*types.Slice)
	if !isSlice || !strings.Contains(a.actual, "[]interface {}") && a.actual != "[]any" {
		return
	}
	anchor := a.anchor()
	if anchor == nil || !hoistable(a.of(a.expr), anchor) || !isPathOrIndex(a.x.X) {
		return
	}
	at := a.of(anchor)
	elem, fits := typeText(at, want.Elem())
	list, fitsList := typeText(at, a.want)
	if !fits || !fitsList {
		return
	}
	ok := f.flag(at)
	ch0 := f.change()
	items, item := ch0.fresh(at, "items", "elements", "parts"), ch0.fresh(at, "item", "element", "part")
	one, out := ch0.fresh(at, "one", "entry", "value"), ch0.fresh(at, assertedName(a.x.X), "list", "values")
	inJSON, convert := elem, one
	if b, isBasic := want.Elem().Underlying().(*types.Basic); isBasic && b.Info()&types.IsNumeric != 0 && elem != "float64" {
		inJSON, convert = "float64", elem+"("+one+")"
	}
	m := f.assertionMessage(a)
	for _, e := range f.exits(at, message{strings.ReplaceAll(m.format, "want "+f.text(a.x.Type), "want a list"), m.args}, "") {
		inner := f.elementExit(at, a, e, item)
		lines := fmt.Sprintf("%s, %s := %s.([]any)\nif !%s {\n\t%s\n}\n", items, ok, f.text(a.x.X), ok, indented(e.lines))
		lines += fmt.Sprintf("%s := make(%s, 0, len(%s))\nfor _, %s := range %s {\n\t%s, %s := %s.(%s)\n\tif !%s {\n\t\t%s\n\t}\n\t%s = append(%s, %s)\n}",
			out, list, items, item, items, one, ok, item, inJSON, ok, strings.ReplaceAll(inner, "\n", "\n\t\t"), out, out, convert)
		ch := f.change().before(anchor, lines).replace(a.x.Pos(), a.x.End(), out).need(a.file, e.imports...)
		if e.edit != nil && !e.edit(ch) {
			continue
		}
		w := origin
		if e.weight >= hiding {
			w = soft
		}
		f.offer(idea{rule: "convertlist/convert-list", title: fmt.Sprintf("make the %s of the []any that is there", list), weight: w, change: ch,
			why: fmt.Sprintf("encoding/json decodes a list into an empty interface as []any; its elements are taken one by one, and one that is not a %s is refused.", inJSON)})
		return
	}
}

// elementExit is an exit with the element in place of the list in its words.
func (f typeRules) elementExit(at place, a assertion, e exit, item string) string {
	return strings.ReplaceAll(strings.ReplaceAll(e.lines, "want a list", "want a list of "+f.text(a.x.Type)[2:]), ", "+f.text(a.x.X)+")", ", "+item+")")
}

// defaultWhenNil takes the declared default where nothing was stored yet.
func (f typeRules) defaultWhenNil(a assertion) {
	as, ok := a.anchor().(*ast.AssignStmt)
	if a.actual != "nil" || !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 || ast.Unparen(as.Rhs[0]) != ast.Expr(a.x) || a.pkg.Types == nil {
		return
	}
	scope := a.pkg.Types.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !strings.Contains(strings.ToLower(name), "default") {
			continue
		}
		value := name
		t := obj.Type()
		switch obj := obj.(type) {
		case *types.Var, *types.Const:
		case *types.Func:
			sig := obj.Type().(*types.Signature)
			if sig.Params().Len() != 0 || sig.Results().Len() != 1 {
				continue
			}
			value, t = name+"()", sig.Results().At(0).Type()
		default:
			continue
		}
		if !types.Identical(t, a.want) {
			continue
		}
		flag := f.flag(a.of(as))
		f.offer(idea{rule: "convertlist/default-when-nil", title: fmt.Sprintf("take %s where nothing is stored", value), weight: origin - 1, grounds: fmt.Sprintf("%s is declared with that type (%s)", name, f.where(obj.Pos())),
			change: f.change().insert(as.Lhs[0].End(), ", "+flag).after(as, fmt.Sprintf("if !%s {\n\t%s = %s\n}", flag, f.text(as.Lhs[0]), value)),
			why:    fmt.Sprintf("Until something is stored, %s is nil; %s stands in for it.", short(f.text(a.x.X)), value)})
		return
	}
}
