package build

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/pausetui/pausetui/internal/scratch"
)

// overlayDir is in the names of the directories that overlays are laid out in.
const overlayDir = "overlay"

// overlay is a set of replaced files, laid out for the go command's -overlay.
type overlay struct {
	dir      string            // temporary; empty without an overlay
	original map[string]string // name of a temporary file → the file it replaces
}

// newOverlay writes the replaced files and the list of them to a temporary
// directory.
func newOverlay(files map[string]string) (*overlay, error) {
	o := &overlay{original: map[string]string{}}
	if len(files) == 0 {
		return o, nil
	}
	dir, err := os.MkdirTemp("", scratch.Pattern(overlayDir))
	if err != nil {
		return nil, fmt.Errorf("make overlay: %w", err)
	}
	o.dir = dir
	replace := map[string]string{}
	for path, text := range files {
		name := overlayName(path, text)
		temp := filepath.Join(dir, name)
		if err := os.WriteFile(temp, []byte(text), 0o600); err != nil {
			o.Close()
			return nil, fmt.Errorf("make overlay of %q: %w", path, err)
		}
		replace[path] = temp
		o.original[name] = path
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

// overlayName names the temporary file of an overlaid one by what it replaces
// and holds: go vet repeats findings out of its cache with the name that the
// same content had in an earlier overlay. The compiler wants the extension.
func overlayName(path, text string) string {
	sum := sha256.Sum256([]byte(path + "\x00" + text))
	return hex.EncodeToString(sum[:8]) + "-" + filepath.Base(path)
}

// source maps a temporary file, of this overlay or of an earlier one with the
// same content, back to the one it replaces.
func (o *overlay) source(file string) string {
	path, ok := o.original[filepath.Base(file)]
	if ok && strings.Contains(filepath.Base(filepath.Dir(file)), "-"+overlayDir+"-") {
		return path
	}
	return file
}

// named puts the files that the temporary ones replace into a text. The go command
// may name them relative to where it runs, and out of an earlier overlay.
func (o *overlay) named(text string) string {
	for name, path := range o.original {
		text = strings.ReplaceAll(text, filepath.Join(o.dir, name), path)
		if strings.Contains(text, name) {
			text = regexp.MustCompile(`[^\s:"'()]*`+regexp.QuoteMeta(name)).ReplaceAllLiteralString(text, path)
		}
	}
	return text
}

// Close removes the temporary files.
func (o *overlay) Close() {
	if o.dir != "" {
		_ = os.RemoveAll(o.dir) // nothing to do about a temporary directory that stays
	}
}
