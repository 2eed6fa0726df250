package patch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

var (
	// ErrChanged is returned when a file differs from what the edit was made for.
	ErrChanged = errors.New("the file changed since")
	// ErrReadOnly is returned when a file, or the directory of a new one, cannot be written.
	ErrReadOnly = errors.New("the file is read-only")
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

// Check tells whether the edits can be applied below root: every file is as
// Before says and can be written. It fails with ErrChanged or ErrReadOnly.
func Check(root string, edits []Edit, undo bool) error {
	for _, e := range edits {
		path := target(root, e.File)
		content, err := os.ReadFile(path)
		missing := errors.Is(err, fs.ErrNotExist)
		switch {
		case err != nil && !missing:
			return fmt.Errorf("read %q: %w", e.File, err)
		case missing && !(e.Create && !undo):
			return fmt.Errorf("%q is gone: %w", e.File, ErrChanged)
		case !missing && (e.Create && !undo):
			return fmt.Errorf("%q exists by now: %w", e.File, ErrChanged)
		case !missing && string(content) != e.Before:
			return fmt.Errorf("%q: %w", e.File, ErrChanged)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o200 == 0 {
			return fmt.Errorf("%q: %w", e.File, ErrReadOnly)
		}
	}
	return nil
}

// Apply writes every file or none. With undo, files that an edit created are
// removed again; pass Reverse of the edits then.
//
// The new contents are on disk, synced, before the first file is replaced;
// each replacement is atomic. If one fails, those before it are put back.
func Apply(root string, edits []Edit, undo bool) error {
	if err := Check(root, edits, undo); err != nil {
		return err
	}
	pending := make([]*renameio.PendingFile, len(edits))
	defer func() {
		for _, p := range pending {
			if p != nil {
				_ = p.Cleanup() // removes temporary files that were not used
			}
		}
	}()
	for i, e := range edits {
		if e.Create && undo {
			continue
		}
		p, err := stage(target(root, e.File), e.After)
		if err != nil {
			return fmt.Errorf("write %q: %w", e.File, err)
		}
		pending[i] = p
	}
	for i, e := range edits {
		if err := commit(root, e, pending[i]); err != nil {
			return errors.Join(fmt.Errorf("replace %q: %w", e.File, err), restore(root, edits[:i+1], undo))
		}
	}
	return nil
}

func stage(path, content string) (*renameio.PendingFile, error) {
	p, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)), renameio.WithExistingPermissions(), renameio.WithPermissions(0o644))
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return nil, fmt.Errorf("%w: %w", ErrReadOnly, err)
		}
		return nil, err
	}
	_, err = p.Write([]byte(content))
	return p, errors.Join(err, p.Sync())
}

func commit(root string, e Edit, p *renameio.PendingFile) error {
	path := target(root, e.File)
	var err error
	if p == nil {
		err = os.Remove(path)
	} else {
		err = p.CloseAtomicallyReplace()
	}
	if err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// restore puts files back that were already replaced.
func restore(root string, done []Edit, undo bool) error {
	var failed error
	for _, e := range done {
		path := target(root, e.File)
		var err error
		if e.Create && !undo {
			if err = os.Remove(path); errors.Is(err, fs.ErrNotExist) {
				err = nil // the one that failed
			}
		} else {
			err = renameio.WriteFile(path, []byte(e.Before), 0o644, renameio.WithExistingPermissions())
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// target is the real file to write: symbolic links are followed, so that a
// link stays a link.
func target(root, file string) string {
	path := filepath.FromSlash(file)
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, os.ErrInvalid) {
		return err
	}
	return nil
}
