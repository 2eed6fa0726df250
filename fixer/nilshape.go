package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// receiverBase gives a recursive method or function of a linked structure its
// base case: nothing is there.
func (f nilRules) receiverBase(s suspect) {
	d, ok := s.function().(*ast.FuncDecl)
	id, isIdent := ast.Unparen(s.bad).(*ast.Ident)
	if !ok || !isIdent {
		return
	}
	v, isVar := s.info().ObjectOf(id).(*types.Var)
	sig := s.signature()
	if !isVar || sig == nil || !isPointer(v.Type()) {
		return
	}
	if _, _, isParam := paramIndex(s.place, d.Type, d, v); !isParam || !linked(v.Type()) || !recursive(s.place, d) {
		return
	}
	rest, fits := results(s.place, sig, 0)
	if !fits {
		return
	}
	line := "return"
	if rest != "" {
		line += " " + rest
	}
	ch := f.change().first(d.Body, fmt.Sprintf("if %s == nil {\n\t%s\n}", id.Name, line))
	f.note(fmt.Sprintf("%s (%s) goes on past the end of the structure", funcName(d), f.where(d.Pos())), d.Pos())
	f.offer(idea{rule: "nil/receiver-base", title: fmt.Sprintf("end %s where there is no %s", funcName(d), id.Name), weight: origin, change: ch,
		why: fmt.Sprintf("%s calls itself on what a node links to; a missing link is the end, and it now ends there.", funcName(d))})
}

// nilString lets the String method of a nil pointer say so.
func (f nilRules) nilString(s suspect) {
	d, ok := s.function().(*ast.FuncDecl)
	id, isIdent := ast.Unparen(s.bad).(*ast.Ident)
	if !ok || !isIdent || d.Recv == nil || d.Name.Name != "String" || len(d.Recv.List[0].Names) != 1 || d.Recv.List[0].Names[0].Name != id.Name {
		return
	}
	f.offer(idea{rule: "nil/nil-string", title: "let String answer for a nil " + id.Name, weight: handled, change: f.change().first(d.Body, fmt.Sprintf("if %s == nil {\n\treturn \"<nil>\"\n}", id.Name)),
		why: "String is what printing calls, also for a nil pointer; it answers <nil> then, as package fmt does."})
}

// linked reports whether a struct holds pointers to its own kind.
func linked(t types.Type) bool {
	n := named(t)
	st, ok := underStruct(t)
	if n == nil || !ok {
		return false
	}
	for i := range st.NumFields() {
		ft := st.Field(i).Type()
		switch u := ft.Underlying().(type) {
		case *types.Slice:
			ft = u.Elem()
		case *types.Map:
			ft = u.Elem()
		case *types.Array:
			ft = u.Elem()
		}
		if m := named(ft); m != nil && m.Obj() == n.Obj() {
			return true
		}
	}
	return false
}

func recursive(p place, d *ast.FuncDecl) bool {
	self := p.info().Defs[d.Name]
	found := false
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if fn := p.callee(call); fn != nil && originOf(fn) == self {
				found = true
			}
		}
		return true
	})
	return found
}

// walkCondition ends a loop that walks links where the links end.
func (f nilRules) walkCondition(s suspect) {
	if !isPathOrIndex(s.bad) {
		return
	}
	text := f.text(s.bad)
	for _, l := range s.loops() {
		loop, ok := l.(*ast.ForStmt)
		if !ok || contains(loop.Body, s.expr.Pos()) && !advancedBy(s, loop) {
			continue
		}
		if loop.Cond == nil || contains(loop.Cond, s.expr.Pos()) {
			continue // shortCircuit does it
		}
		if !evaluableAt(indexing{suspect: s, index: s.bad, base: s.bad}, loop) {
			continue
		}
		ch := f.change().insert(loop.Cond.Pos(), text+" != nil && ")
		f.note(fmt.Sprintf("the loop (%s) walks past the last one", f.where(loop.Pos())), loop.Pos())
		f.offer(idea{rule: "nil/walk-condition", title: fmt.Sprintf("walk only while %s is there", text), weight: origin + 3, change: ch,
			why: fmt.Sprintf("The loop at %s now ends when %s is nil.", f.where(loop.Pos()), text)})
	}
}

// searchEnd ends a search by a for condition that looks into the next element,
// and leaves the function where it found nothing.
func (f nilRules) searchEnd(s suspect) bool {
	cond := s.condition()
	if cond == nil || !isPathOrIndex(s.bad) {
		return false
	}
	loop, ok := s.isTest(cond).(*ast.ForStmt)
	if !ok || s.of(loop).anchor() != ast.Stmt(loop) {
		return false
	}
	text := f.text(s.bad)
	next := nextStatement(s.of(loop), loop)
	if next == nil || !strings.Contains(f.text(next), text+".") {
		return false
	}
	list := f.exits(s.of(loop), message{"not found", nil}, "")
	if sig := s.signature(); sig != nil && sig.Results().Len() == 1 && isBool(sig.Results().At(0).Type()) {
		list = []exit{{lines: "return false", weight: handled, how: "returns false"}}
	}
	for _, e := range list {
		ch := f.change().insert(cond.Pos(), text+" != nil && ").after(loop, fmt.Sprintf("if %s == nil {\n\t%s\n}", text, indented(e.lines))).need(s.file, e.imports...)
		if e.edit != nil && !e.edit(ch) {
			continue
		}
		f.offer(idea{rule: "nil/search-end", title: fmt.Sprintf("end the search where %s is nil: %s", text, shortHow(e)), weight: min(e.weight, handled+6) - 4, change: ch, grounds: e.grounds,
			why: fmt.Sprintf("Where %s is nil after the loop, %s %s.", text, funcName(s.function()), e.how)})
		return true
	}
	return false
}

// advancedBy reports whether the loop moves the suspect's variable along.
func advancedBy(s suspect, loop *ast.ForStmt) bool {
	root := s.bad
	for {
		sel, ok := ast.Unparen(root).(*ast.SelectorExpr)
		if !ok {
			break
		}
		root = sel.X
	}
	id, ok := ast.Unparen(root).(*ast.Ident)
	if !ok {
		return false
	}
	obj := s.info().ObjectOf(id)
	moved := false
	ast.Inspect(loop, func(n ast.Node) bool {
		if as, ok := n.(*ast.AssignStmt); ok && as.Tok == token.ASSIGN {
			for _, l := range as.Lhs {
				if s.object(l) == obj {
					if _, plain := l.(*ast.Ident); plain {
						moved = true
					}
				}
			}
		}
		return true
	})
	return moved
}

// nilElements fixes a slice of pointers that was made with nil elements and
// then appended to.
func (f nilRules) nilElements(src source) {
	base := f.trace(src.place, src.frame, src.expr)
	p, e := base.place, base.expr
	if e == nil {
		return
	}
	var field types.Object
	switch x := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if name, _ := p.builtin(x); name == "make" {
			f.emptyMake(p, x, base.object)
			return
		}
		if d, ok := f.declarationOf(p.callee(x)); ok {
			for _, r := range returnsOf(d.node()) {
				if base.result < len(r.Results) {
					inner := f.trace(d.of(r.Results[base.result]), -1, r.Results[base.result])
					if inner.object != nil {
						f.emptyMakes(d, inner.object)
					}
				}
			}
		}
	case *ast.SelectorExpr:
		field = p.object(x)
	}
	if base.object != nil {
		f.emptyMakes(p, base.object)
	}
	if v, ok := field.(*types.Var); ok {
		if t, _ := structOf(p, ast.Unparen(e).(*ast.SelectorExpr)); t != nil {
			for _, b := range f.buildings(t) {
				if value, present := b.fieldValue(v); present {
					if name, call := b.builtin(value); name == "make" {
						f.emptyMake(b.of(call), call, v)
					}
				}
			}
		}
	}
}

func (f nilRules) emptyMakes(p place, obj types.Object) {
	v, ok := obj.(*types.Var)
	if !ok {
		return
	}
	for _, d := range f.definitions(p, v) {
		if d.expr == nil {
			continue
		}
		if name, call := d.builtin(d.expr); name == "make" {
			f.emptyMake(d.place, call, obj)
		}
	}
}

// emptyMake turns make([]T, n) into make([]T, 0, n) where elements are appended.
func (f nilRules) emptyMake(p place, call *ast.CallExpr, obj types.Object) {
	if len(call.Args) != 2 || !f.appendedTo(obj) {
		return
	}
	if n, isConst := constantInt(p, call.Args[1]); isConst && n == 0 {
		return
	}
	f.diagnosis.Origin = ""
	f.note(fmt.Sprintf("it is made with %s nil elements (%s) before others are appended", f.text(call.Args[1]), f.where(call.Pos())), call.Pos())
	f.offer(idea{rule: "nil/empty-make", title: fmt.Sprintf("make %s empty, with room for %s", obj.Name(), short(f.text(call.Args[1]))), weight: origin - 1,
		change: f.change().insert(call.Args[1].Pos(), "0, "),
		why:    "make with a length gives that many nil elements, and append puts the others after them; the length is now 0, with that capacity."})
}

func (f nilRules) appendedTo(obj types.Object) bool {
	found := false
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if name, _ := p.builtin(call); name == "append" && f.same(p.object(call.Args[0]), obj) {
					found = true
				}
			}
			return true
		})
	})
	return found
}

// optionalCall calls a callback, or uses an optional part, only where it is set.
func (f nilRules) optionalCall(s suspect) {
	anchor := s.anchor()
	if anchor == nil || !isPathOrIndex(s.bad) {
		return
	}
	text := f.text(s.bad)
	es, isExpr := anchor.(*ast.ExprStmt)
	if isExpr {
		w := soft
		if _, isFunc := s.info().TypeOf(s.bad).Underlying().(*types.Signature); isFunc {
			w = handled - 3 // a callback that is never set
		}
		if call, ok := es.X.(*ast.CallExpr); !ok || !isCallOn(call, s.bad) {
			w = hiding
		}
		ch := f.change().replace(es.Pos(), es.End(), fmt.Sprintf("if %s != nil {\n\t%s\n}", text, f.text(es)))
		f.offer(idea{rule: "nil/optional-call", title: fmt.Sprintf("do it only where %s is set", text), weight: w, change: ch,
			why: fmt.Sprintf("Where %s is nil the statement is left out.", text)})
	}
	f.skipNilItem(s, anchor)
}

func isCallOn(call *ast.CallExpr, bad ast.Expr) bool {
	fun := ast.Unparen(call.Fun)
	if fun == bad {
		return true
	}
	sel, ok := fun.(*ast.SelectorExpr)
	return ok && ast.Unparen(sel.X) == bad
}

// skipNilItem passes over nil elements of the slice that a loop goes through.
func (f nilRules) skipNilItem(s suspect, anchor ast.Stmt) {
	l, ok := s.loop().(*ast.RangeStmt)
	if !ok {
		return
	}
	ch := f.change().before(anchor, fmt.Sprintf("if %s == nil {\n\tcontinue\n}", f.text(s.bad)))
	w := hiding
	if l.Value != nil && s.object(l.Value) == s.object(s.bad) {
		w = soft // an empty slot of a sparse slice
	}
	f.offer(idea{rule: "nil/skip-nil-item", title: fmt.Sprintf("skip the elements where %s is nil", short(f.text(s.bad))), weight: w, change: ch,
		why: "They are skipped in silence."})
}
