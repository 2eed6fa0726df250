package patch

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Caution is something about a file that does not keep it from being written,
// and that a person should know.
type Caution struct {
	File string // relative to the root
	Text string
	Hint string
}

// Cautions looks for what is peculiar about the files of edits that are going
// to be written: an editor has one open, or it has further names.
func Cautions(root string, edits []Edit) []Caution {
	var list []Caution
	for _, e := range edits {
		path := Target(root, e.File)
		if editor := openIn(path); editor != "" {
			list = append(list, Caution{e.File, fmt.Sprintf("%s seems to be open in %s", e.File, editor), "have it read the file again before you save there"})
		}
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		if !ok {
			continue
		}
		if stat.Nlink > 1 {
			list = append(list, Caution{e.File, fmt.Sprintf("%s has other names (%d hard links), which keep the old content", e.File, stat.Nlink), ""})
		}
		if uid := os.Geteuid(); uid != 0 && int(stat.Uid) != uid {
			list = append(list, Caution{e.File, fmt.Sprintf("%s belongs to user %d: after the write it will belong to you", e.File, stat.Uid), ""})
		}
	}
	return list
}

// openIn names the editor whose swap or lock file is next to a file; empty
// without one.
func openIn(path string) string {
	dir, base := filepath.Split(path)
	marks := []struct{ name, editor string }{
		{"." + base + ".swp", "vim"},
		{"." + base + ".swo", "vim"},
		{".#" + base, "emacs"},
		{"#" + base + "#", "emacs"},
		{"." + base + ".kate-swp", "kate"},
	}
	for _, m := range marks {
		if _, err := os.Lstat(filepath.Join(dir, m.name)); err == nil { // emacs' lock is a link to nowhere
			return m.editor
		}
	}
	return ""
}
