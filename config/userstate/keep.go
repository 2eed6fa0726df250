// Package userstate reads and writes the small JSON files in which a person's own
// things are kept between sessions. It must not know what stands in them.
//
// A file has a version, is bounded before it is read, is readable by its owner
// alone, and is replaced as a whole.
package userstate

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
)

// Header begins each file; embed it in the struct of the rest.
type Header struct {
	Version int    `json:"version"`
	Root    string `json:"root,omitempty"` // the module's directory, for people who look into it, and against a collision
}

// ForRoot is the header of a file that is about one module.
func ForRoot(version int, root string) Header {
	return Header{Version: version, Root: filepath.Clean(root)}
}

const maxFile = 4 << 20 // bytes

// State is a place below $XDG_STATE_HOME/pausetui.
func State(elem ...string) string {
	return filepath.Join(append([]string{xdg.StateHome, "pausetui"}, elem...)...)
}

// Name is a file's name, without an extension, for the module in a directory.
func Name(root string) string {
	root = filepath.Clean(root)
	sum := sha256.Sum256([]byte(root))
	return filepath.Base(root) + "-" + hex.EncodeToString(sum[:6])
}

// Read reads a file into a struct that embeds a Header. It leaves it alone where
// there is no file, or one of another root.
func Read(path string, want Header, into any) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Size() > maxFile:
		return fmt.Errorf("%q is larger than %d bytes", path, maxFile)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var h Header
	if err := json.Unmarshal(data, &h); err != nil {
		return fmt.Errorf("%q: %w", path, err)
	}
	if h.Version != want.Version {
		return fmt.Errorf("%q: version %d, not %d", path, h.Version, want.Version)
	}
	if h.Root != want.Root {
		return nil
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%q: %w", path, err)
	}
	return nil
}

// Write replaces a file, and makes its directory where there is none.
func Write(path string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("write %q: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return renameio.WriteFile(path, append(data, '\n'), 0o600, renameio.IgnoreUmask())
}

// Remove removes a file, which need not be there.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
