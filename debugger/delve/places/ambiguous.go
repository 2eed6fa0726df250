package places

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/go-delve/delve/pkg/locspec"
	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
	"github.com/pausetui/pausetui/internal/advice"
)

// maxCandidates bounds how many places an ambiguous location is said to mean.
const maxCandidates = 100

// own finds the place that an ambiguous location means if a single one of them is in the user's
// modules; else its error lists them all.
func (pl *Locator) own(ctx context.Context, at debugger.FrameRef, location string, err error) ([]api.Location, error) {
	several := pl.ambiguous(ctx, location, rpc.Detail(err, "ambiguous: "))
	remote := func(i int) bool { return source.Remoteness(pl.sources, several.Candidates[i]) > 0 }
	if n := len(several.Candidates); n > 1 && !remote(0) && remote(1) { // the user's come first
		if list, err := ask.Find(ctx, pl.srv, at, several.Candidates[0]); err == nil {
			return list, nil
		}
	}
	return nil, advice.Add(several, "write more of it")
}

// ambiguous lists what an ambiguous location may mean: all of it, where Delve's
// own names stop at five.
func (pl *Locator) ambiguous(ctx context.Context, location, names string) *debugger.Ambiguous {
	var all []string
	offset := ""
	if spec, err := locspec.Parse(location); err == nil {
		if normal, ok := spec.(*locspec.NormalLocationSpec); ok {
			all = append(pl.functionsCalled(ctx, normal), pl.filesCalled(ctx, normal)...)
			if normal.LineOffset >= 0 {
				offset = fmt.Sprintf(":%d", normal.LineOffset)
			}
		}
	}
	// Delve knows what packages are called whose directory has another name.
	for _, name := range strings.Split(strings.TrimSuffix(names, "…"), ", ") {
		if name != "" {
			all = append(all, name)
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(source.Remoteness(pl.sources, a), source.Remoteness(pl.sources, b)), strings.Compare(a, b))
	})
	all = slices.Compact(all)
	found := &debugger.Ambiguous{Location: location, More: len(all) > maxCandidates}
	for _, name := range all[:min(len(all), maxCandidates)] {
		found.Candidates = append(found.Candidates, name+offset)
	}
	return found
}

func (pl *Locator) functionsCalled(ctx context.Context, spec *locspec.NormalLocationSpec) (names []string) {
	if spec.FuncBase == nil {
		return nil
	}
	filter := `(^|\.)` + regexp.QuoteMeta(spec.FuncBase.BaseName) + `$`
	out, err := rpc.Call[rpc2.ListFunctionsOut](ctx, pl.srv.Client, "ListFunctions", rpc2.ListFunctionsIn{Filter: filter})
	if err != nil {
		return nil // Delve's own names serve
	}
	for _, name := range out.Funcs {
		if spec.FuncBase.Match(&proc.Function{Name: name}, nil) {
			names = append(names, name)
		}
	}
	return names
}

func (pl *Locator) filesCalled(ctx context.Context, spec *locspec.NormalLocationSpec) (names []string) {
	filter := `(^|/)` + regexp.QuoteMeta(path.Base(spec.Base)) + `$`
	out, err := rpc.Call[rpc2.ListSourcesOut](ctx, pl.srv.Client, "ListSources", rpc2.ListSourcesIn{Filter: filter})
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(out.Sources, func(file string) bool { return !spec.FileMatch(file) })
}
