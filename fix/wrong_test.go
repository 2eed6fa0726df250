package fix

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
	"github.com/pausetui/pausetui/verify/verdict"
)

// racks panics, with a value of its own, on an item that its test knows nothing
// of.
const racks = `
-- go.mod --
module example.org/racks

go 1.26
-- main.go --
package main

import "fmt"

// racks are where items lie.
type racks struct {
	places map[string]*place
}

type place struct{ shelf, box int }

// where returns the shelf and the box of an item: 1 and 1, which is the counter,
// where it has no place of its own.
func (r *racks) where(name string) (int, int) {
	p, ok := r.places[name]
	if !ok {
		panic(fmt.Sprintf("no place for %q", name))
	}
	return p.shelf, p.box
}

func main() {
	r := &racks{places: map[string]*place{"bolt": {3, 4}}}
	for _, name := range []string{"bolt", "screw"} {
		shelf, box := r.where(name)
		fmt.Println(name, shelf, box)
	}
}
-- main_test.go --
package main

import "testing"

func TestWhere(t *testing.T) {
	r := &racks{places: map[string]*place{"bolt": {3, 4}}}
	if shelf, box := r.where("bolt"); shelf != 3 || box != 4 {
		t.Fatalf("the bolt lies at %d, %d", shelf, box)
	}
}
`

// where is an answer with another body of the method.
func where(body string) string {
	return "It has no place.\n\n```go\nfunc (r *racks) where(name string) (int, int) {\n" + body + "\n}\n```\n"
}

var rightAnswer = where("\tp := r.places[name]\n\tif p == nil {\n\t\tp = &place{1, 1}\n\t}\n\treturn p.shelf, p.box")

// A first answer that is wrong goes back with what was wrong with it, in
// whichever way it is, and the second answer is taken.
func TestAWrongAnswerGoesBackAndTheSecondIsTaken(t *testing.T) {
	for name, c := range map[string]struct {
		first string
		wants []string // in the second request
		kept  bool     // the first answer is a candidate
		bulk  bool     // other tests see such an answer go back
	}{
		"does not parse": {where("\treturn r.places["), []string{"cannot be used", "does not parse"}, false, false},
		"elides code":    {where("\tp := r.places[name]\n\t// rest unchanged"), []string{"leaves something out", "rest unchanged", "Write every line"}, false, true},
		"does not build": {where("\tp := r.place[name]\n\treturn p.shelf, p.box"), []string{`"build" failed`, "r.place undefined"}, true, true},
		"fails vet": {strings.Replace(where("\tp := r.places[name]\n\tif p == nil {\n\t\tfmt.Printf(\"%d has no place\\n\", name)\n\t\tp = &place{1, 1}\n\t}\n\treturn p.shelf, p.box"), "```go\n", "```go\nimport \"fmt\"\n\n", 1),
			[]string{`"vet" failed`, "%d"}, true, true},
		"still panics":  {where("\tp, ok := r.places[name]\n\tif !ok {\n\t\tpanic(\"nothing here\")\n\t}\n\treturn p.shelf, p.box"), []string{`"rerun" failed`, "nothing here"}, true, true},
		"breaks a test": {where("\tp := r.places[name]\n\tif p == nil {\n\t\tp = &place{1, 1}\n\t}\n\treturn p.box, p.shelf"), []string{`"tests" failed`, "the bolt lies at 4, 3"}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			if c.bulk {
				testsupport.Slow(t)
			}
			t.Parallel()
			opts, server := scripted(t, module(t, racks), ollamatest.Turns(ollamatest.Answer(c.first), ollamatest.Answer(rightAnswer)))
			report, err := Run(context.Background(), opts, Options{})
			if err != nil {
				t.Fatal(err)
			}
			asked := server.Requests()
			if len(asked) != 2 {
				t.Fatalf("asked %d times, want 2; fixes %+v", len(asked), report.Candidates)
			}
			for _, want := range c.wants {
				if !strings.Contains(prompt(asked[1]), want) {
					t.Errorf("the second request does not say %q:\n%s", want, prompt(asked[1]))
				}
			}
			byModel := 0
			right := false
			for _, k := range report.Candidates {
				if k.Provider == "ollama" {
					byModel++
					right = right || k.Verified && strings.Contains(k.Diff, "p = &place{1, 1}")
				}
			}
			if !right || byModel != map[bool]int{true: 2, false: 1}[c.kept] {
				t.Errorf("%d fixes of the model, the right one verified %v: %+v", byModel, right, report.Candidates)
			}
		})
	}
}

// A label says what kind of fix an answer is. That is not a failure: the model is
// not asked again.
func TestALabeledAnswerDoesNotGoBack(t *testing.T) {
	for effect, body := range map[verdict.Effect]string{
		verdict.Hides: "\tdefer func() { _ = recover() }()\n\tp := r.places[name]\n\treturn p.shelf, p.box",
		verdict.Skips: "\tp := r.places[name]\n\tif p == nil {\n\t\treturn 0, 0\n\t}\n\treturn p.shelf, p.box",
	} {
		t.Run(string(effect), func(t *testing.T) {
			testsupport.Slow(t)
			t.Parallel()
			opts, server := scripted(t, module(t, racks), ollamatest.Turns(ollamatest.Answer(where(body)), ollamatest.Answer(rightAnswer)))
			report, err := Run(context.Background(), opts, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if n := len(server.Requests()); n != 1 {
				t.Errorf("asked %d times, want 1", n)
			}
			i := slices.IndexFunc(report.Candidates, func(k Candidate) bool { return k.Provider == "ollama" })
			if i < 0 || report.Candidates[i].Effect != effect {
				t.Errorf("want a fix of the model that %s: %+v", effect, report.Candidates)
			}
		})
	}
}
