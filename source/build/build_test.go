package build

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/testsupport"
)

func TestMain(m *testing.M) {
	reexec.Main()
	os.Exit(m.Run())
}

// module lays out a txtar archive and returns its directory.
var module = testsupport.Module

const program = `
-- go.mod --
module example.com/app

go 1.25
-- cmd/app/main.go --
package main

import (
	_ "embed"
	"fmt"

	"example.com/app/lib"
)

//go:embed note.txt
var note string

func main() { fmt.Println(note, lib.Answer()) }
-- cmd/app/note.txt --
a note
-- cmd/app/main_test.go --
package main

import "testing"

func TestNote(t *testing.T) {
	if note == "" {
		t.Fatal("empty")
	}
}
-- lib/lib.go --
package lib

// Answer is the answer.
func Answer() int { return 42 }
`

func spec(t testing.TB, dir string) Spec {
	return Spec{Dir: dir, Package: "./cmd/app", DebugPatterns: []string{"example.com/app/..."}, Output: filepath.Join(t.TempDir(), "app")}
}

func TestOverlayBuildsTheSameBinaryAsTheFilesWritten(t *testing.T) {
	for _, test := range []bool{false, true} {
		dir := module(t, program)
		lib := filepath.Join(dir, "lib", "lib.go")
		patched := "package lib\n\n// Answer is another.\nfunc Answer() int {\n\tn := 6\n\treturn n * 9\n}\n"
		note := filepath.Join(dir, "cmd", "app", "note.txt")
		over := spec(t, dir)
		over.Test = test
		over.Overlay = map[string]string{lib: patched, note: "another note\n"}
		proved, err := Build(t.Context(), over, nil)
		if err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(lib)
		if strings.Contains(string(before), "n * 9") {
			t.Fatal("the overlay was written to the source")
		}
		write(t, lib, patched)
		write(t, note, "another note\n")
		plain := spec(t, dir)
		plain.Test = test
		inputs, err := Inputs(t.Context(), plain)
		if err != nil {
			t.Fatal(err)
		}
		if inputs != proved.Inputs {
			t.Errorf("test=%v: inputs differ: proved %s, on disk %s", test, proved.Inputs, inputs)
		}
		applied, err := Build(t.Context(), plain, nil)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := os.ReadFile(proved.Binary)
		b, _ := os.ReadFile(applied.Binary)
		if len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("test=%v: binaries differ (%d and %d bytes)", test, len(a), len(b))
		}
	}
}

var write = testsupport.Write

// What observes a run is a package of its own, in a directory that is in no file system.
func TestATestIsBuiltWithAPackageThatOnlyTheOverlayHas(t *testing.T) {
	dir := module(t, program)
	s := spec(t, dir)
	s.Test = true
	s.Overlay = map[string]string{
		filepath.Join(dir, "added", "added.go"): "package added\n\nconst Answer = 42\n",
		filepath.Join(dir, "lib", "lib.go"):     "package lib\n\nimport \"example.com/app/added\"\n\nfunc Answer() int { return added.Answer }\n",
	}
	if _, err := Build(t.Context(), s, nil); err != nil {
		t.Fatal(err)
	}
}

func TestInputsChangeWithWhatIsBuilt(t *testing.T) {
	dir := module(t, program)
	s := spec(t, dir)
	digest := func(s Spec) string {
		t.Helper()
		d, err := Inputs(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	before := digest(s)
	if again := digest(s); again != before {
		t.Fatal("the same inputs give another digest")
	}
	changes := map[string]func(Spec) Spec{
		"tags":     func(s Spec) Spec { s.Tags = "extra"; return s },
		"race":     func(s Spec) Spec { s.Race = true; return s },
		"flags":    func(s Spec) Spec { s.Flags = []string{"-trimpath"}; return s },
		"goos":     func(s Spec) Spec { s.Env = append(os.Environ(), "CGO_CFLAGS=-DX"); return s },
		"embedded": func(s Spec) Spec { write(t, filepath.Join(dir, "cmd/app/note.txt"), "changed"); return s },
		"go.sum":   func(s Spec) Spec { write(t, filepath.Join(dir, "go.sum"), "\n"); return s },
		"overlay": func(s Spec) Spec {
			s.Overlay = map[string]string{filepath.Join(dir, "lib", "lib.go"): "package lib\n\nfunc Answer() int { return 1 }\n"}
			return s
		},
	}
	seen := map[string]string{before: "before"}
	for name, change := range changes {
		d := digest(change(s))
		if other, ok := seen[d]; ok {
			t.Errorf("%s: same digest as %s", name, other)
		}
		seen[d] = name
	}
	stable := digest(s)
	write(t, filepath.Join(dir, "unrelated.txt"), "x")
	write(t, filepath.Join(dir, "cmd/app/new_test.go"), "package main\n")
	if digest(s) != stable {
		t.Error("changed by files that are not built")
	}
	tests := s
	tests.Test = true
	before = digest(tests)
	write(t, filepath.Join(dir, "cmd/app/new_test.go"), "package main\n\nvar x = 1\n")
	if digest(tests) == before {
		t.Error("not changed by a test file, though tests are built")
	}
}

func TestProgressTellsWhatIsCompiled(t *testing.T) {
	testsupport.Slow(t)
	// An empty cache: the packages of the standard library are compiled too. Without
	// fmt they are few.
	dir := module(t, strings.NewReplacer("\t\"fmt\"\n", "", "fmt.Println", "println").Replace(program))
	s := spec(t, dir)
	s.Env = append(os.Environ(), "GOCACHE="+t.TempDir())
	var last Progress
	var packages int
	if _, err := Build(t.Context(), s, func(p Progress) {
		packages, last = max(packages, p.Done), p
	}); err != nil {
		t.Fatal(err)
	}
	if packages < 10 || last.Package != "example.com/app/cmd/app" || last.Phase != "linking" || last.Total < last.Done {
		t.Errorf("packages %d, last %+v", packages, last)
	}
}

func TestCompileErrorsHaveAbsolutePlaces(t *testing.T) {
	dir := module(t, strings.ReplaceAll(program, "return 42", "return \"x\" + undefined"))
	_, err := Build(t.Context(), spec(t, dir), nil)
	var refusal *Error
	if !errors.As(err, &refusal) {
		t.Fatalf("error is %v", err)
	}
	d := refusal.Diagnostics[0]
	if d.File != filepath.Join(dir, "lib", "lib.go") || d.Line != 4 || d.Column == 0 || !strings.Contains(d.Message, "undefined") {
		t.Errorf("diagnostic %+v", d)
	}
}

func TestCompileErrorsInAnOverlayNameTheFileItself(t *testing.T) {
	dir := module(t, program)
	lib := filepath.Join(dir, "lib", "lib.go")
	for _, text := range []string{"package lib\n\nfunc Answer() int { return nowhere }\n", "package lib\n\nfunc Answer( int {\n", "package lib\n\nimport \"no/such\"\n\nfunc Answer() int { return such.X }\n"} {
		s := spec(t, dir)
		s.Overlay = map[string]string{lib: text}
		_, err := Build(t.Context(), s, nil)
		var refusal *Error
		if !errors.As(err, &refusal) {
			t.Fatalf("error is %v", err)
		}
		if d := refusal.Diagnostics[0]; d.File != lib || d.Line != 3 {
			t.Errorf("diagnostic %+v\nof %s", d, refusal.Output)
		}
		if strings.Contains(refusal.Output, "-overlay-") {
			t.Errorf("the temporary file shows: %s", refusal.Output)
		}
	}
}

func TestWhatCannotBeBuiltIsTyped(t *testing.T) {
	dir := module(t, program+"-- notest/a.go --\npackage notest\n")
	outside := t.TempDir()
	newer := module(t, strings.Replace(program, "go 1.25", "go 1.99", 1))
	work := module(t, program+"-- go.work --\ngo 1.25\n\nuse ./other\n-- other/go.mod --\nmodule example.com/other\n\ngo 1.25\n")
	for _, tt := range []struct {
		name string
		spec Spec
		want error
		hint string
	}{
		{"library", Spec{Dir: dir, Package: "./lib"}, ErrNotMain, "example.com/app/cmd/app"},
		{"missing directory", Spec{Dir: dir, Package: "./nowhere"}, ErrNoPackage, "go list"},
		{"missing import path", Spec{Dir: dir, Package: "example.com/app/nowhere"}, ErrNoPackage, "go list"},
		{"missing std", Spec{Dir: dir, Package: "nowhere"}, ErrNoPackage, "go list"},
		{"not in the workspace", Spec{Dir: work, Package: "./cmd/app"}, ErrNoPackage, "run `go work use .`"},
		{"several", Spec{Dir: dir, Package: "./..."}, ErrManyPackages, "example.com/app/cmd/app"},
		{"missing file", Spec{Dir: dir, Package: "gone.go"}, ErrNoPackage, "go list"},
		{"no tests", Spec{Dir: dir, Package: "./notest", Test: true}, ErrNoTests, "_test.go"},
		{"no module", Spec{Dir: outside, Package: "."}, ErrNoModule, "go mod init"},
		{"no go", Spec{Dir: dir, Package: ".", Env: []string{"PATH=" + outside}}, ErrNoGo, "go.dev"},
		{"go version", Spec{Dir: newer, Package: "./cmd/app", Env: append(os.Environ(), "GOTOOLCHAIN=local")}, ErrGoVersion, "GOTOOLCHAIN"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.spec.Output = filepath.Join(t.TempDir(), "out")
			_, err := Build(t.Context(), tt.spec, nil)
			if !errors.Is(err, tt.want) {
				t.Fatalf("error is %v, want %v", err, tt.want)
			}
			if !strings.Contains(advice.Of(err), tt.hint) {
				t.Errorf("hint %q lacks %q", advice.Of(err), tt.hint)
			}
			if words, named := strings.CutPrefix(tt.hint, "run `"); named && !strings.Contains(err.Error(), ": "+strings.TrimSuffix(words, "`")) {
				t.Errorf("the go command's words are cut: %v", err)
			}
		})
	}
}

func TestNamedFilesAreBuilt(t *testing.T) {
	dir := module(t, program)
	s := spec(t, dir)
	s.Package = "cmd/app/main.go"
	r, err := Build(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(r.Binary); err != nil || r.Inputs == "" {
		t.Errorf("result %+v: %v", r, err)
	}
}

func TestBuildEndsWithItsContext(t *testing.T) {
	dir := module(t, program)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Build(ctx, spec(t, dir), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestVetFindsUnderTheOverlay(t *testing.T) {
	dir := module(t, program)
	s := spec(t, dir)
	before, err := Vet(t.Context(), s, []string{"./..."})
	if err != nil || len(before) != 0 {
		t.Fatalf("before: %v, %v", before, err)
	}
	lib := filepath.Join(dir, "lib", "lib.go")
	s.Overlay = map[string]string{lib: "package lib\n\nimport \"fmt\"\n\nfunc Answer() int {\n\tfmt.Printf(\"%d\\n\", \"x\")\n\treturn 1\n}\n"}
	after, err := Vet(t.Context(), s, []string{"./lib"})
	if err != nil || len(after) != 1 {
		t.Fatalf("after: %v, %v", after, err)
	}
	if d := after[0]; d.File != lib || d.Line != 6 || !strings.Contains(d.Message, "Printf") {
		t.Errorf("finding %+v", d)
	}
	again, err := Vet(t.Context(), s, []string{"./lib"}) // out of go's cache
	if err != nil || !slices.Equal(again, after) {
		t.Errorf("the second time: %v, %v", again, err)
	}
	s.Overlay[lib] = "package lib\n\nfunc Answer() int { return \"x\" }\n"
	var refusal *Error
	if _, err := Vet(t.Context(), s, []string{"./lib"}); !errors.As(err, &refusal) || refusal.Diagnostics[0].File != lib {
		t.Errorf("type error gives %v", err)
	}
}

// A survey under the overlay knows what Inputs says once the overlay is written,
// and that it does not know when there are other files.
func TestASurveyForeseesTheInputs(t *testing.T) {
	dir := module(t, program)
	s := spec(t, dir)
	lib := filepath.Join(dir, "lib", "lib.go")
	change := s
	change.Overlay = map[string]string{lib: "package lib\n\nfunc Answer() int { return 1 }\n", filepath.Join(dir, "lib", "more.go"): "package lib\n"}
	want, err := Inputs(t.Context(), change)
	if err != nil {
		t.Fatal(err)
	}
	survey, err := NewSurvey(t.Context(), change)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := survey.Digest(); ok {
		t.Error("it holds before the new file is there")
	}
	for path, text := range change.Overlay {
		write(t, path, text)
	}
	if got, ok := survey.Digest(); !ok || got != want {
		t.Errorf("got %q, %v; want %q", got, ok, want)
	}
	write(t, lib, "package lib\n\nfunc Answer() int { return 2 }\n")
	if got, ok := survey.Digest(); !ok || got == want {
		t.Error("another text gives the same digest")
	}
	write(t, filepath.Join(dir, "lib", "other.go"), "package lib\n")
	if _, ok := survey.Digest(); ok {
		t.Error("it holds with a file that it has not seen")
	}
}
