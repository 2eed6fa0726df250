package bench

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
)

// with returns the case of a module and its reference fix.
func with(t *testing.T, module, fixed string) *Case {
	t.Helper()
	head, _, _ := strings.Cut(good, "-- main.go --")
	c, err := Parse("index-out-of-range-x.txtar", []byte(head+"-- main.go --\n"+module+"-- fixed/main.go --\n"+fixed))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const scores = `package main

import "fmt"

var names = []string{"a"}

// best returns the best score.
func best(scores []int) int { return scores[0] }

func unused() {}

func main() { fmt.Println(best(nil), names[1]) }
`

func TestStrongAnswerIsTheReferenceFix(t *testing.T) {
	for _, test := range []struct {
		name, old, new, want string
		blocks               bool
	}{
		{"one declaration", "", "", "func main() { fmt.Println(best(nil), names[0]) }", false},
		{"a variable", `{"a"}`, `{"a", "b"}`, `var names = []string{"a", "b"}`, false},
		{"a helper and an import", "func best(scores []int) int { return scores[0] }",
			"func best(scores []int) int { return first(scores) }\n\nfunc first(s []int) int { return min(len(s), strings.Count(\"\", \"x\")) }", "func first(", false},
		{"a removed function", "func unused() {}\n\n", "", "<<<<<<< SEARCH", true},
	} {
		fixed := strings.Replace(strings.Replace(scores, test.old, test.new, 1), "names[1]", "names[0]", 1)
		if strings.Contains(fixed, "strings.") {
			fixed = strings.Replace(fixed, "import \"fmt\"", "import (\n\t\"fmt\"\n\t\"strings\"\n)", 1)
		}
		c := with(t, scores, fixed)
		a, err := c.Strong()
		if err != nil || a.Kind != "right" || !strings.Contains(a.Text, test.want) || patch.HasBlocks(a.Text) != test.blocks {
			t.Errorf("%s: %v\n%s", test.name, err, a.Text)
		}
		if strings.Contains(a.Text, "func unused") && !test.blocks {
			t.Errorf("%s: gives what does not change:\n%s", test.name, a.Text)
		}
	}
}

// Every reference fix of the corpus can be said as a model would.
func TestStrongAnswerOfEveryCase(t *testing.T) {
	cases, _ := Load(os.DirFS("corpus"))
	for _, c := range cases {
		a, err := c.Strong()
		if c.CanBeFixed() && (err != nil || !strings.Contains(a.Text, "```go")) {
			t.Errorf("%s: no answer in whole declarations", c.Name)
		}
		if !c.CanBeFixed() && err == nil {
			t.Errorf("%s: an answer where none is right", c.Name)
		}
	}
}

func TestStoredAnswersGoFirst(t *testing.T) {
	c, err := Parse("index-out-of-range-x.txtar", []byte(good+"-- answers/strong.md --\nright\n-- answers/sloppy.md --\nwrong\n"))
	if err != nil {
		t.Fatal(err)
	}
	strong, err := c.Strong()
	sloppy, err2 := c.Sloppy(t.Context(), t.TempDir(), 0)
	if err != nil || err2 != nil || strong.Text != "right\n" || sloppy.Text != "wrong\n" {
		t.Errorf("%v %v %v %v", strong, err, sloppy, err2)
	}
	if _, err := Parse("index-out-of-range-x.txtar", []byte(good+"-- answers/other.md --\nx\n")); err == nil {
		t.Error("no error for an unknown answer")
	}
}

// Each of the usual wrong answers can be spliced, builds, and is quiet.
func TestSloppyAnswerBuilds(t *testing.T) {
	module := strings.Replace(scores, "names[1]", "names[0]", 1)
	c := with(t, module, strings.Replace(module, "best(nil)", "best([]int{1})", 1))
	c.StopsIn = "best"
	for i, m := range mistakes {
		want := m.kind
		if want == "delete" {
			want = "recover" // without its only statement, best does not build
		}
		t.Run(m.kind, func(t *testing.T) {
			if i > 1 {
				testsupport.Slow(t)
			}
			t.Parallel()
			a, err := c.wrong(t.Context(), t.TempDir(), i)
			if err != nil || a.Kind != want {
				t.Fatalf("%v: %v", a, err)
			}
			checkBuilds(t.Context(), t, c, a.Text)
		})
	}
}

// Where the program crashes further on whatever is done, the first that is
// wrong is given.
func TestSloppyAnswerMayCrash(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	c := with(t, scores, strings.Replace(scores, "names[1]", "names[0]", 1))
	c.StopsIn = "best"
	a, err := c.wrong(t.Context(), t.TempDir(), 2)
	if err != nil || a.Kind != "stub" {
		t.Errorf("%v: %v", a, err)
	}
}

func checkBuilds(ctx context.Context, t *testing.T, c *Case, reply string) {
	t.Helper()
	spliced, err := patch.Splicer{}.Splice(c.sources(), reply)
	if err != nil {
		t.Fatalf("%v\n%s", err, reply)
	}
	files := c.module
	for _, e := range spliced.Edits {
		files = replaced(files, e.File, e.After)
	}
	module, temp, err := c.prepare(t.TempDir(), files)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.build(ctx, module, temp); err != nil {
		t.Errorf("%v\n%s", err, reply)
	}
}

// Half of the answers are the strong one, and the name alone decides.
func TestSloppyAnswersAreHalfRight(t *testing.T) {
	right := 0
	cases, _ := Load(os.DirFS("corpus"))
	for _, c := range cases {
		if c.sloppyIsRight(0) {
			right++
		}
	}
	if share := float64(right) / float64(len(cases)); share < 0.35 || share > 0.65 {
		t.Errorf("%d of %d are right", right, len(cases))
	}
}

func TestMistakes(t *testing.T) {
	const src = `package p

func f(list []int, i int) (string, error, T) {
	go func() int {
		return list[i]
	}()
	if i > 0 {
		list[i] = 1
	}
	return "", nil, T{}
}
`
	for _, test := range []struct {
		line int
		want []string // in the edits of recover, guard, stub, delete
	}{
		{5, []string{"func() int {\ndefer func() { _ = recover() }()", "if i >= len(list) {\nreturn 0\n}\nreturn list[i]", "go func() int {\nreturn 0\n}()", "go func() int {\n\t\t\n\t}()"}},
		{8, []string{"T) {\ndefer", "if i >= len(list) {\nreturn \"\", nil, *new(T)\n}\nlist[i] = 1", "T) {\nreturn \"\", nil, *new(T)\n}", "if i > 0 {\n\t\t\n\t}"}},
		{0, []string{"T) {\ndefer", "", "T) {\nreturn \"\", nil, *new(T)\n}", ""}},
	} {
		p, err := newPlace("p.go", src, "f", test.line)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range mistakes {
			edits := m.edit(p)
			if test.want[i] == "" && len(edits) == 0 {
				continue
			}
			if len(edits) == 0 || !strings.Contains(edits[0], test.want[i]) {
				t.Errorf("line %d, %s: %q", test.line, m.kind, edits)
			}
		}
	}
}

func TestGuardsAskWhatCanBeAskedTwice(t *testing.T) {
	p, err := newPlace("p.go", "package p\n\nfunc f() {\n\tm[next()] = <-c / len(x)\n}\n", "f", 4)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.conditions(), "; "); got != "m == nil; len(x) == 0; x == nil; x <= 0" {
		t.Errorf("%s", got)
	}
}
