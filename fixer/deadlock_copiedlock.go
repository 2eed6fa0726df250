package fixer

import (
	"go/ast"
	"go/types"
	"strings"
)

// copiedLock: the mutex is part of a copy that was made while it was locked.
func (d lockWaits) copiedLock(w waiter) {
	sel, ok := w.on.(*ast.SelectorExpr)
	root := w.on
	if ok {
		root = sel.X
	}
	src, e := d.copyOf(d.reader(w).trace(w.place, w.at, root))
	if e == nil {
		return
	}
	star, isStar := e.(*ast.StarExpr)
	st, isStruct := underStruct(src.info().TypeOf(e))
	if !isStar || !isStruct || src.stmt == nil {
		return
	}
	t, fits := typeText(src.place, src.info().TypeOf(e))
	if !fits || !isPath(star.X) {
		return
	}
	d.say(e.Pos(), "%s is the lock of a copy that was made while it was locked: %s (%s)", d.text(w.on), d.text(e), d.where(e.Pos()))
	ch := d.change()
	var parts []string
	for i := range st.NumFields() {
		field := st.Field(i)
		if n := named(field.Type()); n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync" {
			if _, isPtr := field.Type().(*types.Pointer); !isPtr {
				continue
			}
		}
		value := d.text(star.X) + "." + field.Name()
		switch field.Type().Underlying().(type) {
		case *types.Map:
			value = "maps.Clone(" + value + ")"
			ch.need(src.file, "maps")
		case *types.Slice:
			value = "slices.Clone(" + value + ")"
			ch.need(src.file, "slices")
		}
		parts = append(parts, field.Name()+": "+value)
	}
	d.offer(idea{rule: "deadlock/copied-lock", title: "copy the fields, not the lock", weight: origin, change: ch.replace(e.Pos(), e.End(), t+"{"+strings.Join(parts, ", ")+"}"),
		why: "The copy gets a lock of its own, which is not held, and maps and slices of its own."})
}

// copyOf follows a value through the calls that return it, as far as the copy
// that it is.
func (d lockWaits) copyOf(src source) (source, ast.Expr) {
	for range maxTrace {
		if src.expr == nil {
			return src, nil
		}
		e := ast.Unparen(src.expr)
		switch x := e.(type) {
		case *ast.UnaryExpr:
			src = d.trace(src.place, -1, x.X)
			if src.expr == x.X {
				return src, nil
			}
		case *ast.CallExpr:
			decl, ok := d.declarationOf(src.callee(x))
			if !ok {
				return src, nil
			}
			returns := returnsOf(decl.node())
			if len(returns) == 0 || src.result >= len(returns[len(returns)-1].Results) {
				return src, nil
			}
			result := returns[len(returns)-1].Results[src.result]
			src = d.trace(decl.of(result), -1, result)
		default:
			return src, e
		}
	}
	return src, nil
}
