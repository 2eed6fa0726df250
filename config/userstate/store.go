// Package userstate keeps what belongs to one person between sessions:
// breakpoints, muted places, and consents to remote models. The files lie below
// $XDG_STATE_HOME/pausetui, not in the module: what one person mutes
// does not concern others that work on it.
//
// The rules for every file:
//
//   - It has a version and, if it is about one module, that module's root.
//   - It is a regular file, and bounded before it is read.
//   - Its owner alone can read it.
//   - It is replaced as a whole, so that a reader needs no lock.
//   - A change holds the lock of the store from reading to replacing, so that
//     two sessions that add something at the same time lose nothing.
//
// The package must not know what its values are for: it sets no breakpoints, asks
// for no consent, and does not look for the lines that it stores.
package userstate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"github.com/pausetui/pausetui/internal/filelock"
)

// Store is a directory of state. It need not exist yet.
type Store struct{ dir string }

// Open returns the store in a directory.
func Open(dir string) Store { return Store{dir} }

// Default returns the store in $XDG_STATE_HOME/pausetui.
func Default() Store { return Open(Path()) }

// Path is a path below $XDG_STATE_HOME/pausetui.
func Path(elem ...string) string {
	return filepath.Join(append([]string{xdg.StateHome, "pausetui"}, elem...)...)
}

// Name is the name of a module's file, without an extension.
func Name(root string) string {
	root = filepath.Clean(root)
	sum := sha256.Sum256([]byte(root))
	return filepath.Base(root) + "-" + hex.EncodeToString(sum[:6])
}

// ErrLocked is returned for a change while another process keeps the store locked.
var ErrLocked = errors.New("another pausetui has locked the files of its state")

// lockWait is far longer than any change takes.
const lockWait = 5 * time.Second

// Locked calls f while no other process or goroutine is in such a call for the
// same store. Where the file system has no locks, it calls f without one.
func (s Store) Locked(f func() error) error {
	path := filepath.Join(s.dir, "lock")
	err := filelock.Do(context.Background(), path, lockWait, f)
	if errors.Is(err, filelock.ErrLocked) {
		return fmt.Errorf("%w: %q", ErrLocked, path)
	}
	return err
}
