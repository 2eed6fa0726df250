package verify

import (
	"go/parser"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

func TestAnExpressionIsKnownToBeZero(t *testing.T) {
	f := debugger.Frame{
		Args: []debugger.Variable{{Name: "xs", Len: 0}, {Name: "total", Value: "3"}},
		Locals: []debugger.Variable{{Name: "sum", Value: "0"}, {Name: "n", Value: "2"}, {Name: "n", Value: "0"}, {Name: "hidden", Value: "0", Shadowed: true},
			{Name: "s", Type: "*stats", Children: []debugger.Variable{{Children: []debugger.Variable{{Name: "done", Value: "0"}}}}}},
	}
	for code, want := range map[string]bool{
		"sum": true, "total": false, "100 * sum": true, "100 * total": false, "int64(sum) * 100": true, "len(xs)": true, "s.done": true,
		"sum + total": false, "sum - n": true, "(sum) / total": true, "hidden": false, "missing": false, "f(sum)": false, "-sum": false,
	} {
		e, err := parser.ParseExpr(code)
		if got := isZero(f, e); err != nil || got != want {
			t.Errorf("%s: %t, want %t", code, got, want)
		}
	}
}

// A guard that answers 0 where 0 was divided by 0 gives what any other divisor gives;
// one that answers 100 is made up.
func TestADividendOfZeroSupportsAGuard(t *testing.T) {
	testsupport.Slow(t)
	f := crashingAlone(t, "percent")
	for i := range f.subject.Stop.Frames {
		f.subject.Stop.Frames[i].Args = []debugger.Variable{{Name: "p", Type: "*main.poll", Children: []debugger.Variable{
			{Children: []debugger.Variable{{Name: "yes", Value: "0"}, {Name: "votes", Value: "0"}}}}}}
	}
	all := f.verifier(t, execute.Options{})
	for answer, verified := range map[string]bool{"0": true, "100": false} {
		v := check(t, all, f.edit(t, "main.go", "\treturn 100 *", "\tif p.votes == 0 {\n\t\treturn "+answer+"\n\t}\n\treturn 100 *"))
		if v.Verified != verified || v.Effect != verdict.Skips || verified && !strings.Contains(v.Support, "100 * p.yes is 0 as well") {
			t.Errorf("return %s: %+v", answer, v)
		}
	}
}
