package apply

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
)

// interrupt leaves a session as a kill does that came when the intent to write
// was recorded, with the files as the test says.
func (w *work) interrupt(c session.CandidateRecord, undo bool) {
	w.t.Helper()
	edits := c.ToWrite()
	if undo {
		edits = patch.Reverse(edits)
	}
	w.must(w.site.Log.BeginApply())
	w.must(w.record("engine", &session.Applying{Candidate: c.ID, Files: changes(edits), Undo: undo}))
}

// kill closes the log without an end.
func (w *work) kill() {
	w.t.Helper()
	w.must(w.site.Log.Close())
}

// recovered starts again and returns what was said, and the session's state.
func (w *work) recovered() ([]session.Notice, session.State) {
	w.t.Helper()
	notices := Recover(context.Background(), w.site.Log.Dir(), w.site.Workspace)
	events, err := session.ReadFile(strings.TrimSuffix(w.site.Log.Path(), ".md") + ".jsonl")
	w.must(err)
	return notices, session.Fold(session.NewState(), events)
}

func TestRecover(t *testing.T) {
	const test = "c1_test.go"
	cases := map[string]struct {
		undo    bool
		a, b    string // contents: "old", "one" or the person's
		test    bool   // the test file is there
		words   string // of the notice
		level   string
		want    string // words in both files then; empty where they stay as they are
		applied bool
	}{
		"apply, nothing written":    {false, "old", "old", false, "before anything was written: the source is as before", "warn", "old", false},
		"apply, one of three":       {false, "one", "old", false, "half way, and is rolled back: the source is as before", "warn", "old", false},
		"apply, two of three":       {false, "one", "one", false, "half way, and is rolled back", "warn", "old", false},
		"apply, all":                {false, "one", "one", true, "the change is in the source", "info", "one", true},
		"apply, one changed since":  {false, "one", "mine", false, "b.go changed since: a.go holds the change, c1_test.go is as before", "warn", "", false},
		"undo, nothing taken back":  {true, "one", "one", true, "the change is in the source", "info", "one", true},
		"undo, one of three":        {true, "old", "one", true, "that is completed, the source is as before", "info", "old", false},
		"undo, all":                 {true, "old", "old", false, "that is completed, the source is as before", "info", "old", false},
		"undo, one changed since":   {true, "old", "mine", true, "b.go changed since", "warn", "", true},
		"apply, the test is theirs": {false, "one", "one", true, "changed since", "warn", "", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWork(t)
			candidate := w.propose("c1", "one")
			if c.undo {
				w.must(w.site.Apply(context.Background(), candidate))
			}
			w.interrupt(candidate, c.undo)
			testsupport.Write(t, w.path("a.go"), c.a+" a.go\n")
			testsupport.Write(t, w.path("b.go"), c.b+" b.go\n")
			_ = os.Remove(w.path(test))
			switch {
			case name == "apply, the test is theirs":
				testsupport.Write(t, w.path(test), "package theirs\n")
			case c.test:
				testsupport.Write(t, w.path(test), "package m\n")
			}
			testsupport.Write(t, w.path(".pausetui-"+w.site.Log.ID()+"~0badcafe"), "one a.go\n")
			w.kill()

			notices, state := w.recovered()
			if len(notices) != 1 || !strings.Contains(notices[0].Text, c.words) || notices[0].Level != c.level {
				t.Errorf("said %+v, want %q", notices, c.words)
			}
			if c.want != "" {
				w.is(c.want)
				if w.exists(test) != (c.want == "one") {
					t.Errorf("the test file: %v", w.exists(test))
				}
			} else if w.read("a.go") != c.a+" a.go\n" || w.read("b.go") != c.b+" b.go\n" {
				t.Error("a file that changed since was written")
			}
			if state.Pending != nil || state.IsApplied("c1") != c.applied {
				t.Errorf("pending %+v, applied %v; want the outcome recorded", state.Pending, state.IsApplied("c1"))
			}
			if left, _ := filepath.Glob(w.path(".pausetui-*")); len(left) > 0 {
				t.Errorf("left over: %q", left)
			}
			if again, _ := w.recovered(); len(again) != 0 {
				t.Errorf("said a second time: %+v", again)
			}
		})
	}
}

// An undo that keeps other changes of a file is completed with them.
func TestRecoverAnUndoThatKeepsChanges(t *testing.T) {
	w := newWork(t)
	c := w.propose("c1", "one")
	w.must(w.site.Apply(context.Background(), c))
	testsupport.Write(t, w.path("b.go"), "one b.go\nand mine\n")
	edits, kept := w.site.rebased(patch.Reverse(c.ToWrite()))
	if !slices.Equal(kept, []string{"b.go"}) {
		t.Fatalf("kept %q", kept)
	}
	w.must(w.site.Log.BeginApply())
	w.must(w.record("engine", &session.Applying{Candidate: c.ID, Files: changes(edits), Undo: true, Edits: edits}))
	testsupport.Write(t, w.path("a.go"), "old a.go\n")
	w.kill()
	notices, state := w.recovered()
	if a, b := w.read("a.go"), w.read("b.go"); a != "old a.go\n" || b != "old b.go\nand mine\n" || state.IsApplied("c1") {
		t.Errorf("a.go = %q, b.go = %q, said %+v", a, b, notices)
	}
}

func TestRecoverLeavesOthersAlone(t *testing.T) {
	w := newWork(t)
	w.interrupt(w.propose("c1", "one"), false)
	testsupport.Write(t, w.path("a.go"), "one a.go\n")
	if n := Recover(context.Background(), w.site.Log.Dir(), w.site.Workspace); len(n) != 0 {
		t.Errorf("a session at work was put in order: %+v", n)
	}
	w.kill()

	elsewhere := moduleAt(t.TempDir())
	n := Recover(context.Background(), w.site.Log.Dir(), elsewhere)
	if len(n) != 1 || !strings.Contains(n[0].Text, w.site.Workspace.Root) || w.read("a.go") != "one a.go\n" {
		t.Errorf("from another module: %+v; want to be told where to start", n)
	}
	if n, _ := w.recovered(); len(n) != 1 {
		t.Errorf("from its own module: %+v", n)
	}
	w.is("old")
}

func TestRecoverInAModuleThatWasMoved(t *testing.T) {
	w := newWork(t)
	w.interrupt(w.propose("c1", "one"), false)
	testsupport.Write(t, w.path("a.go"), "one a.go\n")
	w.kill()
	moved := filepath.Join(t.TempDir(), "moved")
	w.must(os.Rename(w.site.Workspace.Root, moved))
	ws := moduleAt(moved)
	n := Recover(context.Background(), logDir(ws), ws)
	data, _ := os.ReadFile(filepath.Join(moved, "a.go"))
	if len(n) != 1 || string(data) != "old a.go\n" {
		t.Errorf("said %+v, a.go = %q", n, data)
	}
}

// A log may come with another person's repository: what it says of files
// outside, or of version control, is not followed.
func TestRecoverDoesNotFollowAJournalOutOfTheModule(t *testing.T) {
	for _, file := range []string{"../outside.go", ".git/config"} {
		w := newWork(t)
		testsupport.Write(t, w.path(file), "new")
		c := patch.Candidate{ID: "c1", Edits: []patch.Edit{
			{File: "a.go", Before: "evil", After: w.read("a.go")},
			{File: file, Before: "evil", After: "new"},
			{File: "b.go", Before: w.read("b.go"), After: "x"},
		}}
		w.must(w.record("person", &session.Proposed{Candidate: c}))
		record, _ := w.state.Candidate("c1")
		w.interrupt(record, false)
		w.kill()
		n, _ := w.recovered()
		if len(n) != 1 || n[0].Level != "error" {
			t.Errorf("%s: said %+v", file, n)
		}
		if got := w.read(file); got != "new" {
			t.Errorf("%s = %q", file, got)
		}
		w.is("old")
	}
}

// A journal that cannot be read is said, and its mark stays.
func TestRecoverOfADamagedJournal(t *testing.T) {
	w := newWork(t)
	w.interrupt(w.propose("c1", "one"), false)
	w.kill()
	path := strings.TrimSuffix(w.site.Log.Path(), ".md") + ".jsonl"
	data, err := os.ReadFile(path)
	w.must(err)
	w.must(os.WriteFile(path, slices.Concat([]byte("{damaged\n"), data), 0o600))
	for range 2 {
		n := Recover(context.Background(), w.site.Log.Dir(), w.site.Workspace)
		if len(n) != 1 || n[0].Level != "error" || !strings.Contains(n[0].Text, "cannot be read") {
			t.Errorf("said %+v", n)
		}
	}
}

// A file that cannot be put back now is tried again at the next start.
func TestRecoverTriesAgain(t *testing.T) {
	w := newWork(t)
	w.interrupt(w.propose("c1", "one"), false)
	testsupport.Write(t, w.path("a.go"), "one a.go\n")
	w.kill()
	w.must(os.Chmod(w.path("a.go"), 0o444))
	n, state := w.recovered()
	if len(n) != 1 || !strings.Contains(n[0].Text, "read-only") || state.Pending == nil {
		t.Errorf("said %+v, pending %v", n, state.Pending)
	}
	w.must(os.Chmod(w.path("a.go"), 0o644))
	if n, _ := w.recovered(); len(n) != 1 || !strings.Contains(n[0].Text, "rolled back") {
		t.Errorf("said %+v", n)
	}
	w.is("old")
}
