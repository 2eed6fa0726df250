package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// notAssignable: a value of another type is to be stored.
func (r *reflection) notAssignable(have, want string) {
	if len(r.call.Args) == 0 {
		return
	}
	arg := r.call.Args[len(r.call.Args)-1]
	if r.method == "Convert" {
		arg = r.recv
	}
	r.diagnosis.Value = have
	r.diagnosis.Sentence = fmt.Sprintf("%s (%s) got %s where %s is wanted", r.method, r.where(r.call.Pos()), have, want)
	if r.method == "Set" && (numeric(have) && numeric(want) || strings.HasSuffix(want, "."+have)) {
		r.offer(idea{rule: "reflect/not-assignable", title: fmt.Sprintf("convert %s to the type of %s", short(r.text(arg)), short(r.text(r.recv))), weight: origin,
			change: r.change().insert(arg.End(), ".Convert("+r.text(r.recv)+".Type())"),
			why:    fmt.Sprintf("A %s can be converted to %s; reflection does not do so by itself.", have, want)})
	}
	anchor := r.anchor()
	if r.method != "Set" || anchor == nil || !hoistable(r.of(arg), anchor) {
		return
	}
	at := r.of(anchor)
	recv := r.text(r.recv)
	for _, e := range r.exits(at, message{"cannot set %s to a value of type %s", []string{recv + ".Type()", "%[1]s.Type()"}}, "") {
		ch := r.change().need(at.file, e.imports...)
		name := r.text(arg)
		if !isPath(arg) {
			name = ch.fresh(at, "value", "v", "rv")
			ch.before(anchor, name+" := "+r.text(arg))
			ch.replace(arg.Pos(), arg.End(), name)
		}
		lines := strings.ReplaceAll(indented(e.lines), "%[1]s.Type()", name+".Type()")
		ch.before(anchor, fmt.Sprintf("if !%s.Type().AssignableTo(%s.Type()) {\n\t%s\n}", name, recv, lines))
		if e.edit != nil && !e.edit(ch) {
			continue
		}
		r.offer(idea{rule: "reflect/not-assignable", title: fmt.Sprintf("check that %s has the right type: %s", short(r.text(arg)), shortHow(e)), weight: e.weight, change: ch, grounds: e.grounds,
			why: fmt.Sprintf("The types are compared first; where they do not fit, %s %s.", funcName(at.function()), e.how)})
	}
}

func numeric(typ string) bool {
	switch strings.TrimLeft(typ, "u") {
	case "int", "int8", "int16", "int32", "int64", "intptr", "float32", "float64":
		return true
	}
	return false
}

// argumentCount: Call got another number of arguments than the function takes.
func (r *reflection) argumentCount() {
	if r.method != "Call" || len(r.call.Args) != 1 {
		return
	}
	arg := r.call.Args[0]
	anchor := r.anchor()
	if anchor == nil || !isPath(arg) || !isPath(r.recv) {
		return
	}
	in, fn := r.text(arg), r.text(r.recv)
	r.diagnosis.Sentence = fmt.Sprintf("%s (%s) does not take as many arguments as %s holds", fn, r.where(r.call.Pos()), in)
	at := r.of(anchor)
	for _, e := range r.exits(at, message{"got %d arguments, want %d", []string{"len(" + in + ")", fn + ".Type().NumIn()"}}, "") {
		ch := r.change().need(at.file, e.imports...).before(anchor, fmt.Sprintf("if len(%s) != %s.Type().NumIn() {\n\t%s\n}", in, fn, indented(e.lines)))
		if e.edit != nil && !e.edit(ch) {
			continue
		}
		r.offer(idea{rule: "reflect/argument-count", title: fmt.Sprintf("check the number of arguments: %s", shortHow(e)), weight: e.weight, change: ch, grounds: e.grounds,
			why: fmt.Sprintf("The arguments are counted before the call; where they do not fit, %s %s.", funcName(at.function()), e.how)})
	}
}

// indexRange: a field or element was asked for that is not there.
func (r *reflection) indexRange() {
	if len(r.call.Args) != 1 {
		return
	}
	index := r.call.Args[0]
	count := map[string]string{"Field": "NumField", "Index": "Len", "In": "NumIn", "Out": "NumOut", "Method": "NumMethod"}[r.method]
	if count == "" {
		return
	}
	r.diagnosis.Sentence = fmt.Sprintf("%s (%s) has no %s %s", r.text(r.recv), r.where(r.call.Pos()), strings.ToLower(r.method), r.text(index))
	r.loopByCount(index, count)
	anchor := r.anchor()
	if anchor == nil || !isPathOrIndex(index) || !isPath(r.recv) {
		return
	}
	r.guard(r.place, fmt.Sprintf("%s >= %s.%s()", r.text(index), r.text(r.recv), count),
		message{fmt.Sprintf("no %s %%d", strings.ToLower(r.method)), []string{r.text(index)}}, r.text(index))
}

// loopByCount ends the loop by the number of what the value itself has.
func (r *reflection) loopByCount(index ast.Expr, count string) {
	id, ok := ast.Unparen(index).(*ast.Ident)
	if !ok || !isPath(r.recv) {
		return
	}
	obj := r.info().ObjectOf(id)
	for _, l := range r.loops() {
		switch l := l.(type) {
		case *ast.ForStmt:
			b, isBinary := ast.Unparen(orNil(l.Cond)).(*ast.BinaryExpr)
			if !isBinary || r.object(b.X) != obj {
				continue
			}
			bound := fmt.Sprintf("%s.%s()", r.text(r.recv), count)
			if b.Op == token.LEQ && r.text(b.Y) == bound {
				r.offer(idea{rule: "reflect/loop-by-count", title: fmt.Sprintf("end the loop before %s", bound), weight: origin, change: r.change().replace(b.OpPos, b.OpPos+2, "<"),
					why: "The last index is the number less one."})
				return
			}
			if r.text(b.Y) != bound {
				r.offer(idea{rule: "reflect/loop-by-count", title: fmt.Sprintf("end the loop at %s", bound), weight: origin, change: r.change().replace(b.OpPos, b.End(), "< "+bound),
					why: fmt.Sprintf("The loop goes by what %s itself has.", r.text(r.recv))})
			}
			return
		case *ast.RangeStmt:
			if l.Key == nil || r.object(l.Key) != obj {
				continue
			}
			if isInteger(r.info().TypeOf(l.X)) {
				r.offer(idea{rule: "reflect/loop-by-count", title: fmt.Sprintf("count to %s.%s()", r.text(r.recv), count), weight: origin,
					change: r.change().replace(l.X.Pos(), l.X.End(), fmt.Sprintf("%s.%s()", r.text(r.recv), count)),
					why:    fmt.Sprintf("The loop goes by what %s itself has.", r.text(r.recv))})
			}
			return
		}
	}
}
