// Package breakpoints keeps the breakpoints of a module between sessions.
//
// They are one person's own, so they lie in $XDG_STATE_HOME/pausetui/breakpoints
// and not in the module, a file for each root directory. The package sets none
// and does not look for their lines: it only keeps what it is given.
package breakpoints

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/pausetui/pausetui/config/userstate"
	"github.com/pausetui/pausetui/debugger"
)

// ErrUnreadable is returned when a file is there and cannot be understood;
// the next Save writes over it.
var ErrUnreadable = errors.New("the breakpoints of earlier sessions cannot be read")

// Store is a directory of files.
type Store struct{ dir string }

// Open returns the store in a directory, which need not be there yet.
func Open(dir string) Store { return Store{dir} }

// Default returns the user's own store.
func Default() Store { return Open(userstate.State("breakpoints")) }

// file is what stands in a file.
type file struct {
	userstate.Header
	Breakpoints []debugger.Breakpoint `json:"breakpoints"`
}

const version = 1

// Path is the file of a module's root directory.
func (s Store) Path(root string) string { return filepath.Join(s.dir, userstate.Name(root)+".json") }

// Load returns the breakpoints of a module; none where none were kept.
func (s Store) Load(root string) ([]debugger.Breakpoint, error) {
	var f file
	if err := userstate.Read(s.Path(root), userstate.ForRoot(version, root), &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return f.Breakpoints, nil
}

// Save keeps the breakpoints of a module, with files relative to its root,
// instead of those that were kept before.
func (s Store) Save(root string, list []debugger.Breakpoint) error {
	path := s.Path(root)
	if len(list) == 0 {
		if err := userstate.Remove(path); err != nil {
			return fmt.Errorf("forget breakpoints: %w", err)
		}
		return nil
	}
	if err := userstate.Write(path, file{userstate.ForRoot(version, root), list}); err != nil {
		return fmt.Errorf("keep breakpoints: %w", err)
	}
	return nil
}
