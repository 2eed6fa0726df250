package workspace

import (
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"

	"github.com/pausetui/pausetui/internal/regular"
)

// localReplacements returns the modules that a go.mod or go.work file replaces by
// directories. Unreadable files have none: the go command will say what is
// wrong with them.
func localReplacements(file string) []Module {
	if !named(file) {
		return nil
	}
	data, err := regular.Read(file)
	if err != nil {
		return nil
	}
	var mods []Module
	for _, r := range replacements(file, data) {
		if r.New.Version != "" { // a module, not a directory
			continue
		}
		target := r.New.Path
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(file), target)
		}
		if info, err := os.Stat(filepath.Join(target, "go.mod")); err == nil && info.Mode().IsRegular() {
			mods = append(mods, Module{Path: r.Old.Path, Dir: filepath.Clean(target)})
		}
	}
	return mods
}

// replacements reads the replace directives of a file.
func replacements(file string, data []byte) []*modfile.Replace {
	if filepath.Ext(file) == ".mod" {
		// Lax parsing, which a future directive does not fail, leaves them out.
		if mod, err := modfile.Parse(file, data, nil); err == nil {
			return mod.Replace
		}
		return nil
	}
	if work, err := modfile.ParseWork(file, data, nil); err == nil {
		return work.Replace
	}
	return nil
}

// DebugPatterns returns the package patterns of the user's modules, for the
// compiler flags that keep them debuggable.
func (w Workspace) DebugPatterns() []string {
	patterns := make([]string, len(w.Modules))
	for i, m := range w.Modules {
		patterns[i] = m.Path + "/..."
	}
	return patterns
}

// UserDirs returns the directories of the user's modules.
func (w Workspace) UserDirs() []string {
	dirs := make([]string, len(w.Modules))
	for i, m := range w.Modules {
		dirs[i] = m.Dir
	}
	return dirs
}
