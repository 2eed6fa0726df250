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
	return v.packages.get(ctx, func(ctx context.Context) ([]build.TestPackage, error) {
		var patterns []string
		for _, m := range v.subject.Workspace.Modules {
			patterns = append(patterns, m.Path+"/...")
		}
		if len(patterns) == 0 {
			return nil, nil
		}
		return build.TestPackages(ctx, v.patiently(), patterns)
	})
}

// affected returns the packages with tests that a change of the files can
// reach, those that hold the files first, then the others by how much they
// depend on. A test file reaches the tests of its own package only.
func affected(packages []build.TestPackage, files []string) []build.TestPackage {
	touched, reached := map[string]bool{}, map[string]bool{}
	for _, file := range files {
		p, ok := holder(packages, file)
		if !ok {
			continue
		}
		touched[p.ImportPath] = true
		if !strings.HasSuffix(file, "_test.go") {
			reached[p.ImportPath] = true
		}
	}
	var found []build.TestPackage
	for _, p := range packages {
		depends := slices.ContainsFunc(p.Deps, func(d string) bool { return reached[d] })
		if p.HasTests && (touched[p.ImportPath] || depends) {
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, func(a, b build.TestPackage) int {
		if touched[a.ImportPath] != touched[b.ImportPath] {
			if touched[a.ImportPath] {
				return -1
			}
			return 1
		}
		return cmp.Compare(len(a.Deps), len(b.Deps))
	})
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
