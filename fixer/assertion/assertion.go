// Package assertion has the rules for type assertions that fail.
package assertion

import (
	"fmt"
	"go/ast"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/source/evidence"
)

// typeRules: a type assertion fails.
type typeRules struct{ *proposal.Proposal }

var conversionMessage = lazyregexp.New(`interface conversion: (.+?) is (nil|.+?), not (.+?)(?: \(types from different .*\))?$`)
var methodMessage = lazyregexp.New(`interface conversion: (.+?) is not (.+?): missing method (\w+)`)

// assertion is a type assertion that failed.
type assertion struct {
	analysis.Suspect
	x      *ast.TypeAssertExpr
	want   types.Type
	actual string // the dynamic type as the runtime names it; "nil" without one
}

// Failed explains x.(T) where x holds something else, and offers fixes.
func Failed(p *proposal.Proposal) {
	f := typeRules{p}
	actual := ""
	if m := conversionMessage.FindStringSubmatch(f.Panic.Message); m != nil {
		actual = m[2]
	} else if m := methodMessage.FindStringSubmatch(f.Panic.Message); m != nil {
		actual = m[1]
	} else if strings.Contains(f.Panic.Message, "interface is nil") {
		actual = "nil"
	}
	s, ok := f.Choose(func(p syntax.Place, n ast.Node) []analysis.Suspect { return f.assertions(p, n, actual) })
	if !ok {
		return
	}
	a := assertion{Suspect: s, x: s.Expr.(*ast.TypeAssertExpr), actual: actual}
	a.want = s.Info().TypeOf(a.x.Type)
	text, want := f.Text(a.x.X), f.Text(a.x.Type)
	is := f.actualText(a)
	f.Diagnosis = evidence.Diagnosis{Expr: text, Value: is, Sentence: fmt.Sprintf("%s is %s, not %s", text, is, want)}
	if actual == "nil" {
		f.TreatAlike(s.Place, a.x.X, "nil", "missing")
	} else {
		f.TreatAlike(s.Place, a.x.X, "missing")
	}
	f.assertionOrigin(a)
	f.storedOtherwise(a)
	f.convertInstead(a)
	f.textInstead(a)
	if actual != "nil" {
		f.Silence = "either the value is wrong or the type"
	}
}

func (f typeRules) actualText(a assertion) string {
	if a.actual == "nil" {
		return "nil"
	}
	if v := f.Value(a.Place, f.At, a.x.X); v.Known && len(v.Value.Children) == 1 && v.Value.Children[0].Value != "" {
		return fmt.Sprintf("%s (%s)", a.actual, syntax.Short(v.Value.Children[0].Value))
	}
	return a.actual
}

// assertions finds the assertions without a comma-ok, and compares the type
// they want with the one that the message names.
func (f typeRules) assertions(p syntax.Place, n ast.Node, actual string) []analysis.Suspect {
	ta, ok := n.(*ast.TypeAssertExpr)
	if !ok || ta.Type == nil {
		return nil
	}
	if tuple, isTuple := p.Info().TypeOf(ta).(*types.Tuple); isTuple && tuple.Len() == 2 {
		return nil
	}
	want := p.Info().TypeOf(ta.Type)
	fact := analysis.Unknown
	runtimeName := types.TypeString(want, func(pkg *types.Package) string { return pkg.Name() })
	if m := conversionMessage.FindStringSubmatch(f.Panic.Message); m != nil {
		if m[3] != runtimeName && !strings.HasSuffix(m[3], "interface") {
			if !strings.Contains(m[3], "{") && !strings.Contains(runtimeName, "[") && !strings.Contains(runtimeName, "any") {
				return nil
			}
		}
	}
	if v := f.Value(p, f.At, ta.X); v.Known {
		switch {
		case v.Value.Nil:
			fact = analysis.TriOf(actual == "nil")
		case len(v.Value.Children) == 1 && actual != "":
			fact = analysis.TriOf(sameTypeName(v.Value.Children[0].Type, actual))
		}
	} else if v.Missing {
		fact = analysis.TriOf(actual == "nil")
	}
	return []analysis.Suspect{{Expr: ta, Bad: ta.X, Fact: fact}}
}

// sameTypeName compares type names with and without package paths.
func sameTypeName(a, b string) bool {
	trim := func(s string) string {
		stars := len(s) - len(strings.TrimLeft(s, "*[]"))
		return s[:stars] + s[stars:][strings.LastIndexByte(s[stars:], '/')+1:]
	}
	return trim(a) == trim(b) || strings.ReplaceAll(a, "interface {}", "any") == strings.ReplaceAll(b, "interface {}", "any")
}

func (f typeRules) assertionOrigin(a assertion) {
	src := f.Trace(a.Place, f.At, a.x.X)
	if src.Expr == nil {
		return
	}
	e := ast.Unparen(src.Expr)
	if ix, ok := e.(*ast.IndexExpr); ok && syntax.IsMap(src.Info().TypeOf(ix.X)) && a.actual == "nil" {
		f.Note(f.NoValue(src, ix), ix.Pos())
		return
	}
	if e != ast.Unparen(a.x.X) {
		f.ComesFrom(src, "")
	}
	if f.Diagnosis.Origin == "" && !src.Unsure {
		f.Diagnosis.Origin = f.RelWhere(e.Pos())
	}
}

// convertInstead asserts the type that is there and converts between numbers.
func (f typeRules) convertInstead(a assertion) {
	from := basicNamed(a.actual)
	to, ok := a.want.Underlying().(*types.Basic)
	if from == nil || !ok || from.Info()&types.IsNumeric == 0 || to.Info()&types.IsNumeric == 0 || f.storesToo(a) || f.losesFraction(a, to) {
		return
	}
	want := f.Text(a.x.Type)
	text := fmt.Sprintf("%s(%s.(%s))", want, f.Text(a.x.X), a.actual)
	f.Offer(proposal.Idea{Rule: "assert/convert-instead", Title: fmt.Sprintf("convert the %s to %s", a.actual, want), Weight: exits.Origin, Change: f.Change().Replace(a.x.Pos(), a.x.End(), text),
		Why: fmt.Sprintf("The number is held as %s (as encoding/json does with every number into an empty interface); it is asserted as that and converted.", a.actual)})
}

// losesFraction reports whether the number that is there is not whole, and an integer is wanted.
func (f typeRules) losesFraction(a assertion, to *types.Basic) bool {
	there := f.Value(a.Place, f.At, a.x.X).Value
	if to.Info()&types.IsInteger == 0 || len(there.Children) != 1 {
		return false
	}
	x, err := strconv.ParseFloat(there.Children[0].Value, 64)
	return err == nil && x != math.Trunc(x)
}

// textInstead takes the text of a value that is asserted to be text, where what gave it has
// values of several types: not of what a document holds, in which another type is a mistake.
func (f typeRules) textInstead(a assertion) {
	src := f.Trace(a.Place, f.At, a.x.X)
	if _, ofList := ast.Unparen(src.Expr).(*ast.IndexExpr); ofList || src.Kind == code.FromRange || a.actual == "nil" || f.storesToo(a) {
		return
	}
	wantsBytes := types.Identical(a.want, types.NewSlice(types.Typ[types.Byte]))
	name, x := syntax.PkgName(a.File, "fmt"), f.Text(a.x.X)
	from := basicNamed(a.actual)
	var text string
	switch {
	case wantsBytes && from != nil && from.Kind() == types.String:
		text = fmt.Sprintf("%s.Appendf(nil, \"%%s\", %s)", name, x)
	case wantsBytes || !types.Identical(a.want, types.Typ[types.String]):
		return
	case a.actual == "[]uint8":
		text = fmt.Sprintf("%s.Sprintf(\"%%s\", %s)", name, x)
	case from != nil, f.saysItself(a.actual):
		text = fmt.Sprintf("%s.Sprint(%s)", name, x)
	default:
		return
	}
	f.Offer(proposal.Idea{Rule: "assert/text-instead", Title: fmt.Sprintf("take the text of %s, whatever its type", syntax.Short(x)), Weight: exits.Soft, Change: f.Change().Replace(a.x.Pos(), a.x.End(), text).Need(a.File, "fmt"),
		Why: fmt.Sprintf("%s, here a value of type %s, is taken as text, whatever its type.", x, a.actual)})
}

// saysItself reports whether values of a type, as the runtime names it, have a text of their
// own: those of errors, and what has a method String.
func (f typeRules) saysItself(runtimeName string) bool {
	name, isPointer := strings.CutPrefix(runtimeName, "*")
	pkgName, name, _ := strings.Cut(name, ".")
	for _, own := range f.Case.Code.Packages {
		for _, pkg := range slices.Concat(own.Types.Imports(), []*types.Package{own.Types}) {
			found := pkg.Scope().Lookup(name)
			if pkg.Name() != pkgName || found == nil {
				continue
			}
			t := found.Type()
			if isPointer {
				t = types.NewPointer(t)
			}
			for _, method := range []string{"Error", "String"} {
				if fn, _, _ := types.LookupFieldOrMethod(t, false, pkg, method); fn != nil && types.TypeString(fn.Type(), nil) == "func() string" {
					return true
				}
			}
		}
	}
	return false
}

// storesToo reports whether the user's code keeps values of the asserted type in
// containers of this named type: they would fail any other assertion.
func (f typeRules) storesToo(a assertion) (found bool) {
	ix, ok := ast.Unparen(a.x.X).(*ast.IndexExpr)
	if !ok {
		return false
	}
	container := a.Info().TypeOf(ix.X)
	if _, named := types.Unalias(container).(*types.Named); !named {
		return false
	}
	f.Each(func(p syntax.Place) {
		is := func(e ast.Expr, t types.Type) bool { return e != nil && types.Identical(p.Info().TypeOf(e), t) }
		ast.Inspect(p.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				found = found || is(n, container) && slices.ContainsFunc(n.Elts, func(e ast.Expr) bool {
					kv, ok := e.(*ast.KeyValueExpr)
					return ok && is(kv.Value, a.want)
				})
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					to, ok := left.(*ast.IndexExpr)
					found = found || ok && len(n.Lhs) == len(n.Rhs) && is(to.X, container) && is(n.Rhs[i], a.want)
				}
			}
			return !found
		})
	})
	return found
}

func basicNamed(name string) *types.Basic {
	tn, ok := types.Universe.Lookup(name).(*types.TypeName)
	if !ok {
		return nil
	}
	b, _ := tn.Type().Underlying().(*types.Basic)
	return b
}
