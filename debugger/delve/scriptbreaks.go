package delve

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"
)

// Scripts number breakpoints as the user's list does, since what they print, and their
// dlv_command("clear 2"), is about that list. Delve numbers them its own way.

// toDelves puts Delve's number of a breakpoint into what a script asks of it.
func (c scriptClient) toDelves(args any) error {
	var id *int
	name := ""
	switch a := args.(type) {
	case *rpc2.AmendBreakpointIn:
		id = &a.Breakpoint.ID
	case *rpc2.ClearBreakpointIn:
		id, name = &a.Id, a.Name
	case *rpc2.ToggleBreakpointIn:
		id, name = &a.Id, a.Name
	case *rpc2.GetBreakpointIn:
		id, name = &a.Id, a.Name
	}
	if c.host.TakeBreakpoints == nil || id == nil || name != "" || *id < 0 {
		return nil
	}
	numbers, err := c.host.TakeBreakpoints()
	if err != nil {
		return err
	}
	delves, ok := numbers[*id]
	if !ok {
		return fmt.Errorf("there is no breakpoint %d", *id)
	}
	*id = delves
	return nil
}

// toLists has what a script has done with breakpoints taken over, and puts the list's
// numbers into what it is answered: 0 for those that are not in the list.
func (c scriptClient) toLists(t *Target, args, reply any) error {
	found := breakpointsIn(reply)
	_, amended := reply.(*rpc2.AmendBreakpointOut)
	isUsers := func(b *api.Breakpoint) bool { return b != nil && b.ID > 0 }
	if c.host.TakeBreakpoints == nil || !amended && !slices.ContainsFunc(found, isUsers) {
		return nil
	}
	numbers, err := c.host.TakeBreakpoints()
	t.srv.Client.Note(args, reply) // by now it is known that these are no breakpoints of our own
	if err != nil {
		return err
	}
	lists := map[int]int{}
	for list, delves := range numbers {
		lists[delves] = list
	}
	for _, b := range found {
		if isUsers(b) {
			b.ID = lists[b.ID]
		}
	}
	if out, ok := reply.(*rpc2.ListBreakpointsOut); ok {
		out.Breakpoints = slices.DeleteFunc(out.Breakpoints, func(b *api.Breakpoint) bool { return b.ID == 0 })
		slices.SortFunc(out.Breakpoints, func(a, b *api.Breakpoint) int { return cmp.Compare(a.ID, b.ID) }) // Delve has them in a map
	}
	return nil
}

// breakpointsIn are the breakpoints in an answer of Delve's; some may be nil.
func breakpointsIn(reply any) []*api.Breakpoint {
	switch out := reply.(type) {
	case *rpc2.CreateBreakpointOut:
		return []*api.Breakpoint{&out.Breakpoint}
	case *rpc2.CreateWatchpointOut:
		return []*api.Breakpoint{out.Breakpoint}
	case *rpc2.GetBreakpointOut:
		return []*api.Breakpoint{&out.Breakpoint}
	case *rpc2.ClearBreakpointOut:
		return []*api.Breakpoint{out.Breakpoint}
	case *rpc2.ToggleBreakpointOut:
		return []*api.Breakpoint{out.Breakpoint}
	case *rpc2.ListBreakpointsOut:
		return out.Breakpoints
	case *rpc2.StateOut:
		return ofThreads(stateThreads(out.State))
	case *rpc2.CommandOut:
		return ofThreads(stateThreads(&out.State))
	case *rpc2.ListThreadsOut:
		return ofThreads(out.Threads)
	case *rpc2.GetThreadOut:
		return ofThreads([]*api.Thread{out.Thread})
	}
	return nil
}

func stateThreads(state *api.DebuggerState) []*api.Thread {
	if state == nil {
		return nil
	}
	return append([]*api.Thread{state.CurrentThread}, state.Threads...)
}

func ofThreads(threads []*api.Thread) (found []*api.Breakpoint) {
	for _, thread := range threads {
		if thread != nil && thread.Breakpoint != nil {
			found = append(found, thread.Breakpoint)
		}
	}
	return found
}
