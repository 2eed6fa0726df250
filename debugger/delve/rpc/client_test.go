package rpc

import (
	"slices"
	"testing"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"
)

// What Delve has set for itself is not known any more once a watchpoint comes or goes.
func TestWatchpointsChangeWhatIsReserved(t *testing.T) {
	t.Parallel()
	c := &Client{made: map[int][]uint64{}}
	list := func(addrs ...uint64) {
		t.Helper()
		c.Note(rpc2.ListBreakpointsIn{}, &rpc2.ListBreakpointsOut{Breakpoints: []*api.Breakpoint{{ID: -1, Addrs: addrs}}})
		if got, known := c.Reserved(); !known || !slices.Equal(got, addrs) {
			t.Errorf("reserved are %v, %v; want %v", got, known, addrs)
		}
	}
	for name, change := range map[string]func(){
		"set": func() {
			c.Note(rpc2.CreateWatchpointIn{}, &rpc2.CreateWatchpointOut{Breakpoint: &api.Breakpoint{ID: 3}})
		},
		"out of scope": func() {
			c.Note(nil, &rpc2.CommandOut{State: api.DebuggerState{WatchOutOfScope: []*api.Breakpoint{{ID: 3}}}})
		},
		"cleared": func() {
			c.made[3] = nil
			c.Note(rpc2.ClearBreakpointIn{Id: 3}, &rpc2.ClearBreakpointOut{})
		},
	} {
		list(1, 2)
		change()
		if _, known := c.Reserved(); known {
			t.Errorf("%s: the list is taken for what it was before", name)
		}
		delete(c.made, 3)
	}
	list(1)
	c.Note(rpc2.CreateBreakpointIn{}, &rpc2.CreateBreakpointOut{Breakpoint: api.Breakpoint{ID: 4, Addrs: []uint64{9}}})
	c.Note(rpc2.ClearBreakpointIn{Id: 4}, &rpc2.ClearBreakpointOut{})
	if _, known := c.Reserved(); !known {
		t.Error("a breakpoint of the user's makes Delve's be listed again")
	}
}
