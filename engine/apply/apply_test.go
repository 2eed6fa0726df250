package apply

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/verdict"
)

// work is a session without a target, on a module in a temporary directory.
type work struct {
	t     *testing.T
	site  Site
	state session.State
}

func newWork(t *testing.T) *work {
	t.Helper()
	ws := module(t.TempDir())
	w := &work{t: t, state: session.NewState()}
	for _, name := range []string{"a.go", "b.go"} {
		testsupport.Write(t, filepath.Join(ws.Root, name), "old "+name+"\n")
	}
	dir, _, err := session.Dir(ws.Root, "")
	if err != nil {
		t.Fatal(err)
	}
	log, err := session.CreateLog(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	w.site = Site{Workspace: ws, Log: log, Record: w.record}
	w.must(w.record("engine", &session.Started{ID: log.ID(), Workspace: ws}))
	w.must(w.record("engine", &session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonPanic, Selected: -1, Panic: &debugger.Panic{Class: debugger.NilMapWrite, Culprit: -1}}}))
	return w
}

func (w *work) record(who string, body session.Body) error {
	e, err := w.site.Log.Append(who, body)
	if err == nil {
		w.state = w.state.Apply(e)
	}
	return err
}

func (w *work) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// propose records an approved candidate that turns a.go and b.go into words,
// with a regression test.
func (w *work) propose(id, words string) session.CandidateRecord {
	w.t.Helper()
	c := patch.Candidate{ID: id, Title: "say " + words}
	for _, name := range []string{"a.go", "b.go"} {
		c.Edits = append(c.Edits, patch.Edit{File: name, Before: w.read(name), After: words + " " + name + "\n"})
	}
	test := &patch.RegressionTest{Name: "Test", Edit: patch.Edit{File: id + "_test.go", After: "package m\n", Create: true}}
	w.must(w.record("person", &session.Proposed{Candidate: c}))
	w.must(w.record("engine", &session.Proved{Candidate: id, Verdict: verdict.Verdict{Test: test}}))
	w.must(w.record("person", &session.Decided{Candidate: id, Decision: session.Approved}))
	record, _ := w.state.Candidate(id)
	return record
}

func (w *work) path(name string) string { return filepath.Join(w.site.Workspace.Root, name) }

func (w *work) read(name string) string {
	w.t.Helper()
	return testsupport.Read(w.t, w.path(name))
}

func (w *work) exists(name string) bool {
	_, err := os.Lstat(w.path(name))
	return err == nil
}

// is wants both files to say the words.
func (w *work) is(words string) {
	w.t.Helper()
	if a, b := w.read("a.go"), w.read("b.go"); a != words+" a.go\n" || b != words+" b.go\n" {
		w.t.Errorf("a.go = %q, b.go = %q, want %q in both", a, b, words)
	}
}

func TestUndoTakesBackTheLastFirst(t *testing.T) {
	w := newWork(t)
	ctx := context.Background()
	for i, words := range []string{"one", "two", "three"} {
		w.must(w.site.Apply(ctx, w.propose(fmt.Sprintf("c%d", i+1), words)))
		w.is(words)
	}
	for _, want := range []struct{ id, words string }{{"c3", "two"}, {"c2", "one"}, {"c1", "old"}} {
		a, err := w.site.Undo(ctx, w.state, "person", "")
		w.must(err)
		if a.Candidate != want.id || w.exists(want.id+"_test.go") {
			t.Errorf("took back %s, want %s with its test", a.Candidate, want.id)
		}
		w.is(want.words)
	}
	if _, err := w.site.Undo(ctx, w.state, "person", ""); !errors.Is(err, ErrNothing) {
		t.Errorf("err = %v, want ErrNothing", err)
	}
	w.must(w.site.Apply(ctx, w.propose("c4", "four")))
	w.is("four")
}

func TestUndoOfAFileThatChangedIsRefused(t *testing.T) {
	w := newWork(t)
	ctx := context.Background()
	w.must(w.site.Apply(ctx, w.propose("c1", "one")))
	testsupport.Write(t, w.path("b.go"), "one b.go, and mine\n")
	_, err := w.site.Undo(ctx, w.state, "person", "")
	if !errors.Is(err, patch.ErrChanged) || !strings.Contains(err.Error(), "b.go changed since: 1 line added") || advice.Of(err) == "" {
		t.Errorf("err = %v, hint %q", err, advice.Of(err))
	}
	if w.read("a.go") != "one a.go\n" || !w.exists("c1_test.go") {
		t.Error("something was taken back")
	}
	events, err := session.ReadFile(strings.TrimSuffix(w.site.Log.Path(), ".md") + ".jsonl")
	w.must(err)
	failed, ok := events[len(events)-1].Body.(*session.ApplyFailed)
	if !ok || !failed.Undo || !strings.Contains(failed.Conflict, "+one b.go, and mine") {
		t.Errorf("recorded %+v, want the conflict with its diff", events[len(events)-1].Body)
	}
	testsupport.Write(t, w.path("b.go"), "one b.go\n")
	_, err = w.site.Undo(ctx, w.state, "person", "")
	w.must(err)
	w.is("old")
}

// What a person has written elsewhere in the file stays.
func TestUndoKeepsWhatElseHasChanged(t *testing.T) {
	w := newWork(t)
	w.must(w.site.Apply(context.Background(), w.propose("c1", "one")))
	testsupport.Write(t, w.path("b.go"), "one b.go\nand mine\n")
	_, err := w.site.Undo(context.Background(), w.state, "person", "")
	w.must(err)
	if a, b := w.read("a.go"), w.read("b.go"); a != "old a.go\n" || b != "old b.go\nand mine\n" || w.exists("c1_test.go") || w.state.IsApplied("c1") {
		t.Errorf("a.go = %q, b.go = %q", a, b)
	}
}

func TestNothingIsWrittenUnrecorded(t *testing.T) {
	w := newWork(t)
	c := w.propose("c1", "one")
	w.site.Record = func(who string, body session.Body) error {
		if _, ok := body.(*session.Applying); ok {
			return syscall.ENOSPC
		}
		return w.record(who, body)
	}
	if err := w.site.Apply(context.Background(), c); !errors.Is(err, errNoRecord) {
		t.Errorf("err = %v, want errNoRecord", err)
	}
	w.is("old")
	if got, _ := session.Interrupted(w.site.Log.Dir()); len(got) != 0 {
		t.Errorf("interrupted: %q", got)
	}
}

func TestApplyStaysInTheModules(t *testing.T) {
	w := newWork(t)
	root := w.site.Workspace.Root
	testsupport.Write(t, filepath.Join(root, "..", "outside.go"), "old")
	testsupport.Write(t, filepath.Join(root, ".git", "hooks", "pre-commit"), "old")
	testsupport.Write(t, filepath.Join(root, "vendor", "v.go"), "old")
	if err := os.Symlink(filepath.Join("..", "outside.go"), filepath.Join(root, "link.go")); err != nil {
		t.Skip(err)
	}
	for _, file := range []string{"../outside.go", ".git/hooks/pre-commit", "link.go", "vendor/v.go", filepath.Join(root, "..", "outside.go")} {
		c := session.CandidateRecord{Candidate: patch.Candidate{ID: "c1", Edits: []patch.Edit{{File: file, Before: "old", After: "new"}}}}
		if err := w.site.Apply(context.Background(), c); err == nil {
			t.Errorf("%s was written", file)
		}
		if data, err := os.ReadFile(patch.Target(root, file)); err != nil || string(data) != "old" {
			t.Errorf("%s = %q, %v", file, data, err)
		}
	}
}

func TestApplyWaitsForAnotherWriter(t *testing.T) {
	w := newWork(t)
	unlock, err := lock(context.Background(), w.site.Workspace.Root)
	w.must(err)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if err := w.site.Apply(ctx, w.propose("c1", "one")); !errors.Is(err, errBusy) {
		t.Errorf("err = %v, want errBusy", err)
	}
	w.is("old")
	unlock()
	w.must(w.site.Apply(context.Background(), w.propose("c2", "one")))
	w.is("one")
}

func TestApplySaysWhatIsPeculiar(t *testing.T) {
	w := newWork(t)
	testsupport.Write(t, w.path(".a.go.swp"), "b0VIM")
	w.must(w.site.Apply(context.Background(), w.propose("c1", "one")))
	if n := len(w.state.Notices); n != 1 || !strings.Contains(w.state.Notices[0].Text, "a.go seems to be open in vim") {
		t.Errorf("notices: %+v", w.state.Notices)
	}
}

// moduleAt is the workspace of a module in another directory.
func moduleAt(root string) workspace.Workspace {
	return workspace.Workspace{Dir: root, Root: root, Modules: []workspace.Module{{Path: "m", Dir: root, Main: true}}}
}
