// Package bounds has the rules for numbers out of range: indexes, bounds of slice
// expressions, divisors, sizes.
package bounds

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/source/evidence"
)

// indexRules: an index is outside of its slice, array or string.
type indexRules struct{ *proposal.Proposal }

var indexMessage = lazyregexp.New(`index out of range \[(-?\d+)\](?: with length (\d+))?`)

// Index explains an index that was negative or not below the length, and offers fixes.
func Index(p *proposal.Proposal) {
	f := indexRules{p}
	value, length := int64(-1), int64(-1)
	known := false
	if m := indexMessage.FindStringSubmatch(f.Panic.Message); m != nil {
		value, _ = strconv.ParseInt(m[1], 10, 64)
		known = true
		if m[2] != "" {
			length, _ = strconv.ParseInt(m[2], 10, 64)
		}
	}
	var open []string // what the values do not decide on
	s, ok := f.Choose(func(p syntax.Place, n ast.Node) []analysis.Suspect {
		ix, ok := n.(*ast.IndexExpr)
		if !ok || !isIndexable(p, ix) {
			return nil
		}
		i, isConst := syntax.ConstantInt(p, ix.Index)
		found := analysis.Suspect{Expr: ix, Bad: ix.Index, Fact: f.indexFact(p, ix, value, length, known), Fits: isConst && i == value}
		if text := syntax.Brief(f.Text(ix)); found.Fact == analysis.Unknown && f.LineOf(ix) == f.Frame.Line && !slices.Contains(open, text) {
			open = append(open, text)
		}
		return []analysis.Suspect{found}
	})
	if !ok {
		return
	}
	ix := s.Expr.(*ast.IndexExpr)
	x := indexing{Suspect: s, index: ix.Index, base: ix.X, value: value, length: length, frame: f.At}
	if n, ok := f.Length(s.Place, f.At, ix.X); ok && length < 0 {
		x.length = n
	}
	base, index := x.text(f.Code)
	f.Diagnosis = evidence.Diagnosis{Expr: index, Value: strconv.FormatInt(value, 10), Sentence: f.indexSentence(x)}
	if s.Fact == analysis.Unknown && len(open) > 1 && known {
		f.Diagnosis = evidence.Diagnosis{Expr: index, Sentence: strings.Join(open, " or ") + " is out of range: the values do not say which"}
	}
	f.TreatAlike(s.Place, ix.Index, "negative")
	f.treatLengthAlike(x)
	if !f.looseCheck(x) {
		f.indexOrigin(x)
		f.ShortCircuit(s.Place, proposal.Good(x.inRange(f.Code)), x.outOfRange(f.Analysis), "index")
	}
	if _, fromEnd := fromEnd(f.Code, x); fromEnd || isConstant(s.Place, ix.Index) {
		index = "len(" + base + ")"
	}
	if arg, _, ok := f.LibraryGiven(s); ok && syntax.IsPath(arg.Node().(ast.Expr)) && arg.Info().Types[arg.Node().(ast.Expr)].Value == nil {
		// A guard in what the library has called would leave the library's work half done.
		text := f.Text(arg.Node())
		f.Guard(arg, text+" < 0", exits.Message{Format: syntax.Percent(text) + " is %d", Args: []string{text}}, text)
		return
	}
	f.Guard(f.beforeAllUses(x), x.outOfRange(f.Analysis), f.indexMessageFor(x), index)
	f.refuseInCallers(x)
}

// indexOrigin fixes the place that made the index too large or the base too short.
func (f indexRules) indexOrigin(x indexing) {
	if !f.Offered() {
		f.loopBounds(x)
	}
	if !f.Offered() {
		f.callersLoops(x)
	}
}

// isIndexable reports whether an index expression can be out of range.
func isIndexable(p syntax.Place, ix *ast.IndexExpr) bool {
	t := p.Info().TypeOf(ix.X)
	if t == nil {
		return false
	}
	if tv, ok := p.Info().Types[ix.X]; ok && (tv.IsType() || !tv.IsValue()) {
		return false
	}
	u := t.Underlying()
	if ptr, ok := u.(*types.Pointer); ok {
		u = ptr.Elem().Underlying()
	}
	switch u := u.(type) {
	case *types.Slice, *types.Array:
		return true
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Interface: // a type parameter's core type
		_, isParam := t.(*types.TypeParam)
		return isParam
	}
	return false
}

func (f indexRules) indexFact(p syntax.Place, ix *ast.IndexExpr, value, length int64, known bool) analysis.Tri {
	i, okI := f.Number(p, f.At, ix.Index)
	n, okN := f.Length(p, f.At, ix.X)
	switch {
	case okI && known && i != value:
		// i++ in the index expression's own statement may have moved on.
		return analysis.No
	case okN && length >= 0 && n != length:
		return analysis.No
	case okI && okN:
		return analysis.TriOf(i < 0 || i >= n)
	case okI && known, okN && length >= 0:
		return analysis.Unknown
	}
	return analysis.Unknown
}

func (f indexRules) indexSentence(x indexing) string {
	base, index := x.text(f.Code)
	if index == "len("+base+")" && x.length >= 0 {
		return fmt.Sprintf("%s is %d, one past the last index", index, x.value)
	}
	var what string
	if _, isConst := syntax.ConstantInt(x.Place, x.index); !isConst {
		what = fmt.Sprintf("%s is %d", index, x.value)
	} else {
		what = "the index is " + index
	}
	if x.length >= 0 {
		return fmt.Sprintf("%s and len(%s) is %d", what, base, x.length)
	}
	return fmt.Sprintf("%s, which is not an index of %s", what, base)
}

func (f indexRules) indexMessageFor(x indexing) exits.Message {
	base, index := x.text(f.Code)
	name := syntax.Percent(base)
	least, ok := x.least(f.Analysis)
	if isConstant(x.Place, x.index) && !isOSArgs(x.Place, x.base) && x.suffix == "" {
		if m, ok := f.malformed(x, least-1); ok {
			return m
		}
	}
	switch {
	case ok && least > 1 && isOSArgs(x.Place, x.base):
		return exits.Message{Format: fmt.Sprintf("usage: %%s needs %d argument%s", least-1, map[bool]string{true: "s", false: ""}[least != 2]), Args: []string{base + "[0]"}}
	case ok && least == 1:
		return f.emptyMessage(x, name)
	case ok:
		return exits.Message{Format: fmt.Sprintf("%s has %%d elements, want at least %d", name, least), Args: []string{"len(" + base + ")"}}
	}
	return exits.Message{Format: "index %d is out of range: " + name + " has %d", Args: []string{index, "len(" + base + ")"}}
}

func (f indexRules) emptyMessage(x indexing, name string) exits.Message {
	if whole, ok := f.splitFrom(x); ok {
		return exits.Message{Format: "%q has no parts", Args: []string{whole}}
	}
	return exits.Message{Format: name + " is empty", Args: nil}
}

// splitFrom returns the text that the base was split from, when it can be named.
func (f indexRules) splitFrom(x indexing) (string, bool) {
	src := f.Trace(x.Place, -1, x.base)
	call, ok := src.Expr.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || src.Result != 0 {
		return "", false
	}
	fn := src.Callee(call)
	if fn == nil || fn.Pkg() == nil || (fn.Pkg().Path() != "strings" && fn.Pkg().Path() != "bytes") {
		return "", false
	}
	arg := call.Args[0]
	if !syntax.IsPath(arg) || src.Declaration() != x.Declaration() || !syntax.IsString(src.Info().TypeOf(arg)) {
		return "", false
	}
	return f.Text(arg), true
}

func isOSArgs(p syntax.Place, e ast.Expr) bool {
	v, ok := p.Object(e).(*types.Var)
	return ok && v.Pkg() != nil && v.Pkg().Path() == "os" && v.Name() == "Args"
}

// treatLengthAlike is treatAlike for what is too short to be indexed.
func (f indexRules) treatLengthAlike(x indexing) {
	t, ok := f.ThingOf(x.Place, x.base)
	if !ok || x.negative() {
		return
	}
	kind := "short"
	if x.length == 0 {
		kind = "zero"
	}
	t.Part += " len"
	f.Alike = append(f.Alike, f.RefusalsOfThing(x.Place, t, kind)...)
}
