package workspace

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/tools/go/packages"
)

// ErrNotInProgram is returned for a file of no package that the program is
// built from.
var ErrNotInProgram = errors.New("belongs to no package of the program")

// opened are the dependencies that were read from their source. Their types are
// a world of their own: nothing that others hold may change under them.
type opened struct {
	mu       sync.Mutex
	packages map[string]*packages.Package // by import path
	exported map[string]*types.Package
}

// Open returns the package of the program that holds a file (absolute path) and
// the file's syntax. A dependency's, or one of the standard library, is read
// from its source when it is first asked for, which may take a second.
//
// Objects of such a package are not those of the user's packages: compare them
// by name. It may be called from several goroutines.
func (c *Code) Open(ctx context.Context, file string) (*packages.Package, *ast.File, error) {
	if pkg, syntax, ok := c.FileOf(file); ok {
		return pkg, syntax, nil
	}
	m := c.metaOf(file)
	if m == nil {
		return nil, nil, fmt.Errorf("%s %w", filepath.Base(file), ErrNotInProgram)
	}
	pkg, err := c.open(ctx, m)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range pkg.Syntax {
		if c.Fset.PositionFor(f.FileStart, false).Filename == file {
			return pkg, f, nil
		}
	}
	return nil, nil, fmt.Errorf("%s %w", filepath.Base(file), ErrNotInProgram)
}

// With returns the code with the package of a file as if it were the user's, and
// that package. The receiver stays as it is.
func (c *Code) With(ctx context.Context, file string) (*Code, *packages.Package, error) {
	pkg, _, err := c.Open(ctx, file)
	if err != nil {
		return nil, nil, err
	}
	return &Code{Fset: c.Fset, Packages: append(slices.Clip(c.Packages), pkg), Dirs: c.Dirs, loader: c.loader}, pkg, nil
}

// Sources lists the Go files of all packages that the program is built from, the
// standard library's too.
func (c *Code) Sources() []string {
	var files []string
	if c.loader != nil {
		for _, m := range c.loader.order {
			files = append(files, m.files()...)
		}
	}
	return files
}

// metaOf finds the package that is built from a file; nil when none is.
func (c *Code) metaOf(file string) *meta {
	if c.loader == nil {
		return nil
	}
	dir := filepath.Dir(file)
	for _, m := range c.loader.metas {
		if m.Dir != dir {
			continue
		}
		for _, f := range m.files() {
			if f == file {
				return m
			}
		}
	}
	return nil
}

func (c *Code) open(ctx context.Context, m *meta) (*packages.Package, error) {
	c.opened.mu.Lock()
	defer c.opened.mu.Unlock()
	if pkg := c.opened.packages[m.ImportPath]; pkg != nil {
		return pkg, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.opened.packages == nil {
		c.opened.packages, c.opened.exported = map[string]*packages.Package{}, map[string]*types.Package{}
	}
	l := &loader{w: c.loader.w, spec: c.loader.spec, code: &Code{Fset: c.Fset}, metas: c.loader.metas,
		source: map[string]*types.Package{}, exported: c.opened.exported}
	l.check(m)
	pkg := l.code.Packages[0]
	c.opened.packages[m.ImportPath] = pkg
	return pkg, nil
}
