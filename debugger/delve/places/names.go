package places

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// Functions lists the names of the target's functions that a regular
// expression matches, sorted.
func (pl *Locator) Functions(ctx context.Context, filter string) ([]string, error) {
	return pl.names(ctx, func(ctx context.Context) ([]string, error) {
		out, err := rpc.Call[rpc2.ListFunctionsOut](ctx, pl.srv.Client, "ListFunctions", rpc2.ListFunctionsIn{Filter: filter})
		return out.Funcs, err
	})
}

// Types lists the names of types, sorted.
func (pl *Locator) Types(ctx context.Context, filter string) ([]string, error) {
	return pl.names(ctx, func(ctx context.Context) ([]string, error) {
		out, err := rpc.Call[rpc2.ListTypesOut](ctx, pl.srv.Client, "ListTypes", rpc2.ListTypesIn{Filter: filter})
		return out.Types, err
	})
}

// Sources lists the source files that the target was built of, sorted.
func (pl *Locator) Sources(ctx context.Context, filter string) ([]string, error) {
	return pl.names(ctx, func(ctx context.Context) ([]string, error) {
		out, err := rpc.Call[rpc2.ListSourcesOut](ctx, pl.srv.Client, "ListSources", rpc2.ListSourcesIn{Filter: filter})
		return out.Sources, err
	})
}

func (pl *Locator) names(ctx context.Context, list func(context.Context) ([]string, error)) (names []string, err error) {
	err = pl.srv.Do(ctx, func(ctx context.Context) error {
		names, err = list(ctx)
		return err
	})
	slices.Sort(names)
	return names, err
}

// Packages lists the packages that the target was built of, sorted by path. Those that
// Delve leaves out, because their line table begins with generated code, are known by
// their functions, and have no directory.
func (pl *Locator) Packages(ctx context.Context, filter string) (list []debugger.Package, err error) {
	pattern, err := regexp.Compile(filter)
	if err != nil {
		return nil, err
	}
	dirs := map[string]string{}
	err = pl.srv.Do(ctx, func(ctx context.Context) error {
		functions, err := rpc.Call[rpc2.ListFunctionsOut](ctx, pl.srv.Client, "ListFunctions", rpc2.ListFunctionsIn{})
		if err != nil {
			return err
		}
		for _, name := range functions.Funcs {
			if path := PackageOf(name); path != "" {
				dirs[path] = ""
			}
		}
		out, err := rpc.Call[rpc2.ListPackagesBuildInfoOut](ctx, pl.srv.Client, "ListPackagesBuildInfo", rpc2.ListPackagesBuildInfoIn{})
		for _, p := range out.List {
			dirs[p.ImportPath] = p.DirectoryPath
		}
		return err
	})
	for _, path := range slices.Sorted(maps.Keys(dirs)) {
		if pattern.MatchString(path) {
			list = append(list, debugger.Package{Path: path, Dir: dirs[path]})
		}
	}
	return list, err
}

// PackageOf is the path of the package that a function is in, by the linker's name, in
// which the path's last element has no dots; empty for functions that are of no package.
func PackageOf(linked string) string {
	head, _, _ := strings.Cut(linked, "[") // type arguments have paths of their own
	last := strings.LastIndexByte(head, '/') + 1
	dot := strings.IndexByte(head[last:], '.')
	if dot < 0 {
		return ""
	}
	path := head[:last+dot]
	if path == "go" || strings.ContainsAny(path, ":( ") { // the compiler's own: "go.(*struct { … }).M", "type:.eq.T"
		return ""
	}
	return debugger.Unescaped(path)
}
