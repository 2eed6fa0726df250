package scan

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/subject"
)

// Bounds of the search for what includes a file.
const (
	maxIncluding = 20_000  // files and directories
	maxNative    = 4 << 20 // bytes of a file
)

// included names the files of a candidate that are neither Go nor native by their
// names, and that native code of the modules names: an #include or .incbin hands
// them to a C compiler or an assembler.
func included(v *subject.Target, edits []patch.Edit) []string {
	var found []string
	for _, e := range edits {
		ext := strings.ToLower(filepath.Ext(e.File))
		if ext == ".go" || slices.Contains(native, ext) {
			continue
		}
		if by := includes(v, filepath.Base(e.File)); by != "" {
			found = append(found, fmt.Sprintf("%s: not a Go file, and %s names it", e.File, by))
		}
	}
	return found
}

// includes returns a native file of the user's modules, or one with cgo, in which
// a name stands, or may stand: one that is too large to be looked at. It is empty
// when there is none.
func includes(v *subject.Target, name string) (by string) {
	seen := 0
	for _, dir := range v.Subject.Workspace.UserDirs() {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { // what cannot be read is in no build
			if seen++; seen > maxIncluding {
				by = fmt.Sprintf("one of more than %d files", maxIncluding)
				return fs.SkipAll
			}
			switch ext := strings.ToLower(filepath.Ext(path)); {
			case err != nil:
				return nil //nolint:nilerr // the go command cannot read it either
			case d.IsDir() && path != dir && strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir
			case d.IsDir() || ext != ".go" && !slices.Contains(native, ext):
				return nil
			case mayName(path, name, ext == ".go"):
				by = v.Subject.Workspace.Rel(path)
				return fs.SkipAll
			}
			return nil
		})
		if by != "" {
			return by
		}
	}
	return ""
}

// mayName reports whether a file, which may be a link, holds a name.
func mayName(path, name string, cgo bool) bool {
	text, err := regular.ReadUpTo(path, maxNative)
	if err != nil {
		info, missing := os.Stat(path)
		return missing == nil && info.Mode().IsRegular()
	}
	return bytes.Contains(text, []byte(name)) && (!cgo || bytes.Contains(text, []byte(`"C"`)))
}
