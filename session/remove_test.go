package session

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestRemove(t *testing.T) {
	dir := t.TempDir()
	outside := t.TempDir()
	for _, name := range []string{
		"20261101-101010-index.jsonl", "20261101-101010-index.md", "20261101-101010-index.round1.out", "20261101-101010-sources/abc",
		"20261101-101010-2-index.jsonl", "20261101-101010-2-index.md", "20261101-101010-2-sources/abc", "README.md",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(dir, "20261101-101010-index.link")); err != nil {
		t.Fatal(err)
	}
	if err := Remove(dir, "20261101-101010-index"); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(left) != 5 { // the second session's three, the README, the link
		t.Errorf("left are %q", left)
	}
	if _, err := os.Stat(outside); err != nil {
		t.Errorf("the link was followed: %v", err)
	}
	if err := Remove(dir, "20261101-101010-index"); !errors.Is(err, ErrNoSession) {
		t.Errorf("again: %v", err)
	}
}

func TestARunningSessionIsNotRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "20261101-101010-index.jsonl")
	j, err := CreateJournal(path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := Remove(filepath.Dir(path), "latest"); !errors.Is(err, ErrAlive) {
		t.Errorf("removed: %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}
