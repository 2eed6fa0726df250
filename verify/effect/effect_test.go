package effect_test

import (
	"go/format"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/syntax"
)

const file = `package p

import "errors"

func f(m map[string]int, x *T) (int, error) {
	total := 0
	for _, k := range keys {
		m[k] = x.v
		total += m[k]
	}
	v := x.any.(int)
	return total + v, nil
}

func newT() *T {
	return &T{}
}
`

const faulting = 8

// said is what a report says without a run, and of its points.
func said(r effect.Report) string {
	var parts []string
	if r.Hides != "" {
		parts = append(parts, "hides: "+r.Hides)
	}
	if r.Skips != "" {
		parts = append(parts, "skips: "+r.Skips)
	}
	for _, p := range r.Points {
		parts = append(parts, string(p.Effect)+" at a point: "+p.How)
	}
	return strings.Join(parts, "\n")
}

// changed replaces texts of a file: old, new, old, new, …
func changed(t *testing.T, text string, changes ...string) string {
	t.Helper()
	for i := 0; i < len(changes); i += 2 {
		after := strings.Replace(text, changes[i], changes[i+1], 1)
		if after == text {
			t.Fatalf("%q is not there", changes[i])
		}
		text = after
	}
	return text
}

func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		name    string
		changes []string // old, new, …
		want    string   // "" for a plain repair
	}{
		{"at the origin", []string{"return &T{}", "return &T{any: 1}"}, ""},
		{"the map is made", []string{"\ttotal := 0\n", "\ttotal := 0\n\tif x.m == nil {\n\t\tx.m = map[string]int{}\n\t}\n"}, ""},
		{"a map that is lost with the call", []string{"\ttotal := 0\n", "\ttotal := 0\n\tif m == nil {\n\t\tm = make(map[string]int)\n\t}\n"}, "skips at a point: sets m to make(map[string]int) when m == nil"},
		{"an error", []string{"\ttotal := 0\n", "\tif x == nil {\n\t\treturn 0, errors.New(\"no x\")\n\t}\n\ttotal := 0\n"}, "declines at a point: returns an error when x == nil"},
		{"zero values", []string{"\ttotal := 0\n", "\tif x == nil {\n\t\treturn 0, nil\n\t}\n\ttotal := 0\n"}, "skips at a point: returns 0, nil when x == nil"},
		{"zero values, logged", []string{"\ttotal := 0\n", "\tif x == nil {\n\t\tlog.Println(\"no x\")\n\t\treturn 0, nil\n\t}\n\ttotal := 0\n"}, "skips at a point: returns 0, nil when x == nil"},
		{"a value of its own", []string{"\ttotal := 0\n", "\tif x == nil {\n\t\treturn 7, nil\n\t}\n\ttotal := 0\n"}, "skips at a point: returns 7, nil when x == nil"},
		{"continue", []string{"\t\tm[k] = x.v\n", "\t\tif m == nil {\n\t\t\tcontinue\n\t\t}\n\t\tm[k] = x.v\n"}, "skips at a point: skips the rest of the iteration when m == nil"},
		{"an error is recorded", []string{"\t\tm[k] = x.v\n", "\t\tif m == nil {\n\t\t\tx.errs = append(x.errs, fmt.Errorf(\"no map for %s\", k))\n\t\t\tcontinue\n\t\t}\n\t\tm[k] = x.v\n"}, "declines at a point: records an error when m == nil"},
		{"wrapped", []string{"\t\tm[k] = x.v\n", "\t\tif m != nil {\n\t\t\tm[k] = x.v\n\t\t}\n"}, "skips at a point: leaves out m[k] = x.v unless m != nil"},
		{"wrapped, with other work", []string{"\t\tm[k] = x.v\n", "\t\tif m != nil {\n\t\t\tm[k] = x.v\n\t\t} else {\n\t\t\tx.late[k] = x.v\n\t\t}\n"}, ""},
		{"wrapped with an else that prints", []string{"\t\tm[k] = x.v\n", "\t\tif m != nil {\n\t\t\tm[k] = x.v\n\t\t} else {\n\t\t\tlog.Println(k)\n\t\t}\n"}, "skips at a point: leaves out m[k] = x.v unless m != nil"},
		{"removed", []string{"\t\tm[k] = x.v\n", ""}, "skips: removes m[k] = x.v"},
		{"an import next to it", []string{"import \"errors\"", "import (\n\t\"errors\"\n\t\"log\"\n)", "\t\tm[k] = x.v\n", ""}, "skips: removes m[k] = x.v"},
		{"another statement removed", []string{"\t\ttotal += m[k]\n", ""}, "skips: removes total += m[k]"},
		{"moved", []string{"\t\tm[k] = x.v\n\t\ttotal += m[k]\n", "\t\ttotal += m[k]\n\t\tm[k] = x.v\n"}, ""},
		{"recover", []string{"\ttotal := 0\n", "\tdefer func() {\n\t\t_ = recover()\n\t}()\n\ttotal := 0\n"}, "hides: recovers from the panic"},
		{"recover, said in an error", []string{"(int, error)", "(n int, err error)", "\ttotal := 0\n", "\tdefer func() {\n\t\tif r := recover(); r != nil {\n\t\t\terr = fmt.Errorf(\"%v\", r)\n\t\t}\n\t}()\n\ttotal := 0\n"}, "skips: recovers from the panic and makes an error of it"},
		{"assertion with a zero value", []string{"v := x.any.(int)", "v, _ := x.any.(int)"}, "skips: uses a zero value when the type is another"},
		{"assertion with an error", []string{"v := x.any.(int)", "v, ok := x.any.(int)\n\tif !ok {\n\t\treturn 0, errors.New(\"no int\")\n\t}"}, "declines at a point: returns an error when !ok"},
		{"exit", []string{"\ttotal := 0\n", "\tif x == nil {\n\t\tos.Exit(0)\n\t}\n\ttotal := 0\n"}, "skips at a point: ends the program silently when x == nil"},
		{"exit with a word", []string{"\ttotal := 0\n", "\tif x == nil {\n\t\tlog.Fatal(\"no x\")\n\t}\n\ttotal := 0\n"}, "declines at a point: ends the program with an error when x == nil"},
		{"clamped", []string{"\t\tm[k] = x.v\n", "\t\tm[k] = max(x.v, 0)\n"}, "skips: limits a value: max(x.v, 0)"},
		{"clamped by an if", []string{"\t\tm[k] = x.v\n", "\t\tif x.v < 0 {\n\t\t\tx.v = 0\n\t\t}\n\t\tm[k] = x.v\n"}, "skips at a point: sets x.v to 0 when x.v < 0"},
		{"a constant in a local", []string{"\t\tm[k] = x.v\n", "\t\tif zero := 7; x.p == nil {\n\t\t\tx.p = &zero\n\t\t}\n\t\tm[k] = x.v\n"}, "skips at a point: sets x.p to &zero when x.p == nil"},
		{"declared before", []string{"\t\tm[k] = x.v\n", "\t\tvar n = -1\n\t\tq := &n\n\t\tif x.p == nil {\n\t\t\tx.p = q\n\t\t}\n\t\tm[k] = x.v\n"}, "skips at a point: sets x.p to q when x.p == nil"},
		{"a constant from a helper", []string{"\t\tm[k] = x.v\n", "\t\tif x.p == nil {\n\t\t\tx.p = ptr(7)\n\t\t}\n\t\tm[k] = x.v\n", "func newT()", "func ptr[T any](v T) *T { return &v }\n\nfunc newT()"}, "skips at a point: sets x.p to ptr(7) when x.p == nil"},
		{"a constant with new", []string{"\t\tm[k] = x.v\n", "\t\tif x.p == nil {\n\t\t\tx.p = new(7)\n\t\t}\n\t\tm[k] = x.v\n"}, "skips at a point: sets x.p to new(7) when x.p == nil"},
		{"a local that is given more", []string{"\t\tm[k] = x.v\n", "\t\tn := 7\n\t\tn = x.v\n\t\tif x.p == nil {\n\t\t\tx.p = &n\n\t\t}\n\t\tm[k] = x.v\n"}, ""},
		{"a local that is worked out", []string{"\t\tm[k] = x.v\n", "\t\tn := x.v\n\t\tif x.p == nil {\n\t\t\tx.p = &n\n\t\t}\n\t\tm[k] = x.v\n"}, ""},
		{"a stub", []string{"\ttotal := 0\n", "\tif x == nil {\n\t\tx = &T{}\n\t}\n\ttotal := 0\n"}, "skips at a point: sets x to &T{} when x == nil"},
		{"once", []string{"\t\tm[k] = x.v\n", "\t\tx.once.Do(func() {\n\t\t\tm[k] = x.v\n\t\t})\n"}, "skips: runs m[k] = x.v only the first time"},
		{"changed", []string{"m[k] = x.v", "m[k] = x.w"}, ""},
		{"a zero value instead", []string{"v := x.any.(int)", "v := 0"}, "skips: uses 0 in the place of x.any.(int)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			after := changed(t, file, tt.changes...)
			got := said(effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: file, After: after}, Line: faulting}}))
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A method that calls the method of the same name of a part does not end a
// recursion where it returns early.
func TestADelegatingMethodIsNoRecursion(t *testing.T) {
	const before = "package p\n\ntype model struct {\n\titems []string\n\tpages paginator.Model\n\tnext *model\n}\n\n" +
		"func (m *model) Update(i int) (any, error) {\n\tuse(m.items[i])\n\tm.pages.Update(i)\n\treturn m, nil\n}\n"
	after := changed(t, before, "\tuse(", "\tif i >= len(m.items) {\n\t\treturn nil, nil\n\t}\n\tuse(")
	for part, want := range map[string]string{"pages": "skips at a point: returns nil, nil when i >= len(m.items)", "next": ""} {
		before, after := strings.ReplaceAll(before, "pages.Up", part+".Up"), strings.ReplaceAll(after, "pages.Up", part+".Up")
		if got := said(effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}, Line: 10}})); got != want {
			t.Errorf("%s: got %q, want %q", part, got, want)
		}
	}
}

// What was found to be taken for a mask, and is none.
func TestRepairs(t *testing.T) {
	for name, tt := range map[string][2]string{
		"a changed function literal": {
			"func f(xs []int) {\n\teach(func(i int) {\n\t\tuse(xs[i])\n\t})\n}\n",
			"func f(xs []int) {\n\teach(func(i int) {\n\t\tuse(xs[i-1])\n\t})\n}\n"},
		"an extended select": {
			"func f() {\n\tselect {\n\tcase v := <-ch:\n\t\tuse(v)\n\t}\n}\n",
			"func f() {\n\tselect {\n\tcase v := <-ch:\n\t\tuse(v)\n\tcase <-done:\n\t\treturn\n\t}\n}\n"},
		"a wider condition": {
			"func f(xs []int) int {\n\tif xs == nil {\n\t\treturn 0\n\t}\n\treturn xs[0]\n}\n",
			"func f(xs []int) int {\n\tif len(xs) == 0 {\n\t\treturn 0\n\t}\n\treturn xs[0]\n}\n"},
		"a wider condition, joined": {
			"func f(xs []int) int {\n\tif xs == nil {\n\t\treturn 0\n\t}\n\treturn xs[0]\n}\n",
			"func f(xs []int) int {\n\tif xs == nil || len(xs) == 0 {\n\t\treturn 0\n\t}\n\treturn xs[0]\n}\n"},
		"a closed channel": {
			"func f() {\n\tfor {\n\t\tv := <-ch\n\t\tuse(v.x)\n\t}\n}\n",
			"func f() {\n\tfor {\n\t\tv, ok := <-ch\n\t\tif !ok {\n\t\t\treturn\n\t\t}\n\t\tuse(v.x)\n\t}\n}\n"},
		"a closed channel, in one": {
			"func f() {\n\tfor {\n\t\tuse(<-ch)\n\t}\n}\n",
			"func f() {\n\tfor {\n\t\tif v, ok := <-ch; !ok {\n\t\t\treturn\n\t\t} else {\n\t\t\tuse(v)\n\t\t}\n\t}\n}\n"},
		"the base case of a recursion": {
			"func (n *node) height() int {\n\treturn 1 + max(n.left.height(), n.right.height())\n}\n",
			"func (n *node) height() int {\n\tif n == nil {\n\t\treturn 0\n\t}\n\treturn 1 + max(n.left.height(), n.right.height())\n}\n"},
		"a limit that was there": {
			"func f(xs []string, w int) int { return min(w, len(xs[len(xs)])) }\n",
			"func f(xs []string, w int) int { return min(w, len(xs[len(xs)-1])) }\n"},
		"a limit that changes": {
			"func f(xs []int, n int) int { return xs[min(n, len(xs))] }\n",
			"func f(xs []int, n int) int { return xs[min(n, len(xs)-1)] }\n"},
		"the end of a loop": {
			"func f(xs []int) {\n\tfor i := 0; i <= len(xs); i++ {\n\t\tuse(xs[i])\n\t}\n}\n",
			"func f(xs []int) {\n\tfor i := 0; i < len(xs); i++ {\n\t\tuse(xs[i])\n\t}\n}\n"},
		"another kind of value": {
			"func f(x any) int {\n\tn := x.(int)\n\treturn n\n}\n",
			"func f(x any) int {\n\tvar n int\n\tswitch x := x.(type) {\n\tcase int:\n\t\tn = x\n\tcase float64:\n\t\tn = int(x)\n\t}\n\treturn n\n}\n"},
		"a lock around it": {
			"func (s *S) f() {\n\ts.m[1]++\n}\n",
			"func (s *S) f() {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\ts.m[1]++\n}\n"},
		"a helper": {
			"func f(xs []int) int {\n\treturn xs[9]\n}\n",
			"func f(xs []int) int {\n\treturn last(xs)\n}\n\nfunc last(xs []int) int { return xs[len(xs)-1] }\n"},
	} {
		before, after := "package p\n\n"+tt[0], "package p\n\n"+tt[1]
		if got := said(effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}, Line: 4}})); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A panic that becomes an error message and an exit code is declined, not hidden.
func TestAPanicBecomesAnExit(t *testing.T) {
	const before = "package p\n\nfunc main() {\n\tif err := load(); err != nil {\n\t\tpanic(err)\n\t}\n\tuse()\n}\n"
	for now, want := range map[string]string{
		"fmt.Fprintln(os.Stderr, err)\n\t\tos.Exit(1)": "declines at a point: ends the program with an error when err != nil",
		"log.Fatal(err)":   "declines at a point: ends the program with an error when err != nil",
		"os.Exit(1)":       "skips at a point: ends the program silently when err != nil",
		"fmt.Println(err)": "hides: removes panic(err)",
	} {
		if got := said(effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: strings.Replace(before, "panic(err)", now, 1)}}})); got != want {
			t.Errorf("%s: %q, want %q", now, got, want)
		}
	}
}

// An if that is narrowed so that its old condition is not asked leaves its work
// out; a loop that is ends where its data ends.
func TestNarrowedConditions(t *testing.T) {
	const before = "package p\n\nfunc f(e *E, xs []int) {\n\tif e.v == 0 {\n\t\tuse(e)\n\t}\n\tif e.gone {\n\t\treturn\n\t}\n\tfor xs[0] == 1 {\n\t\txs = xs[1:]\n\t}\n\tuse(e)\n}\n"
	for _, tt := range []struct{ old, now, want string }{
		{"e.v == 0", "e != nil && e.v == 0", "skips at a point: takes e.v == 0 for false unless e != nil"},
		{"e.v == 0", "e.v == 0 && e.w == 0", ""},
		{"if e.gone", "if e != nil && e.gone", ""},
		{"for xs[0] == 1", "for len(xs) > 0 && xs[0] == 1", ""},
	} {
		after := changed(t, before, tt.old, tt.now)
		changes := []effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}}}
		r := effect.Compare(changes)
		if got := said(r); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.now, got, tt.want)
		}
		for path, text := range effect.Mark(changes, r, func(string) string { return "/src/p.go" }).Overlay {
			if _, err := format.Source([]byte(text)); err != nil {
				t.Errorf("%s: %v\n%s", path, err, text)
			}
			if tt.want != "" && path == "/src/p.go" && !strings.Contains(text, "if (pausetuiTest(0, bool(e != nil)) == true) && e.v == 0 {") {
				t.Errorf("no test in\n%s", text)
			}
		}
	}
}
