package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// roundUp fixes a size that was divided down: n/8 bytes for n bits lose those
// that do not fill the last one.
func (f sizeRules) roundUp(p place, frame int, base ast.Expr) {
	for _, m := range f.makesOf(p, frame, base) {
		name, call := m.builtin(m.node().(ast.Expr))
		if name != "make" || len(call.Args) < 2 {
			continue
		}
		seen := 0
		f.backwardSlice(m.place, m.frame, call.Args[1], func(q place, at int, e ast.Expr) bool {
			seen++
			b, ok := e.(*ast.BinaryExpr)
			if !ok || b.Op != token.QUO || !isInteger(q.info().TypeOf(b)) || q.info().Types[b].Value != nil || !isPathOrIndex(b.Y) && !isConstant(q, b.Y) {
				return seen < 6
			}
			if n, known := f.number(q, at, b.X); known {
				if d, knownToo := f.number(q, at, b.Y); knownToo && (d <= 1 || n%d == 0) {
					return false
				}
			}
			if up := q.of(b).path[1]; isRounded(up) {
				return false
			}
			f.offerRoundUp(q, b, f.text(base))
			return false
		})
	}
}

// isRounded reports whether one is added to a quotient already.
func isRounded(up ast.Node) bool {
	b, ok := up.(*ast.BinaryExpr)
	return ok && (b.Op == token.ADD || b.Op == token.SUB)
}

func (f sizeRules) offerRoundUp(q place, b *ast.BinaryExpr, base string) {
	d := f.text(b.Y)
	less := d + "-1"
	if n, isLit := constantInt(q, b.Y); isLit {
		if _, lit := ast.Unparen(b.Y).(*ast.BasicLit); lit {
			less = fmt.Sprint(n - 1)
		}
	}
	f.blame(fmt.Sprintf("%s (%s) rounds down", f.text(b), f.where(b.Pos())), b.Pos())
	f.offer(idea{rule: "roundup/offer-round-up", title: fmt.Sprintf("round %s up", f.text(b)), weight: origin - 1,
		change: f.change().replace(b.X.Pos(), b.X.End(), "("+f.text(b.X)+"+"+less+")"),
		why:    fmt.Sprintf("What does not fill a whole %s needs a place in %s as well; the quotient is now rounded up.", d, base)})
}

// made is where a slice is made; frame is -1 where its names have no values.
type made struct {
	place
	frame int
}

// makesOf lists the expressions that a slice is made with: of a variable, or of
// a field wherever it is set.
func (f sizeRules) makesOf(p place, frame int, base ast.Expr) []made {
	src := f.trace(p, frame, base)
	if src.expr == nil || src.of != fromExpr {
		return nil
	}
	e := ast.Unparen(src.expr)
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return []made{{src.place.of(e), src.frame}}
	}
	t, field := structOf(src.place, sel)
	if t == nil {
		return nil
	}
	var list []made
	for _, b := range f.buildings(t) {
		if v, present := b.fieldValue(field); present {
			list = append(list, made{b.of(ast.Unparen(v)), -1})
		}
	}
	for _, as := range f.assignmentsTo(field) {
		stmt := as.node().(*ast.AssignStmt)
		for i, l := range stmt.Lhs {
			if s, isSel := ast.Unparen(l).(*ast.SelectorExpr); isSel && len(stmt.Lhs) == len(stmt.Rhs) && f.same(as.info().ObjectOf(s.Sel), field) {
				list = append(list, made{as.of(ast.Unparen(stmt.Rhs[i])), -1})
			}
		}
	}
	return list
}

// sidesMixedUp exchanges the sides of a matrix that is made with rows as long as
// it has columns: the index does not fit the one and fits the other.
func (f sizeRules) sidesMixedUp(x indexing) {
	root, inner := x.base, false
	if row, ok := ast.Unparen(x.base).(*ast.IndexExpr); ok {
		root, inner = row.X, true
	}
	obj, ok := x.object(root).(*types.Var)
	if !ok || x.negative() {
		return
	}
	src := f.trace(x.place, x.frame, root)
	name, outer := src.builtin(orNil(src.expr))
	if name != "make" || len(outer.Args) != 2 || src.declaration() != x.declaration() {
		return
	}
	rows := rowsMade(src.place, obj)
	if rows == nil {
		return
	}
	a, b := outer.Args[1], rows.Args[1]
	na, okA := f.number(src.place, x.frame, a)
	nb, okB := f.number(src.place, x.frame, b)
	if !okA || !okB || f.text(a) == f.text(b) || inner && (nb != x.length || x.value >= na) || !inner && (na != x.length || x.value >= nb) {
		return
	}
	f.blame(fmt.Sprintf("%s (%s) is made with its sides mixed up", f.text(root), f.where(outer.Pos())), outer.Pos())
	ch := f.change().replace(a.Pos(), a.End(), f.text(b)).replace(b.Pos(), b.End(), f.text(a))
	f.noneFirst(ch, src, b)
	f.offer(idea{rule: "roundup/sides-mixed-up", title: fmt.Sprintf("exchange %s and %s where %s is made", f.text(a), f.text(b), f.text(root)), weight: origin, change: ch,
		why: fmt.Sprintf("%s is not an index of one side of %s, but is one of the other; the sides are now swapped.", x.indexText(f.code), f.text(root))})
}

// noneFirst returns early for a matrix without rows, where the first of them is
// looked at for its length.
func (f sizeRules) noneFirst(ch *change, src source, side ast.Expr) {
	name, call := src.builtin(side)
	if name != "len" {
		return
	}
	first, ok := ast.Unparen(call.Args[0]).(*ast.IndexExpr)
	stmt, isStmt := src.stmt.(ast.Stmt)
	sig := src.signature()
	if !ok || !isStmt || sig == nil || src.of2(stmt).anchor() != stmt {
		return
	}
	if none, fits := results(src.place, sig, 0); fits && none != "" {
		ch.before(stmt, fmt.Sprintf("if len(%s) == 0 {\n\treturn %s\n}", f.text(first.X), none))
	}
}

// rowsMade finds make([]T, n) in the assignment to an element of a variable.
func rowsMade(p place, v *types.Var) *ast.CallExpr {
	var rows *ast.CallExpr
	ast.Inspect(p.declaration(), func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
			return true
		}
		ix, isIndex := ast.Unparen(as.Lhs[0]).(*ast.IndexExpr)
		if name, call := p.builtin(as.Rhs[0]); isIndex && name == "make" && len(call.Args) == 2 && p.object(ix.X) == v {
			rows = call
		}
		return rows == nil
	})
	return rows
}
