package subject

import (
	gobuild "go/build"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/source/build"
)

// A program may be named by its files. The go command then builds these, whatever
// their names and constraints say, and no others of their directory's main package.

// IsNamed reports whether the program is named by this file, absolute and clean.
func (v *Target) IsNamed(file string) bool {
	return slices.ContainsFunc(build.NamedFiles(v.Subject.Build), func(n string) bool {
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

// Takes reports whether builds take part of a file, absolute and clean, into the
// program or a package of it. Where that cannot be told, they do.
func (v *Target) Takes(builds gobuild.Context, file, text string) bool {
	if v.IsNamed(file) {
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
func (v *Target) isBesideNamed(file, text string) bool {
	named := build.NamedFiles(v.Subject.Build)
	if !slices.ContainsFunc(named, func(n string) bool { return sameDir(filepath.Dir(n), filepath.Dir(file)) }) {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly)
	return err == nil && f.Name.Name == "main"
}

// ReachesTests drops the files that are built only because they are named: the tests
// of their directory are built without them.
func (v *Target) ReachesTests(files []string) []string {
	builds := v.Builds()
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		dir, name := filepath.Split(file)
		built, err := builds.MatchFile(dir, name)
		return v.IsNamed(file) && err == nil && !built
	})
}

// Builds says which files are built into the program.
func (v *Target) Builds() gobuild.Context {
	builds := gobuild.Default
	builds.BuildTags = strings.FieldsFunc(v.Subject.Build.Tags, func(r rune) bool { return r == ',' || r == ' ' })
	return builds
}

// IsBuiltAs reports whether a Go file with that text takes part in builds with the
// subject's tags, and these.
func (v *Target) IsBuiltAs(file, text string, tags ...string) bool {
	builds := v.Builds()
	builds.BuildTags = append(builds.BuildTags, tags...)
	builds.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
	return v.Takes(builds, filepath.Clean(v.Subject.Workspace.Abs(file)), text)
}

// Source returns a file as it is under the overlays.
func (v *Target) Source(file string, overlay map[string]string) (string, error) {
	for _, o := range []map[string]string{overlay, v.Subject.Build.Overlay} {
		if text, ok := o[file]; ok {
			return text, nil
		}
	}
	text, err := regular.Read(file)
	return string(text), err
}
