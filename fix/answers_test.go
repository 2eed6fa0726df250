package fix

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
)

// TestRightAnswersAreVerifiedAndFirst: small programs that fail as real ones did,
// each with the right answer of a model. Whatever the program does around its fault,
// the answer is verified and stands first.
func TestRightAnswersAreVerifiedAndFirst(t *testing.T) {
	files, err := filepath.Glob("testdata/answers/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			if name != "agreed" {
				testsupport.Slow(t)
			}
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := module(t, string(text))
			answer, err := os.ReadFile(filepath.Join(dir, "right-answer.txt"))
			if err != nil {
				t.Fatal(err)
			}
			opts, _ := scripted(t, dir, ollamatest.Turns(ollamatest.Answer(string(answer))))
			opts.Target.Test = slices.ContainsFunc(txtar.Parse(text).Files, func(f txtar.File) bool { return strings.HasSuffix(f.Name, "_test.go") })
			report, err := Run(context.Background(), opts, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Candidates) == 0 {
				t.Fatalf("no candidates: %+v", report)
			}
			first := report.Candidates[0]
			if !first.Verified || first.Provider != "ollama" && len(first.Also) == 0 {
				t.Errorf("first is %s of %s, verified %v, %s: %+v", first.Title, first.Provider, first.Verified, first.Effect, first.Checks)
			}
		})
	}
}
