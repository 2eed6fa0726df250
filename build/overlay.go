package build

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// overlay is a set of replaced files, laid out for the go command's -overlay.
type overlay struct {
	dir      string            // temporary; empty without an overlay
	original map[string]string // temporary file → the file it stands for
}

// newOverlay writes the replaced files and the list of them to a temporary
// directory.
func newOverlay(files map[string]string) (*overlay, error) {
	o := &overlay{original: map[string]string{}}
	if len(files) == 0 {
		return o, nil
	}
	dir, err := os.MkdirTemp("", "pausetui-overlay-")
	if err != nil {
		return nil, fmt.Errorf("make overlay: %w", err)
	}
	o.dir = dir
	replace := map[string]string{}
	for path, text := range files {
		// The compiler wants the extension; the number keeps names apart.
		temp := filepath.Join(dir, fmt.Sprintf("%d-%s", len(replace), filepath.Base(path)))
		if err := os.WriteFile(temp, []byte(text), 0o600); err != nil {
			o.Close()
			return nil, fmt.Errorf("make overlay of %q: %w", path, err)
		}
		replace[path] = temp
		o.original[temp] = path
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		err = os.WriteFile(o.list(), list, 0o600)
	}
	if err != nil {
		o.Close()
		return nil, fmt.Errorf("make overlay: %w", err)
	}
	return o, nil
}

func (o *overlay) list() string { return filepath.Join(o.dir, "overlay.json") }

// flags returns the go command's flag, or nothing without an overlay.
func (o *overlay) flags() []string {
	if o.dir == "" {
		return nil
	}
	return []string{"-overlay=" + o.list()}
}

// source maps a temporary file back to the one it stands for.
func (o *overlay) source(file string) string {
	if path, ok := o.original[file]; ok {
		return path
	}
	return file
}

// Close removes the temporary files.
func (o *overlay) Close() {
	if o.dir != "" {
		_ = os.RemoveAll(o.dir) // nothing to do about a temporary directory that stays
	}
}
