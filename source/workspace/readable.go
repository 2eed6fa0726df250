package workspace

import (
	"path/filepath"
	"strings"
)

// Readable reports whether a file that a trace, a debug server or debug
// information names is source of the user's modules, of their dependencies or of
// the standard library, given those of a program (Code.Dirs; may be nil). Such
// a name may be that of any file of this machine: what is read by it must not
// reach a model or a log. Symbolic links do not count: where they lead does.
func (w Workspace) Readable(file string, dirs map[string]string) bool {
	if !filepath.IsAbs(file) || filepath.Clean(file) != file {
		return false
	}
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return false
	}
	for _, m := range w.Modules {
		if below(m.Dir, real) {
			return true
		}
	}
	if below(w.GoRoot, real) || below(w.ModCache, real) {
		return true
	}
	for _, dir := range dirs {
		if dir == filepath.Dir(file) || dir == filepath.Dir(real) {
			return below(dir, real)
		}
	}
	return false
}

// below reports whether a file, given without symbolic links, is in a directory.
func below(dir, real string) bool {
	if dir == "" {
		return false
	}
	top, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	rel, ok := inside(top, real)
	return ok && !inGit(rel)
}

// inGit tells the files of version control itself, with the tokens in them.
func inGit(rel string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	return first == ".git"
}
