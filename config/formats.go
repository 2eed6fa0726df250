package config

import (
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/internal/regular"
)

// Bounds of the formats of a module's file: each is looked at for each value that is drawn.
const (
	maxFormats = 200
	maxPattern = 200 // bytes
)

// addFormats adds the formats of the module's file for which the user has none.
func (c *Config) addFormats(formats map[string]string) {
	if len(formats) > maxFormats {
		return // refuses says so
	}
	for pattern, how := range formats {
		if _, ok := c.Formats[pattern]; ok || len(pattern) > maxPattern {
			continue
		}
		if c.moduleFormats == nil {
			c.moduleFormats = map[string]bool{}
		}
		c.Formats[pattern], c.moduleFormats[pattern] = how, true
	}
}

// Format is how values are written: as the user says, and as the module does of its own
// types.
func (c Config) Format() (format.Formats, error) {
	own, module := map[string]string{}, map[string]string{}
	for pattern, how := range c.Formats {
		if c.moduleFormats[pattern] {
			module[pattern] = how
		} else {
			own[pattern] = how
		}
	}
	formats, err := format.Parse(own)
	if err != nil || len(module) == 0 {
		return formats, err
	}
	modules, others := modules(c.root)
	return formats.WithModule(modules, others, module)
}

// standard are the first elements of the standard library's paths. A module whose path begins with
// one is left out: its types have the same names as the library's.
var standard = strings.Fields(`archive bufio builtin bytes cmp compress container context crypto database debug embed encoding errors expvar
	flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv
	strings structs sync syscall testing text time unicode unique unsafe vendor weak arena simd`)

// modules returns the paths of the modules of a directory, and of the others that these require.
func modules(root string) (paths, others []string) {
	for _, dir := range moduleDirs(root) {
		data, err := regular.ReadIn(root, filepath.Join(dir, "go.mod"), maxFile)
		if err != nil {
			continue
		}
		mod, err := modfile.ParseLax("go.mod", data, nil)
		if err != nil || mod.Module == nil {
			continue
		}
		if first, _, _ := strings.Cut(mod.Module.Mod.Path, "/"); !slices.Contains(standard, first) {
			paths = append(paths, mod.Module.Mod.Path)
		}
		for _, required := range mod.Require {
			others = append(others, required.Mod.Path)
		}
	}
	return paths, slices.DeleteFunc(others, func(path string) bool { return slices.Contains(paths, path) })
}

// moduleDirs lists the directories of modules below a directory: itself, and those that its go.work
// uses.
func moduleDirs(root string) []string {
	dirs := []string{"."}
	data, err := regular.ReadIn(root, "go.work", maxFile)
	if err != nil {
		return dirs
	}
	work, err := modfile.ParseWork("go.work", data, nil)
	if err != nil {
		return dirs
	}
	for _, use := range work.Use[:min(len(work.Use), maxFormats)] {
		if filepath.IsLocal(use.Path) {
			dirs = append(dirs, use.Path)
		}
	}
	return dirs
}
