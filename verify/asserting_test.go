package verify

import (
	"context"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/behavior"
	"github.com/pausetui/pausetui/verify/behavior/replay"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// asserting compares a candidate and makes a test of its rows.
func (f fixture) asserting(t *testing.T, c patch.Candidate, old *patch.RegressionTest, picked ...int) (*patch.RegressionTest, string) {
	t.Helper()
	f.subject.Code = func(ctx context.Context) (*workspace.Code, error) {
		return f.subject.Workspace.Load(ctx, workspace.LoadSpec{Dir: f.dir, Patterns: []string{"./..."}})
	}
	v, err := New(f.subject, execute.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := v.Behavior(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	made, why, err := v.Asserting(t.Context(), c, old, picked)
	if err != nil {
		t.Fatal(err)
	}
	return made, why
}

// A test asserts the answer to the call that panicked, which nobody has confirmed, and
// those to calls of the run that are as before.
func TestAsserting(t *testing.T) {
	needSandbox(t)
	index, notes := crashing(t, "index"), crashing(t, "notes")
	old := &patch.RegressionTest{Name: "TestOld", Edit: patch.Edit{File: "main_test.go", Create: true, After: "package main\n\nimport \"testing\"\n\nfunc TestOld(t *testing.T) {\n\tNewIndex()\n}\n"}}
	maker := index.edit(t, "index.go", "return &Index{}", "return &Index{terms: map[string][]int{}}")
	for _, test := range []struct {
		name   string
		of     fixture
		change patch.Candidate
		picked []int
		want   []string // parts of the source, in order; of the reason, where there is one
	}{
		{"an answer", notes, notes.edit(t, "main.go", "len(n.by.name) > 0", "n.by != nil && len(n.by.name) > 0"), nil,
			[]string{"func TestListAnswers(", "// new: confirm stands", `"the call that panicked",`, "\t\t}, // new: confirm\n", "got := list(test.notes)"}},
		{"what a method leaves", index, index.edit(t, "index.go", "	x.calls++\n", "	if x.terms == nil {\n\t\tx.terms = map[string][]int{}\n\t}\n	x.calls++\n"), nil,
			[]string{"func TestIndexAddAnswers(", `"the call that panicked",`, "// new: confirm", "test.x.Add(test.word, test.at)", "reflect.DeepEqual(test.x, test.wantX)"}},
		{"elsewhere than where it panicked", index, maker, nil, []string{"the fix changes a function other than the one that panicked"}},
		{"a row that was picked, beside the test that is there", index, maker, []int{0},
			[]string{"func TestOld(", "func TestNewIndexAnswers(", `{"call 1 of the run", `, "{terms: map[string][]int{}}},", "// new: confirm", "got := NewIndex()"}},
		{"no such row", index, maker, []int{7}, []string{"there is no such row"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			made, why := test.of.asserting(t, test.change, old, test.picked...)
			rest := why
			if made != nil {
				rest = made.Edit.After
			}
			for _, want := range test.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("no %q, or at another place, in %s\n%+v", want, why, made)
				}
				rest = after
			}
		})
	}
}

// Where a test fails as it did, an answer that is as before may be what it complains about.
func TestWhereTestsFailNothingIsAssertedAsBefore(t *testing.T) {
	answer := func(panics string) replay.Outcome { return replay.Outcome{Panic: panics} }
	calls := []replay.Call{{Func: 1, Num: 1}, {Func: 1, Num: 2, Panicked: true}}
	was := map[int]replay.Outcome{0: answer(""), 1: answer("index out of range")}
	now := map[int]replay.Outcome{0: answer(""), 1: answer("")}
	c := compared{parts: []comparedPart{{part: part{functions: []behavior.Function{{Num: 1, Name: "f"}}},
		before: answers{calls: calls, first: was, again: was}, now: now,
		rows: []behavior.Difference{{Kind: verdict.RowAnswers, Call: calls[1], Before: was[1], After: now[1]}}}}}
	for kept, want := range map[bool]int{true: 2, false: 1} {
		if a, why := c.answers(nil, kept); len(a.Rows) != want || why != "" {
			t.Errorf("kept %t: %d rows, want %d: %s", kept, len(a.Rows), want, why)
		}
	}
}
