package delve

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"

	"github.com/pausetui/pausetui/debugger/delve/goroutines"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// Functions lists the names of the target's functions that a regular
// expression matches, sorted.
func (pl *places) Functions(ctx context.Context, filter string) ([]string, error) {
	return pl.names(ctx, func(ctx context.Context) ([]string, error) {
		out, err := rpc.Call[rpc2.ListFunctionsOut](ctx, pl.srv.Client, "ListFunctions", rpc2.ListFunctionsIn{Filter: filter})
		return out.Funcs, err
	})
}

// Types lists the names of types, sorted.
func (pl *places) Types(ctx context.Context, filter string) ([]string, error) {
	return pl.names(ctx, func(ctx context.Context) ([]string, error) {
		out, err := rpc.Call[rpc2.ListTypesOut](ctx, pl.srv.Client, "ListTypes", rpc2.ListTypesIn{Filter: filter})
		return out.Types, err
	})
}

// Sources lists the source files that the target was built of, sorted.
func (pl *places) Sources(ctx context.Context, filter string) ([]string, error) {
	return pl.names(ctx, func(ctx context.Context) ([]string, error) {
		out, err := rpc.Call[rpc2.ListSourcesOut](ctx, pl.srv.Client, "ListSources", rpc2.ListSourcesIn{Filter: filter})
		return out.Sources, err
	})
}

func (pl *places) names(ctx context.Context, list func(context.Context) ([]string, error)) (names []string, err error) {
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
func (pl *places) Packages(ctx context.Context, filter string) (list []debugger.Package, err error) {
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
			if path := packageOf(name); path != "" {
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

// packageOf is the path of the package that a function is in, by the linker's name, in
// which the path's last element has no dots; empty for functions that are of no package.
func packageOf(linked string) string {
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

// Processes lists the processes that are debugged together.
func (mc *machine) Processes(ctx context.Context) (list []debugger.Process, err error) {
	err = mc.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.ListTargetsOut](ctx, mc.srv.Client, "ListTargets", rpc2.ListTargetsIn{})
		if err != nil {
			return err
		}
		state, err := ask.Status(ctx, mc.srv)
		if err != nil {
			return err
		}
		for _, p := range out.Targets {
			list = append(list, debugger.Process{PID: p.Pid, Command: p.CmdLine, Selected: p.Pid == state.Pid})
		}
		return nil
	})
	return list, err
}

// SwitchProcess selects one of Processes.
func (mc *machine) SwitchProcess(ctx context.Context, pid int) (selected debugger.Thread, err error) {
	var id int
	err = mc.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.ListTargetsOut](ctx, mc.srv.Client, "ListTargets", rpc2.ListTargetsIn{})
		if err != nil {
			return err
		}
		for _, p := range out.Targets {
			if p.Pid == pid && p.CurrentThread != nil {
				id = p.CurrentThread.ID
				return nil
			}
		}
		return fmt.Errorf("there is no process %d among those that are debugged", pid)
	})
	if err != nil {
		return selected, err
	}
	return mc.SwitchThread(ctx, id)
}

// FollowExec turns the debugging of child processes on, for those whose
// command line a regular expression matches, or off.
func (mc *machine) FollowExec(ctx context.Context, on bool, filter string) error {
	return mc.srv.Do(ctx, func(ctx context.Context) error {
		mc.memory.Indirect = true // what is meant may be another process from now on
		goroutines.NoteSeveral(mc.goroutines)
		_, err := rpc.Call[rpc2.FollowExecOut](ctx, mc.srv.Client, "FollowExec", rpc2.FollowExecIn{Enable: on, Regex: filter})
		return err
	})
}

// FollowsExec reports whether child processes are debugged.
func (mc *machine) FollowsExec(ctx context.Context) (on bool, err error) {
	err = mc.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.FollowExecEnabledOut](ctx, mc.srv.Client, "FollowExecEnabled", rpc2.FollowExecEnabledIn{})
		on = out.Enabled
		return err
	})
	return on, err
}
