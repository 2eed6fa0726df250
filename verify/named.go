package verify

import (
	gobuild "go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/source/build"
)

// A program may be named by its files. The go command then builds these, whatever
// their names and constraints say, and no others of their directory's main package.

// isNamed reports whether the program is named by this file, absolute and clean.
func (v *target) isNamed(file string) bool {
	return slices.ContainsFunc(build.NamedFiles(v.subject.Build), func(n string) bool {
		return n == file || filepath.Base(n) == filepath.Base(file) && sameDir(filepath.Dir(n), filepath.Dir(file))
	})
}

// sameDir compares directories that may be named through symbolic links.
func sameDir(a, b string) bool {
	if a == b {
		return true
	}
	ia, errA := os.Stat(a)
	ib, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(ia, ib)
}

// takes reports whether builds take part of a file, absolute and clean, into the
// program or a package of it. Where that cannot be told, they do.
func (v *target) takes(builds gobuild.Context, file, text string) bool {
	if v.isNamed(file) {
		return true
	}
	dir, name := filepath.Split(file)
	if built, err := builds.MatchFile(dir, name); err == nil && !built {
		return false
	}
	return strings.HasSuffix(name, "_test.go") || !v.isBesideNamed(file, text)
}

// isBesideNamed reports whether a file is left out because the program is named by
// others: nothing else can import a main package.
func (v *target) isBesideNamed(file, text string) bool {
	named := build.NamedFiles(v.subject.Build)
	if !slices.ContainsFunc(named, func(n string) bool { return sameDir(filepath.Dir(n), filepath.Dir(file)) }) {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly)
	return err == nil && f.Name.Name == "main"
}

// reachesTests drops the files that are built only because they are named: the tests
// of their directory are built without them.
func (v *target) reachesTests(files []string) []string {
	builds := v.builds()
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		dir, name := filepath.Split(file)
		built, err := builds.MatchFile(dir, name)
		return v.isNamed(file) && err == nil && !built
	})
}
