package runner

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/llm"
)

// BenchmarkOverhead is what the benchmark itself does for a cell besides the
// pipeline, the model and the checks: it lays the case out, keys, stores and
// finds the answer, and writes the result with its details. Results have the
// rest, reading the journal and scoring, in overhead_us.
func BenchmarkOverhead(b *testing.B) {
	plan := matrix.Plan{Version: 1, Columns: []matrix.Column{{Model: "p/m"}}, Cases: []matrix.Case{{Name: "a"}}, Trials: 1 << 20}
	dir := b.TempDir()
	store, err := matrix.Create(filepath.Join(dir, "run"), plan)
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	c, err := parseArchive()
	if err != nil {
		b.Fatal(err)
	}
	request := llm.Request{Messages: []llm.Message{{Role: "user", Text: strings.Repeat("why does it stop? ", 1000)}}}
	detail := matrix.Detail{Candidates: []matrix.Candidate{{Title: "a fix", Diff: strings.Repeat("+line\n", 200)}}}
	trial := 0
	for b.Loop() {
		cell := matrix.Cell{Trial: trial}
		trial++
		if _, err := laidOut(c, filepath.Join(dir, "cell")); err != nil {
			b.Fatal(err)
		}
		a := newAsker(store.Dir(), &slow{}, cell.Trial)
		a.cell, a.asked = cell, func(key string) error { return store.Asked(cell, key) }
		if _, err := a.Complete(b.Context(), request, nil); err != nil {
			b.Fatal(err)
		}
		if err := store.Add(matrix.Result{Cell: cell}, detail); err != nil {
			b.Fatal(err)
		}
	}
}
