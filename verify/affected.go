package verify

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/source/build"
)

// testPackages lists the packages of the user's modules, once a stop.
func (v *Verifier) testPackages(ctx context.Context) ([]build.TestPackage, error) {
	return v.packages.Get(ctx, func(ctx context.Context) ([]build.TestPackage, error) {
		var patterns []string
		for _, m := range v.Subject.Workspace.Modules {
			if !m.ReadOnly { // no candidate touches it, and it imports none of the others
				patterns = append(patterns, m.Path+"/...")
			}
		}
		if len(patterns) == 0 {
			return nil, nil
		}
		return build.TestPackages(ctx, v.Patiently(), patterns)
	})
}

// affected returns the packages with tests that a change of the files can
// reach, in groups: those that hold the files; of those that depend on them, the
// ones in stackDirs; the others. Within a group they are ordered by how much they
// depend on. A test file reaches the tests of its own package only.
func affected(packages []build.TestPackage, files, stackDirs []string) [][]build.TestPackage {
	var tests, others []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			tests = append(tests, file)
		} else {
			others = append(others, file)
		}
	}
	touched, reached := holders(packages, files), holders(packages, others)
	tested := holders(packages, tests) // maybe for the first time
	groups := make([][]build.TestPackage, 3)
	for _, p := range packages {
		group := 2
		switch {
		case !p.HasTests && !tested[p.ImportPath]:
			continue
		case touched[p.ImportPath]:
			group = 0
		case !slices.ContainsFunc(p.Deps, func(d string) bool { return reached[d] }):
			continue
		case slices.Contains(stackDirs, p.Dir):
			group = 1
		}
		groups[group] = append(groups[group], p)
	}
	for _, g := range groups {
		slices.SortStableFunc(g, func(a, b build.TestPackage) int { return cmp.Compare(len(a.Deps), len(b.Deps)) })
	}
	return slices.DeleteFunc(groups, func(g []build.TestPackage) bool { return len(g) == 0 })
}

// holders are the import paths of the packages of files.
func holders(packages []build.TestPackage, files []string) map[string]bool {
	found := map[string]bool{}
	for _, file := range files {
		if p, ok := holder(packages, file); ok {
			found[p.ImportPath] = true
		}
	}
	return found
}

// holder returns the package of a file: the one of its directory, or, for what
// is embedded or read by tests, of the nearest one above.
func holder(packages []build.TestPackage, file string) (build.TestPackage, bool) {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		for _, p := range packages {
			if p.Dir == dir {
				return p, true
			}
		}
		if strings.HasSuffix(file, ".go") || dir == filepath.Dir(dir) {
			return build.TestPackage{}, false
		}
	}
}

// apart reports whether a Go file is in a package that neither the candidate's program is
// built from, nor a test that is run for it. A test file is a part of its package's own.
func apart(ctx context.Context, a *attempt, file string) bool {
	file = filepath.Clean(a.v.Subject.Workspace.Abs(file))
	if strings.HasSuffix(file, "_test.go") || len(a.built.Dirs) == 0 || slices.Contains(a.built.Dirs, filepath.Dir(file)) {
		return false
	}
	packages, err := a.v.testPackages(ctx)
	return err == nil && len(affected(packages, []string{file}, nil)) == 0
}
