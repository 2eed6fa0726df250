package weaken_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/weaken"
)

func TestWeakened(t *testing.T) {
	const test = "package p\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\tif got := f(1); got != 2 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
	for name, tt := range map[string]struct{ old, new, want string }{
		"removed":  {"func TestF(t *testing.T) {\n\tif got := f(1); got != 2 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n", "", "removes the test TestF"},
		"skipped":  {"\tif got", "\tt.Skip(\"flaky\")\n\tif got", "skips the test TestF"},
		"less":     {"\t\tt.Errorf(\"got %d\", got)\n", "\t\tt.Log(got)\n", "checks less"},
		"expected": {"got != 2", "got != 0", "changes what TestF expects"},
		"built":    {"package p", "//go:build ignore\n\npackage p", "when a test file is built"},
		"added":    {"func TestF", "func TestG(t *testing.T) { g() }\n\nfunc TestF", ""},
	} {
		got := weaken.Tests(test, strings.Replace(test, tt.old, tt.new, 1))
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) || strings.HasPrefix(got, "it ") || strings.HasPrefix(got, "Test") {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	if weaken.Tests(test, "") == "" {
		t.Error("a file taken away is nothing")
	}
}

// TestTestsThatEndUnseen: who ends the test binary can print that they pass.
func TestTestsThatEndUnseen(t *testing.T) {
	const head = "package p\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\n"
	for after, want := range map[string]bool{
		head + "func TestMain(m *testing.M) {\n\tos.Stdout.WriteString(\"PASS\")\n\tos.Exit(0)\n}\n": true,
		head + "func init() {\n\tos.Exit(0)\n}\n":                                                    true,
		head + "func TestMain(m *testing.M) {\n\tos.Exit(m.Run())\n}\n":                              false,
		head + "func TestX(t *testing.T) {\n\tos.Stdout = nil\n}\n":                                  false,
		// A TestMain that returns ends with 0 as well, and so may what only looks like
		// the tests.
		head + "func TestMain(_ *testing.M) {\n\tos.Stdout.WriteString(\"PASS\")\n}\n":                            true,
		head + "func TestMain(_ *testing.M) {\n\tos.Exit(fake{}.Run())\n}\n":                                      true,
		head + "func TestMain(m *testing.M) {\n\tif len(os.Args) > 0 {\n\t\treturn\n\t}\n\tos.Exit(m.Run())\n}\n": true,
		head + "func TestMain(m *testing.M) {\n\tfor false {\n\t\tm.Run()\n\t}\n}\n":                              true,
		head + "func TestMain(m *testing.M) {\n\tdefer func() { os.Clearenv(); return }()\n\tm.Run()\n}\n":        false,
		head + "func TestX(t *testing.T) {\n\tpausetuiMark(510, false)\n}\n":                                      true,
		head + "func init() {\n\ttesting.Init()\n}\n":                                                             true,
		"package p\n\nimport \"flag\"\n\nfunc init() {\n\tflag.NewFlagSet(\"\", 1).Parse([]string{\"-h\"})\n}\n":  true,
	} {
		if got := weaken.Quits("p_test.go", "", after); (got != "") != want {
			t.Errorf("%q of %s", got, after)
		}
	}
}
