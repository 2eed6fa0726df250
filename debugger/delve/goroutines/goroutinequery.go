package goroutines

import (
	"context"
	"fmt"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

var goroutineFields = map[debugger.GoroutineField]api.GoroutineField{
	debugger.ByUserLocation: api.GoroutineUserLoc, debugger.ByLocation: api.GoroutineCurrentLoc,
	debugger.ByGoStatement: api.GoroutineGoLoc, debugger.ByStartFunction: api.GoroutineStartLoc,
	debugger.ByLabel: api.GoroutineLabel, debugger.ByRunning: api.GoroutineRunning,
	debugger.ByUser: api.GoroutineUser, debugger.ByChannel: api.GoroutineWaitingOnChannel,
}

// QueryGoroutines filters and groups goroutines in the debugger, so that few
// have to be handed over.
func (gr *Lister) QueryGoroutines(ctx context.Context, query debugger.GoroutineQuery) (answer debugger.GoroutineList, err error) {
	where := ask.Inner(query.At)
	in := rpc2.ListGoroutinesIn{Start: max(query.Page.Start, 0), Count: query.Page.Count, EvalScope: &where}
	if in.Count <= 0 {
		in.Count = PageSize
	}
	for _, f := range query.Filters {
		field, ok := goroutineFields[f.Field]
		if !ok {
			return answer, fmt.Errorf("goroutines cannot be filtered by %q", f.Field)
		}
		in.Filters = append(in.Filters, api.ListGoroutinesFilter{Kind: field, Arg: f.Value, Negated: f.Not})
	}
	if query.Group != "" {
		field, ok := goroutineFields[query.Group]
		if !ok || query.Group == debugger.ByChannel {
			return answer, fmt.Errorf("goroutines cannot be grouped by %q", query.Group)
		}
		in.Start, in.Count = 0, 0 // grouping needs all of them
		in.GroupBy, in.GroupByKey, in.MaxGroupMembers, in.MaxGroups = field, query.Label, query.Members, query.Groups
	}
	err = gr.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.ListGoroutinesOut](ctx, gr.srv.Client, "ListGoroutines", in)
		if err != nil {
			return err
		}
		for _, g := range out.Goroutines {
			answer.List = append(answer.List, One(ctx, gr, g))
		}
		for _, g := range out.Groups {
			answer.Groups = append(answer.Groups, debugger.GoroutineGroup{Name: g.Name, From: g.Offset, To: g.Offset + g.Count, Total: g.Total})
		}
		answer.More, answer.Next = out.Nextg > 0 || out.TooManyGroups, out.Nextg
		return nil
	})
	return answer, err
}
