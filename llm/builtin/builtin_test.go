package builtin

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	update   = flag.Bool("update", false, "rewrite the golden titles in the archives' last section")
	everyone = flag.Bool("everyone", false, "try every candidate, not only the first that is not masking")
	only     = flag.String("archives", "testdata/*.txtar", "the archives to run")
)

func TestArchives(t *testing.T) {
	files, err := filepath.Glob(*only)
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			p := extract(t, file)
			proveFirst(t, p)
		})
	}
}

// proveFirst asserts that the first candidate that is not masking mends the program.
func proveFirst(t *testing.T, p program) outcome {
	t.Helper()
	s := p.pause(t)
	begin := time.Now()
	diagnosis, candidates, err := Propose(t.Context(), s.Case)
	took := time.Since(begin)
	if err != nil {
		t.Fatal(err)
	}
	for _, fr := range s.Stop.Frames {
		t.Logf("  frame %d %s %s:%d user %v", fr.Index, fr.Function, filepath.Base(fr.File), fr.Line, fr.User)
	}
	t.Logf("%s: %s (%s)", s.Stop.Panic.Class, s.Stop.Panic.Message, took)
	t.Logf("diagnosis: %s [%s = %s, %s]", diagnosis.Sentence, diagnosis.Expr, diagnosis.Value, diagnosis.Origin)
	var first outcome
	tried := false
	for i, c := range candidates {
		t.Logf("%d. %s\n%s\n%s", i+1, describe(c), c.Explanation, diffOf(c))
		if c.Masking || tried && !*everyone {
			continue
		}
		o := p.try(t, c)
		t.Logf("   → %q exit %d\n%s", o.problem, o.exit, tail(o.output, 400))
		if !tried {
			first, tried = o, true
		}
	}
	if !tried {
		t.Errorf("no candidate that is not masking")
	} else if first.problem != "" {
		t.Errorf("the first candidate fails: %s", first.problem)
	}
	return first
}

func tail(s string, n int) string {
	if len(s) > n {
		return "…" + s[len(s)-n:]
	}
	return s
}

// TestExamples: the programs of examples/ end well with the first candidate.
func TestExamples(t *testing.T) {
	for _, name := range []string{"calculator", "userimport", "inventory", "leaderboard", "workerpool", "chatty", "lrucache"} {
		t.Run(name, func(t *testing.T) {
			root, err := filepath.Abs("../..")
			if err != nil {
				t.Fatal(err)
			}
			p := copyExample(t, root, name)
			if o := proveFirst(t, p); o.exit != 0 {
				t.Errorf("exit %d", o.exit)
			}
		})
	}
}
