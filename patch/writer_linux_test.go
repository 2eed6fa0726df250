package patch

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// asOrdinaryUser calls fn with the rights of an ordinary user in the file system.
func asOrdinaryUser(t *testing.T, fn func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		fn()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		_, _ = unix.SetfsgidRetGid(65534)
		_, _ = unix.SetfsuidRetUid(65534)
		fn()
	}()
	<-done
}

func TestOrdinaryUsersCannotWriteWhatIsNotTheirs(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make files of other users")
	}
	root := t.TempDir()
	if err := os.Chmod(filepath.Dir(root), 0o711); err != nil {
		t.Fatal(err)
	}
	write(t, root, "theirs.go", "one", 0o644)
	write(t, root, "open/all.go", "one", 0o666)
	if err := errors.Join(os.Chmod(filepath.Join(root, "open"), 0o777), os.Chmod(filepath.Join(root, "open", "all.go"), 0o666|fs.ModeSetuid)); err != nil {
		t.Fatal(err)
	}
	var refused, written error
	asOrdinaryUser(t, func() {
		refused = Apply(root, []Edit{{File: "theirs.go", Before: "one", After: "two"}}, false)
		written = Apply(root, []Edit{{File: "open/all.go", Before: "one", After: "two"}}, false)
	})
	if !errors.Is(refused, ErrReadOnly) {
		t.Errorf("another user's file: %v, want ErrReadOnly", refused)
	}
	if written != nil || read(t, root, "open/all.go") != "two" {
		t.Errorf("a file that all may write: %v", written)
	}
	info, err := os.Stat(filepath.Join(root, "open", "all.go"))
	if err != nil || info.Mode().Perm() != 0o666 || info.Mode()&fs.ModeSetuid != 0 {
		t.Errorf("mode %v, %v; want 0666 without setuid, which would now mean another user", info.Mode(), err)
	}
	noTemporaries(t, root)
}

// On a full disk nothing is written, and what was begun is taken away.
func TestApplyOnAFullDisk(t *testing.T) {
	if dir := os.Getenv("PATCH_TEST_FULL_DISK"); dir != "" {
		onAFullDisk(t, dir)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestApplyOnAFullDisk$", "-test.v")
	cmd.Env = append(os.Environ(), "PATCH_TEST_FULL_DISK="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}}
	out, err := cmd.CombinedOutput()
	switch {
	case errors.Is(err, fs.ErrPermission), strings.Contains(string(out), "--- SKIP"):
		t.Skipf("no small disk can be made here: %v\n%s", err, out)
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	}
}

func onAFullDisk(t *testing.T, dir string) {
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=128k"); err != nil {
		t.Skip("mount:", err)
	}
	write(t, dir, "a.go", "one", 0o644)
	write(t, dir, "b.go", "one", 0o644)
	edits := []Edit{{File: "a.go", Before: "one", After: "two"}, {File: "b.go", Before: "one", After: strings.Repeat("too much\n", 50_000)}}
	if err := Apply(dir, edits, false); !errors.Is(err, ErrNoSpace) {
		t.Errorf("err = %v, want ErrNoSpace", err)
	}
	if a, b := read(t, dir, "a.go"), read(t, dir, "b.go"); a != "one" || b != "one" {
		t.Errorf("a.go = %q, b.go = %q, want both untouched", a, b)
	}
	noTemporaries(t, dir)

	// What was replaced is put back without any room: fill the disk up between.
	tx := &transaction{files: []*staged{
		{edit: Edit{File: "a.go", Before: "one", After: "two"}, path: filepath.Join(dir, "a.go")},
		{edit: Edit{File: "b.go", Before: "other", After: "two"}, path: filepath.Join(dir, "b.go")},
	}}
	if err := tx.stage(); err != nil {
		t.Fatal(err)
	}
	_ = os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 1<<20), 0o600)
	if err := tx.commit(); !errors.Is(err, ErrChanged) {
		t.Errorf("err = %v, want ErrChanged", err)
	}
	if err := tx.rollBack(); err != nil {
		t.Error(err)
	}
	if a := read(t, dir, "a.go"); a != "one" {
		t.Errorf("a.go = %q, want it put back", a)
	}
}
