package patch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

func write(t *testing.T, root, file, content string, mode os.FileMode) {
	t.Helper()
	path := filepath.Join(root, file)
	testsupport.Write(t, path, content)
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, root, file string) string {
	t.Helper()
	return testsupport.Read(t, filepath.Join(root, file))
}

func TestApplyAndUndoRestoreExactly(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.go", "package a\r\nvar x = 1", 0o640)
	write(t, root, "sub/b.go", "package b\n", 0o600)
	edits := []Edit{
		{File: "a.go", Before: "package a\r\nvar x = 1", After: "package a\r\nvar x = 2"},
		{File: "sub/b.go", Before: "package b\n", After: "package b\n\nvar y = 1\n"},
		{File: "c_test.go", After: "package a\n", Create: true},
	}
	if err := Apply(root, edits, false); err != nil {
		t.Fatal(err)
	}
	if got := read(t, root, "a.go"); got != edits[0].After {
		t.Errorf("a.go = %q", got)
	}
	info, err := os.Stat(filepath.Join(root, "a.go"))
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode of a.go = %v, %v; want 0640 kept", info.Mode(), err)
	}
	if err := Apply(root, Reverse(edits), true); err != nil {
		t.Fatal(err)
	}
	for _, e := range edits[:2] {
		if got := read(t, root, e.File); got != e.Before {
			t.Errorf("%s after undo = %q, want %q", e.File, got, e.Before)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "c_test.go")); !os.IsNotExist(err) {
		t.Errorf("c_test.go is still there after undo: %v", err)
	}
	noTemporaries(t, root)
}

func TestApplyWritesNothingWhenAFileChanged(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.go", "one", 0o644)
	write(t, root, "b.go", "changed by an editor", 0o644)
	err := Apply(root, []Edit{{File: "a.go", Before: "one", After: "two"}, {File: "b.go", Before: "b", After: "c"}}, false)
	if !errors.Is(err, ErrChanged) {
		t.Errorf("err = %v, want ErrChanged", err)
	}
	if got := read(t, root, "a.go"); got != "one" {
		t.Errorf("a.go = %q, want it untouched", got)
	}
}

func TestApplyRefusesReadOnlyFiles(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.go", "one", 0o444)
	err := Apply(root, []Edit{{File: "a.go", Before: "one", After: "two"}}, false)
	if !errors.Is(err, ErrReadOnly) {
		t.Errorf("err = %v, want ErrReadOnly", err)
	}
}

func TestApplyFollowsLinksAndKeepsThem(t *testing.T) {
	root := t.TempDir()
	write(t, root, "real.go", "one", 0o644)
	if err := os.Symlink("real.go", filepath.Join(root, "link.go")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if err := Apply(root, []Edit{{File: "link.go", Before: "one", After: "two"}}, false); err != nil {
		t.Fatal(err)
	}
	if got := read(t, root, "real.go"); got != "two" {
		t.Errorf("real.go = %q", got)
	}
	if info, err := os.Lstat(filepath.Join(root, "link.go")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("link.go is no link any more: %v %v", info, err)
	}
}

func TestApplyPutsBackWhatItReplacedWhenALaterOneFails(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.go", "one", 0o644)
	edits := []Edit{{File: "a.go", Before: "one", After: "two"}, {File: "no/such/dir/b.go", After: "x", Create: true}}
	if err := Apply(root, edits, false); err == nil {
		t.Fatal("applied into a directory that does not exist")
	}
	if got := read(t, root, "a.go"); got != "one" {
		t.Errorf("a.go = %q, want it as before", got)
	}
	noTemporaries(t, root)
}

func noTemporaries(t *testing.T, root string) {
	t.Helper()
	_ = filepath.WalkDir(root, func(path string, _ os.DirEntry, _ error) error {
		if strings.HasPrefix(filepath.Base(path), tempPrefix) {
			t.Errorf("left behind: %q", path)
		}
		return nil
	})
}
