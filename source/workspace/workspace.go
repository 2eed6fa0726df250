// Package workspace knows the user's modules: which files are theirs, which may be
// edited, and their syntax and types.
//
// Index is the one index of the user's code for prompts and the diagnosis: who writes a
// field, who calls, who creates a value of a type, where a call leads.
//
// The user's modules are the main module, its go.work siblings, and the
// directories that replace others. One outside of the repository is only read, and
// no more than what the program is built from: its frames are the user's, its files
// are not changed.
package workspace

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Module is one module of the user's.
type Module struct {
	Path string `json:"path"`
	Dir  string `json:"dir"` // absolute
	Main bool   `json:"main,omitempty"`
	// ReadOnly: it lies outside of the repository, and of the directory of go.work. What
	// the program is built from in it is explained and debugged, and never changed.
	ReadOnly bool `json:"read_only,omitempty"`
}

// Outside says why nothing is changed in a module that is read only, and what would
// change that.
func (m Module) Outside() string {
	return fmt.Sprintf("module %s, outside of this repository, where nothing is changed: a go.work in a directory above both, which uses both, lets it be changed", m.Path)
}

// Workspace is a set of the user's modules; the zero value owns nothing.
type Workspace struct {
	Dir     string   `json:"dir"`  // where it was looked up from, absolute
	Root    string   `json:"root"` // the main module's directory, or that of go.work; paths shown and stored are relative to it
	Modules []Module `json:"modules"`
	GoMod   string   `json:"go_mod,omitempty"`
	// Go is the toolchain's version, "go1.26.8".
	Go string `json:"go"`
	// GoRoot is the toolchain's directory, ModCache that of the dependencies.
	// They are this machine's, and are not recorded.
	GoRoot   string `json:"-"`
	ModCache string `json:"-"`
}

// MainPath is the path of the module in the root; of a go.work without one, that
// of its first module. Empty without modules.
func (w Workspace) MainPath() string {
	if len(w.Modules) == 0 {
		return ""
	}
	return w.Modules[0].Path // mainFirst
}

// ModuleOf returns the user's module that holds the file; false when the file
// is not the user's, for instance because it lies in a vendor directory.
func (w Workspace) ModuleOf(file string) (Module, bool) {
	var best Module
	for _, m := range w.Modules {
		rel, ok := inside(m.Dir, file)
		if ok && !vendored(rel) && len(m.Dir) > len(best.Dir) {
			best = m
		}
	}
	return best, best.Dir != ""
}

// Owns reports whether the file belongs to one of the user's modules.
func (w Workspace) Owns(file string) bool {
	_, ok := w.ModuleOf(file)
	return ok
}

// ImportPath is that of the package in a directory, which need not be there;
// empty outside of the user's modules.
func (w Workspace) ImportPath(dir string) string {
	m, ok := w.ModuleOf(filepath.Join(dir, "x.go"))
	if !ok {
		return ""
	}
	rel, err := filepath.Rel(m.Dir, dir)
	if err != nil {
		return ""
	}
	return path.Join(m.Path, filepath.ToSlash(rel))
}

// PackageDir is the directory of a package of the user's, by its import path, if it
// is there; empty otherwise. It is the inverse of ImportPath.
func (w Workspace) PackageDir(pkg string) string {
	best := Module{}
	for _, m := range w.Modules {
		if strings.HasPrefix(pkg+"/", m.Path+"/") && len(m.Path) > len(best.Path) {
			best = m
		}
	}
	if best.Dir == "" {
		return ""
	}
	dir := filepath.Join(best.Dir, filepath.FromSlash(strings.TrimPrefix(pkg, best.Path)))
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return ""
	}
	return dir
}

// Rel returns the file's path relative to the root, with slashes ("../lib/a.go"
// in another of the user's modules); any other file keeps its absolute path.
func (w Workspace) Rel(file string) string {
	if rel, ok := inside(w.Root, file); ok {
		return filepath.ToSlash(rel)
	}
	if w.Owns(file) {
		if rel, err := filepath.Rel(w.Root, file); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return file
}

// Abs is the inverse of Rel.
func (w Workspace) Abs(rel string) string {
	if filepath.IsAbs(rel) {
		return rel
	}
	return filepath.Join(w.Root, filepath.FromSlash(rel))
}

// inside returns file relative to dir, if it lies in it. Both must be absolute.
func inside(dir, file string) (string, bool) {
	if dir == "" {
		return "", false
	}
	rel, err := filepath.Rel(dir, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return rel, true
}

func vendored(rel string) bool {
	return strings.HasPrefix(filepath.ToSlash(rel), "vendor/")
}
