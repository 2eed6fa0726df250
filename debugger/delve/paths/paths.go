package paths

import (
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/mod/module"
)

// Local is the source on this machine, to be found again in a target that was
// built elsewhere, or with -trimpath.
type Local struct {
	Modules  map[string]string // directories of the user's modules by their paths
	GoRoot   string
	ModCache string
	// Build is what the program says of itself; nil: it is asked.
	Build *debug.BuildInfo
	// Lines finds the place of an instruction where there is no debug information
	// to say it; nil: it is not asked.
	Lines func(pc uint64) (file string, line int)
	// Exists reports whether there is a file or directory.
	Exists func(path string) bool
}

// Package is a package of the target with the directory that it was built
// in: absolute, or as -trimpath has it.
type Package struct{ ImportPath, Dir string }

// Map maps the source paths of the target ("theirs") to those of this machine
// ("ours") and back. The zero value maps every path to itself.
type Map struct {
	given    []rule            // by the user, who knows better
	dirs     map[string]string // directories of packages
	prefixes []rule            // the longest first
	back     map[string]string
}

// rule maps what lies below a directory.
type rule struct{ theirs, ours string }

// Guess finds the source of the packages on this machine: the user's modules
// where the person stands, Go's own, and dependencies in the module cache.
func (l Local) Guess(packages []Package) Map {
	p := Map{dirs: map[string]string{}, back: map[string]string{}}
	seen := map[rule]bool{}
	for _, pkg := range packages {
		theirs := Slashed(pkg.Dir)
		if theirs == "" || theirs == "." || absolute(theirs) && l.Exists(pkg.Dir) {
			continue // it is where it was
		}
		root, rel, ok := l.find(pkg.ImportPath, theirs)
		if !ok {
			continue
		}
		ours := filepath.Join(root, filepath.FromSlash(rel))
		if !l.Exists(ours) {
			continue
		}
		if _, taken := p.back[ours]; taken {
			continue
		}
		p.dirs[theirs], p.back[ours] = ours, theirs
		base, below := strings.CutSuffix(theirs, "/"+rel)
		if rel == "" {
			base, below = theirs, true
		}
		if r := (rule{base, root}); below && base != "" && !seen[r] {
			seen[r] = true
			p.prefixes = append(p.prefixes, r)
		}
	}
	slices.SortStableFunc(p.prefixes, func(a, b rule) int { return len(b.theirs) - len(a.theirs) })
	return p
}

// find is where a package is on this machine: below root, at rel.
func (l Local) find(importPath, dir string) (root, rel string, ok bool) {
	if importPath == "main" || importPath == "command-line-arguments" {
		if l.Build == nil || l.Build.Path == "" || l.Build.Path == "command-line-arguments" {
			return l.byTail(dir)
		}
		importPath = l.Build.Path
	}
	importPath = strings.TrimSuffix(importPath, "_test")
	for mod, at := range l.Modules {
		if rest, below := inModule(importPath, mod); below && len(at) > len(root) {
			root, rel, ok = at, rest, true
		}
	}
	if ok {
		return root, rel, true
	}
	if first, _, _ := strings.Cut(importPath, "/"); !strings.Contains(first, ".") && l.GoRoot != "" {
		return filepath.Join(l.GoRoot, "src"), importPath, true
	}
	return l.dependency(importPath)
}

// dependency finds a package in the module cache, or in the vendor directory of
// a module of the user's.
func (l Local) dependency(importPath string) (root, rel string, ok bool) {
	if l.Build == nil {
		return "", "", false
	}
	longest := ""
	for _, dep := range l.Build.Deps {
		rest, below := inModule(importPath, dep.Path)
		if !below || len(dep.Path) < len(longest) {
			continue
		}
		from := dep
		if dep.Replace != nil {
			from = dep.Replace
		}
		escaped, err := module.EscapePath(from.Path)
		version, errVersion := module.EscapeVersion(from.Version)
		if err != nil || errVersion != nil || l.ModCache == "" {
			continue
		}
		longest, root, rel, ok = dep.Path, filepath.Join(l.ModCache, filepath.FromSlash(escaped)+"@"+version), rest, true
	}
	if ok && l.Exists(root) {
		return root, rel, true
	}
	for _, at := range l.Modules {
		if vendor := filepath.Join(at, "vendor"); l.Exists(filepath.Join(vendor, filepath.FromSlash(importPath))) {
			return vendor, importPath, true
		}
	}
	return root, rel, ok
}

// byTail finds a main package that does not say its path: the longest end of
// its directory that is one of the user's modules'.
func (l Local) byTail(dir string) (root, rel string, ok bool) {
	elements := strings.Split(strings.Trim(dir, "/"), "/")
	for i := range elements {
		tail := path.Join(elements[i:]...)
		for _, at := range l.Modules {
			if l.Exists(filepath.Join(at, filepath.FromSlash(tail))) {
				return at, tail, true
			}
		}
	}
	for _, at := range l.Modules { // the module's own directory, under another name
		if len(l.Modules) == 1 {
			return at, "", true
		}
	}
	return "", "", false
}

// inModule is the path of a package below its module.
func inModule(importPath, mod string) (rel string, ok bool) {
	if importPath == mod {
		return "", true
	}
	return strings.CutPrefix(importPath, mod+"/")
}

// any reports whether a path can differ from itself.
func (p Map) any() bool { return len(p.dirs) > 0 || len(p.given) > 0 }

// With returns the mapping with other rules of the user's: pairs of theirs and ours.
func (p Map) With(rules [][2]string) Map {
	p.given = nil
	for _, r := range rules {
		p.given = append(p.given, rule{theirs: strings.TrimRight(Slashed(r[0]), "/"), ours: filepath.Clean(r[1])})
	}
	slices.SortStableFunc(p.given, func(a, b rule) int { return len(b.theirs) - len(a.theirs) })
	return p
}

// ours is the path of the target's on this machine.
func (p Map) ours(file string) string {
	if !p.any() || file == "" {
		return file
	}
	theirs := Slashed(file)
	for _, r := range p.given {
		if rest, ok := strings.CutPrefix(theirs, r.theirs+"/"); ok {
			return filepath.Join(r.ours, filepath.FromSlash(rest))
		}
	}
	if dir, ok := p.dirs[path.Dir(theirs)]; ok {
		return filepath.Join(dir, path.Base(theirs))
	}
	for _, r := range p.prefixes {
		if rest, ok := strings.CutPrefix(theirs, r.theirs+"/"); ok {
			return filepath.Join(r.ours, filepath.FromSlash(rest))
		}
	}
	return file
}

// theirs is the path of this machine's in the target.
func (p Map) theirs(file string) string {
	if !p.any() || file == "" {
		return file
	}
	for _, r := range p.given {
		if rest, ok := strings.CutPrefix(file, strings.TrimSuffix(r.ours, string(filepath.Separator))+string(filepath.Separator)); ok {
			return unslashed(r.theirs, path.Join(r.theirs+"/", filepath.ToSlash(rest)))
		}
	}
	if dir, ok := p.back[filepath.Dir(file)]; ok {
		return unslashed(dir, path.Join(dir, filepath.Base(file)))
	}
	for _, r := range p.prefixes {
		if rest, ok := strings.CutPrefix(file, r.ours+string(filepath.Separator)); ok {
			return unslashed(r.theirs, path.Join(r.theirs, filepath.ToSlash(rest)))
		}
	}
	return file
}

// substitutions are the same as rules for Delve's own reading of locations:
// theirs and ours.
func (p Map) substitutions() [][2]string {
	var list, dirs [][2]string
	for _, r := range p.given {
		list = append(list, [2]string{unslashed(r.theirs, r.theirs), r.ours})
	}
	for ours, theirs := range p.back {
		dirs = append(dirs, [2]string{unslashed(theirs, theirs), ours})
	}
	slices.SortFunc(dirs, func(a, b [2]string) int { return len(b[0]) - len(a[0]) })
	list = append(list, dirs...)
	for _, r := range p.prefixes {
		list = append(list, [2]string{unslashed(r.theirs, r.theirs), r.ours})
	}
	return list
}

// windows tells the paths of Windows by their drive.
func windows(file string) bool {
	return len(file) >= 3 && file[1] == ':' && (file[2] == '\\' || file[2] == '/')
}

func absolute(file string) bool { return strings.HasPrefix(file, "/") || windows(file) }

// Slashed writes a path with slashes, whatever system it is of.
func Slashed(file string) string {
	if windows(file) {
		return strings.ReplaceAll(file, `\`, "/")
	}
	return file
}

// unslashed writes a path below a directory of Windows as that does.
func unslashed(dir, file string) string {
	if windows(dir) {
		return strings.ReplaceAll(file, "/", `\`)
	}
	return file
}
