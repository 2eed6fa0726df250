package execute

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/verify/subject"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// required are the parts of the module cache that belong to the unpatched program: the
// directories of the modules that the user's modules require, or that it is linked from,
// and what a go command that a test runs looks up before it takes one.
func required(s subject.Subject, dirs goDirs) []string {
	if dirs.Modules == "" {
		return nil
	}
	var names []string
	for _, m := range s.Workspace.Modules {
		if !m.ReadOnly { // of others, what the program is linked from
			names = append(names, requirements(filepath.Join(m.Dir, "go.mod"))...)
		}
	}
	for _, dir := range append(dependencies(s.Binary), dirs.Root) { // Root may be a toolchain that was downloaded
		if name := cachedModule(dirs.Modules, dir); name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var parts []string
	for _, name := range slices.Compact(names) {
		path, _, _ := strings.Cut(name, "@")
		parts = append(parts, filepath.Join(dirs.Modules, name), filepath.Join(dirs.Modules, "cache", "download", path, "@v"))
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}

// requirements names the modules of a go.mod as the module cache does: path@version.
func requirements(file string) []string {
	text, err := regular.Read(file)
	if err != nil {
		return nil
	}
	mod, err := modfile.Parse(file, text, nil)
	if err != nil {
		return nil
	}
	var versions []module.Version
	for _, r := range mod.Require {
		versions = append(versions, r.Mod)
	}
	for _, r := range mod.Replace {
		versions = append(versions, r.New)
	}
	var names []string
	for _, m := range versions {
		path, err1 := module.EscapePath(m.Path)
		version, err2 := module.EscapeVersion(m.Version)
		if err1 == nil && err2 == nil { // not of a replacement that is a directory
			names = append(names, path+"@"+version)
		}
	}
	return names
}

// cachedModule names the module of the cache in which a directory lies; empty for none.
func cachedModule(cache, dir string) string {
	rel, err := filepath.Rel(cache, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	path, rest, ok := strings.Cut(filepath.ToSlash(rel), "@")
	if !ok || strings.HasPrefix(path, "cache/") {
		return ""
	}
	version, _, _ := strings.Cut(rest, "/")
	return path + "@" + version
}
