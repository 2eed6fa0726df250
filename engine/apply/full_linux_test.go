package apply

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pausetui/pausetui/session"
)

// The same with a disk that is really full, and holds the logs alone: there is room
// for the mark, and for no record.
func TestALogOnAFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("mount a small disk: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	w := newWork(t)
	c := w.propose("c1", "one")
	log, err := session.CreateLog(disk, time.Now)
	w.must(err)
	t.Cleanup(func() { _ = log.Close() })
	w.site.Log, w.site.Record = log, nil
	room := filepath.Join(disk, "room")
	w.must(os.WriteFile(room, make([]byte, 100), 0o600))
	if err := os.WriteFile(filepath.Join(disk, "ballast"), make([]byte, 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	for err = nil; err == nil; { // the last page of the journal
		_, err = log.Append("", &session.Notice{})
	}
	w.must(os.Remove(room))
	if err := w.site.Apply(context.Background(), c); !errors.Is(err, errNoRecord) || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("err = %v, want %v for want of space", err, errNoRecord)
	}
	w.is("old")
	noMarks(t, disk, w.site.Workspace.Root)
}
