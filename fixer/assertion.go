package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/source/evidence"
)

var conversionMessage = lazyregexp.New(`interface conversion: (.+?) is (nil|.+?), not (.+?)(?: \(types from different .*\))?$`)
var methodMessage = lazyregexp.New(`interface conversion: (.+?) is not (.+?): missing method (\w+)`)

// assertion is a type assertion that failed.
type assertion struct {
	suspect
	x      *ast.TypeAssertExpr
	want   types.Type
	actual string // the dynamic type as the runtime names it; "nil" without one
}

// typeAssertion: x.(T) where x holds something else.
func (f typeRules) typeAssertion() {
	actual := ""
	if m := conversionMessage.FindStringSubmatch(f.panic.Message); m != nil {
		actual = m[2]
	} else if m := methodMessage.FindStringSubmatch(f.panic.Message); m != nil {
		actual = m[1]
	} else if strings.Contains(f.panic.Message, "interface is nil") {
		actual = "nil"
	}
	s, ok := f.choose(func(p place, n ast.Node) []suspect { return f.assertions(p, n, actual) })
	if !ok {
		return
	}
	a := assertion{suspect: s, x: s.expr.(*ast.TypeAssertExpr), actual: actual}
	a.want = s.info().TypeOf(a.x.Type)
	text, want := f.text(a.x.X), f.text(a.x.Type)
	f.diagnosis = evidence.Diagnosis{Expr: text, Value: actual, Sentence: fmt.Sprintf("%s is %s, not %s", text, f.actualText(a), want)}
	if actual == "nil" {
		f.treatAlike(s.place, a.x.X, "nil", "missing")
	} else {
		f.treatAlike(s.place, a.x.X, "missing")
	}
	f.assertionOrigin(a)

	f.storedOtherwise(a)

	f.convertInstead(a)
}

func (f typeRules) actualText(a assertion) string {
	if a.actual == "nil" {
		return "nil"
	}
	if v := f.value(a.place, f.at, a.x.X); v.known && len(v.value.Children) == 1 && v.value.Children[0].Value != "" {
		return fmt.Sprintf("%s (%s)", a.actual, short(v.value.Children[0].Value))
	}
	return a.actual
}

// assertions finds the assertions without a comma-ok, and compares the type
// they want with the one that the message names.
func (f typeRules) assertions(p place, n ast.Node, actual string) []suspect {
	ta, ok := n.(*ast.TypeAssertExpr)
	if !ok || ta.Type == nil {
		return nil
	}
	if tuple, isTuple := p.info().TypeOf(ta).(*types.Tuple); isTuple && tuple.Len() == 2 {
		return nil
	}
	want := p.info().TypeOf(ta.Type)
	fact := unknown
	runtimeName := types.TypeString(want, func(pkg *types.Package) string { return pkg.Name() })
	if m := conversionMessage.FindStringSubmatch(f.panic.Message); m != nil {
		if m[3] != runtimeName && !strings.HasSuffix(m[3], "interface") {
			if !strings.Contains(m[3], "{") && !strings.Contains(runtimeName, "[") && !strings.Contains(runtimeName, "any") {
				return nil
			}
		}
	}
	if v := f.value(p, f.at, ta.X); v.known {
		switch {
		case v.value.Nil:
			fact = triOf(actual == "nil")
		case len(v.value.Children) == 1 && actual != "":
			fact = triOf(sameTypeName(v.value.Children[0].Type, actual))
		}
	} else if v.missing {
		fact = triOf(actual == "nil")
	}
	return []suspect{{expr: ta, bad: ta.X, fact: fact}}
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
	src := f.trace(a.place, f.at, a.x.X)
	if src.expr == nil {
		return
	}
	e := ast.Unparen(src.expr)
	if ix, ok := e.(*ast.IndexExpr); ok && isMap(src.info().TypeOf(ix.X)) && a.actual == "nil" {
		f.note(f.noValue(src, ix), ix.Pos())
		return
	}
	if e != ast.Unparen(a.x.X) {
		f.comesFrom(src, "")
	}
	if f.diagnosis.Origin == "" && !src.unsure {
		f.diagnosis.Origin = f.relWhere(e.Pos())
	}
}

// convertInstead asserts the type that is there and converts between numbers.
func (f typeRules) convertInstead(a assertion) {
	from := basicNamed(a.actual)
	to, ok := a.want.Underlying().(*types.Basic)
	if from == nil || !ok || from.Info()&types.IsNumeric == 0 || to.Info()&types.IsNumeric == 0 {
		return
	}
	want := f.text(a.x.Type)
	text := fmt.Sprintf("%s(%s.(%s))", want, f.text(a.x.X), a.actual)
	f.offer(idea{rule: "assert/convert-instead", title: fmt.Sprintf("convert the %s to %s", a.actual, want), weight: origin, change: f.change().replace(a.x.Pos(), a.x.End(), text),
		why: fmt.Sprintf("The number is held as %s (as encoding/json does with every number into an empty interface); it is asserted as that and converted.", a.actual)})
}

func basicNamed(name string) *types.Basic {
	tn, ok := types.Universe.Lookup(name).(*types.TypeName)
	if !ok {
		return nil
	}
	b, _ := tn.Type().Underlying().(*types.Basic)
	return b
}
