package fixer_test

import (
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/fixer"
)

// TestNothingIsBetterThanAWrongFix: where the right fix is not known, no candidate
// makes up a value, goes on with any field that ends the recursion, or counts
// something else.
func TestNothingIsBetterThanAWrongFix(t *testing.T) {
	files, err := filepath.Glob("testdata/meant/none/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			s := extract(t, file).pause(t)
			_, candidates, err := fixer.Propose(t.Context(), s.Case)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range candidates {
				if c.Confidence > 0 {
					t.Errorf("%s\n%s", c.Title, diffOf(c))
				}
			}
		})
	}
}
