package verify

import (
	"context"
	"maps"
	"path"
	"path/filepath"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/review"
)

// shared says where else the program uses a function in which a point makes up an answer.
func shared(ctx context.Context, a *patched, p effect.Point) string {
	own, _ := a.packageFiles(path.Dir(p.File))
	others, from := importing(ctx, a, path.Dir(p.File))
	return review.Shared(own, others, from, p, callsOf(a.v, p))
}

// importing are the files of each of the user's packages that import the one in a directory,
// as they were, and the path by which they do.
func importing(ctx context.Context, a *patched, dir string) (found []map[string]string, from string) {
	packages, err := a.v.testPackages(ctx)
	if err != nil {
		return nil, ""
	}
	for _, p := range packages {
		if filepath.Clean(p.Dir) == filepath.Clean(a.v.Subject.Workspace.Abs(dir)) {
			from = p.ImportPath
		}
	}
	for _, p := range packages {
		before, _ := a.packageFiles(a.v.Subject.Workspace.Rel(p.Dir))
		if importedBy(maps.Values(before))[from] {
			found = append(found, before)
		}
	}
	return found, from
}
