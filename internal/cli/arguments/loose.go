package arguments

import (
	"errors"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/engine/options"
)

// TakeLoose makes a session of .go files that are in no module, as go run takes
// them: those that are named, or those of a directory. The files are built where
// they are; the program runs where the person is.
func TakeLoose(o *options.Session) error {
	dir, files, err := looseFiles(o.Target.Dir, o.Target.Package, o.Target.Test)
	if err != nil || len(files) == 0 {
		return err
	}
	if o.Target.WorkDir == "" && !o.Target.Test {
		o.Target.WorkDir = o.Target.Dir
	} else if o.Target.WorkDir != "" && !filepath.IsAbs(o.Target.WorkDir) {
		o.Target.WorkDir = filepath.Join(o.Target.Dir, o.Target.WorkDir)
	}
	o.Target.Dir, o.Target.Package = dir, strings.Join(files, " ")
	return nil
}

// looseFiles are the names of the files that pkg means, and their directory; none
// where that is in a module, or where pkg is an import path.
func looseFiles(from, pkg string, test bool) (dir string, files []string, err error) {
	named := strings.Fields(pkg)
	if !strings.HasSuffix(pkg, ".go") {
		named = nil
	}
	dir = pkg
	if len(named) > 0 {
		dir = filepath.Dir(named[0])
	} else if !build.IsLocalImport(pkg) && !filepath.IsAbs(pkg) {
		return "", nil, nil
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(from, dir)
	}
	if InModule(dir) {
		return "", nil, nil
	}
	for _, f := range named {
		files = append(files, filepath.Base(f))
	}
	if len(files) > 0 {
		return dir, files, nil
	}
	p, err := build.ImportDir(dir, 0)
	var none *build.NoGoError
	switch {
	case errors.As(err, &none):
		return "", nil, nil // who looks for commands says what there is
	case err != nil:
		return "", nil, err
	}
	files = slices.Concat(p.GoFiles, p.CgoFiles)
	if test {
		files = append(files, p.TestGoFiles...)
	}
	return dir, files, nil
}

// InModule reports whether a go.mod or a go.work is in the directory or above it.
func InModule(dir string) bool {
	for ; ; dir = filepath.Dir(dir) {
		for _, name := range []string{"go.mod", "go.work"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return true
			}
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
