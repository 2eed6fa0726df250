package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// The line that failed is where the fix has left it, or where the fix leaves before it.
func TestWhereARestartPassesTheFailingLine(t *testing.T) {
	const source = `package p

func get(xs []int, i int) int {
	if i < 0 {
		panic("negative")
	}
	return xs[i]
}

func must(i int) {
	panic("never")
}
`
	dir := t.TempDir()
	testsupport.Write(t, filepath.Join(dir, "a.go"), source)
	for name, tt := range map[string]struct {
		line     int
		old, now string
		want     []int
		class    debugger.Class
	}{
		"elsewhere":           {line: 7, want: []int{7}},
		"further down":        {line: 7, old: "package p\n", now: "package p\n\n// A comment.\n", want: []int{9}},
		"behind a guard":      {line: 7, old: "\treturn xs[i]", now: "\tif i >= len(xs) {\n\t\treturn 0\n\t}\n\treturn xs[i]", want: []int{10, 8}},
		"changed":             {line: 7, old: "xs[i]", now: "xs[i-1]", want: []int{7}},
		"a call of panic":     {line: 5, want: []int{4}},
		"that nothing avoids": {line: 11},
		"no statement":        {line: 7, class: debugger.Deadlock},
	} {
		stop := crashStop("x")
		stop.Frames, stop.Selected = []debugger.Frame{{File: filepath.Join(dir, "a.go"), Line: tt.line}}, 0
		if tt.class != "" {
			stop.Panic.Class = tt.class
		}
		edits := []patch.Edit{{File: "a.go", Before: source, After: strings.Replace(source, tt.old, tt.now, 1)}}
		if tt.old == "" {
			edits = nil
		}
		var lines []int
		for _, at := range failingLine(workspace.Workspace{Root: dir}, stop, edits) {
			lines = append(lines, at.Line)
		}
		if !slices.Equal(lines, tt.want) {
			t.Errorf("%s: lines %v", name, lines)
		}
	}
}

// watching counts how often it sees a file, and never ends.
const watching = `
-- go.mod --
module example.org/watching

go 1.26
-- main.go --
package main

import (
	"os"
	"time"
)

type watcher struct{ seen map[string]int }

func newWatcher() *watcher { return &watcher{} }

func (w *watcher) see(file string) {
	w.seen[file]++
}

func main() {
	w := newWatcher()
	for {
		if _, err := os.Stat("there"); err == nil {
			w.see("there")
		}
		time.Sleep(10 * time.Millisecond)
	}
}
-- there --
`

// A restart that only runs on shows nothing until it comes to the line that failed.
func TestARunThatDoesNotComeToTheLineShowsNothing(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := module(t, watching)
	p := play(t, options.Session{Target: options.Target{Dir: dir, Headless: true}})
	id := ""
	p.until("a fix is verified", func(s session.State) bool {
		if i := s.CaseIndex(); i >= 0 {
			for _, c := range s.Stops[i].Candidates {
				if c.Verified() {
					id = c.ID
				}
			}
		}
		return id != ""
	})
	if err := os.Remove(filepath.Join(dir, "there")); err != nil {
		t.Fatal(err)
	}
	p.engine.Do(intent.Approve{Candidate: id})
	s := p.until("it is judged", func(s session.State) bool { return s.Judged != nil })
	if j := s.Judged; j.Judgement != session.NotReached || !strings.Contains(j.Evidence, "and it has not come to main.go:13") {
		t.Fatalf("judged %s: %s", j.Judgement, j.Evidence)
	}
	testsupport.Write(t, filepath.Join(dir, "there"), "")
	s = p.until("it is judged again", func(s session.State) bool { return s.Judged.Judgement != session.NotReached })
	if j := s.Judged; j.Judgement != session.Fixed || !strings.Contains(j.Evidence, "no panic at main.go:13, still running") || len(s.Breakpoints) > 0 {
		t.Errorf("judged %s: %s; breakpoints %v", j.Judgement, j.Evidence, s.Breakpoints)
	}
}
