package apply

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
)

// A write that was interrupted is found by a start with any directory of logs.
func TestRecoverFindsOtherLogDirectories(t *testing.T) {
	for name, c := range map[string]struct{ elsewhere, fromElsewhere bool }{
		"log elsewhere, start with the default": {true, false},
		"default log, start with another":       {false, true},
		"log elsewhere, start with yet another": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWork(t)
			if c.elsewhere {
				w.logIn(filepath.Join(t.TempDir(), "logs"))
			}
			candidate := w.propose("c1", "one")
			w.must(w.site.begin())
			w.must(w.record("engine", &session.Applying{Candidate: "c1", Files: changes(candidate.ToWrite())}))
			testsupport.Write(t, w.path("a.go"), "one a.go\n")
			w.kill()
			from, err := session.FindDir(w.site.Workspace.Root, "")
			w.must(err)
			if c.fromElsewhere {
				from = t.TempDir()
			}
			notices := Recover(context.Background(), from, w.site.Workspace)
			if len(notices) != 1 || !strings.Contains(notices[0].Text, "rolled back") {
				t.Errorf("said %+v", notices)
			}
			w.is("old")
			if left, _ := filepath.Glob(w.path(".pausetui-*")); len(left) > 0 {
				t.Errorf("left over: %q", left)
			}
			if again := Recover(context.Background(), from, w.site.Workspace); len(again) != 0 {
				t.Errorf("said again: %+v", again)
			}
		})
	}
}

// logIn moves the session to a log in another directory.
func (w *work) logIn(dir string) {
	w.t.Helper()
	w.must(w.site.Log.Close())
	w.must(os.MkdirAll(dir, 0o700))
	log, err := session.CreateLog(dir, time.Now)
	w.must(err)
	w.t.Cleanup(func() { _ = log.Close() })
	w.site.Log, w.state = log, session.NewState()
	w.must(w.record("engine", &session.Started{ID: log.ID(), Workspace: w.site.Workspace}))
	w.must(w.record("engine", &session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonPanic, Selected: -1, Panic: &debugger.Panic{Class: debugger.NilMapWrite, Culprit: -1}}}))
}

// A write that ends in order leaves nothing that points to it.
func TestApplyLeavesNoPointer(t *testing.T) {
	w := newWork(t)
	w.logIn(filepath.Join(t.TempDir(), "logs"))
	w.must(w.site.Apply(context.Background(), w.propose("c1", "one")))
	w.is("one")
	if left, _ := filepath.Glob(w.path(".pausetui-*")); len(left) > 0 {
		t.Errorf("left over: %q", left)
	}
}
