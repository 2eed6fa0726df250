package workspace

import (
	"path/filepath"

	"golang.org/x/mod/modfile"

	"github.com/pausetui/pausetui/internal/regular"
)

// localReplacements returns the modules that dir's go.mod replaces by
// directories. Unreadable files have none: the go command will say what is
// wrong with them.
func localReplacements(dir string) []Module {
	file := filepath.Join(dir, "go.mod")
	data, err := regular.Read(file)
	if err != nil {
		return nil
	}
	mod, err := modfile.ParseLax(file, data, nil)
	if err != nil {
		return nil
	}
	full, err := modfile.Parse(file, data, nil)
	if err == nil {
		mod = full
	}
	var mods []Module
	for _, r := range mod.Replace {
		if r.New.Version != "" { // a module, not a directory
			continue
		}
		target := r.New.Path
		if !filepath.IsAbs(target) {
			target = filepath.Join(dir, target)
		}
		mods = append(mods, Module{Path: r.Old.Path, Dir: filepath.Clean(target)})
	}
	return mods
}

// Replacements returns the directories, outside of the user's modules, that
// their go.mod files put in the place of others.
func (w Workspace) Replacements() []string {
	var dirs []string
	for _, m := range w.Modules {
		for _, r := range localReplacements(m.Dir) {
			if !w.Owns(filepath.Join(r.Dir, "go.mod")) {
				dirs = append(dirs, r.Dir)
			}
		}
	}
	return dirs
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
