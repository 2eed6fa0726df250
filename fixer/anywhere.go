package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// Some mistakes are seen wherever they stand, whatever they lead to: this file
// looks for them in the functions of the stack.

// outward visits the user's functions of the stack, the culprit's first, with
// the frames they run in.
func (f *analysis) outward(visit func(p place, frame int)) {
	for i := max(f.at, 0); i < len(f.c.Stop.Frames) && i <= f.at+maxLift; i++ {
		fr := f.c.Stop.Frames[i]
		if fr.Runtime || !f.c.Workspace.Owns(fr.File) {
			continue
		}
		if home, ok := f.functionAt(fr); ok {
			visit(home, i)
		}
	}
}

// plainMistakes fixes what can only be a mistake, near the stop.
func (f *fixer) plainMistakes() {
	f.outward(func(p place, frame int) {
		f.parameterNotKept(p, frame)
	})
}

// parameterNotKept stores what a constructor takes and drops: a field of the
// receiver's type is zero, and has the name of a parameter that nothing uses.
func (f *fixer) parameterNotKept(p place, frame int) {
	d := p.declaration()
	if d == nil || d.Recv == nil || len(d.Recv.List) != 1 || len(d.Recv.List[0].Names) != 1 {
		return
	}
	recv := d.Recv.List[0].Names[0]
	t := named(p.info().TypeOf(recv))
	st, ok := underStruct(p.info().TypeOf(recv))
	if t == nil || !ok {
		return
	}
	for i := range st.NumFields() {
		field := st.Field(i)
		a := f.values.variable(frame, recv.Name+"."+field.Name())
		if !a.known || !isZeroValue(a) || len(f.assignmentsTo(field)) > 0 {
			continue
		}
		for _, b := range f.buildings(t) {
			if b.lacks(field) {
				f.keepParameter(b, t, field, recv.Name)
			}
		}
	}
}

func (f *fixer) keepParameter(b building, t *types.Named, field *types.Var, recv string) {
	v, ok := f.parameterFor(b, field)
	if !ok || !strings.EqualFold(v.text, field.Name()) {
		return
	}
	fn := b.function()
	param := paramNamed(b.place, fn, v.text)
	if param == nil || usedElsewhere(b.place, fn, param) {
		return
	}
	ch := f.change()
	if !ch.setField(b, []fieldInit{{field, field.Name(), v.text}}) {
		return
	}
	f.blame(fmt.Sprintf("%s (%s) takes %s and does not keep it: %s.%s is unset", b.buildName(), f.where(b.node().Pos()), v.text, recv, field.Name()), b.node().Pos())
	f.offer(idea{rule: "anywhere/keep-parameter", title: fmt.Sprintf("keep %s in %s", v.text, b.buildName()), weight: origin - 2, change: ch, grounds: v.grounds,
		why: fmt.Sprintf("%s takes %s, and nothing stores it; %s now holds it.", b.buildName(), v.text, t.Obj().Name())})
}

func paramNamed(p place, fn ast.Node, name string) types.Object {
	for _, field := range typeOfFunc(fn).Params.List {
		for _, id := range field.Names {
			if id.Name == name {
				return p.info().Defs[id]
			}
		}
	}
	return nil
}

// usedElsewhere reports whether a parameter is kept by another statement: what is
// only looked at, or made into something else, is not kept.
func usedElsewhere(p place, fn ast.Node, param types.Object) bool {
	kept := false
	ast.Inspect(bodyOf(fn), func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for _, r := range as.Rhs {
			if id, isIdent := ast.Unparen(r).(*ast.Ident); isIdent && p.info().Uses[id] == param {
				kept = true
			}
		}
		return !kept
	})
	return kept
}

// isZeroValue reports whether a plain value is 0, empty or nil.
func isZeroValue(a answer) bool {
	v := a.value
	if n, ok := parseInt(v.Value); ok {
		return n == 0
	}
	return v.Nil || v.Value == "false" || v.Value == "" && v.Len == 0 && len(v.Children) == 0
}
