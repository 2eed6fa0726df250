package earlier

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// TestAForeignJournalNamesNoModules: what a prompt is rendered from is read from the
// module here, and not from whatever a journal of the repository says that it ran on.
func TestAForeignJournalNamesNoModules(t *testing.T) {
	private := filepath.Join(testsupport.TempDir(t), "p.go")
	testsupport.Write(t, private, "package p\n")
	dir := testsupport.Module(t, "-- go.mod --\nmodule example.org/m\n\ngo 1.26\n-- main.go --\npackage main\n\nfunc main() {}\n")
	log, err := session.CreateLog(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	frame := debugger.Frame{Function: "main.main", File: private, Line: 1, User: true}
	for _, body := range []session.Body{
		&session.Started{ID: log.ID(), Workspace: workspace.Workspace{Root: dir, Modules: []workspace.Module{{Path: "all", Dir: "/"}}}},
		&session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonPanic, Panic: &debugger.Panic{Class: debugger.NilMapWrite}, Frames: []debugger.Frame{frame}}},
	} {
		if _, err := log.Append("engine", body); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	ours := strings.TrimSuffix(log.Path(), ".md") + ".jsonl"
	var lines []string
	for line := range strings.Lines(testsupport.Read(t, ours)) {
		at := strings.LastIndex(line, `,"mac":"`)
		if at < 0 {
			t.Fatalf("no seal in %s", line)
		}
		lines = append(lines, line[:at]+"}\n")
	}
	theirs := filepath.Join(t.TempDir(), filepath.Base(ours))
	if err := os.WriteFile(theirs, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	for journal, want := range map[string]bool{ours: true, theirs: false} {
		stop, err := Recorded(t.Context(), journal, 0, dir)
		if w := stop.Evidence.Workspace; err != nil || w.Owns(private) != want || w.Readable(private, nil) != want || w.Root != dir {
			t.Errorf("ours %v: %v, %+v", want, err, w)
		}
	}
}
