package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
)

// TestALogOnAFullDisk: the disk with the logs is full after a few events. The
// session goes on to its verified fix and says that the log is not complete;
// the logs of before and what was written are whole.
func TestALogOnAFullDisk(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, strings.Replace(twoBugsProgram, "i <= len", "i < len", 1))
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("mount a small disk: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	earlier := get(t, "../../debug/20261123-115308-deadlock.jsonl")
	if err := os.WriteFile(filepath.Join(disk, "20261123-115308-deadlock.jsonl"), []byte(earlier), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := run(t, dir, "fix", "--offline", "--log-dir", disk, ".")
	if !strings.Contains(stdout, "make books in NewShelf") || !strings.Contains(stdout, "the log is not complete: ") || !strings.Contains(stdout, "no space left") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	entries, err := session.List(disk)
	if err != nil || len(entries) != 2 {
		t.Fatalf("%+v, %v", entries, err)
	}
	if get(t, entries[0].Journal) != earlier {
		t.Error("the log of before is damaged")
	}
	if events, err := session.ReadFile(entries[1].Journal); err != nil || len(events) < 3 {
		t.Errorf("%d events, %v", len(events), err)
	}
	if text := get(t, entries[1].Journal); !strings.HasSuffix(text, "}\n") {
		t.Errorf("the last line is torn: %.200q", text[max(0, len(text)-200):])
	}
}
