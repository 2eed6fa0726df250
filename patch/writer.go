package patch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Hash names a content: its SHA-256 in hexadecimal.
func Hash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// Reverse returns the edits that undo these.
func Reverse(edits []Edit) []Edit {
	back := make([]Edit, len(edits))
	for i, e := range edits {
		back[i] = Edit{File: e.File, Before: e.After, After: e.Before, Create: e.Create}
	}
	return back
}

// Writer writes edits below a root, all of them or none.
//
// The new contents are on disk, synced, before the first file is replaced, and
// so is a second name of each old file: what has to be put back when a later
// one fails needs no room. Each replacement is atomic. A file keeps its mode,
// its owner where that is allowed, and its place through symbolic links; other
// hard links to it keep the old content.
//
// Each file is compared with what the edit expects once more right before it
// is replaced. What another program writes between that and the rename, some
// microseconds later, is lost; a file that is to be made is never overwritten.
type Writer struct {
	Root string
	// Tag is part of the names of temporary files, so that Sweep finds those
	// that a kill has left: letters, digits and dashes.
	Tag string
}

// Apply writes every file or none below root; see Writer.
func Apply(root string, edits []Edit, undo bool) error {
	w := Writer{Root: root}
	if undo {
		return w.Undo(edits)
	}
	return w.Apply(edits)
}

// Apply writes every file or none. It fails as Check does, with ErrNoSpace, or
// with ErrTorn.
func (w Writer) Apply(edits []Edit) error { return w.write(edits, false) }

// Undo takes edits back that were applied; pass Reverse of them. Files that
// they created are removed, files that are as before already are left alone.
func (w Writer) Undo(edits []Edit) error { return w.write(edits, true) }

func (w Writer) write(edits []Edit, undo bool) error {
	if err := Check(w.Root, edits, undo); err != nil {
		return err
	}
	t := &transaction{tag: w.Tag, undo: undo}
	for _, e := range edits {
		path := Target(w.Root, e.File)
		if undo && isUndone(path, e) {
			continue
		}
		t.files = append(t.files, &staged{edit: e, path: path})
	}
	defer t.clean()
	if err := t.stage(); err != nil {
		return err
	}
	err := t.commit()
	if err == nil {
		return nil
	}
	if failed := t.rollBack(); failed != nil {
		return fmt.Errorf("%w; %w: %w", err, ErrTorn, failed)
	}
	return err
}

// transaction is one set of files being written.
type transaction struct {
	tag   string
	undo  bool
	files []*staged
}

// stage puts everything on disk that the renames need.
func (t *transaction) stage() error {
	for _, f := range t.files {
		var err error
		if !f.removes(t.undo) {
			err = f.writeNext(t.tag)
		}
		if err == nil && !f.creates(t.undo) {
			err = f.keepPrevious(t.tag)
		}
		if err != nil {
			return fmt.Errorf("write %q: %w", f.edit.File, explained(err))
		}
	}
	return nil
}

// commit replaces file after file, and has the directories written.
func (t *transaction) commit() error {
	for _, f := range t.files {
		if err := expect(f.path, f.edit, t.undo); err != nil {
			return err
		}
		if err := f.commit(t.undo); err != nil {
			return fmt.Errorf("replace %q: %w", f.edit.File, explained(err))
		}
		f.done = true
	}
	return t.syncDirs()
}

// rollBack puts the files back that were replaced, the last one first.
func (t *transaction) rollBack() error {
	var failed error
	for _, f := range slices.Backward(t.files) {
		if f.done {
			failed = errors.Join(failed, f.rollBack(t.undo))
		}
	}
	return errors.Join(failed, t.syncDirs())
}

// clean removes the temporary files that are left.
func (t *transaction) clean() {
	for _, f := range t.files {
		for _, temp := range []string{f.next, f.previous} {
			if temp != "" {
				_ = os.Remove(temp)
			}
		}
	}
}

func (t *transaction) syncDirs() error {
	var dirs []string
	for _, f := range t.files {
		dirs = append(dirs, filepath.Dir(f.path))
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		if err := SyncDir(dir); err != nil {
			return fmt.Errorf("sync %s: %w", quoted(dir), err)
		}
	}
	return nil
}

// SyncDir has the names in a directory written to the disk, where the file
// system can.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, os.ErrInvalid) && !errors.Is(err, errInvalid) {
		return err
	}
	return nil
}
