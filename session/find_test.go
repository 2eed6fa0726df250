package session

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"20261120-170203-2-exited", "20261120-170203-nil-map-write", "20261120-170203-10-quit", "20251231-235959-deadlock"} {
		put(t, dir, name+".jsonl", "")
		put(t, dir, name+".md", "")
	}
	for _, name := range []string{"README.md", "notes.jsonl", ".20261120-170203.applying", "20251231-235959-deadlock.round1.out"} {
		put(t, dir, name, "")
	}
	list, err := List(dir)
	var names []string
	for _, e := range list {
		names = append(names, e.Name)
	}
	want := "20251231-235959-deadlock 20261120-170203-nil-map-write 20261120-170203-2-exited 20261120-170203-10-quit"
	if got := strings.Join(names, " "); err != nil || got != want {
		t.Errorf("listed %q, %v; want the oldest first: %q", got, err, want)
	}
	found := map[string]string{
		Latest:                                 "20261120-170203-10-quit",
		"2025":                                 "20251231-235959-deadlock",
		"20261120-170203-n":                    "20261120-170203-nil-map-write",
		"20261120-170203-nil-map-write":        "20261120-170203-nil-map-write",
		"debug/20261120-170203-2-exited.md":    "20261120-170203-2-exited",
		"debug/20261120-170203-2-exited.jsonl": "20261120-170203-2-exited",
	}
	for name, want := range found {
		e, err := Find(dir, name)
		if err != nil || e.Name != want || filepath.Base(e.Markdown()) != want+".md" {
			t.Errorf("%s: %+v, %v; want %s", name, e, err, want)
		}
	}
	for name, want := range map[string]error{"2026": ErrManySessions, "2027": ErrNoSession, "": ErrNoSession} {
		if _, err := Find(dir, name); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", name, err, want)
		}
	}
	if _, err := Find(filepath.Join(dir, "none"), Latest); !errors.Is(err, ErrNoSession) {
		t.Errorf("%v for a directory that does not exist", err)
	}
}
