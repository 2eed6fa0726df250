package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
)

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
