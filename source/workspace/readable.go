package workspace

import (
	"path/filepath"
	"slices"
)

// Readable reports whether a file that a trace, a debug server or debug
// information names is source of the user's modules, of the standard library or of
// the packages of a program, given their directories (Code.Dirs; may be nil). Such
// a name may be that of any file of this machine: what is read by it must not
// reach a model or a log. Symbolic links do not count: where they lead does.
//
// Of the modules outside of the repository, and of the dependencies, only packages of
// the program count: go.mod and go.work may name any module of the machine.
func (w Workspace) Readable(file string, dirs map[string]string) bool {
	if !filepath.IsAbs(file) || filepath.Clean(file) != file || !isSource(file) {
		return false
	}
	real, err := filepath.EvalSymlinks(file)
	if err != nil || !isSource(real) {
		return false
	}
	for _, m := range w.Modules {
		if !m.ReadOnly && below(m.Dir, real) {
			return true
		}
	}
	if below(w.GoRoot, real) {
		return true
	}
	for _, dir := range dirs {
		if dir == filepath.Dir(file) || dir == filepath.Dir(real) {
			return below(dir, real)
		}
	}
	return false
}

// isSource reports whether the go command may compile a file of that name.
func isSource(file string) bool {
	return slices.Contains([]string{".go", ".s", ".c", ".h"}, filepath.Ext(file))
}

// below reports whether a file, given without symbolic links, is in a directory, and in
// none there that the go command passes over.
func below(dir, real string) bool {
	if dir == "" {
		return false
	}
	top, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	rel, ok := inside(top, real)
	return ok && hidden(rel) == ""
}
