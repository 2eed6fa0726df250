package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// signLost fixes a number that became negative because bytes were read as a
// signed type: int(int8(b)), int(int16(hi)<<8 | int16(lo)).
func (f sizeRules) signLost(p place, frame int, e ast.Expr) {
	f.backwardSlice(p, frame, e, func(q place, _ int, e ast.Expr) bool {
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !q.info().Types[call.Fun].IsType() {
			return true
		}
		to, from := basicInteger(q.info().TypeOf(call)), basicInteger(q.info().TypeOf(call.Args[0]))
		if to == nil || from == nil || bitsOf(to) <= bitsOf(from) || from.Info()&types.IsUnsigned != 0 || q.info().Types[call.Args[0]].Value != nil {
			return true
		}
		return !f.readUnsigned(q, call, from)
	})
}

// readUnsigned gives the conversions below a widening one the unsigned type of
// the same size.
func (f sizeRules) readUnsigned(p place, wide *ast.CallExpr, signed *types.Basic) bool {
	ch, seen := f.change(), 0
	ast.Inspect(wide.Args[0], func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !p.info().Types[call.Fun].IsType() || basicInteger(p.info().TypeOf(call)) != signed {
			return true
		}
		from := basicInteger(p.info().TypeOf(call.Args[0]))
		id, plain := call.Fun.(*ast.Ident)
		switch {
		case from == nil || from.Info()&types.IsUnsigned == 0 || !plain || id.Name != signed.Name():
			return true
		case bitsOf(from) == bitsOf(signed) && ast.Unparen(wide.Args[0]) == ast.Expr(call):
			ch.replace(call.Pos(), call.End(), f.text(call.Args[0]))
		default:
			ch.replace(id.Pos(), id.End(), "u"+id.Name)
		}
		seen++
		return true
	})
	if seen == 0 {
		return false
	}
	f.blame(fmt.Sprintf("%s (%s) reads it as %s, which is negative from half of its range on", funcName(p.function()), f.where(wide.Pos()), signed.Name()), wide.Pos())
	return f.offer(idea{rule: "signlost/read-unsigned", title: fmt.Sprintf("read %s without a sign", short(f.text(wide.Args[0]))), weight: origin - 1, change: ch,
		grounds: fmt.Sprintf("a number of bytes is never negative, and what is read has no sign (%s)", f.where(wide.Pos())),
		why:     fmt.Sprintf("%s takes the highest bit for a sign; the unsigned type keeps the number as it was written.", signed.Name())})
}

// subtractedNegative fixes len(x) - i where i is known to be negative: counting
// from the end adds it.
func (f sizeRules) subtractedNegative(p place) {
	ast.Inspect(p.declaration(), func(n ast.Node) bool {
		s, ok := n.(*ast.IfStmt)
		if !ok {
			return true
		}
		cond, isBinary := ast.Unparen(s.Cond).(*ast.BinaryExpr)
		if !isBinary || cond.Op != token.LSS || !isPath(cond.X) {
			return true
		}
		zero, isConst := constantInt(p, cond.Y)
		name := f.text(cond.X)
		for _, stmt := range s.Body.List {
			as, isAssign := stmt.(*ast.AssignStmt)
			if !isAssign || as.Tok != token.ASSIGN || len(as.Lhs) != 1 || !isConst || zero != 0 || f.text(as.Lhs[0]) != name {
				continue
			}
			diff, isDiff := ast.Unparen(as.Rhs[0]).(*ast.BinaryExpr)
			if !isDiff || diff.Op != token.SUB || f.text(diff.Y) != name || !isCount(p, diff.X) {
				continue
			}
			f.blame(fmt.Sprintf("%s (%s) is more than %s for a negative %s", f.text(diff), f.where(diff.Pos()), f.text(diff.X), name), diff.Pos())
			f.offer(idea{rule: "signlost/subtracted-negative", title: fmt.Sprintf("add the negative %s to %s", name, f.text(diff.X)), weight: origin - 2, change: f.change().replace(diff.OpPos, diff.OpPos+1, "+"),
				grounds: fmt.Sprintf("%s holds there (%s)", f.text(cond), f.where(cond.Pos())),
				why:     fmt.Sprintf("A negative %s counts from the end: its sign takes it off already.", name)})
		}
		return true
	})
}
