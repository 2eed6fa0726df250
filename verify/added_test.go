package verify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/instrument"
	"github.com/pausetui/pausetui/verify/probe"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// oldLanguages are the lines of a go.mod that name a version of the language.
var oldLanguages = map[string]string{"1.12": "go 1.12\n", "1.13": "go 1.13\n", "1.17": "go 1.17\n", "no version": ""}

const (
	oldProgram = "package main\n\nimport \"os\"\n\ntype node struct {\n\tnext *node\n\tn    int\n}\n\nvar seen = map[*node]bool{}\n\n" +
		"func sum(n *node) int {\n\tif seen[n] {\n\t\treturn 0\n\t}\n\tseen[n] = true\n\treturn n.n + sum(n.next)\n}\n\nfunc main() { os.Exit(sum(nil)) }\n"
	oldTest     = "package main\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) { sum(nil) }\n"
	oldExternal = "package main_test\n\nimport \"testing\"\n\nfunc TestOutside(t *testing.T) {}\n"
)

// TestAddedFilesBuildInOldLanguages: what is added to a program is compiled as the
// version of the language that its go.mod names.
func TestAddedFilesBuildInOldLanguages(t *testing.T) {
	testsupport.Slow(t)
	before := strings.Replace(oldProgram, "\tif seen[n] {\n\t\treturn 0\n\t}\n\tseen[n] = true\n", "", 1)
	change := []effect.Change{{Change: syntax.Change{File: "main.go", Before: before, After: oldProgram}, Ends: true}}
	report := effect.Compare(change)
	if len(report.Points) == 0 {
		t.Fatal("no points")
	}
	site, err := probe.Find(oldProgram, 17)
	if err != nil {
		t.Fatal(err)
	}
	probed, err := probe.Instrument(oldProgram, "main.go", site, instrument.Goal{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	same := func(file string) string { return file }
	tests, _, _ := instrument.Tests("main", "", map[string]string{"main_test.go": oldTest, "out_test.go": oldExternal})
	kinds := map[string]instrument.Overlay{
		"marks":                     effect.Mark(change, report, same).Overlay,
		"marks of tests":            tests,
		"marks of a test":           instrument.Test("main_test.go", oldTest, "TestSum"),
		"marks of a test elsewhere": instrument.Test("out_test.go", oldExternal, "TestOutside"),
		"a probe":                   probed,
	}
	for version, line := range oldLanguages {
		dir := testsupport.TempDir(t)
		testsupport.Files(t, dir, map[string]string{"go.mod": "module example.com/old\n\n" + line, "main.go": oldProgram, "main_test.go": oldTest, "out_test.go": oldExternal})
		for kind, files := range kinds {
			overlay := map[string]string{}
			for name, text := range files {
				overlay[filepath.Join(dir, name)] = text
			}
			// Vet type-checks the tests, too, and links nothing.
			_, err := build.Vet(t.Context(), build.Spec{Dir: dir, Package: ".", Env: append(os.Environ(), "GOFLAGS=-mod=mod"), Overlay: overlay}, []string{"."})
			if err != nil || len(files) == 0 {
				t.Errorf("%s, %s: %v", version, kind, err)
			}
		}
	}
}

// TestFixesInOldLanguages: a model's fix of a module with an old go.mod is proved as
// any other.
func TestFixesInOldLanguages(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := lay(t, "index", t.TempDir())
	testsupport.Write(t, filepath.Join(f.dir, "go.mod"), "module example.com/index\n\ngo 1.13\n")
	f.build(t, ".", false)
	f = f.with(testOf("index_test.go", "TestAdd", "\tNewIndex().Add(\"a\", 1)\n"))
	c := f.edits(t, "index.go", "\treturn &Index{}", makeMap)
	c.Source.Provider = "ollama"
	if got := check(t, f.verifier(t, execute.Options{}), c); !got.Verified || got.Effect != verdict.Repairs || got.Test == nil {
		t.Errorf("the fix is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
}

// TestWhatCannotBeSeenIsNoLabel: where the program with counters does not build, or
// ends in another way, nothing is said against the fix, and it is not verified.
func TestWhatCannotBeSeenIsNoLabel(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	for name, tt := range map[string]struct{ file, text, reason string }{
		"does not build":      {"own.go", "package main\n\ntype uint64 string\n", "it does not build: 0-pausetui_marks.go:"},
		"ends in another way": {"own.go", "package main\n\nimport \"os\"\n\nfunc init() {\n\tif info, err := os.Stat(\"/proc/self/fd/3\"); err == nil && info.Size() == 4096 {\n\t\tos.Exit(3)\n\t}\n}\n", "with counters built in, the program ended with exit code 3"},
	} {
		t.Run(name, func(t *testing.T) {
			f := lay(t, "index", t.TempDir())
			testsupport.Write(t, filepath.Join(f.dir, tt.file), tt.text)
			f.build(t, ".", false)
			c := f.edits(t, "index.go", "\treturn &Index{}", makeMap)
			c.Source.Provider = "ollama"
			got := check(t, f.verifier(t, execute.Options{}), c)
			if got.Verified || got.Masking || got.Effect != verdict.Repairs || strings.Contains(got.Label(), "hides") {
				t.Errorf("the fix is %q, %s: %+v", got.Label(), got.How, got.Checks)
			}
			expect(t, got, verdict.Masking, verdict.Inconclusive, tt.reason)
			for _, k := range got.Checks {
				if strings.Contains(k.Detail, os.TempDir()) {
					t.Errorf("%s names a path of this machine: %s", k.Name, k.Detail)
				}
			}
		})
	}
}
