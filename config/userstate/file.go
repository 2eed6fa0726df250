package userstate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"github.com/pausetui/pausetui/internal/regular"
)

// header begins each file.
type header struct {
	Version int    `json:"version"`
	Root    string `json:"root,omitempty"` // the module's directory, for people who look into it, and against a collision
}

// forRoot is the header of a file that is about one module.
func forRoot(version int, root string) header {
	return header{Version: version, Root: filepath.Clean(root)}
}

const maxFile = 4 << 20 // bytes

// read reads a file into a struct that embeds a header. It leaves the struct
// alone if there is no file, or one of another root.
func read(path string, want header, into any) error {
	data, err := regular.ReadUpTo(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var h header
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

// replace replaces a file, and makes its directory if there is none.
func replace(path string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("write %q: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return renameio.WriteFile(path, append(data, '\n'), 0o600, renameio.IgnoreUmask())
}

// remove removes a file, which need not exist.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
