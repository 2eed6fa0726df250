package fix

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
)

// inModule is a report of a module whose fix changes a file of its own, one of a module
// beside it, and makes a third.
func inModule(root string) Report {
	edits := []patch.Edit{
		{File: "main.go", Before: "package main\n\nvar a = 1\n", After: "package main\n\nvar a = 2\n"},
		{File: "../lib/lib.go", Before: "package lib\n", After: "package lib\n\nvar B = 1\n"},
		{File: "new_test.go", Create: true, After: "package main\n"},
	}
	c := Candidate{ID: "c1", Title: "Count", Verified: true, Rank: 1, Diff: patch.Candidate{Edits: edits}.Diff(), edits: edits}
	r := Report{Version: 1, Outcome: Verified, root: root, Stops: []Stop{{Class: "nil-map-write", File: "../lib/lib.go", Line: 1}}, Candidates: []Candidate{c}}
	r.Stop = &r.Stops[0]
	return r
}

func written(t *testing.T, format string, r Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, format, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Whatever directory of a repository a module lies in, git applies the patch at the top
// and in the module, and annotations and SARIF name the repository's files.
func TestFilesAreNamedFromTheTopOfTheRepository(t *testing.T) {
	for name, module := range map[string]string{"at the top": "", "below": "app", "deep below": "services/app"} {
		for _, at := range []string{".", module} {
			t.Run(name+" in "+at, func(t *testing.T) {
				top := t.TempDir()
				root, lib := filepath.Join(top, module), filepath.Join(top, filepath.Dir(module), "lib")
				if module == "" {
					lib = filepath.Join(top, "lib")
				}
				r := inModule(root)
				if module == "" { // a module at the top has none beside it
					r.Candidates[0].edits[1].File, r.Stops[0].File = "lib/lib.go", "lib/lib.go"
				}
				testsupport.Write(t, filepath.Join(root, "main.go"), "package main\n\nvar a = 1\n")
				testsupport.Write(t, filepath.Join(lib, "lib.go"), "package lib\n")
				git := func(stdin string, args ...string) {
					t.Helper()
					cmd := exec.Command("git", args...)
					cmd.Dir, cmd.Stdin = filepath.Join(top, at), strings.NewReader(stdin)
					if text, err := cmd.CombinedOutput(); err != nil {
						t.Fatalf("git %v: %v: %s", args, err, text)
					}
				}
				git("", "init", "-q", top)
				text := written(t, "patch", r)
				git(text, "apply", "--check")
				git(text, "apply")
				want := map[string]string{filepath.Join(root, "main.go"): "a = 2", filepath.Join(root, "new_test.go"): "package main"}
				if at == "." || module == "" { // below the top git leaves out what is elsewhere
					want[filepath.Join(lib, "lib.go")] = "B = 1"
				}
				for file, want := range want {
					if got, err := os.ReadFile(file); err != nil || !strings.Contains(string(got), want) {
						t.Errorf("%s is %q, %v", file, got, err)
					}
				}
				rel, _ := filepath.Rel(top, filepath.Join(lib, "lib.go"))
				if text := written(t, "github", r); !strings.HasPrefix(text, "::error file="+rel+",line=1") {
					t.Error(text)
				}
				if text := written(t, "sarif", r); strings.Count(text, `"uri": "`+rel+`"`) != 2 || strings.Contains(text, "..") {
					t.Error(text)
				}
				if r.Stops[0].File == rel && module != "" {
					t.Error("the report itself was changed")
				}
			})
		}
	}
}

// Without a repository the names are those in the workspace of the workflow, if there is one.
func TestFilesAreNamedFromTheWorkspaceOfAWorkflow(t *testing.T) {
	work := t.TempDir()
	root := filepath.Join(work, "checkout", "app")
	if text := written(t, "github", inModule(root)); !strings.HasPrefix(text, "::error file=../lib/lib.go,") {
		t.Error(text)
	}
	t.Setenv("GITHUB_WORKSPACE", work)
	if text := written(t, "github", inModule(root)); !strings.HasPrefix(text, "::error file=checkout/lib/lib.go,") {
		t.Error(text)
	}
}
