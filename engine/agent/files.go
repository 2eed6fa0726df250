package agent

import (
	"errors"
	"fmt"
	"go/build"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
)

// maxSource bounds a source file that is read, in bytes.
const maxSource = 4 << 20

// errOutside is returned for a file that is none of the program's sources.
var errOutside = errors.New("only Go files of the program, its dependencies and the standard library can be read")

// files are the Go files that may be read: those of the user's modules, and of
// the packages that the program is built from. Nothing else is opened, whatever
// a name, a symbolic link or a path with dots in it says.
type files struct {
	ws     workspace.Workspace
	home   string            // directory of the function that stopped
	dirs   map[string]string // by import path
	real   map[string]bool   // the same directories, without symbolic links
	roots  []string          // the user's modules in the repository, without symbolic links
	parsed map[string][]*file
	screen Screen
	shown  map[string]map[int]string // lines without secrets, by the texts of files
}

func newFiles(c evidence.Case, screen Screen) *files {
	f := &files{ws: c.Workspace, dirs: map[string]string{}, real: map[string]bool{}, parsed: map[string][]*file{}, screen: screen, shown: map[string]map[int]string{}}
	if fr, ok := culprit(c.Stop); ok {
		f.home = filepath.Dir(fr.File)
	}
	if c.Code != nil {
		f.dirs = c.Code.Dirs
	}
	for _, dir := range f.dirs {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			f.real[real] = true
		}
	}
	for _, m := range c.Workspace.Modules {
		if m.ReadOnly { // of these only packages of the program
			continue
		}
		if real, err := filepath.EvalSymlinks(m.Dir); err == nil {
			f.roots = append(f.roots, real)
		}
	}
	return f
}

// read returns the text of a Go file that may be read.
func (f *files) read(name string) (string, error) {
	name = filepath.Clean(name)
	if filepath.Ext(name) != ".go" || !filepath.IsAbs(name) {
		return "", errOutside
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil || filepath.Ext(real) != ".go" || !f.allowed(real) {
		return "", errOutside // also where there is none: the error does not say what exists elsewhere
	}
	data, err := regular.ReadUpTo(real, maxSource)
	switch {
	case errors.Is(err, regular.ErrNotRegular):
		return "", errOutside
	case errors.Is(err, regular.ErrTooLarge):
		return "", fmt.Errorf("%s is larger than %d bytes", f.short(name), maxSource)
	case err != nil:
		return "", fmt.Errorf("%s cannot be read", f.short(name))
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n"), nil
}

// lines are the lines of a file's text as they are shown.
func (f *files) lines(text string) map[int]string {
	if f.shown[text] == nil {
		f.shown[text] = f.screen.Lines(text)
	}
	return f.shown[text]
}

// allowed reports whether a file, given without symbolic links, is one of the
// program's sources.
func (f *files) allowed(real string) bool {
	if f.real[filepath.Dir(real)] {
		return true
	}
	for _, root := range f.roots {
		rel, err := filepath.Rel(root, real)
		if err == nil && filepath.IsLocal(rel) && !hidden(rel) {
			return true
		}
	}
	return false
}

// hidden tells files that no build of the module takes: those in directories
// that the go command passes over.
func hidden(rel string) bool {
	dirs := strings.Split(filepath.ToSlash(filepath.Dir(rel)), "/")
	return slices.ContainsFunc(dirs, func(d string) bool {
		return d != "." && strings.HasPrefix(d, ".") || strings.HasPrefix(d, "_") || d == "vendor"
	})
}

// short is how a file is named to a model: relative to the module, or by its
// import path. A model names it the same way.
func (f *files) short(name string) string {
	if f.ws.Owns(name) {
		return f.ws.Rel(name)
	}
	dir := filepath.Dir(name)
	for pkg, d := range f.dirs {
		if d == dir {
			return path.Join(pkg, filepath.Base(name))
		}
	}
	return filepath.Base(name)
}

func (f *files) place(name string, line int) string {
	if name == "" {
		return "an unknown place"
	}
	return fmt.Sprintf("%s:%d", prompts.OneLine(f.short(name)), line)
}

// find returns the file that a model names: a path below the module, an import
// path with a file, or a file's name alone where only one has it.
func (f *files) find(name string) (string, error) {
	if filepath.IsAbs(name) {
		return name, nil // read says whether it may be
	}
	name = path.Clean(filepath.ToSlash(name))
	if !filepath.IsLocal(name) {
		return "", errOutside // whether it is there or not
	}
	if own := f.ws.Abs(name); exists(own) {
		return own, nil
	}
	if dir, ok := f.dirs[path.Dir(name)]; ok {
		return filepath.Join(dir, path.Base(name)), nil
	}
	if near := filepath.Join(f.home, name); path.Base(name) == name && exists(near) {
		return near, nil
	}
	var found []string
	for _, dir := range f.own() {
		if file := filepath.Join(dir, path.Base(name)); exists(file) && strings.HasSuffix("/"+filepath.ToSlash(file), "/"+name) {
			found = append(found, file)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("there is no file %q in the program", shorten(name))
	case 1:
		return found[0], nil
	}
	for i := range found {
		found[i] = f.short(found[i])
	}
	return "", fmt.Errorf("which one? %s", strings.Join(found, ", "))
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// own lists the directories of the user's packages, sorted, that of the
// function that stopped first.
func (f *files) own() []string {
	var dirs []string
	for _, dir := range f.dirs {
		if f.ws.Owns(filepath.Join(dir, "x.go")) && dir != f.home && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	if f.home != "" && f.ws.Owns(filepath.Join(f.home, "x.go")) {
		dirs = append([]string{f.home}, dirs...)
	}
	return dirs
}

// goFiles lists the Go files of a directory that a build takes; tests only in
// the user's own.
func (f *files) goFiles(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") && !f.ws.Owns(name) {
			continue
		}
		if ok, err := build.Default.MatchFile(dir, e.Name()); err == nil && ok {
			names = append(names, name)
		}
	}
	return names
}
