package workspace

import (
	"context"
	"fmt"
	"go/token"

	"golang.org/x/tools/go/packages"
)

// LoadSpec says what to load.
type LoadSpec struct {
	Dir      string   // where the go command runs
	Patterns []string // packages as the go command takes them
	Tags     string
	Env      []string // nil means this process's
	Overlay  map[string]string
	Tests    bool
}

// Load loads syntax and types of the user's packages among the patterns and
// their dependencies; other packages come from export data. Type errors do not
// fail it: Code holds what could be made out.
func (w Workspace) Load(ctx context.Context, spec LoadSpec) (*Code, error) {
	code := &Code{Fset: token.NewFileSet()}
	config := &packages.Config{
		Context: ctx, Dir: spec.Dir, Env: spec.Env, Fset: code.Fset, Tests: spec.Tests,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax | packages.NeedTypesSizes | packages.NeedModule | packages.NeedExportFile,
	}
	if spec.Tags != "" {
		config.BuildFlags = append(config.BuildFlags, "-tags="+spec.Tags)
	}
	if len(spec.Overlay) > 0 {
		config.Overlay = map[string][]byte{}
		for file, text := range spec.Overlay {
			config.Overlay[file] = []byte(text)
		}
	}
	patterns, err := w.userPackages(ctx, spec)
	if err != nil {
		return nil, err
	}
	// Without NeedDeps, only the packages named get syntax; the others' types
	// are read from export data, which the build has left in the cache.
	config.Mode &^= packages.NeedDeps
	list, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, fmt.Errorf("load %q: %w", spec.Patterns, err)
	}
	for _, pkg := range list {
		if len(pkg.Syntax) > 0 {
			code.Packages = append(code.Packages, pkg)
		}
	}
	return code, nil
}

// userPackages lists the user's packages that the patterns need.
func (w Workspace) userPackages(ctx context.Context, spec LoadSpec) ([]string, error) {
	config := &packages.Config{
		Context: ctx, Dir: spec.Dir, Env: spec.Env, Tests: false,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps,
	}
	if spec.Tags != "" {
		config.BuildFlags = append(config.BuildFlags, "-tags="+spec.Tags)
	}
	roots, err := packages.Load(config, spec.Patterns...)
	if err != nil {
		return nil, fmt.Errorf("list %q: %w", spec.Patterns, err)
	}
	var patterns []string
	packages.Visit(roots, nil, func(p *packages.Package) {
		if len(p.GoFiles) > 0 && w.Owns(p.GoFiles[0]) && p.PkgPath != "command-line-arguments" {
			patterns = append(patterns, p.PkgPath)
		}
	})
	if len(patterns) == 0 {
		return spec.Patterns, nil
	}
	return patterns, nil
}
