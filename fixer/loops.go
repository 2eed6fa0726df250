package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// loopBounds fixes the bound of the loop whose counter is the index.
func (f indexRules) loopBounds(x indexing) {
	counter, offset := x.offset()
	id, ok := ast.Unparen(counter).(*ast.Ident)
	if !ok {
		return
	}
	v := x.info().ObjectOf(id)
	for _, l := range x.loops() {
		switch l := l.(type) {
		case *ast.ForStmt:
			if countsWith(x, l, v) {
				f.forBound(x, l, v, offset)
				return
			}
		case *ast.RangeStmt:
			if l.Key != nil && x.object(l.Key) == v {
				f.rangeBound(x, l, offset)
				return
			}
		}
	}
}

// countsWith reports whether a for statement is controlled by the variable.
func countsWith(x indexing, l *ast.ForStmt, v types.Object) bool {
	found := false
	for _, n := range []ast.Node{l.Init, l.Cond, l.Post} {
		if n == nil || n == ast.Node((*ast.BlockStmt)(nil)) {
			continue
		}
		if n == ast.Node(l.Cond) && l.Cond == nil || n == ast.Node(l.Init) && l.Init == nil || n == ast.Node(l.Post) && l.Post == nil {
			continue
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && x.info().ObjectOf(id) == v {
				found = true
			}
			return true
		})
	}
	return found
}

func (f indexRules) forBound(x indexing, l *ast.ForStmt, v types.Object, offset int64) {
	if x.negative() {
		f.forStart(x, l, v, offset)
		return
	}
	f.forInit(x, l, v, offset)
	b := comparison(x, l.Cond, v)
	base := x.baseText(f.code)
	if b == nil {
		f.addConjunct(x, l)
		return
	}
	where := f.where(b.Pos())
	isLen, boundOff := f.lengthBound(x, b.Y)
	slack := boundOff + offset // how far past the last index the loop goes, for <
	if b.Op == token.LEQ {
		slack++
	}
	if isLen && slack > 0 {
		f.eachRun(l.Body)
		f.note(fmt.Sprintf("the loop bound (%s) runs %s past the end", where, steps(slack)), b.Pos())
		if b.Op == token.LEQ && slack == 1 {
			f.offer(idea{rule: "bound/for-bound", title: fmt.Sprintf("end the loop before %s", short(f.text(b.Y))), weight: origin,
				change: f.change().replace(b.OpPos, b.OpPos+2, "<"),
				why:    fmt.Sprintf("The condition %s becomes %s < %s, so that the last index used is the last one there is.", f.text(b), f.text(b.X), f.text(b.Y))})
			return
		} else {
			bound := fmt.Sprintf("len(%s)", base)
			if offset > 0 {
				bound += fmt.Sprintf("-%d", offset)
			}
			if t := x.info().TypeOf(b.X); t != nil && !types.Identical(t, types.Typ[types.Int]) {
				bound = ""
			}
			if bound != "" {
				f.offer(idea{rule: "bound/for-bound", title: fmt.Sprintf("end the loop at %s", bound), weight: origin,
					change: f.change().replace(b.OpPos, b.Y.End(), "< "+bound),
					why:    fmt.Sprintf("The body uses %s; the loop now ends while that is still an index of %s.", x.indexText(f.code), base)})
			}
		}
	} else if !isLen {
		f.note(fmt.Sprintf("the loop at %s ends by %s, not by the length of %s", where, f.text(b), base), b.Pos())
		if bound, known := f.number(x.place, x.frame, b.Y); known && b.Op == token.LEQ && bound+offset == x.length {
			f.offer(idea{rule: "bound/for-bound", title: fmt.Sprintf("end the loop before %s", short(f.text(b.Y))), weight: origin,
				change: f.change().replace(b.OpPos, b.OpPos+2, "<"),
				why:    fmt.Sprintf("%s is the length of %s; the last index is one less.", f.text(b.Y), base)})
		}
	}
	f.addConjunct(x, l)
}

func steps(n int64) string {
	if n == 1 {
		return "one"
	}
	return fmt.Sprint(n)
}

// comparison finds "v < bound" or "v <= bound" in a condition, also as an operand of &&.
func comparison(x indexing, cond ast.Expr, v types.Object) *ast.BinaryExpr {
	b, ok := ast.Unparen(orNil(cond)).(*ast.BinaryExpr)
	if !ok {
		return nil
	}
	switch b.Op {
	case token.LAND:
		if l := comparison(x, b.X, v); l != nil {
			return l
		}
		return comparison(x, b.Y, v)
	case token.LSS, token.LEQ, token.NEQ:
		if id, ok := ast.Unparen(b.X).(*ast.Ident); ok && x.info().ObjectOf(id) == v {
			return b
		}
	}
	return nil
}

func orNil(e ast.Expr) ast.Expr {
	if e == nil {
		return &ast.BadExpr{}
	}
	return e
}

// lengthBound reports whether a bound is the base's length plus a constant, by
// its text, by a variable that holds it, or by its value.
func (f indexRules) lengthBound(x indexing, bound ast.Expr) (bool, int64) {
	e, off, _ := offsetOf(x.place, bound)
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if src := f.trace(x.place, -1, id); src.expr != nil && src.of == fromExpr && src.declaration() == x.declaration() {
			inner, more, _ := offsetOf(src.place, src.expr)
			if name, call := src.builtin(inner); name == "len" && f.text(call.Args[0]) == x.baseText(f.code) {
				return true, off + more
			}
		}
	}
	name, call := x.builtin(e)
	return name == "len" && f.text(call.Args[0]) == x.baseText(f.code), off
}

// addConjunct ends the loop also where the index would leave the range.
func (f indexRules) addConjunct(x indexing, l *ast.ForStmt) {
	if len(f.found) > 0 || l.Cond == nil || contains(l.Cond, x.expr.Pos()) || !evaluableAt(x, l) {
		return
	}
	test := x.inRange(f.facts)
	open, closing := "", ""
	if b, ok := l.Cond.(*ast.BinaryExpr); ok && b.Op == token.LOR {
		open, closing = "(", ")"
	}
	f.offer(idea{rule: "bound/add-conjunct", title: fmt.Sprintf("go on only while %s", test), weight: origin + 5,
		change: f.change().insert(l.Cond.Pos(), open).insert(l.Cond.End(), closing+" && "+test),
		why:    fmt.Sprintf("The loop at %s also ends when the index leaves %s.", f.where(l.Pos()), x.baseText(f.code))})
}

// evaluableAt reports whether index and base mean the same in the loop's header.
func evaluableAt(x indexing, l ast.Stmt) bool {
	fine := true
	for _, e := range []ast.Expr{x.index, x.base} {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if obj := x.info().ObjectOf(id); obj != nil {
					var body *ast.BlockStmt
					switch l := l.(type) {
					case *ast.ForStmt:
						body = l.Body
					case *ast.RangeStmt:
						body = l.Body
					}
					if contains(body, obj.Pos()) {
						fine = false
					}
				}
			}
			if call, ok := n.(*ast.CallExpr); ok {
				if name, _ := x.builtin(call); name != "len" {
					fine = false
				}
			}
			return true
		})
	}
	return fine
}

// forInit fixes a loop that counts down from the length.
func (f indexRules) forInit(x indexing, l *ast.ForStmt, v types.Object, offset int64) {
	as, ok := l.Init.(*ast.AssignStmt)
	if !ok || len(as.Lhs) != len(as.Rhs) {
		return
	}
	for i, lhs := range as.Lhs {
		if x.object(lhs) != v {
			continue
		}
		isLen, off := f.lengthBound(x, as.Rhs[i])
		if !isLen || off+offset < 0 {
			return
		}
		text := fmt.Sprintf("len(%s)-%d", x.baseText(f.code), offset+1)
		if offset < 0 {
			text = "len(" + x.baseText(f.code) + ")-1"
		}
		f.eachRun(l.Body)
		f.note(fmt.Sprintf("the loop (%s) starts past the end", f.where(as.Pos())), as.Pos())
		f.offer(idea{rule: "bound/for-init", title: "start the loop at " + text, weight: origin,
			change: f.change().replace(as.Rhs[i].Pos(), as.Rhs[i].End(), text),
			why:    fmt.Sprintf("Counting down begins at the last index of %s instead of its length.", x.baseText(f.code))})
	}
}

// forStart fixes a loop that reaches below the first index.
func (f indexRules) forStart(x indexing, l *ast.ForStmt, v types.Object, offset int64) {
	if as, ok := l.Init.(*ast.AssignStmt); ok && len(as.Lhs) == len(as.Rhs) {
		for i, lhs := range as.Lhs {
			if n, isConst := constantInt(x.place, as.Rhs[i]); x.object(lhs) == v && isConst && n+offset < 0 {
				f.eachRun(l.Body)
				f.note(fmt.Sprintf("the loop (%s) starts at %d", f.where(as.Pos()), n), as.Pos())
				f.offer(idea{rule: "bound/for-start", title: fmt.Sprintf("start the loop at %d", -offset), weight: origin,
					change: f.change().replace(as.Rhs[i].Pos(), as.Rhs[i].End(), fmt.Sprint(-offset)),
					why:    fmt.Sprintf("The body uses %s, which is an index only from %d on.", x.indexText(f.code), -offset)})
			}
		}
	}
	f.lowerBound(x, l, v, offset)
	f.addConjunct(x, l)
}

// lowerBound fixes "v >= 0" where the body uses v-1.
func (f indexRules) lowerBound(x indexing, l *ast.ForStmt, v types.Object, offset int64) {
	b, ok := ast.Unparen(orNil(l.Cond)).(*ast.BinaryExpr)
	if !ok || x.object(b.X) != v {
		return
	}
	n, isConst := constantInt(x.place, b.Y)
	if !isConst || (b.Op != token.GEQ && b.Op != token.GTR) {
		return
	}
	f.note(fmt.Sprintf("the loop (%s) goes down too far", f.where(b.Pos())), b.Pos())
	f.offer(idea{rule: "bound/lower-bound", title: fmt.Sprintf("end the loop at %d", -offset), weight: origin,
		change: f.change().replace(b.OpPos, b.End(), fmt.Sprintf(">= %d", -offset)),
		why:    fmt.Sprintf("The body uses %s; %s is now the last value that allows it (it was %s %d).", x.indexText(f.code), fmt.Sprint(-offset), b.Op, n)})
}

// rangeBound fixes a range loop whose key leaves another slice, or looks ahead.
func (f indexRules) rangeBound(x indexing, l *ast.RangeStmt, offset int64) {
	base, over := x.baseText(f.code), f.text(l.X)
	t := x.info().TypeOf(l.X)
	if x.negative() {
		f.eachRun(l.Body)
		f.note(fmt.Sprintf("the first iteration of the loop (%s) has nothing before it", f.where(l.Pos())), l.Pos())
		f.rangeFromOne(x, l, offset)
		return
	}
	if isInteger(t) {
		f.rangeOverInt(x, l, offset)
		return
	}
	if base == over {
		f.eachRun(l.Body)
		f.note(fmt.Sprintf("the last iteration of the loop (%s) has nothing after it", f.where(l.Pos())), l.Pos())
		if l.Value == nil {
			f.offer(idea{rule: "bound/range-bound", title: fmt.Sprintf("range over len(%s)-%d", base, offset), weight: origin,
				change: f.change().replace(l.X.Pos(), l.X.End(), fmt.Sprintf("len(%s)-%d", base, offset)),
				why:    fmt.Sprintf("The body uses %s, which exists for all elements but the last.", x.indexText(f.code))})
		}
		return
	}
	f.note(fmt.Sprintf("the loop (%s) goes by %s, which is longer than %s", f.where(l.Pos()), over, base), l.Pos())
	if l.Value == nil && evaluableAt2(x, l) {
		w := origin + 5
		if isStored(x) {
			w = soft // what does not fit would be lost
		}
		f.offer(idea{rule: "bound/range-bound", title: fmt.Sprintf("range over the shorter of %s and %s", over, base), weight: w,
			change: f.change().replace(l.X.Pos(), l.X.End(), fmt.Sprintf("min(len(%s), len(%s))", over, base)),
			why:    "The loop ends with the shorter of the two, so that its key is an index of both."})
	}
	f.endShort(x, l)
}

func evaluableAt2(x indexing, l *ast.RangeStmt) bool {
	probe := x
	probe.index = l.X
	return evaluableAt(probe, l)
}

// endShort leaves the loop when the other slice has ended.
func (f indexRules) endShort(x indexing, l *ast.RangeStmt) {
	anchor := x.anchor()
	if anchor == nil || x.loop() != ast.Stmt(l) {
		return
	}
	base, index := x.text(f.code)
	ch := f.change().before(anchor, fmt.Sprintf("if %s >= len(%s) {\n\tbreak\n}", index, base))
	f.offer(idea{rule: "bound/end-short", title: fmt.Sprintf("end the loop where %s ends", base), weight: origin + 6, change: ch,
		why: fmt.Sprintf("%s is shorter than %s; the loop ends with it.", base, f.text(l.X))})
}

func (f indexRules) rangeFromOne(x indexing, l *ast.RangeStmt, offset int64) {
	anchor := x.anchor()
	if anchor == nil || x.loop() != ast.Stmt(l) || offset >= 0 {
		return
	}
	key := f.text(l.Key)
	test := fmt.Sprintf("%s < %d", key, -offset)
	if offset == -1 {
		test = key + " == 0"
	}
	ch := f.change().before(anchor, fmt.Sprintf("if %s {\n\tcontinue\n}", test))
	f.offer(idea{rule: "bound/range-from-one", title: "skip the first iteration, which has nothing before it", weight: origin + 4, change: ch,
		why: fmt.Sprintf("%s is an index only from %d on.", x.indexText(f.code), -offset)})
}

// rangeOverInt fixes "for i := range n".
func (f indexRules) rangeOverInt(x indexing, l *ast.RangeStmt, offset int64) {
	base := x.baseText(f.code)
	isLen, _ := f.lengthBound(x, l.X)
	if isLen {
		f.eachRun(l.Body)
	}
	f.note(fmt.Sprintf("the loop (%s) counts to %s", f.where(l.Pos()), f.text(l.X)), l.Pos())
	bound := "len(" + base + ")"
	if offset > 0 {
		bound += fmt.Sprintf("-%d", offset)
	}
	if !isLen {
		bound = fmt.Sprintf("min(%s, %s)", f.text(l.X), bound)
	}
	if evaluableAt2(x, l) {
		f.offer(idea{rule: "bound/range-over-int", title: "count to " + bound, weight: origin + 1, change: f.change().replace(l.X.Pos(), l.X.End(), bound),
			why: fmt.Sprintf("The loop now ends while %s is an index of %s.", x.indexText(f.code), base)})
	}
}
