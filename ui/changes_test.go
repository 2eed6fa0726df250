package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// sceneCompared is sceneProved with what the fixes change in what functions answer.
func sceneCompared() *fakeEngine {
	f := sceneProved()
	const nilMap = "panics: assignment to entry in nil map"
	add := func(terms, word, at string) string { return "(&Index{" + terms + "}).Add(" + word + ", " + at + ")" }
	var terms []string
	for i := range 12 {
		terms = append(terms, fmt.Sprintf(`"term %d": {%d, %d}`, i, i, i+1))
	}
	long := "terms: map[string][]int{" + strings.Join(terms, ", ") + "}"
	rows := []verdict.BehaviorRow{
		{Kind: verdict.RowAnswers, Function: "Index.Add", Input: add("", `"go"`, "0"), Before: nilMap, After: `leaves &Index{terms: map[string][]int{"go": {0}}}`, Source: true, Stop: true, Run: true},
		{Kind: verdict.RowChanged, Function: "Index.Add", Input: add(long, `"term 3"`, "7"), Before: "leaves .terms[\"term 3\"] = []int{3, 4, 7}", After: "leaves .terms[\"term 3\"] = []int{7}", Source: true,
			Whole: &verdict.WholeRow{Input: add(long, `"term 3"`, "7"), Before: "leaves &Index{" + strings.Replace(long, "{3, 4}", "{3, 4, 7}", 1) + "}", After: "leaves &Index{" + strings.Replace(long, "{3, 4}", "{7}", 1) + "}"}},
		{Kind: verdict.RowAnswers, Function: "Index.Add", Input: add("", `""`, "-1"), Before: nilMap, After: `leaves &Index{terms: map[string][]int{"": {-1}}}`, Source: true},
	}
	stop := rows[0]
	f.add(&session.Compared{Candidate: "c1", Behavior: verdict.Behavior{Status: verdict.Pass, Detail: "answers 3 more, same on 214", Tried: 217, Same: 214, Answers: 3, Rows: rows[:1]}},
		&session.Compared{Candidate: "c2", Behavior: verdict.Behavior{Status: verdict.Warn, Detail: "changes 1 answer", Tried: 217, Same: 213, Answers: 3, Changed: 1, Rows: rows, Left: []string{"main: it cannot be called again"},
			Apart: []verdict.Apart{{From: "c1", Function: "Index.Add", Input: stop.Input, There: `leaves &Index{terms: map[string][]int{"go": {0}}}`, Here: `leaves &Index{terms: map[string][]int{"go": {0, 0}}}`, Same: 213}}}},
		&session.Asserted{Candidate: "c2", Test: assertingTest()})
	return f
}

// assertingTest is a test of the call that stopped.
func assertingTest() *patch.RegressionTest {
	return &patch.RegressionTest{Name: "TestIndexAddAnswers", Asserts: "1 new answer", Calls: "(*Index).Add",
		Edit: patch.Edit{File: "index_add_test.go", Create: true, After: "package main\n\nimport \"testing\"\n\nfunc TestIndexAddAnswers(t *testing.T) {\n\t_ = 1 // new: confirm\n}\n"}}
}

// An input of what a fix changes is put into the test of the fix, whose diff is shown, and
// approving the fix confirms what was read there.
func TestAnInputBecomesATest(t *testing.T) {
	f := sceneCompared()
	playEngine(f)
	s := play(t, f, 120, 36)
	s.press("6", "j", "enter", "V", "j", "t")
	if got, want := f.last(), (intent.AssertRow{Candidate: "c2", Row: 1}); got != want {
		t.Fatalf("got %#v, want %#v", got, want)
	}
	test := assertingTest()
	test.Asserts = "2 new answers"
	f.add(&session.Asserted{Candidate: "c2", Test: test, Rows: []int{1}})
	s.catchUp()
	if text := s.screenText(); !strings.Contains(text, "func TestIndexAddAnswers") || !strings.Contains(text, "2 new answers") {
		t.Errorf("the diff of the test is not shown:\n%s", text)
	}
	s.press("V")
	if text := s.screenText(); !strings.Contains(text, "in the test") {
		t.Errorf("the page does not show what is in the test:\n%s", text)
	}
	s.press("a")
	if text := s.screenText(); !strings.Contains(text, "Approving confirms the new ones.") {
		t.Errorf("approving does not say what it confirms:\n%s", text)
	}
	s.press("y")
	if got, want := f.last(), (intent.Approve{Candidate: "c2", Test: "TestIndexAddAnswers"}); got != want {
		t.Errorf("got %#v, want %#v", got, want)
	}
}
