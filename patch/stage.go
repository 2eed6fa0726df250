package patch

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// errInvalid is what a file system says of a sync that it does not know.
const errInvalid = syscall.EINVAL

// staged is one file of a transaction with its temporary files, which stand
// next to it: a rename cannot cross file systems.
type staged struct {
	edit     Edit
	path     string // of the real file
	next     string // holds the new content; empty where the file is to be removed
	previous string // holds the old file; empty where there is none
	done     bool   // replaced
}

func (f *staged) creates(undo bool) bool { return f.edit.Create && !undo }
func (f *staged) removes(undo bool) bool { return f.edit.Create && undo }

// writeNext puts the new content next to the file, with the file's mode, owner
// and extended attributes.
func (f *staged) writeNext(tag string) error {
	like := f.path
	if _, err := os.Stat(f.path); err != nil {
		like = ""
	}
	name, err := writeTemp(filepath.Dir(f.path), tag, f.edit.After, like)
	f.next = name
	return err
}

// keepPrevious gives the old file a second name or, where there are no hard
// links, makes a copy.
func (f *staged) keepPrevious(tag string) error {
	for {
		name := tempName(filepath.Dir(f.path), tag)
		err := os.Link(f.path, name)
		if err == nil {
			f.previous = name
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	var err error
	f.previous, err = writeTemp(filepath.Dir(f.path), tag, f.edit.Before, f.path)
	return err
}

func (f *staged) commit(undo bool) error {
	switch {
	case f.removes(undo):
		return os.Remove(f.path)
	case f.creates(undo):
		return f.make()
	}
	if err := os.Rename(f.next, f.path); err != nil {
		return err
	}
	f.next = ""
	return nil
}

// make gives the new file its name unless it is taken: a link
// does not overwrite, as a rename does.
func (f *staged) make() error {
	err := os.Link(f.next, f.path)
	switch {
	case err == nil:
		return nil // clean removes the first name
	case errors.Is(err, fs.ErrExist):
		return &ConflictError{File: f.edit.File, How: "now exists"}
	}
	if err := os.Rename(f.next, f.path); err != nil {
		return err
	}
	f.next = ""
	return nil
}

func (f *staged) rollBack(undo bool) error {
	if f.creates(undo) {
		return os.Remove(f.path)
	}
	if err := os.Rename(f.previous, f.path); err != nil {
		return fmt.Errorf("put %q back: %w", f.edit.File, err)
	}
	f.previous = ""
	return nil
}

// tempPrefix begins the names of temporary files. The go command does not look
// at files that begin with a dot.
const tempPrefix = ".pausetui-"

func tempName(dir, tag string) string {
	return filepath.Join(dir, fmt.Sprintf("%s%s~%08x", tempPrefix, tag, rand.Uint32()))
}

// writeTemp writes a synced file with the mode, owner and extended attributes
// of the one at like, or those of a new file without one. The name is returned
// also with an error, once there is a file.
func writeTemp(dir, tag, content, like string) (string, error) {
	mode := fs.FileMode(0o644) // less what umask takes
	if like != "" {
		mode = 0o600 // until it is complete
	}
	var file *os.File
	for file == nil {
		var err error
		file, err = os.OpenFile(tempName(dir, tag), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	_, err := file.WriteString(content)
	if err == nil && like != "" {
		err = resemble(file, like)
	}
	if err == nil {
		err = file.Sync()
	}
	return file.Name(), errors.Join(err, file.Close())
}

// modeBits are those that chmod sets.
const modeBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// resemble gives a file the owner, mode and extended attributes of another.
// Where the owner cannot be kept, neither is the right to run as that owner.
func resemble(file *os.File, path string) error {
	like, err := os.Stat(path)
	if err != nil {
		return err
	}
	mode := like.Mode() & modeBits
	if !sameOwner(file, like) {
		mode &^= fs.ModeSetuid | fs.ModeSetgid
	}
	copyAttrs(file, path) // before the mode, of which an access list has its share
	return file.Chmod(mode)
}

// sameOwner hands a file to the owner and group of another, as far as that is
// allowed.
func sameOwner(file *os.File, like fs.FileInfo) bool {
	want, ok := like.Sys().(*syscall.Stat_t)
	info, err := file.Stat()
	if !ok || err != nil {
		return false
	}
	have, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	if have.Uid == want.Uid && have.Gid == want.Gid {
		return true
	}
	if file.Chown(int(want.Uid), int(want.Gid)) == nil {
		return true
	}
	_ = file.Chown(-1, int(want.Gid)) // one of our groups, perhaps
	return false
}

// writable reports whether a file and its directory may be written. A read-only
// file is left alone even where this process could write it.
func writable(path string, e Edit) error {
	dir := filepath.Dir(path)
	for _, p := range []string{path, dir} {
		info, err := os.Stat(p)
		if err != nil {
			continue // to be made
		}
		if info.Mode().Perm()&0o222 != 0 && unix.Faccessat(unix.AT_FDCWD, p, unix.W_OK, unix.AT_EACCESS) == nil {
			continue
		}
		if p == dir {
			return fmt.Errorf("the directory of %s %w", e.File, ErrReadOnly)
		}
		return fmt.Errorf("%s %w", e.File, ErrReadOnly)
	}
	return nil
}

// Sweep removes the temporary files next to the edits' files that a killed
// Writer of the same root and tag has left. It returns how many there were.
func (w Writer) Sweep(edits []Edit) (int, error) {
	var failed error
	removed := 0
	seen := map[string]bool{}
	for _, e := range edits {
		dir := filepath.Dir(Target(w.Root, e.File))
		if seen[dir] {
			continue
		}
		seen[dir] = true
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
		for _, entry := range entries {
			if !strings.HasPrefix(entry.Name(), tempPrefix+w.Tag+"~") || !entry.Type().IsRegular() {
				continue
			}
			if err := os.Remove(filepath.Join(dir, entry.Name())); err != nil {
				failed = errors.Join(failed, err)
				continue
			}
			removed++
		}
	}
	return removed, failed
}
