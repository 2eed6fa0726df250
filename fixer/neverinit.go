package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// neverCalled calls the method that sets a field, where nothing does: New was
// called, and load or init was forgotten.
func (f mapRules) neverCalled(t *types.Named, field *types.Var) bool {
	for _, at := range f.assignmentsTo(field) {
		d, ok := at.function().(*ast.FuncDecl)
		if !ok || d.Recv == nil || d.Type.Params.NumFields() > 0 || resultCount(d) > 1 {
			continue
		}
		obj, _ := at.info().Defs[d.Name].(*types.Func)
		if obj == nil || named(obj.Type().(*types.Signature).Recv().Type()) == nil || !f.same(named(obj.Type().(*types.Signature).Recv().Type()).Obj(), t.Obj()) {
			continue
		}
		if calls, _ := f.callsOf(obj); len(calls) > 0 {
			continue
		}
		if f.callAfterMaking(t, field, obj, d) {
			return true
		}
	}
	return false
}

// callAfterMaking calls a method after each place that takes a new value.
func (f mapRules) callAfterMaking(t *types.Named, field *types.Var, method *types.Func, d *ast.FuncDecl) bool {
	ch := f.change()
	var first place
	for _, m := range f.makings(t) {
		as, ok := m.node().(*ast.AssignStmt)
		if !ok || m.anchor() != ast.Stmt(as) {
			return false
		}
		call := f.text(as.Lhs[0]) + "." + method.Name() + "()"
		lines := call
		if resultCount(d) == 1 {
			if !isError(method.Type().(*types.Signature).Results().At(0).Type()) {
				return false
			}
			exits := f.exits(m, message{"%v", []string{"err"}}, "err")
			if len(exits) == 0 || exits[0].edit != nil {
				return false
			}
			lines = fmt.Sprintf("if err := %s; err != nil {\n\t%s\n}", call, indented(exits[0].lines))
			ch.need(m.file, exits[0].imports...)
		}
		at := ast.Stmt(as)
		if len(as.Lhs) == 2 { // after the check of its error
			if check, isIf := nextStatement(m, as).(*ast.IfStmt); isIf {
				at = check
			}
		}
		ch.after(at, lines)
		if first.file == nil {
			first = m
		}
	}
	if first.file == nil {
		return false
	}
	name := funcName(d)
	f.blame(fmt.Sprintf("nothing calls %s (%s), which sets it", name, f.where(d.Pos())), first.node().Pos())
	return f.offer(idea{rule: "neverinit/call-after-making", title: fmt.Sprintf("call %s after %s", name, short(f.text(first.node().(*ast.AssignStmt).Rhs[0]))), weight: origin - 2, change: ch,
		grounds: fmt.Sprintf("%s sets %s and is not called (%s)", name, field.Name(), f.where(d.Pos())),
		why:     fmt.Sprintf("%s sets %s, and nothing calls it; it is called as soon as the value is made.", name, field.Name())})
}

// makings lists the assignments that take a new value of a type: from a
// constructor, or a literal outside of one.
func (f mapRules) makings(t *types.Named) []place {
	var list []place
	constructors := map[types.Object]bool{}
	for _, b := range f.buildings(t) {
		if d, ok := b.function().(*ast.FuncDecl); ok && f.returnsType(b.place, d, t) {
			constructors[b.info().Defs[d.Name]] = true
			continue
		}
		for _, n := range b.path {
			if as, ok := n.(*ast.AssignStmt); ok && len(as.Lhs) == 1 && as.Tok == token.DEFINE {
				list = append(list, b.of(as))
			}
		}
	}
	for c := range constructors {
		fn, ok := c.(*types.Func)
		if !ok {
			continue
		}
		calls, _ := f.callsOf(fn)
		for _, call := range calls {
			if as, ok := call.path[1].(*ast.AssignStmt); ok {
				list = append(list, call.of(as))
			} else {
				return nil
			}
		}
	}
	return list
}

func (f mapRules) returnsType(p place, d *ast.FuncDecl, t *types.Named) bool {
	fn, ok := p.info().Defs[d.Name].(*types.Func)
	if !ok {
		return false
	}
	res := fn.Type().(*types.Signature).Results()
	if res.Len() == 0 {
		return false
	}
	n := named(res.At(0).Type())
	return n != nil && f.same(n.Obj(), t.Obj())
}
