package verify

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// TestAppliedCandidatesAreRerun: what is proved of a candidate before it is written is
// proved of it afterwards, too.
func TestAppliedCandidatesAreRerun(t *testing.T) {
	testsupport.Slow(t)
	for name, test := range map[string]struct {
		to     string
		status verdict.Status
		passes bool
	}{
		"it helps": {"\treturn &Index{terms: map[string][]int{}}", verdict.Pass, true},
		"it fails": {"\treturn &Index{calls: 1}", verdict.Fail, false},
	} {
		f := crashingAlone(t, "index")
		v := f.verifier(t, execute.Options{})
		c := f.edit(t, "index.go", "\treturn &Index{}", test.to)
		for _, e := range c.Edits {
			if err := os.WriteFile(filepath.Join(f.dir, e.File), []byte(e.After), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		checks, err := v.Rerun(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		rerun, _ := verdict.Find(checks, verdict.Rerun)
		if rerun.Status != test.status || verdict.Passes(checks) != test.passes || rerun.Ending == nil || rerun.Ending.Exit == 0 != test.passes {
			t.Errorf("%s: %+v", name, checks)
		}
		c.Edits = append(c.Edits, patch.Edit{File: "new.go", After: "package main\n", Create: true})
		if _, err := v.Rerun(t.Context(), c); err == nil {
			t.Errorf("%s: with a file more: no error", name)
		}
	}
}
