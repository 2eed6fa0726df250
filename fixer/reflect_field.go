package fixer

import (
	"fmt"
	"go/ast"
	"strings"
)

// unexportedField: only exported fields are for others to read or set.
func (r *reflection) unexportedField() {
	text := r.text(r.recv)
	test := ".CanInterface()"
	if strings.HasPrefix(r.method, "Set") {
		test = ".CanSet()"
	}
	r.diagnosis.Sentence = fmt.Sprintf("%s is an unexported field, which %s (%s) may not use", text, r.method, r.where(r.call.Pos()))
	anchor := r.anchor()
	if anchor == nil {
		return
	}
	r.printField()
	if l := r.loop(); l != nil && overItems(r.place) {
		ch := r.change()
		name := text
		if !isPathOrIndex(r.recv) && !r.pureLookup(r.recv) {
			var ok bool
			if name, ok = r.nameFirst(ch, anchor); !ok {
				return
			}
		}
		at, target := anchor, loopBody(l)
		if len(target.List) > 0 && r.pureLookup(r.recv) && !usesDeclaredIn(r.place, r.recv, target) {
			at = target.List[0]
		}
		ch.before(at, fmt.Sprintf("if !%s%s {\n\tcontinue\n}", name, test))
		r.offer(idea{rule: "reflect/unexported-field", title: "skip unexported fields", weight: origin, change: ch,
			why: "Reflection may look at unexported fields and not hand them out; they are the type's own affair."})
		return
	}
	m := message{percent(short(text)) + " is not exported", nil}
	src, _, _ := r.made()
	r.checkValue(src, func(v string) string { return "!" + v + test }, m, "can be used")
}

// pureLookup reports whether an expression only selects fields by index: it can
// be evaluated twice.
func (r *reflection) pureLookup(e ast.Expr) bool {
	pure := true
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			fn := r.callee(call)
			pure = pure && fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "reflect" && (fn.Name() == "Field" || fn.Name() == "Index" || fn.Name() == "Elem")
		}
		return pure
	})
	return pure
}

func usesDeclaredIn(p place, e ast.Expr, body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj := p.info().ObjectOf(id); obj != nil && contains(body, obj.Pos()) {
				found = true
			}
		}
		return !found
	})
	return found
}

// printField prints a field without handing it out.
func (r *reflection) printField() {
	outer, ok := r.path[1].(*ast.CallExpr)
	if !ok || r.method != "Interface" {
		return
	}
	fn := r.callee(outer)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "fmt" {
		return
	}
	r.offer(idea{rule: "reflect/print-field", title: fmt.Sprintf("print %s without Interface", short(r.text(r.recv))), weight: origin + 2,
		change: r.change().replace(r.call.Pos(), r.call.End(), r.text(r.recv)),
		why:    "fmt prints what a reflect.Value holds, also of unexported fields; nothing is handed out."})
}
