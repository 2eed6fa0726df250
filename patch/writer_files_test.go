package patch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestApplyKeepsModes(t *testing.T) {
	for _, mode := range []fs.FileMode{0o600, 0o644, 0o640, 0o755, 0o666, 0o750 | fs.ModeSetuid, 0o755 | fs.ModeSetgid} {
		t.Run(mode.String(), func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "a.go", "one", 0o600)
			path := filepath.Join(root, "a.go")
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
			edits := []Edit{{File: "a.go", Before: "one", After: "two"}}
			if err := Apply(root, edits, false); err != nil {
				t.Fatal(err)
			}
			if err := Apply(root, Reverse(edits), true); err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(path); err != nil || info.Mode() != mode {
				t.Errorf("mode %v, %v; want %v", info.Mode(), err, mode)
			}
		})
	}
}

func TestApplyKeepsTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	root := t.TempDir()
	write(t, root, "a.go", "one", 0o644)
	path := filepath.Join(root, "a.go")
	if err := os.Chown(path, 12345, 23456); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o755|fs.ModeSetuid); err != nil { // after chown, which takes the bit away
		t.Fatal(err)
	}
	if err := Apply(root, []Edit{{File: "a.go", Before: "one", After: "two"}}, false); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if stat := info.Sys().(*syscall.Stat_t); stat.Uid != 12345 || stat.Gid != 23456 {
		t.Errorf("owner %d:%d, want 12345:23456", stat.Uid, stat.Gid)
	}
	if info.Mode() != 0o755|fs.ModeSetuid {
		t.Errorf("mode %v, want 0755 with setuid", info.Mode())
	}
}

// What is in the place of a file decides whether anything is written.
func TestApplyRefuses(t *testing.T) {
	cases := map[string]struct {
		edit Edit
		make func(t *testing.T, root string)
		err  error
		text string
	}{
		"a changed file": {Edit{File: "x.go", Before: "a\nb\nc\n", After: "a\nB\nc\n"},
			func(t *testing.T, root string) { write(t, root, "x.go", "a\nb\nc\nd\n", 0o644) },
			ErrChanged, "x.go changed since: 1 line added, 0 removed, from line 4 on"},
		"other line ends": {Edit{File: "x.go", Before: "a\nb\n", After: "a\nc\n"},
			func(t *testing.T, root string) { write(t, root, "x.go", "a\r\nb\r\n", 0o644) },
			ErrChanged, "x.go changed since"},
		"the change itself": {Edit{File: "x.go", Before: "a", After: "b"},
			func(t *testing.T, root string) { write(t, root, "x.go", "b", 0o644) },
			ErrChanged, "x.go holds the change already"},
		"a file that is gone":                    {Edit{File: "x.go", Before: "a", After: "b"}, nil, ErrChanged, "x.go is gone"},
		"a directory that is gone":               {Edit{File: "d/x.go", Before: "a", After: "b"}, nil, ErrChanged, "d/x.go is gone"},
		"a new file in a directory that is gone": {Edit{File: "d/x.go", After: "b", Create: true}, nil, ErrChanged, "its directory is gone"},
		"a file as directory": {Edit{File: "d/x.go", Before: "a", After: "b"},
			func(t *testing.T, root string) { write(t, root, "d", "no directory", 0o644) }, ErrChanged, "d/x.go is gone"},
		"a directory as file": {Edit{File: "x.go", Before: "a", After: "b"},
			func(t *testing.T, root string) { write(t, root, "x.go/y", "", 0o644) }, ErrChanged, "x.go is a directory now"},
		"a pipe": {Edit{File: "x.go", Before: "a", After: "b"},
			func(t *testing.T, root string) {
				if err := syscall.Mkfifo(filepath.Join(root, "x.go"), 0o600); err != nil {
					t.Skip("no named pipes here:", err)
				}
			}, ErrChanged, "x.go is not a regular file"},
		"a new file that now exists": {Edit{File: "x_test.go", After: "b", Create: true},
			func(t *testing.T, root string) { write(t, root, "x_test.go", "another's", 0o644) }, ErrChanged, "x_test.go now exists"},
		"a new file where a link leads nowhere": {Edit{File: "x_test.go", After: "b", Create: true},
			func(t *testing.T, root string) {
				if err := os.Symlink("nowhere", filepath.Join(root, "x_test.go")); err != nil {
					t.Skip(err)
				}
			}, ErrChanged, "x_test.go is a dangling symbolic link"},
		"one file under two names": {Edit{File: "link.go", Before: "one", After: "three"},
			func(t *testing.T, root string) {
				if err := os.Symlink("first.go", filepath.Join(root, "link.go")); err != nil {
					t.Skip(err)
				}
			}, ErrSameFile, "first.go and link.go: two edits of one file"},
		"a read-only file": {Edit{File: "x.go", Before: "a", After: "b"},
			func(t *testing.T, root string) { write(t, root, "x.go", "a", 0o444) }, ErrReadOnly, "x.go is read-only"},
		"a read-only directory": {Edit{File: "d/x.go", Before: "a", After: "b"},
			func(t *testing.T, root string) { readOnlyDir(t, root) }, ErrReadOnly, "the directory of d/x.go is read-only"},
		"a new file in a read-only directory": {Edit{File: "d/new.go", After: "b", Create: true},
			func(t *testing.T, root string) { readOnlyDir(t, root) }, ErrReadOnly, "the directory of d/new.go is read-only"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "first.go", "one", 0o644)
			if c.make != nil {
				c.make(t, root)
			}
			err := Apply(root, []Edit{{File: "first.go", Before: "one", After: "two"}, c.edit}, false)
			if !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("err = %v, want %q", err, c.text)
			}
			if got := read(t, root, "first.go"); got != "one" {
				t.Errorf("first.go = %q, want it untouched", got)
			}
			noTemporaries(t, root)
		})
	}
}

func readOnlyDir(t *testing.T, root string) {
	write(t, root, "d/x.go", "a", 0o644)
	dir := filepath.Join(root, "d")
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
}

func TestConflictSaysWhatChanged(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.go", "one\ntwo\n", 0o644)
	err := Check(root, []Edit{{File: "a.go", Before: "one\n", After: "1\n"}}, false)
	var conflict *ConflictError
	if !errors.As(err, &conflict) || !strings.Contains(conflict.Diff(), "@@ -1 +1,2 @@\n one\n+two\n") {
		t.Errorf("err = %v; its diff must show the line added since", err)
	}
}

// Undoing twice, or what was put back by hand, is no conflict: the files are
// as they shall be.
func TestUndoLeavesAloneWhatIsUndone(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.go", "one", 0o644)
	write(t, root, "b.go", "one", 0o644)
	edits := []Edit{{File: "a.go", Before: "one", After: "two"}, {File: "b.go", Before: "one", After: "two"}, {File: "a_test.go", After: "x", Create: true}}
	if err := Apply(root, edits, false); err != nil {
		t.Fatal(err)
	}
	write(t, root, "b.go", "one", 0o644)
	if err := os.Remove(filepath.Join(root, "a_test.go")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := Apply(root, Reverse(edits), true); err != nil {
			t.Fatal(err)
		}
		if a, b := read(t, root, "a.go"), read(t, root, "b.go"); a != "one" || b != "one" {
			t.Errorf("a.go = %q, b.go = %q", a, b)
		}
	}
	write(t, root, "a.go", "three", 0o644)
	if err := Apply(root, Reverse(edits), true); !errors.Is(err, ErrChanged) {
		t.Errorf("err = %v for a file that is neither, want ErrChanged", err)
	}
}

// A file that changes while the new contents are being written is not
// overwritten, and what was replaced before it is put back.
func TestApplyLooksAgainBeforeEachReplacement(t *testing.T) {
	between := map[string]func(t *testing.T, root string){
		"changed":  func(t *testing.T, root string) { write(t, root, "b.go", "newer", 0o644) },
		"removed":  func(t *testing.T, root string) { _ = os.Remove(filepath.Join(root, "b.go")) },
		"appeared": func(t *testing.T, root string) { write(t, root, "new.go", "another's", 0o644) },
	}
	for name, change := range between {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "a.go", "one", 0o640)
			write(t, root, "b.go", "one", 0o644)
			tx := &transaction{files: []*staged{
				{edit: Edit{File: "a.go", Before: "one", After: "two"}, path: filepath.Join(root, "a.go")},
				{edit: Edit{File: "b.go", Before: "one", After: "two"}, path: filepath.Join(root, "b.go")},
				{edit: Edit{File: "new.go", After: "two", Create: true}, path: filepath.Join(root, "new.go")},
			}}
			inode := inodeOf(t, root, "a.go")
			if err := tx.stage(); err != nil {
				t.Fatal(err)
			}
			change(t, root)
			if err := tx.commit(); !errors.Is(err, ErrChanged) {
				t.Errorf("err = %v, want ErrChanged", err)
			}
			if err := tx.rollBack(); err != nil {
				t.Error(err)
			}
			tx.clean()
			if got := read(t, root, "a.go"); got != "one" || inodeOf(t, root, "a.go") != inode {
				t.Errorf("a.go = %q, want the very file of before", got)
			}
			if name == "appeared" && read(t, root, "new.go") != "another's" {
				t.Error("a file that appeared was overwritten")
			}
			noTemporaries(t, root)
		})
	}
}

func inodeOf(t *testing.T, root, file string) uint64 {
	t.Helper()
	info, err := os.Stat(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return info.Sys().(*syscall.Stat_t).Ino
}

// A new file is made without overwriting even at the very last moment.
func TestMakeDoesNotOverwrite(t *testing.T) {
	root := t.TempDir()
	write(t, root, "new.go", "another's", 0o644)
	f := &staged{edit: Edit{File: "new.go", After: "two", Create: true}, path: filepath.Join(root, "new.go")}
	if err := f.writeNext(""); err != nil {
		t.Fatal(err)
	}
	if err := f.make(); !errors.Is(err, ErrChanged) {
		t.Errorf("err = %v, want ErrChanged", err)
	}
	if got := read(t, root, "new.go"); got != "another's" {
		t.Errorf("new.go = %q", got)
	}
}

func TestApplyThroughALinkedRoot(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "real/a.go", "one", 0o644)
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	edits := []Edit{{File: "a.go", Before: "one", After: "two"}, {File: "a_test.go", After: "x", Create: true}}
	if err := Apply(filepath.Join(dir, "link"), edits, false); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir, "real/a.go") + read(t, dir, "real/a_test.go"); got != "twox" {
		t.Errorf("behind the link: %q", got)
	}
	if info, err := os.Lstat(filepath.Join(dir, "link")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", info, err)
	}
}

func TestCautions(t *testing.T) {
	root := t.TempDir()
	for _, file := range []string{"vim.go", "emacs.go", "linked.go", "plain.go"} {
		write(t, root, file, "one", 0o644)
	}
	write(t, root, ".vim.go.swp", "b0VIM", 0o600)
	if err := os.Symlink("user@host.123:456", filepath.Join(root, ".#emacs.go")); err != nil {
		t.Skip(err)
	}
	if err := os.Link(filepath.Join(root, "linked.go"), filepath.Join(root, "other.go")); err != nil {
		t.Skip(err)
	}
	var edits []Edit
	for _, file := range []string{"vim.go", "emacs.go", "linked.go", "plain.go"} {
		edits = append(edits, Edit{File: file, Before: "one", After: "two"})
	}
	var text []string
	for _, c := range Cautions(root, edits) {
		text = append(text, c.Text)
	}
	want := []string{"vim.go seems to be open in vim", "emacs.go seems to be open in emacs", "linked.go has other names (2 hard links), which keep the old content"}
	if strings.Join(text, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", text, want)
	}
	if err := Apply(root, edits, false); err != nil {
		t.Fatal(err)
	}
	if linked, other := read(t, root, "linked.go"), read(t, root, "other.go"); linked != "two" || other != "one" {
		t.Errorf("linked.go = %q, its other name = %q", linked, other)
	}
}

func TestSweepRemovesOnlyItsOwn(t *testing.T) {
	root := t.TempDir()
	w := Writer{Root: root, Tag: "20261120-170203"}
	write(t, root, "a.go", "one", 0o644)
	edits := []Edit{{File: "a.go", Before: "one", After: "two"}, {File: "gone/b.go", Before: "x", After: "y"}}
	tx := &transaction{tag: w.Tag, files: []*staged{{edit: edits[0], path: filepath.Join(root, "a.go")}}}
	if err := tx.stage(); err != nil {
		t.Fatal(err)
	}
	others := []string{".pausetui-20261120-170203-2~0000abcd", ".pausetui-~12345678", ".pausetui/config.toml", ".gitignore"}
	for _, name := range others {
		write(t, root, name, "kept", 0o600)
	}
	n, err := w.Sweep(edits)
	if n != 2 || err != nil {
		t.Errorf("removed %d, %v; want the new content and the second name of the old", n, err)
	}
	for _, name := range others {
		if read(t, root, name) != "kept" {
			t.Errorf("%s is gone", name)
		}
	}
}
