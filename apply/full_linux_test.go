package apply

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/pausetui/pausetui/session"
)

// The same with a disk that is really full, and holds the logs alone.
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
	if err := os.WriteFile(filepath.Join(disk, "ballast"), make([]byte, 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	if err := w.site.Apply(context.Background(), c); err == nil {
		t.Error("applied without a record")
	}
	w.is("old")
	noMarks(t, disk, w.site.Workspace.Root)
}
