package execute

import (
	"context"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

// certainRuns is how often a program in which chance may decide has to stop before it is
// taken for one that stops in every run.
const certainRuns = 3 * AtOnce

// Chance reports whether the order of a map, random numbers, or which of several channels is
// ready may decide what the program does, or the clock what the packages do that it stopped in.
func (v *Runner) Chance(ctx context.Context) bool {
	found, err := v.byChance.Get(ctx, func(ctx context.Context) (bool, error) {
		if v.Subject.Code == nil {
			return false, nil
		}
		code, err := v.Subject.Code(ctx)
		if err != nil {
			return false, err
		}
		stopped := map[*packages.Package]bool{}
		for _, f := range v.Subject.Stop.Frames {
			if pkg, _, ok := code.FileOf(f.File); ok && v.Own(f) {
				stopped[pkg] = true
			}
		}
		return slices.ContainsFunc(code.Packages, func(pkg *packages.Package) bool {
			return slices.ContainsFunc(pkg.Syntax, func(file *ast.File) bool { return variesIn(pkg.TypesInfo, file, stopped[pkg]) })
		}), nil
	})
	return err == nil && found
}

// variesIn reports whether a file has a statement that may do another thing in each run, by the
// clock where that counts.
func variesIn(info *types.Info, file *ast.File, clock bool) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if t := info.TypeOf(n.X); t != nil {
				_, isMap := t.Underlying().(*types.Map)
				found = found || isMap
			}
		case *ast.SelectStmt:
			found = found || len(n.Body.List) > 1
		case *ast.CallExpr:
			if fn := typeutil.StaticCallee(info, n); fn != nil && fn.Pkg() != nil {
				path := fn.Pkg().Path()
				found = found || path == "math/rand" || strings.HasPrefix(path, "math/rand/") || path == "crypto/rand" || path == "hash/maphash" ||
					clock && path == "time" && (fn.Name() == "Now" || fn.Name() == "Since") ||
					path == "sync" && fn.Name() == "Range" || // of a Map
					path == "maps" && slices.Contains([]string{"Keys", "Values", "All"}, fn.Name())
			}
		}
		return !found
	})
	return found
}
