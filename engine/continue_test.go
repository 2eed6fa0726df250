package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
)

// TestWorkContinuesAtTheBlockThatFailed: a program of five blocks dies in its fourth
// and is fixed. The first three, the concurrent blocks inside the second and
// the finished block inside the fourth do not run again. Package fix has the
// same with a proved fix, nightly.
func TestWorkContinuesAtTheBlockThatFailed(t *testing.T) {
	t.Parallel()
	repository, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := module(t, "")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(repository, "examples", "blockimport"))); err != nil {
		t.Fatal(err)
	}
	testsupport.Write(t, filepath.Join(dir, "go.sum"), testsupport.Read(t, filepath.Join(repository, "go.sum")))
	testsupport.Write(t, filepath.Join(dir, "go.mod"), "module example.org/blockimport\n\ngo 1.26.0\n\nrequire github.com/pausetui/pausetui v0.0.0\n\nreplace github.com/pausetui/pausetui => "+repository+"\n")
	p := play(t, options.Session{Target: options.Target{Dir: dir}})
	s := p.until("it panics", func(s session.State) bool { return len(s.Stops) == 1 })
	if b := s.Stops[0].Stop.Block; b == nil || b.ID != "sum" || b.Intent != "Sum the orders of each customer" {
		t.Errorf("stopped in %+v", b)
	}
	orders := filepath.Join(dir, "orders.go")
	testsupport.Write(t, orders, strings.Replace(testsupport.Read(t, orders), "var totals map[string]int", "totals := map[string]int{}", 1))
	p.engine.Do(intent.Restart{})
	s = p.until("it ends", func(s session.State) bool {
		return len(s.Stops) == 2 && s.Stops[1].Stop.Exit != nil && len(s.Notices) > 0
	})
	if code := s.Stops[1].Stop.Exit.Code; code != 0 {
		t.Errorf("it exits with %d", code)
	}
	if !slices.ContainsFunc(s.Notices, func(n session.NoticeRecord) bool {
		return n.Text == "4 finished blocks did not run again: read, parse, check, sum/customers"
	}) {
		t.Errorf("notices: %+v", s.Notices)
	}
	p.quit()
	for round, want := range map[string][]string{
		"round1": {"check: 5 orders", "customers: count", "parse: east.csv", "parse: north.csv", "parse: west.csv", "read: the exports", "sum: by customer"},
		"round2": {"Ines         21.50", "Jonas        50.75", "Mara          1.50", "sum: by customer"},
	} {
		if got := printed(t, dir, round); !slices.Equal(got, want) {
			t.Errorf("%s printed %q, want %q", round, got, want)
		}
	}
}

// printed is what the program printed in a round before it panicked, sorted.
func printed(t *testing.T, dir, round string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "debug", "*."+round+".out"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: output in %q, %v", round, files, err)
	}
	var lines []string
	for line := range strings.Lines(testsupport.Read(t, files[0])) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "panic:") {
			break
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}
