package choose

import (
	"path/filepath"
	"testing"
)

// A benchmark that is run again takes the place of the earlier one, and a
// prompt's record is that with all models.
func TestSaveBench(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "bench.json")
	first := []BenchResult{{Model: "ollama/x", Prompt: "p", Class: "a", Cases: 10, Right: 4, Verified: 6}, {Model: "ollama/y", Prompt: "p", Class: "a", Cases: 5, Right: 5, Verified: 5}}
	again := []BenchResult{{Model: "ollama/x", Prompt: "p", Class: "a", Cases: 10, Right: 7, Verified: 7}}
	for _, list := range [][]BenchResult{first, again} {
		if err := SaveBench(path, list); err != nil {
			t.Fatal(err)
		}
	}
	list, err := ReadBench(path)
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	var r Results
	r.AddBench(list)
	if got := r.Of("ollama/x", "p", "a"); got.Right != 7 || got.Asked != 10 {
		t.Errorf("%+v", got)
	}
	if got := r.OfPrompt("p"); got.Right != 12 || got.Asked != 15 {
		t.Errorf("%+v", got)
	}
	if got := r.OfPrompt("q"); got.Asked != 0 {
		t.Errorf("%+v", got)
	}
}
