package apply

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// unseal makes of a killed session's files what a repository can bring: the same
// texts, without this user's codes.
func (w *work) unseal(journal, mark bool) {
	w.t.Helper()
	dir := w.site.Log.Dir()
	entries, err := os.ReadDir(dir)
	w.must(err)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		data, err := os.ReadFile(path)
		w.must(err)
		var lines []string
		for line := range strings.Lines(string(data)) {
			if at := strings.LastIndex(line, `,"mac":"`); at >= 0 && filepath.Ext(path) == ".jsonl" {
				line = line[:at] + "}\n"
			}
			lines = append(lines, line)
		}
		switch {
		case journal && filepath.Ext(path) == ".jsonl":
			testsupport.Write(w.t, path, strings.Join(lines, ""))
		case mark && filepath.Ext(path) == ".applying":
			testsupport.Write(w.t, path, lines[0])
		}
	}
}

// A repository brings a mark and a journal of a write that was never made here.
func TestRecoverActsOnNothingThatCameAlong(t *testing.T) {
	for name, c := range map[string]struct{ journal, mark bool }{"both": {true, true}, "the journal": {true, false}, "the mark": {false, true}} {
		w := newWork(t)
		candidate := w.propose("c1", "one")
		w.interrupt(candidate, false)
		testsupport.Write(t, w.path("a.go"), "one a.go\n") // as if half of it had been written
		w.kill()
		w.unseal(c.journal, c.mark)
		before, err := os.ReadFile(strings.TrimSuffix(w.site.Log.Path(), ".md") + ".jsonl")
		w.must(err)
		notices, state := w.recovered()
		if len(notices) != 1 || !strings.Contains(notices[0].Text, "not written by you on this machine") {
			t.Errorf("%s: said %+v", name, notices)
		}
		if w.read("a.go") != "one a.go\n" || w.read("b.go") != "old b.go\n" || state.Pending == nil {
			t.Errorf("%s: it was acted on", name)
		}
		if after, _ := os.ReadFile(strings.TrimSuffix(w.site.Log.Path(), ".md") + ".jsonl"); string(after) != string(before) {
			t.Errorf("%s: the journal was written to", name)
		}
	}
}

// outside makes a second module outside of the repository, as `use ../../outside` in a
// go.work does.
func (w *work) outside() (dir string) {
	w.t.Helper()
	dir = filepath.Join(w.t.TempDir(), "outside")
	testsupport.Write(w.t, filepath.Join(dir, "x.go"), "one x.go\n")
	w.site.Workspace.Modules = append(w.site.Workspace.Modules, workspace.Module{Path: "outside", Dir: dir, ReadOnly: true})
	return dir
}

func TestRecoverTouchesOwnModulesOnly(t *testing.T) {
	for name, link := range map[string]bool{"another module": false, "a link in the module": true} {
		w := newWork(t)
		dir := w.outside()
		file, err := filepath.Rel(w.site.Workspace.Root, filepath.Join(dir, "x.go"))
		w.must(err)
		if link {
			w.must(os.Symlink(dir, w.path("sub")))
			file = "sub/x.go"
		}
		c := patch.Candidate{ID: "c1", Title: "x", Edits: []patch.Edit{{File: "a.go", Before: "old a.go\n", After: "one a.go\n"}, {File: filepath.ToSlash(file), Before: "planted\n", After: "one x.go\n"}}}
		w.must(w.record("person", &session.Proposed{Candidate: c}))
		record, _ := w.state.Candidate("c1")
		w.interrupt(record, false)
		w.kill()
		notices, _ := w.recovered()
		if len(notices) != 1 || notices[0].Level != "error" || !strings.Contains(notices[0].Text, "cannot be recovered") {
			t.Errorf("%s: said %+v", name, notices)
		}
		if text, _ := os.ReadFile(filepath.Join(dir, "x.go")); string(text) != "one x.go\n" {
			t.Errorf("%s: the file outside was rewritten: %q", name, text)
		}
	}
}

func TestUndoTouchesOwnModulesOnly(t *testing.T) {
	for name, readOnly := range map[string]bool{"outside of the repository": true, "another module of the repository": false} {
		w := newWork(t)
		dir := w.outside()
		w.site.Workspace.Modules[1].ReadOnly = readOnly
		file, err := filepath.Rel(w.site.Workspace.Root, filepath.Join(dir, "x.go"))
		w.must(err)
		edit := patch.Edit{File: filepath.ToSlash(file), Before: "planted\n", After: "one x.go\n"}
		w.must(w.record("person", &session.Proposed{Candidate: patch.Candidate{ID: "c1", Title: "x", Edits: []patch.Edit{edit}}}))
		w.must(w.record("engine", &session.Applied{Candidate: "c1", Files: changes([]patch.Edit{edit})}))
		want := "planted\n"
		if readOnly {
			want = "one x.go\n"
		}
		if _, err := w.site.Undo(context.Background(), w.state, "person", ""); errors.Is(err, errElsewhere) != readOnly {
			t.Errorf("%s: err = %v", name, err)
		}
		if text, _ := os.ReadFile(filepath.Join(dir, "x.go")); string(text) != want {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// A planted pointer leads to a directory that another person chose.
func TestPointersAreOurs(t *testing.T) {
	w := newWork(t)
	other := t.TempDir()
	testsupport.Write(t, w.path(".pausetui-20261120-170203.applying"), other+"\n")
	w.must(os.Symlink("/dev/zero", w.path(".pausetui-20261120-170204.applying")))
	for _, dir := range logDirs(w.site.Log.Dir(), w.site.Workspace.Root) {
		if dir == other {
			t.Error("it is followed")
		}
	}
}
