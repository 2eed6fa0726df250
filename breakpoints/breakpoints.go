// Package breakpoints keeps the breakpoints of a module between sessions.
//
// They are one person's own, so they lie in $XDG_STATE_HOME/pausetui/breakpoints
// and not in the module, a file for each root directory. The package sets none
// and does not look for their lines: it only keeps what it is given.
package breakpoints

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/google/renameio/v2"

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
func Default() Store { return Open(filepath.Join(xdg.StateHome, "pausetui", "breakpoints")) }

// file is what stands in a file.
type file struct {
	Version     int                   `json:"version"`
	Root        string                `json:"root"` // for people who look into it, and against a collision
	Breakpoints []debugger.Breakpoint `json:"breakpoints"`
}

const (
	version = 1
	maxFile = 4 << 20 // bytes
)

// Path is the file of a module's root directory.
func (s Store) Path(root string) string {
	sum := sha256.Sum256([]byte(filepath.Clean(root)))
	return filepath.Join(s.dir, filepath.Base(root)+"-"+hex.EncodeToString(sum[:6])+".json")
}

// Load returns the breakpoints of a module; none where none were kept.
func (s Store) Load(root string) ([]debugger.Breakpoint, error) {
	path := s.Path(root)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var data []byte
	switch {
	case err != nil:
	case info.Size() > maxFile:
		err = fmt.Errorf("larger than %d bytes", maxFile)
	default:
		data, err = os.ReadFile(path)
	}
	var f file
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err == nil && f.Version != version {
		err = fmt.Errorf("version %d, not %d", f.Version, version)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %q: %w", ErrUnreadable, path, err)
	}
	if f.Root != filepath.Clean(root) {
		return nil, nil
	}
	return f.Breakpoints, nil
}

// Save keeps the breakpoints of a module, with files relative to its root,
// instead of those that were kept before.
func (s Store) Save(root string, list []debugger.Breakpoint) error {
	path := s.Path(root)
	if len(list) == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("forget breakpoints in %q: %w", path, err)
		}
		return nil
	}
	data, err := json.MarshalIndent(file{Version: version, Root: filepath.Clean(root), Breakpoints: list}, "", "  ")
	if err == nil {
		err = os.MkdirAll(s.dir, 0o700)
	}
	if err == nil {
		err = renameio.WriteFile(path, append(data, '\n'), 0o600, renameio.IgnoreUmask())
	}
	if err != nil {
		return fmt.Errorf("keep breakpoints in %q: %w", path, err)
	}
	return nil
}
