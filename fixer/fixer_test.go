package fixer_test

import (
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/fixer"
	"github.com/pausetui/pausetui/internal/testsupport"
)

var (
	update   = flag.Bool("update", false, "add what the fixed program prints to the archives that lack it")
	everyone = flag.Bool("everyone", false, "try every candidate, not only the first that is not masking")
	only     = flag.String("archives", "", "the archives to run: patterns, separated by commas; empty means some of them")
)

// TestArchives builds and debugs each program, and builds it again with its fix.
func TestArchives(t *testing.T) {
	part := *only == "" && !*update && !testsupport.Whole()
	var files []string
	for _, pattern := range strings.Split(cmp.Or(*only, "testdata/*.txtar,testdata/*/*.txtar"), ",") {
		list, err := filepath.Glob(pattern)
		if err != nil || len(list) == 0 {
			t.Fatalf("no archives for %q: %v", pattern, err)
		}
		files = append(files, list...)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return strings.HasPrefix(file, "testdata/claims/") })
	if part {
		files = someFamilies(files)
		t.Logf("%d archives; %s=1 runs all", len(files), testsupport.WholeVariable)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			p := extract(t, file)
			proveFirst(t, p, file)
		})
	}
}

// someFamilies picks an archive of every other family: a folder, or the names with
// the same first word.
func someFamilies(files []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(files, func(file string) bool {
		family, _, _ := strings.Cut(strings.TrimPrefix(file, "testdata/"), "/")
		family, _, _ = strings.Cut(family, "-")
		again := seen[family]
		seen[family] = true
		return again || len(seen)%2 == 0
	})
}

// proveFirst asserts that the first candidate that is not masking fixes the program.
func proveFirst(t *testing.T, p program, archive string) outcome {
	t.Helper()
	s := p.pause(t)
	begin := time.Now()
	diagnosis, candidates, err := fixer.Propose(t.Context(), s.Case)
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
		if hides(c) || tried && !*everyone {
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
	if archive != "" {
		compareOutput(t, archive, first)
	}
	return first
}

// wantName is the file of an archive that says what the fixed program prints:
// right, not only quiet.
const wantName = "want.txt"

func compareOutput(t *testing.T, file string, o outcome) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == wantName })
	switch {
	case at >= 0 && string(archive.Files[at].Data) != o.output:
		t.Errorf("the fixed program prints\n%swant\n%s", o.output, archive.Files[at].Data)
	case at < 0 && *update && !t.Failed():
		archive.Files = append(archive.Files, txtar.File{Name: wantName, Data: []byte(o.output)})
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	case at < 0:
		t.Errorf("the archive does not say what the fixed program prints: read it, and run with -update\n%s", o.output)
	}
}

func tail(s string, n int) string {
	if len(s) > n {
		return "…" + s[len(s)-n:]
	}
	return s
}

// TestExamples: the programs of examples/ end well with the first candidate.
func TestExamples(t *testing.T) {
	for _, name := range []string{"calculator", "userimport", "inventory", "leaderboard", "chatty", "lrucache"} {
		t.Run(name, func(t *testing.T) {
			if name != "lrucache" {
				testsupport.Slow(t) // package fix has their fixes proved
			}
			t.Parallel()
			root, err := filepath.Abs("..")
			if err != nil {
				t.Fatal(err)
			}
			p := copyExample(t, root, name)
			if o := proveFirst(t, p, ""); o.exit != 0 {
				t.Errorf("exit %d", o.exit)
			}
		})
	}
}
