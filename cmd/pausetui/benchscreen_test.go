package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/bench/matrix"
	scores "github.com/pausetui/pausetui/bench/report"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/patch"
)

// storedRun is a run of two columns over three cases, one of which is closed,
// with the answers and details that a run stores.
func storedRun(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	plan, err := matrix.NewPlan([]matrix.Column{{Model: matrix.Builtin}, {Model: "ollama/good:7b", Prompt: "minimal"}},
		[]matrix.Case{{Name: "deadlock-a", Class: "deadlock", Fixable: true, Hash: "a"}, {Name: "nil-b", Class: "nil-map-write", Fixable: true, Hash: "b"},
			{Name: matrix.Hidden("c"), Class: "deadlock", Fixable: true, Closed: true}}, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := matrix.Create(dir, plan)
	if err != nil {
		t.Fatal(err)
	}
	diff := patch.Unified(patch.Edit{File: "main.go", Before: "package main\n\nvar a = 1\n", After: "package main\n\nvar a = 2\n"})
	for _, c := range plan.Cells(matrix.Shard{}) {
		if c == (matrix.Cell{Column: 1, Case: 2, Trial: 1}) {
			err = s.Trouble(matrix.Trouble{Cell: c, Err: "the server went away"})
			continue
		}
		key, putting := matrix.AnswersOf(dir).Put(matrix.Stored{Key: matrix.NewKey(plan.Columns[c.Column], plan.Cases[c.Case], c.Trial, llm.Request{}, 0),
			Messages: []llm.Message{{Role: "user", Text: "why does it stop?"}}, Answer: llm.Answer{Text: "because of \x1b[2Ja"}})
		right := c.Column == 1 && !plan.Cases[c.Case].Closed
		err = errors.Join(err, putting, s.Add(matrix.Result{Cell: c, Flags: matrix.OwnUsable.Set(matrix.OwnRight, right), Requests: 1, Tokens: 5},
			matrix.Detail{Answers: []string{key}, Candidates: []matrix.Candidate{{By: []string{plan.Columns[c.Column].Model}, Own: true, Title: "set a", Right: right, Diff: diff,
				Checks: []matrix.Check{{Name: "build", Status: "pass"}}}}}))
	}
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A run is opened on a terminal, down to a diff; with a flag, and without a
// terminal, it is printed.
func TestARunOnTheTerminal(t *testing.T) {
	t.Parallel()
	dir := storedRun(t)
	work := t.TempDir()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), asMain+"=1", stateHome(t), "TERM=xterm-256color")
	x := startProgram(t, work, 100, 30, env, exe, "bench", "report", dir, "--only", "*")
	x.wait("a  ollama/good:7b minimal")
	x.keys("\r")
	x.wait("1 closed case is counted in the matrix")
	x.wait("nil-b")
	x.keys("j", "\r")
	x.wait("Fix 1: right, set a")
	x.wait("var a = 2")
	x.wait("because of a")
	x.keys("q")
	if code := x.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	y := startProgram(t, work, 100, 30, env, exe, "bench", "report", dir, "--no-color")
	y.wait("In parentheses")
	if code := y.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	stdout, stderr, code := run(t, work, "bench", "report", dir)
	if code != 0 || !strings.Contains(stdout, "11 of 12 cells have a result") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}

// Nothing of a single closed case comes out on the screen, and what has no result
// says why.
func TestWhatTheScreenShows(t *testing.T) {
	dir := storedRun(t)
	s, err := scores.Summarize(dir)
	if err != nil {
		t.Fatal(err)
	}
	troubles, err := matrix.Troubles(dir)
	if err != nil {
		t.Fatal(err)
	}
	r := shownRun{s, dir, stillTroubled(dir, s.Plan, troubles)}
	m := r.Matrix("right", "")
	if m.Rows[0].Name != "ollama/good:7b minimal" || m.Rows[0].Figures[0].Words != "–" || strings.Contains(m.Rows[0].About, "pass@") ||
		len(m.Classes) != 2 || m.Classes[0].Figures[0].Good != -1 || m.Classes[1].Figures[0].Words != "50" {
		t.Errorf("%+v", m)
	}
	if m := r.Matrix("usable", "BUILTIN builtin class:nil"); len(m.Rows) != 1 || len(m.Classes) != 1 || m.Scores[0].Key != "usable" {
		t.Errorf("%+v", m)
	}
	cases := r.Cases(1, "")
	if len(cases.List) != 2 || cases.List[1].Figures[0].Words != "1/1" || cases.List[0].Figures[0].Words != "2/2" {
		t.Errorf("%+v", cases)
	}
	if list := r.Cases(1, "class:dead nil").List; len(list) != 0 {
		t.Errorf("%+v", list)
	}
	details, err := r.Details(t.Context(), 1, cases.List[1].Number)
	if err != nil || len(details) != 2 || !details[0].Good || !strings.Contains(details[1].Word, "the server went away") || len(details[0].Candidates[0].Edits) != 1 {
		t.Errorf("%+v %v", details, err)
	}
	for i, c := range s.Plan.Cases {
		if _, err := r.Details(t.Context(), 1, i); (err != nil) != c.Closed {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

// Failures have another exit code than errors, and wrong usage has its own.
func TestBenchExitCodes(t *testing.T) {
	t.Parallel()
	dir, work := storedRun(t), t.TempDir()
	for _, c := range []struct {
		code int
		args []string
		says string
	}{
		{0, []string{"report", dir, "--fail-under", "usable=0.5", "--only", "class:nil*"}, "right by class"},
		{6, []string{"report", dir, "--fail-under", "right=0.9"}, "below 0.90"},
		{2, []string{"report", dir, "--fail-under", "wrong=1"}, "one of the scores"},
		{2, []string{"report", dir, "--cell", "none"}, "no result of an open case"},
		{1, []string{"report", "nowhere"}, "read the plan"},
		{1, []string{"merge", dir, "--dir", dir}, "there is a run already"},
	} {
		stdout, stderr, code := run(t, work, append([]string{"bench"}, c.args...)...)
		if code != c.code || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%q: exit %d: %s%s", c.args, code, stdout, stderr)
		}
	}
}
