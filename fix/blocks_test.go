package fix

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// A program of five blocks fails in its fourth. After the fix the first three,
// the concurrent blocks inside of the second, and the finished block inside of
// the fourth do not run again.
func TestFinishedBlocksAreNotRunAgainAfterAFix(t *testing.T) {
	testsupport.Slow(t)
	repository, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := module(t, "")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(repository, "examples", "blockimport"))); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(repository, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.sum": string(sums),
		"go.mod": "module example.org/blockimport\n\ngo 1.26.0\n\nrequire github.com/pausetui/pausetui v0.0.0\n\nreplace github.com/pausetui/pausetui => " + repository + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	report, err := Run(context.Background(), options.Session{Target: options.Target{Dir: dir}}, Options{Apply: true, Timeout: 5 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if report.Outcome != Fixed || report.Stop == nil || report.Stop.Block == nil {
		t.Fatalf("outcome %s, stop %+v, error %+v, notices %q", report.Outcome, report.Stop, report.Error, report.Notices)
	}
	if b := *report.Stop.Block; b.ID != "sum" || b.Intent != "Sum the orders of each customer" {
		t.Errorf("stopped in %+v", b)
	}
	if !slices.ContainsFunc(report.Notices, func(n string) bool {
		return strings.Contains(n, "4 finished blocks did not run again: read, parse, check, sum/customers")
	}) {
		t.Errorf("the notices are %q", report.Notices)
	}
	log, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(report.Session)))
	if err != nil || !strings.Contains(string(log), "in the block sum: Sum the orders of each customer") {
		t.Errorf("%v: the log does not name the block:\n%s", err, log)
	}
	for round, want := range map[string][]string{
		"round1": {"check: 5 orders", "customers: count", "parse: east.csv", "parse: north.csv", "parse: west.csv", "read: the exports", "sum: by customer"},
		"round2": {"Ines         21.50", "Jonas        50.75", "Mara          1.50", "sum: by customer"},
	} {
		files, _ := filepath.Glob(filepath.Join(dir, "debug", "*."+round+".out"))
		if len(files) != 1 {
			t.Fatalf("%s: output in %q", round, files)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "panic:") {
				break
			}
			lines = append(lines, line)
		}
		slices.Sort(lines)
		if !slices.Equal(lines, want) {
			t.Errorf("%s printed %q, want %q", round, lines, want)
		}
	}
}
