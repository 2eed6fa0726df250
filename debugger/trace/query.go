package trace

import (
	"context"
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// fields are the values of goroutines that a trace tells.
var fields = map[debugger.GoroutineField]func(debugger.Goroutine) string{
	debugger.ByUserLocation:  func(g debugger.Goroutine) string { return location(g.User) },
	debugger.ByLocation:      func(g debugger.Goroutine) string { return location(g.Current) },
	debugger.ByGoStatement:   func(g debugger.Goroutine) string { return location(g.GoAt) },
	debugger.ByStartFunction: func(g debugger.Goroutine) string { return location(g.Start) },
	debugger.ByRunning:       func(g debugger.Goroutine) string { return fmt.Sprintf("running=%v", g.State == "running") },
	debugger.ByUser:          func(g debugger.Goroutine) string { return fmt.Sprintf("user=%v", !g.System) },
}

func location(f debugger.Frame) string {
	if f.Function == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d in %s", f.File, f.Line, f.Function)
}

// QueryGoroutines filters and groups the goroutines of the trace.
func (t *Target) QueryGoroutines(_ context.Context, query debugger.GoroutineQuery) (debugger.GoroutineList, error) {
	var list []debugger.Goroutine
	for _, g := range t.list {
		ok, err := passes(g, query.Filters)
		if err != nil {
			return debugger.GoroutineList{}, err
		}
		if ok {
			list = append(list, g)
		}
	}
	if query.Group == "" {
		shown, more := page(list, query.Page, goroutinePage)
		answer := debugger.GoroutineList{List: shown, More: more}
		if more {
			answer.Next = max(query.Page.Start, 0) + len(shown)
		}
		return answer, nil
	}
	value, ok := fields[query.Group]
	if !ok {
		return debugger.GoroutineList{}, can.Refuse(fmt.Sprintf("group goroutines by %q: it does not hold that", query.Group))
	}
	return grouped(list, value, query), nil
}

func passes(g debugger.Goroutine, filters []debugger.GoroutineFilter) (bool, error) {
	for _, f := range filters {
		value, ok := fields[f.Field]
		if !ok {
			return false, can.Refuse(fmt.Sprintf("filter goroutines by %q: it does not hold that", f.Field))
		}
		wanted := f.Value
		if f.Field == debugger.ByRunning || f.Field == debugger.ByUser {
			wanted = "true"
		}
		if strings.Contains(value(g), wanted) == f.Not {
			return false, nil
		}
	}
	return true, nil
}

// grouped puts goroutines of the same value together, in the order of the first
// of each.
func grouped(list []debugger.Goroutine, value func(debugger.Goroutine) string, query debugger.GoroutineQuery) debugger.GoroutineList {
	var names []string
	members := map[string][]debugger.Goroutine{}
	for _, g := range list {
		name := value(g)
		if members[name] == nil {
			names = append(names, name)
		}
		members[name] = append(members[name], g)
	}
	var answer debugger.GoroutineList
	for _, name := range names {
		if query.Groups > 0 && len(answer.Groups) == query.Groups {
			answer.More = true
			break
		}
		all := members[name]
		shown := all
		if query.Members > 0 {
			shown = all[:min(query.Members, len(all))]
		}
		from := len(answer.List)
		answer.List = append(answer.List, shown...)
		answer.Groups = append(answer.Groups, debugger.GoroutineGroup{Name: name, From: from, To: len(answer.List), Total: len(all)})
	}
	return answer
}
