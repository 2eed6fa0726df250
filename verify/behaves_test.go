package verify

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// behavior compares candidates.
func (f fixture) behavior(t testing.TB, candidates ...patch.Candidate) []verdict.Behavior {
	t.Helper()
	v, err := New(f.subject, execute.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	}()
	var all []verdict.Behavior
	for _, c := range candidates {
		b, err := v.Behavior(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	return all
}

// What a candidate changes is shown on the call that stopped first.
func TestBehavior(t *testing.T) {
	needSandbox(t)
	index, notes := crashing(t, "index"), crashing(t, "notes")
	for _, test := range []struct {
		name                  string
		of                    fixture
		change                patch.Candidate
		status                verdict.Status
		kind, input, was, now string
	}{
		{"the maker gives the map", index, index.edit(t, "index.go", "return &Index{}", "return &Index{terms: map[string][]int{}}"),
			verdict.Pass, verdict.RowSupplied, "NewIndex()", "returns &Index{}", "returns &Index{terms: map[string][]int{}}"},
		{"the method makes the map", index, index.edit(t, "index.go", "	x.calls++\n", "	if x.terms == nil {\n\t\tx.terms = map[string][]int{}\n\t}\n	x.calls++\n"),
			verdict.Pass, verdict.RowAnswers, `(&Index{}).Add("a", 0)`, "panics: assignment to entry in nil map", `leaves &Index{terms: map[string][]int{"a": {0}}, calls: 1}`},
		{"the method leaves the work out", index, index.edit(t, "index.go", "	x.calls++\n", "	if x.terms == nil {\n\t\treturn\n\t}\n	x.calls++\n"),
			verdict.Pass, verdict.RowAnswers, `(&Index{}).Add("a", 0)`, "panics: assignment to entry in nil map", `leaves &Index{}`},
		{"a part that may be absent", notes, notes.edit(t, "main.go", "len(n.by.name) > 0", "n.by != nil && len(n.by.name) > 0"),
			verdict.Pass, verdict.RowAnswers, `list([]note{{text: "signed", by: &author{name: "Ann"}}, {text: "unsigned"}})`,
			"panics: runtime error: invalid memory address or nil pointer dereference", `returns "signed by Ann\nunsigned\n"`},
		{"another answer where there was one", notes, notes.edit(t, "main.go", "len(n.by.name) > 0", "n.by != nil && len(n.by.name) > 3"),
			verdict.Warn, verdict.RowChanged, `list([]note{{text: "signed", by: &author{name: "Ann"}}})`, `returns "signed by Ann\n"`, `returns "signed\n"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := test.of.behavior(t, test.change)[0]
			if b.Status != test.status {
				t.Errorf("%s: %s", b.Status, b.Detail)
			}
			for _, row := range b.Rows {
				if row.Kind == test.kind && row.Input == test.input && row.Before == test.was && row.After == test.now {
					return
				}
			}
			t.Errorf("no such row in %+v", b)
		})
	}
}

// Of two candidates, the first input is shown on which they answer differently; one
// that is the same under another name is said to answer as the other.
func TestHowCandidatesDiffer(t *testing.T) {
	needSandbox(t)
	notes := crashing(t, "notes")
	guard := notes.edit(t, "main.go", "len(n.by.name) > 0", "n.by != nil && len(n.by.name) > 0")
	same := notes.edit(t, "main.go", "len(n.by.name) > 0", "n.by != nil && n.by.name != \"\"")
	other := notes.edit(t, "main.go", "len(n.by.name) > 0", "n.by == nil || len(n.by.name) > 3")
	guard.ID, same.ID, other.ID = "c1", "c2", "c3"
	all := notes.behavior(t, guard, same, other)
	if len(all[0].Apart) != 0 {
		t.Errorf("the first one differs from %+v", all[0].Apart)
	}
	if a := all[1].Apart; len(a) != 1 || a[0].Words("1") != fmt.Sprintf("answers as 1 on %d inputs", all[1].Tried) {
		t.Errorf("the second: %+v", a)
	}
	if a := all[2].Apart; len(a) != 2 || !strings.HasPrefix(a[0].Words("1"), `differs from 1: list([]note{{text: "signed", by: &author{name: "Ann"}}, {text: "unsigned"}}) → "signed by Ann\nunsigned\n" there, panics: `) {
		t.Errorf("the third: %+v", a)
	}
}

// Programs with what a change of them is expected to do: the status, then rows that have
// to be among those of the comparison.
func TestBehaviorOfPrograms(t *testing.T) {
	needSandbox(t)
	files, err := filepath.Glob(filepath.Join("testdata", "behaves", "*.txtar"))
	if err != nil || len(files) < 12 {
		t.Fatalf("%d programs, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := crashing(t, filepath.Join("behaves", name))
			after, rows := filepath.Join(f.dir, "after", "main.go"), filepath.Join(f.dir, "rows")
			want := strings.Split(strings.TrimSpace(read(t, rows)), "\n")
			c := patch.Candidate{ID: "c1", Edits: []patch.Edit{{File: "main.go", Before: read(t, filepath.Join(f.dir, "main.go")), After: read(t, after)}}}
			b := f.behavior(t, c)[0]
			if string(b.Status) != want[0] {
				t.Errorf("%s, want %s: %s", b.Status, want[0], b.Detail)
			}
			got := append([]string{b.Detail}, b.Left...)
			for _, row := range b.Rows {
				got = append(got, strings.Join([]string{row.Kind, row.Input, row.Before, row.After}, " | "))
			}
			for _, line := range want[1:] {
				if !slices.Contains(got, line) {
					t.Errorf("no %q in\n%s", line, strings.Join(got, "\n"))
				}
			}
		})
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
