package verify

import (
	"context"
	"path"
	"path/filepath"
	"slices"

	"github.com/pausetui/pausetui/verify/effect"
)

// shared says where else the program uses a function in which a point makes up an answer.
func shared(ctx context.Context, a *patched, p effect.Point) string {
	own, _ := a.packageFiles(path.Dir(p.File))
	return effect.Shared(own, importing(ctx, a, path.Dir(p.File)), p, a.v.callsOf(p))
}

// importing are the files of the user's packages that import the one in a directory, as they
// were.
func importing(ctx context.Context, a *patched, dir string) map[string]string {
	found := map[string]string{}
	packages, err := a.v.testPackages(ctx)
	if err != nil {
		return found
	}
	from := ""
	for _, p := range packages {
		if filepath.Clean(p.Dir) == filepath.Clean(a.v.subject.Workspace.Abs(dir)) {
			from = p.ImportPath
		}
	}
	for _, p := range packages {
		if from == "" {
			break
		}
		before, _ := a.packageFiles(a.v.subject.Workspace.Rel(p.Dir))
		for file, text := range before {
			if importedBy(slices.Values([]string{text}))[from] {
				found[file] = text
			}
		}
	}
	return found
}
