package build

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const tested = `
-- go.mod --
module example.com/tested

go 1.25
-- a/a.go --
package a

func Answer() int { return 42 }
-- a/a_test.go --
package a

import "testing"

func TestAnswer(t *testing.T) {}
-- b/b.go --
package b

import "example.com/tested/a"

var _ = a.Answer
-- c/c_test.go --
package c_test

import (
	"testing"

	_ "example.com/tested/b"
)

func TestC(t *testing.T) {}
-- more/a/a_test.go --
package a

import "testing"

func TestMore(t *testing.T) { missing() }
`

func TestTestPackagesKnowWhatTheirTestsAreMadeOf(t *testing.T) {
	pkgs, err := TestPackages(t.Context(), Spec{Dir: module(t, tested)}, []string{"example.com/tested/..."})
	if err != nil {
		t.Fatal(err)
	}
	deps := map[string]string{}
	for _, p := range pkgs {
		var ours []string
		for _, d := range p.Deps {
			if rest, ok := strings.CutPrefix(d, "example.com/tested/"); ok {
				ours = append(ours, rest)
			}
		}
		slices.Sort(ours)
		deps[strings.TrimPrefix(p.ImportPath, "example.com/tested/")] = strings.Join(slices.Compact(ours), " ")
		if p.HasTests == strings.HasSuffix(p.ImportPath, "/b") || p.Name == "" || !filepath.IsAbs(p.Dir) {
			t.Errorf("package %+v", p)
		}
	}
	if len(pkgs) != 4 || deps["a"] != "a" || deps["b"] != "" || deps["c"] != "a b c_test" || deps["more/a"] != "more/a" {
		t.Errorf("dependencies %v", deps)
	}
}

func TestTestBinariesAreBuiltTogether(t *testing.T) {
	dir, out := module(t, tested), t.TempDir()
	s := Spec{Dir: dir, Overlay: map[string]string{filepath.Join(dir, "c", "d_test.go"): "package c_test\n\nvar x int = \"\"\n"}}
	pkgs := []string{"example.com/tested/a", "example.com/tested/c", "example.com/tested/more/a"}
	built, err := TestBinaries(t.Context(), s, pkgs, out)
	if err != nil {
		t.Fatal(err)
	}
	if len(built) != 3 {
		t.Fatalf("built %+v", built)
	}
	messages := map[string]string{}
	for _, b := range built {
		var refusal *Error
		if errors.As(b.Err, &refusal) {
			messages[b.Package] = refusal.Error()
		} else if info, err := os.Stat(b.Path); err != nil || info.Mode()&0o100 == 0 {
			t.Errorf("%s: %v", b.Package, err)
		}
	}
	if len(messages) != 2 ||
		!strings.HasSuffix(messages["example.com/tested/c"], filepath.Join(dir, "c", "d_test.go")+`:3: cannot use "" (untyped string constant) as int value in variable declaration`) ||
		!strings.Contains(messages["example.com/tested/more/a"], "undefined: missing") {
		t.Errorf("messages %q", messages)
	}
}

func TestTestBinariesAreNamedAsTheGoCommandDoes(t *testing.T) {
	for pkg, want := range map[string]string{"example.com/a": "a.test", "example.com/a/v2": "a.test", "v2": "v2.test"} {
		if got := testName(pkg); got != want {
			t.Errorf("%s makes %s, want %s", pkg, got, want)
		}
	}
	if got := apart([]string{"a", "x/a", "b", "y/a"}); len(got) != 3 || len(got[0]) != 2 {
		t.Errorf("batches %v", got)
	}
}
