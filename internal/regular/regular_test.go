package regular

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// promptly fails when something hangs on a FIFO or reads a device without end.
func promptly(t *testing.T, what string, do func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-time.After(5 * time.Second):
		t.Fatalf("%s hangs", what)
		return nil
	}
}

// hostile makes what may be where a file is expected.
func hostile(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret")
	for _, err := range []error{
		syscall.Mkfifo(filepath.Join(root, "fifo"), 0o600),
		os.Symlink("/dev/zero", filepath.Join(root, "zero")),
		os.Symlink("fifo", filepath.Join(root, "to-fifo")),
		os.Mkdir(filepath.Join(root, "dir"), 0o700),
		os.WriteFile(outside, []byte("secret"), 0o600),
		os.Symlink(outside, filepath.Join(root, "out")),
		os.Symlink(filepath.Dir(outside), filepath.Join(root, "dir-out")),
		os.WriteFile(filepath.Join(root, "plain"), []byte("plain"), 0o600),
		os.Symlink("plain", filepath.Join(root, "to-plain")),
		os.WriteFile(filepath.Join(root, "huge"), nil, 0o600),
		os.Truncate(filepath.Join(root, "huge"), 1<<40), // takes no room
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestOnlyRegularFilesAreRead(t *testing.T) {
	root := hostile(t)
	for name, want := range map[string]error{
		"fifo": ErrNotRegular, "to-fifo": ErrNotRegular, "zero": ErrNotRegular, "dir": ErrNotRegular, "huge": ErrTooLarge,
		"plain": nil, "to-plain": nil, "out": nil, "none": os.ErrNotExist,
	} {
		err := promptly(t, name, func() error { _, err := Read(filepath.Join(root, name)); return err })
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	for _, name := range []string{"to-plain", "out"} {
		if _, err := OpenFile(filepath.Join(root, name), syscall.O_NOFOLLOW); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s without following: %v", name, err)
		}
	}
}

func TestReadInStaysBelowItsRoot(t *testing.T) {
	root := hostile(t)
	for name, want := range map[string]error{
		"out": ErrLeadsOut, "dir-out/secret": ErrLeadsOut, "../x": ErrLeadsOut, "zero": ErrLeadsOut,
		"fifo": ErrNotRegular, "to-fifo": ErrNotRegular, "dir": ErrNotRegular, "huge": ErrTooLarge, "plain": nil, "to-plain": nil,
		"none": os.ErrNotExist, "fifo/x": syscall.ENOTDIR,
	} {
		err := promptly(t, name, func() error { _, err := ReadIn(root, name, 100); return err })
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

func TestWithin(t *testing.T) {
	root := hostile(t)
	if err := os.Symlink("/nowhere/at/all", filepath.Join(root, "dangling")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{"plain": nil, "not/yet/there": nil, ".": nil, "out": ErrLeadsOut, "dir-out": ErrLeadsOut,
		"dir-out/new": ErrLeadsOut, "dangling": ErrLeadsOut, "dangling/x": ErrLeadsOut, "..": ErrLeadsOut} {
		if err := Within(root, filepath.Join(root, name)); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}
