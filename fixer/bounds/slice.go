package bounds

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/source/evidence"
)

// boundRules: a bound of a slice expression is.
type boundRules struct{ *proposal.Proposal }

var boundsMessage = lazyregexp.New(`slice bounds out of range \[(-?[0-9a-f]*):(-?[0-9a-f]*)(?::(-?[0-9a-f]*))?\](?: with (length|capacity) (\d+))?`)

// slicing is a slice expression with a bad bound.
type slicing struct {
	analysis.Suspect
	slice     *ast.SliceExpr
	low, high int64 // values; -1<<62 when not known
	length    int64
	fault     boundFault
}

type boundFault int

const (
	highTooLarge boundFault = iota
	lowAboveHigh
	lowNegative
	highNegative
)

const unknownBound = -1 << 62

// Slice explains x[low:high] with bounds that do not fit, and offers fixes.
func Slice(p *proposal.Proposal) {
	f := boundRules{p}
	m := boundsMessage.FindStringSubmatch(f.Panic.Message)
	if m == nil {
		return
	}
	s, ok := f.Choose(func(p syntax.Place, n ast.Node) []analysis.Suspect {
		sl, ok := n.(*ast.SliceExpr)
		if !ok {
			return nil
		}
		bad := sl.High
		if bad == nil || m[2] == "" {
			bad = sl.Low
		}
		if bad == nil {
			return nil
		}
		return []analysis.Suspect{{Expr: sl, Bad: bad, Fact: f.boundFact(p, sl, m)}}
	})
	if !ok {
		return
	}
	x := f.slicing(s, m)
	f.Diagnosis = f.boundsDiagnosis(x)
	f.TreatAlike(x.Place, x.Bad, "negative")
	src := f.Trace(x.Place, f.At, x.Bad)
	indexRules(f).looseCheck(x.asIndex(f.At))
	f.boundOrigin(x, src)
	f.keepInside(x, src)
	f.Guard(x.Place, x.outside(f.Analysis), f.boundsMessageFor(x), x.subject(f.Code))
}

// subject names what a guard looks at.
func (x slicing) subject(f *code.Code) string {
	if isConstant(x.Place, x.Bad) {
		return "len(" + f.Text(x.slice.X) + ")"
	}
	return f.Text(x.Bad)
}

// asIndex is the bound as an index: the end of a slice is one past the last element.
func (x slicing) asIndex(frame int) indexing {
	value := x.high
	if x.Bad == x.slice.Low {
		value = x.low
	}
	i := indexing{Suspect: x.Suspect, index: x.Bad, base: x.slice.X, value: value, length: x.length, frame: frame}
	if value > 0 {
		i.value, i.beyond = value-1, -1
	}
	return i
}

// boundFact compares the bounds' values with those of the message.
func (f boundRules) boundFact(p syntax.Place, sl *ast.SliceExpr, m []string) analysis.Tri {
	fact := analysis.Unknown
	for i, e := range []ast.Expr{sl.Low, sl.High} {
		want, err := strconv.ParseInt(m[i+1], 10, 64)
		if err != nil || e == nil {
			if m[i+1] != "" && e == nil && (i != 1 || m[5] != "") {
				return analysis.No
			}
			continue
		}
		if n, ok := f.Number(p, f.At, e); ok {
			if n != want {
				return analysis.No
			}
			fact = analysis.Yes
		}
	}
	return fact
}

func (f boundRules) slicing(s analysis.Suspect, m []string) slicing {
	sl := s.Expr.(*ast.SliceExpr)
	x := slicing{Suspect: s, slice: sl, low: unknownBound, high: unknownBound, length: -1}
	if n, ok := f.Length(s.Place, f.At, sl.X); ok {
		x.length = n
	}
	if sl.Low != nil {
		if n, ok := f.Number(s.Place, f.At, sl.Low); ok {
			x.low = n
		}
	}
	if sl.High != nil {
		if n, ok := f.Number(s.Place, f.At, sl.High); ok {
			x.high = n
		}
	}
	low, errLow := strconv.ParseInt(m[1], 10, 64)
	high, errHigh := strconv.ParseInt(m[2], 10, 64)
	if errLow == nil {
		x.low = low
	}
	if errHigh == nil && sl.High != nil {
		x.high = high
	}
	switch {
	case errLow == nil && low < 0:
		x.fault, x.Bad = lowNegative, sl.Low
	case errHigh == nil && high < 0:
		x.fault, x.Bad = highNegative, sl.High
	case errLow == nil && errHigh == nil:
		x.fault, x.Bad = lowAboveHigh, sl.Low
		if x.length < 0 && sl.High == nil {
			x.length = high
		}
		if sl.Low == nil {
			x.Bad = sl.High
		}
	default:
		x.fault, x.Bad = highTooLarge, sl.High
		if x.length < 0 && m[5] != "" {
			x.length, _ = strconv.ParseInt(m[5], 10, 64)
		}
	}
	if x.Bad == nil {
		x.Bad = s.Bad
	}
	return x
}

func (f boundRules) boundsDiagnosis(x slicing) evidence.Diagnosis {
	bad, base := f.Text(x.Bad), f.Text(x.slice.X)
	value := x.high
	if x.Bad == x.slice.Low {
		value = x.low
	}
	d := evidence.Diagnosis{Expr: bad, Value: strconv.FormatInt(value, 10)}
	if isConstant(x.Place, x.Bad) {
		bad = "the bound"
	}
	switch {
	case value == unknownBound:
		d.Value = ""
		d.Sentence = fmt.Sprintf("%s is outside of %s", bad, base)
	case x.fault == lowNegative || x.fault == highNegative:
		d.Sentence = fmt.Sprintf("%s is %d, and a slice of %s cannot begin or end before 0", bad, value, base)
	case x.fault == lowAboveHigh && x.slice.High != nil:
		d.Sentence = fmt.Sprintf("%s is %d, which is after %s, where the slice ends", bad, value, f.Text(x.slice.High))
		if x.high != unknownBound {
			d.Sentence += fmt.Sprintf(", %d", x.high)
		}
	case x.length >= 0:
		d.Sentence = fmt.Sprintf("%s is %d and len(%s) is %d", bad, value, base, x.length)
	default:
		d.Sentence = fmt.Sprintf("%s is %d, which is past the end of %s", bad, value, base)
	}
	return d
}

func isIntType(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && (b.Kind() == types.Int || b.Info()&types.IsUntyped != 0)
}

// lengthMinus recognizes len(x) - n.
func lengthMinus(f *code.Code, p syntax.Place, e ast.Expr) (name string, call *ast.CallExpr, back string) {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || b.Op != token.SUB {
		return "", nil, ""
	}
	if fn, call := p.Builtin(b.X); fn == "len" {
		return f.Text(call.Args[0]), call, f.Text(b.Y)
	}
	return "", nil, ""
}

func (f boundRules) boundsMessageFor(x slicing) exits.Message {
	bad, base := f.Text(x.Bad), f.Text(x.slice.X)
	if least, ok := x.least(f.Code); ok {
		return exits.Message{Format: syntax.Percent(base) + " has %d elements, want at least " + syntax.Percent(least), Args: []string{"len(" + base + ")"}}
	}
	if !syntax.IsPathOrIndex(x.Bad) {
		return exits.Message{Format: syntax.Percent(bad) + " is out of range", Args: nil}
	}
	return exits.Message{Format: syntax.Percent(bad) + " is %d, out of range: " + syntax.Percent(base) + " has %d", Args: []string{bad, "len(" + base + ")"}}
}

// boundOrigin fixes a bound that a search or a caller gave.
func (f boundRules) boundOrigin(x slicing, src code.Source) {
	if src.Expr == nil {
		return
	}
	inner, _, _ := offsetOf(src.Place, src.Expr)
	if id, ok := inner.(*ast.Ident); ok && ast.Unparen(src.Expr) == ast.Unparen(x.Bad) {
		deeper := f.Trace(src.Place, src.Frame, id)
		if deeper.Expr != nil {
			src = deeper
			inner = ast.Unparen(deeper.Expr)
		}
	}
	call, ok := ast.Unparen(inner).(*ast.CallExpr)
	if !ok {
		if src.Expr != ast.Unparen(x.Bad) {
			f.ComesFrom(src, "")
		}
		return
	}
	fn := src.Callee(call)
	if fn == nil || !isSearch(fn) {
		return
	}
	f.NoteOf(src, fmt.Sprintf("%s (%s) found nothing", syntax.Brief(f.Text(call)), f.Where(call.Pos())), call.Pos())
}

// isSearch reports whether a function answers -1 for what it does not find.
func isSearch(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "strings", "bytes", "slices":
		return len(fn.Name()) >= 5 && (fn.Name()[:5] == "Index" || len(fn.Name()) >= 9 && fn.Name()[:9] == "LastIndex")
	}
	return false
}

// searchResult reports whether the bound is what a search gave.
func searchResult(src code.Source) (*ast.CallExpr, bool) {
	if src.Expr == nil {
		return nil, false
	}
	call, ok := ast.Unparen(src.Expr).(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	fn := src.Callee(call)
	return call, fn != nil && isSearch(fn)
}
