package verify

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
)

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
