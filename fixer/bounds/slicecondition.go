package bounds

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// This file writes the conditions under which the bounds of a slice expression
// are refused: those of this run, and those that the next run may bring.

// outside writes the condition under which the bounds are bad.
func (x slicing) outside(f *analysis.Analysis) string {
	if least, ok := x.least(f.Code); ok {
		return fmt.Sprintf("len(%s) < %s", f.Text(x.slice.X), least)
	}
	cond := x.badHere(f.Code)
	for _, other := range x.badElsewhere(f) {
		if strings.Contains(cond, other) {
			continue
		}
		if strings.HasSuffix(other, " < 0") {
			cond = other + " || " + cond
		} else {
			cond += " || " + other
		}
	}
	return cond
}

// least is the length that a constant bound asks for.
func (x slicing) least(f *code.Code) (string, bool) {
	n, isConst := syntax.ConstantInt(x.Place, x.Bad)
	if !isConst {
		return "", false
	}
	if back, ok := fromEndBound(f, x, x.slice.High); ok && x.Bad == x.slice.Low {
		return fmt.Sprint(n + back), true
	}
	if most := neededBound(f, x, n); most > n {
		return fmt.Sprint(most), true
	}
	return f.Text(x.Bad), true
}

// fromEndBound recognizes the bound len(base)-k.
func fromEndBound(f *code.Code, x slicing, e ast.Expr) (back int64, ok bool) {
	if e == nil {
		return 0, false
	}
	name, call, _ := lengthMinus(f, x.Place, e)
	_, off, _ := offsetOf(x.Place, e)
	return -off, call != nil && name == f.Text(x.slice.X) && off < 0
}

// badHere is the condition that held on this run.
func (x slicing) badHere(f *code.Code) string {
	bad, base := f.Text(x.Bad), f.Text(x.slice.X)
	switch {
	case x.fault == lowNegative || x.fault == highNegative:
		if name, call, back := lengthMinus(f, x.Place, x.Bad); call != nil {
			return fmt.Sprintf("%s > len(%s)", back, name)
		}
		return comparedWith(f, x, x.Bad, "<", "0")
	case x.fault == lowAboveHigh && x.slice.High != nil:
		return bad + " > " + f.Text(x.slice.High)
	}
	return x.tooLarge(f, x.Bad, base)
}

func (x slicing) tooLarge(f *code.Code, bound ast.Expr, base string) string {
	text := f.Text(bound)
	if !isIntType(x.Info().TypeOf(bound)) {
		text = "int(" + text + ")"
	}
	return fmt.Sprintf("%s > len(%s)", text, base)
}

// comparedWith writes from-1 < 0 as people do: from < 1.
func comparedWith(f *code.Code, x slicing, bound ast.Expr, op, zero string) string {
	if e, off, ok := offsetOf(x.Place, bound); ok && off < 0 && syntax.IsPathOrIndex(e) {
		return fmt.Sprintf("%s %s %d", f.Text(e), op, -off)
	}
	return f.Text(bound) + " " + op + " " + zero
}

// badElsewhere lists what else is wrong with bounds that are both computed, and
// that nothing before has looked at.
func (x slicing) badElsewhere(f *analysis.Analysis) []string {
	low, high := x.slice.Low, x.slice.High
	if x.fault == highTooLarge && low == nil && isRead(f, x, x.Bad) || x.fault == lowAboveHigh && high == nil && isRead(f, x, x.Bad) {
		return []string{comparedWith(f.Code, x, x.Bad, "<", "0")}
	}
	if low == nil || high == nil || isConstant(x.Place, low) || isConstant(x.Place, high) || !syntax.IsPathOrIndex(low) || !syntax.IsPathOrIndex(high) ||
		!isIntType(x.Info().TypeOf(low)) || !isIntType(x.Info().TypeOf(high)) {
		return nil
	}
	var list []string
	if givenUnchecked(f, x, low) && x.fault != lowNegative {
		list = append(list, comparedWith(f.Code, x, low, "<", "0"))
	}
	if _, over := mayLeave(f.Code, x.Place, high); over && x.fault != highTooLarge {
		list = append(list, x.tooLarge(f.Code, high, f.Text(x.slice.X)))
	}
	if givenUnchecked(f, x, low) && givenUnchecked(f, x, high) && x.fault != lowAboveHigh {
		list = append(list, f.Text(low)+" > "+f.Text(high))
	}
	return list
}

// givenUnchecked reports whether a bound is a parameter, or one more or less, that
// no condition before has looked at.
func givenUnchecked(f *analysis.Analysis, x slicing, e ast.Expr) bool {
	e, _, _ = offsetOf(x.Place, e)
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	_, over := mayLeave(f.Code, x.Place, id)
	return over && !isUnsigned(x.Info().TypeOf(id)) && !countsUp(f, x.Place, id)
}

// isRead reports whether a number was read from text, where it may be negative.
func isRead(f *analysis.Analysis, x slicing, e ast.Expr) bool {
	src := f.Trace(x.Place, f.At, e)
	call, ok := ast.Unparen(syntax.OrNil(src.Expr)).(*ast.CallExpr)
	if !ok || !syntax.IsPath(e) || isUnsigned(x.Info().TypeOf(e)) {
		return false
	}
	fn := src.Callee(call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "strconv"
}

// countsUp reports whether a local variable is a product or sum, which is not
// negative where its parts are not.
func countsUp(f *analysis.Analysis, p syntax.Place, id *ast.Ident) bool {
	src := f.Trace(p, -1, id)
	_, sum := ast.Unparen(syntax.OrNil(src.Expr)).(*ast.BinaryExpr)
	return sum && src.Declaration() == p.Declaration()
}

// neededBound is the largest constant that the function takes of the base, by
// slicing or by an index, without asking for its length in between.
func neededBound(f *code.Code, x slicing, n int64) int64 {
	base := f.Text(x.slice.X)
	at := indexing{Suspect: x.Suspect}
	until := x.Declaration().End()
	take := func(e ast.Expr, plus int64) {
		if e == nil || e.Pos() < x.slice.Pos() || e.Pos() > until || inBranch(at, e) {
			return
		}
		if k, isConst := syntax.ConstantInt(x.Place, e); isConst {
			n = max(n, k+plus)
		}
	}
	ast.Inspect(syntax.BodyOf(x.Function()), func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if m.End() > x.slice.Pos() && m.Tok == token.ASSIGN && len(m.Lhs) == 1 && f.Text(m.Lhs[0]) == base {
				until = min(until, m.End())
			}
		case *ast.IfStmt, *ast.SwitchStmt, *ast.CaseClause:
			if m.Pos() > x.slice.Pos() && asksLength(f, m, base) {
				return false
			}
		case *ast.SliceExpr:
			if f.Text(m.X) == base {
				take(m.Low, 0)
				take(m.High, 0)
			}
		case *ast.IndexExpr:
			if f.Text(m.X) == base {
				take(m.Index, 1)
			}
		}
		return true
	})
	return n
}
