package clitest

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/patch"
)

// StoredRun is a run of two columns over three cases, one of which is closed,
// with the answers and details that a run stores.
func StoredRun(t *testing.T) string {
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
