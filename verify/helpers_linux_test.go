package verify

import (
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// TestWhatReportsFailuresIsNotChanged: a test passes as well where the function
// that compares for it finds everything equal.
func TestWhatReportsFailuresIsNotChanged(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	const compares = "if got != want {"
	for name, helper := range map[string]string{
		"with package testing": "package check\n\nimport \"testing\"\n\nfunc Equal(t testing.TB, got, want int) {\n\tt.Helper()\n\t" + compares + "\n\t\tt.Errorf(\"got %d, want %d\", got, want)\n\t}\n}\n",
		"with an interface":    "package check\n\ntype T interface{ Errorf(string, ...any) }\n\nfunc Equal(t T, got, want int) {\n\t// compares\n\t" + compares + "\n\t\tt.Errorf(\"got %d, want %d\", got, want)\n\t}\n}\n",
	} {
		t.Run(name, func(t *testing.T) {
			f := lay(t, "ledger", t.TempDir())
			write(t, filepath.Join(f.dir, "check/check.go"), helper)
			write(t, filepath.Join(f.dir, "ledger_test.go"), "package ledger\n\nimport (\n\t\"testing\"\n\n\t\"example.com/ledger/check\"\n)\n\n"+
				"func TestSum(t *testing.T) {\n\tcheck.Equal(t, Sum([]int{3, 4}), 7)\n}\n")
			f.compile(t, ".", true)
			f = f.failingAt("TestSum", "Errorf", 10)
			f.subject.Stop.Frames[0].Index = 1
			if name == "with package testing" { // by t.Helper
				f.subject.Stop.Panic.Culprit = 1
			}
			f.subject.Stop.Frames = append([]debugger.Frame{{Function: "example.com/ledger/check.Equal", File: f.dir + "/check/check.go", Line: 8, User: true}}, f.subject.Stop.Frames...)
			v := f.verifier(t, execute.Options{})
			if got := check(t, v, f.edits(t, "check/check.go", compares, "if want > 2*got {")); got.Verified || got.Effect != verdict.Hides {
				t.Errorf("another comparison is %q, %s: %+v", got.Label(), got.How, got.Checks)
			}
			if got := check(t, v, f.edits(t, ledgerGo, fromOne, "i := 0;")); !got.Verified || got.Effect != verdict.Repairs {
				t.Errorf("the fix is %q, %s: %+v", got.Label(), got.How, got.Checks)
			}
		})
	}
}

func TestFilesThatTakeTests(t *testing.T) {
	for text, want := range map[string]bool{
		"package a\n\nimport \"testing\"\n\nfunc f(t *testing.T) {}\n":                      true,
		"package a\n\nimport tt \"testing\"\n\nfunc f(t tt.TB) {}\n":                        true,
		"package a\n\nimport . \"testing\"\n\nfunc f(t *T) {}\n":                            true,
		"package a\n\nimport \"testing\"\n\nvar quiet = testing.Testing()\n":                false,
		"package a\n\ntype T int\n\nfunc f(testing struct{ T T }) T { return testing.T }\n": false,
	} {
		if got := takesTests(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestCodeThatRunsTestsMayBeFixed: a skip by an unchanged line of the test is its
// end; one that the candidate adds hides the failure, as does a report that is gone.
func TestCodeThatRunsTestsMayBeFixed(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := lay(t, "tharness", t.TempDir())
	f.compile(t, ".", true)
	f = f.failingAt("TestChapters/one", "Errorf", 16)
	f.subject.Stop.Frames = []debugger.Frame{{Function: "example.com/tharness.guard", File: f.dir + "/harness.go", Line: 16, User: true}}
	v := f.verifier(t, execute.Options{})
	const runs, opens = "\t\tbefore(t)\n", "\t\tb.open(n)\n"
	for name, tt := range map[string]struct {
		edits    []string
		verified bool
	}{
		"the page is opened before": {[]string{"harness.go", runs + opens, opens + runs}, true},
		"a skip":                    {[]string{"harness.go", runs, "\t\tt.Skip()\n" + runs}, false},
		"no report":                 {[]string{"harness.go", "\t\tt.Errorf(\"chapter panicked: %v\", v)\n", "\t\t_ = v\n"}, false},
	} {
		c := f.edits(t, tt.edits...)
		c.Source.Provider = "ollama"
		got := check(t, v, c)
		if want := map[bool]verdict.Effect{true: verdict.Repairs, false: verdict.Hides}[tt.verified]; got.Verified != tt.verified || got.Effect != want {
			t.Errorf("%s is %q, %s: %+v", name, got.Label(), got.How, got.Checks)
		}
	}
}
