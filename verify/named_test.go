package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// byFile is a program named by its file.
func byFile(t *testing.T, file string) fixture {
	t.Helper()
	f := lay(t, "named", t.TempDir())
	f.compile(t, file, false)
	f.subject.Run.Dir = f.dir
	f.subject.Stop = f.stop(t)
	return f
}

const (
	mapForgotten = "\tvar counts map[string]int\n"
	mapMade      = "\tcounts := map[string]int{}\n"
)

// TestNamedFilesAreBuilt: what the program is named by is built and vetted, whatever its
// constraints say.
func TestNamedFilesAreBuilt(t *testing.T) {
	f := byFile(t, "./demo.go")
	v := f.verifier(t, execute.Options{})
	got := check(t, v, f.edit(t, "demo.go", mapForgotten, mapMade))
	for _, name := range []string{verdict.Build, verdict.Vet, verdict.Rerun} {
		expect(t, got, name, verdict.Pass, "")
	}
	for _, c := range got.Checks {
		if c.Name == verdict.Tests && c.Status == verdict.Pass {
			t.Errorf("tests that are built without the file speak for it: %+v", c)
		}
	}
	careless := f.edit(t, "demo.go", mapForgotten, mapMade+"\tfmt.Printf(\"%d\\n\", \"words\")\n")
	expect(t, check(t, v, careless), verdict.Vet, verdict.Fail, "%d")
}

// TestNamedFilesAreVettedWithTheirPackages: the go command takes them only apart.
func TestNamedFilesAreVettedWithTheirPackages(t *testing.T) {
	f := byFile(t, "./demo.go")
	c := f.edit(t, "demo.go", mapForgotten, mapMade)
	c.Edits = append(c.Edits, f.edit(t, "words.go", `"b", "a"`, `"b", "c"`).Edits...)
	v := f.verifier(t, execute.Options{})
	expect(t, check(t, v, c), verdict.Vet, verdict.Pass, "")
	c.ID += "2"
	i := slices.IndexFunc(c.Edits, func(e patch.Edit) bool { return e.File == "words.go" })
	c.Edits[i].After = strings.Replace(c.Edits[i].After, "{ return", "{ var w []string; w = w; return", 1)
	expect(t, check(t, v, c), verdict.Vet, verdict.Fail, "self-assignment")
}

// TestFilesBesideNamedOnesAreNotBuilt: they are no part of the program.
func TestFilesBesideNamedOnesAreNotBuilt(t *testing.T) {
	f := byFile(t, "./alone/alone.go")
	c := f.edit(t, "alone/alone.go", mapForgotten, mapMade)
	c.Edits = append(c.Edits, patch.Edit{File: "alone/more.go", After: "package main\n\nfunc more() {}\n", Create: true})
	expect(t, check(t, f.verifier(t, execute.Options{}), c), verdict.Build, verdict.Warn, "not built here, so nothing is known of it: alone/more.go")
}
