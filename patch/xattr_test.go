//go:build linux

package patch

import (
	"errors"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// attr sets an extended attribute, or skips the test where that cannot be done.
func attr(t *testing.T, path, name, value string) {
	t.Helper()
	err := unix.Setxattr(path, name, []byte(value), 0)
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EPERM) {
		t.Skipf("no %s here: %v", name, err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func attrOf(path, name string) string {
	value := make([]byte, maxAttr)
	n, err := unix.Getxattr(path, name, value)
	if err != nil {
		return err.Error()
	}
	return string(value[:n])
}

func TestApplyKeepsExtendedAttributes(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.go", "one", 0o644)
	path := filepath.Join(root, "a.go")
	attr(t, path, "user.origin", "a scan of page 7")
	attr(t, path, "user.empty", "")
	edits := []Edit{{File: "a.go", Before: "one", After: "two"}}
	for _, step := range []func() error{func() error { return Apply(root, edits, false) }, func() error { return Apply(root, Reverse(edits), true) }} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
		if got := attrOf(path, "user.origin"); got != "a scan of page 7" {
			t.Errorf("user.origin is %q", got)
		}
		if got := attrOf(path, "user.empty"); got != "" {
			t.Errorf("user.empty is %q", got)
		}
	}
}

// An ACL of two entries more than the mode says, in the kernel's format:
// version 2, then tag, rights and id of each entry, little endian.
const readableBy12345 = "\x02\x00\x00\x00" +
	"\x01\x00\x06\x00\xff\xff\xff\xff" + // owner rw-
	"\x02\x00\x04\x00\x39\x30\x00\x00" + // user 12345 r--
	"\x04\x00\x00\x00\xff\xff\xff\xff" + // group ---
	"\x10\x00\x04\x00\xff\xff\xff\xff" + // mask r--
	"\x20\x00\x00\x00\xff\xff\xff\xff" // others ---

func TestApplyKeepsTheAccessList(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.go", "one", 0o640)
	path := filepath.Join(root, "a.go")
	attr(t, path, accessList, readableBy12345)
	if err := Apply(root, []Edit{{File: "a.go", Before: "one", After: "two"}}, false); err != nil {
		t.Fatal(err)
	}
	if got := attrOf(path, accessList); got != readableBy12345 {
		t.Errorf("the access list is %q", got)
	}
}

// What new files of a directory get by default is not given to a file that has
// was there without it.
func TestApplyAddsNoAccessList(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.go", "one", 0o600)
	attr(t, root, "system.posix_acl_default", readableBy12345)
	if err := Apply(root, []Edit{{File: "a.go", Before: "one", After: "two"}}, false); err != nil {
		t.Fatal(err)
	}
	if got := attrOf(filepath.Join(root, "a.go"), accessList); got != unix.ENODATA.Error() {
		t.Errorf("the access list is %q, want none", got)
	}
}
