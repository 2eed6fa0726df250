package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/session"
)

// What the head of a log says is shown, and leads nowhere: a session is its files
// in the directory.
func TestTheHeadOfALogNamesNoFiles(t *testing.T) {
	dir := t.TempDir()
	logs := filepath.Join(dir, "debug")
	outside := filepath.Join(dir, "20261123-000000-outside.jsonl")
	name := "20261123-114836-nil-map-write"
	head := "---\nsession: ../20261123-000000-outside\ntarget: ../../etc/passwd\noutcome: fixed\n---\n"
	for file, text := range map[string]string{
		outside: "{}\n", filepath.Join(logs, name+".jsonl"): "{}\n", filepath.Join(logs, name+".md"): head,
	} {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e, err := session.Find(logs, name)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := e.Summary(t.Context()); err != nil || f.Session != "../20261123-000000-outside" {
		t.Errorf("%+v, error %v", f, err)
	}
	for _, trick := range []string{"../20261123-000000-outside", outside, "debug/../../x"} {
		if _, err := session.Find(logs, trick); err == nil {
			t.Errorf("%q was found", trick)
		}
		if err := session.Remove(logs, trick); err == nil {
			t.Errorf("%q was removed", trick)
		}
	}
	if err := session.Remove(logs, name); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error("a file outside was removed")
	}
}

func TestAHugeJournalIsNamedNotRead(t *testing.T) {
	logs := t.TempDir()
	text, err := os.ReadFile("../debug/20261123-114836-nil-map-write.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	huge := filepath.Join(logs, "20261101-000006-huge.jsonl")
	if err := os.WriteFile(huge, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, 1<<30); err != nil { // it takes no room
		t.Fatal(err)
	}
	list, err := session.List(logs)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if _, err := list[0].Summary(t.Context()); err == nil || !strings.Contains(err.Error(), "larger than 64 MB") {
		t.Errorf("error %v", err)
	}
}

// What has no log for people is read from its journal, and a signal ends that.
func TestASummaryOfAJournalEnds(t *testing.T) {
	logs := t.TempDir()
	text, err := os.ReadFile("../debug/20261123-114836-nil-map-write.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(logs, "20261123-114836-nil-map-write.jsonl"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := session.Find(logs, "20261123-114836-nil-map-write")
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Summary(t.Context())
	if log, _ := os.ReadFile("../debug/20261123-114836-nil-map-write.md"); err != nil || f.Class == "" || !strings.Contains(string(log), "class: "+f.Class) {
		t.Errorf("%+v, %v", f, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Summary(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}
