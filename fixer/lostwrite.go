package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
)

// lostWrite fixes an assignment to a field that is made on a copy: by a method
// with a value receiver, or to the variable of a range loop.
func (f mapRules) lostWrite(field *types.Var) bool {
	for _, at := range f.assignmentsTo(field) {
		as := at.node().(*ast.AssignStmt)
		for _, l := range as.Lhs {
			sel, ok := ast.Unparen(l).(*ast.SelectorExpr)
			if !ok || !f.same(at.info().ObjectOf(sel.Sel), field) {
				continue
			}
			id, isIdent := ast.Unparen(sel.X).(*ast.Ident)
			if !isIdent {
				continue
			}
			v, isVar := at.info().ObjectOf(id).(*types.Var)
			if !isVar || isPointer(v.Type()) {
				continue
			}
			if f.pointerReceiver(at, as, sel, v, field) {
				return true
			}
		}
	}
	return false
}

// pointerReceiver lets a method change the value that it is called on.
func (f mapRules) pointerReceiver(at place, as *ast.AssignStmt, sel *ast.SelectorExpr, v *types.Var, field *types.Var) bool {
	d, ok := at.function().(*ast.FuncDecl)
	if !ok || d.Recv == nil || len(d.Recv.List) != 1 || len(d.Recv.List[0].Names) != 1 || at.info().Defs[d.Recv.List[0].Names[0]] != v || !f.dies(at, v, sel, as.End()-1) {
		return false
	}
	name := funcName(d)
	f.blame(fmt.Sprintf("%s (%s) sets it on a copy", name, f.where(as.Pos())), as.Pos())
	return f.offer(idea{rule: "lostwrite/pointer-receiver", title: fmt.Sprintf("give %s a pointer receiver", name), weight: origin - 2, change: f.change().insert(d.Recv.List[0].Type.Pos(), "*"),
		grounds: fmt.Sprintf("%s assigns to %s (%s)", name, field.Name(), f.where(as.Pos())),
		why:     fmt.Sprintf("A method with a value receiver works on a copy, and what it sets is lost; with a pointer receiver %s sets %s of the value it is called on.", name, field.Name())})
}
