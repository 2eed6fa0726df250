package delve

import (
	"context"
	"slices"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/goroutines"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/stacks"
)

// timedOut are the names of the tests that a time-out has found running; empty
// for any other panic.
func timedOut(message string) []string {
	head, list, ok := strings.Cut(message, "\nrunning tests:\n")
	if !ok || !strings.HasPrefix(head, "test timed out after ") {
		return nil
	}
	var names []string
	for line := range strings.Lines(list) {
		if name, _, ok := cutLast(strings.TrimSpace(line), " ("); ok {
			names = append(names, name)
		}
	}
	return names
}

// stuck finds the goroutine of a test that has timed out: of those that run one,
// and do not wait for a subtest, the one that is named last, which began last.
func (ts *tests) stuck(ctx context.Context, names []string) (g debugger.GoroutineID, test string) {
	best := -1
	for start := 0; start >= 0; {
		out, err := rpc.Call[rpc2.ListGoroutinesOut](ctx, ts.srv.Client, "ListGoroutines", rpc2.ListGoroutinesIn{
			Start: start, Count: goroutines.PageSize, Filters: []api.ListGoroutinesFilter{{Kind: api.GoroutineStartLoc, Arg: "testing."}},
		})
		if err != nil {
			return g, test
		}
		for _, one := range out.Goroutines {
			id := debugger.GoroutineID(one.ID)
			frames, _, err := stacks.Read(ctx, ts.stacks, one.ID, debugger.Page{})
			if err != nil || stacks.IndexUser(frames) < 0 || waitsForSubtests(frames) {
				continue
			}
			name := ts.testOf(ctx, id, frames)
			if i := slices.Index(names, name); i > best {
				best, g, test = i, id, name
			}
		}
		if start = out.Nextg; start == 0 {
			break
		}
	}
	return g, test
}

func waitsForSubtests(frames []debugger.Frame) bool {
	for _, f := range frames {
		if f.User {
			return false
		}
		if f.Function == "testing.(*T).Run" || f.Function == "testing.(*F).Fuzz" || f.Function == "testing.(*B).run" {
			return true
		}
	}
	return false
}
