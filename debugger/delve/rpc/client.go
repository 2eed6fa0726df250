package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/rpc"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/corefile"
	"github.com/pausetui/pausetui/debugger/delve/paths"
)

// Client calls the server. Several calls may be in progress at once: the server
// answers them in order, but for Command.
type Client struct {
	rpc    *rpc.Client
	Paths  atomic.Pointer[paths.Map] // between this machine's and the target's
	Absent corefile.Absent           // memory that a core dump lacks

	mu   sync.Mutex
	made map[int][]uint64 // where the breakpoints are that were set through this client
	own  []uint64         // where Delve has set some for itself; nil where they are not known

	growing map[debugger.GoroutineID]int // the frames that wait for stack, as far as they were asked for in this stop
}

// NewClient returns a client at the end of a connection.
func NewClient(conn net.Conn) *Client {
	c := &Client{rpc: rpc.NewClientWithCodec(newCodec(conn)), made: map[int][]uint64{}}
	c.Paths.Store(&paths.Map{})
	return c
}

// Close closes the connection.
func (c *Client) Close() error { return c.rpc.Close() }

// Go sends a request, and returns without waiting for the answer.
func (c *Client) Go(method string, in, out any) *rpc.Call {
	return c.rpc.Go("RPCServer."+method, in, out, make(chan *rpc.Call, 1))
}

// MadeBreakpoints lists the breakpoints that were set and not cleared.
func (c *Client) MadeBreakpoints() []int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.made))
}

// Reserved lists the addresses of the breakpoints that nobody but this client and
// Delve itself can have set; false before Delve's own are known.
func (c *Client) Reserved() ([]uint64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := slices.Clone(c.own)
	for _, addrs := range c.made {
		list = append(list, addrs...)
	}
	return list, c.own != nil
}

// Note records the breakpoints.
func (c *Client) Note(in, out any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch out := out.(type) {
	case *rpc2.CreateBreakpointOut:
		c.made[out.Breakpoint.ID] = out.Breakpoint.Addrs
	case *rpc2.CreateWatchpointOut:
		c.made[out.ID] = nil
		c.own = nil // Delve may have set one where what is watched goes out of scope
	case *rpc2.ListBreakpointsOut:
		c.own = []uint64{}
		for _, b := range out.Breakpoints {
			if b.ID <= 0 {
				c.own = append(c.own, b.Addrs...)
			}
		}
	case *rpc2.CommandOut:
		if len(out.State.WatchOutOfScope) > 0 {
			c.own = nil
		}
	case *rpc2.ClearBreakpointOut:
		if out.Breakpoint != nil {
			c.cleared(out.Breakpoint.ID)
		}
	}
	if in, ok := in.(rpc2.ClearBreakpointIn); ok {
		c.cleared(in.Id)
	}
}

// cleared forgets a breakpoint; with a watchpoint goes what Delve has set for it.
func (c *Client) cleared(id int) {
	if addrs, ok := c.made[id]; ok && addrs == nil {
		c.own = nil
	}
	delete(c.made, id)
}

// Call waits for the answer or for ctx; the server does not learn of the latter,
// and finishes what it does.
func Call[Out any](ctx context.Context, c *Client, method string, in any) (Out, error) {
	out := new(Out)
	if err := depthFits(in); err != nil {
		return *out, err
	}
	if method == "Command" || method == "Restart" {
		c.forgetStop()
	}
	between := *c.Paths.Load()
	pending := c.Go(method, between.Outward(in), out)
	select {
	case done := <-pending.Done:
		if done.Error == nil {
			c.Note(in, out)
			between.Inward(out)
			if err := c.Absent.Mark(in, out); err != nil {
				return *out, err
			}
		}
		return *out, CallError(done.Error)
	case <-ctx.Done():
		var none Out
		return none, ctx.Err()
	}
}

// CallError recognizes the ends of the connection and of the target.
func CallError(err error) error {
	var net *net.OpError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, rpc.ErrShutdown), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.As(err, &net):
		return fmt.Errorf("%w: the connection to the debugger is lost (%w)", debugger.ErrGone, err)
	}
	if err = delveText(err); errors.Is(err, debugger.ErrGone) {
		return fmt.Errorf("%w: %w", debugger.ErrGone, err)
	}
	return err
}

// GrowingOf is the frame of a goroutine that waits for stack, if it was asked for in this stop.
func (c *Client) GrowingOf(g debugger.GoroutineID) (frame int, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	frame, known = c.growing[g]
	return frame, known
}

// KeepGrowing notes the frame of a goroutine that waits for stack.
func (c *Client) KeepGrowing(g debugger.GoroutineID, frame int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.growing == nil {
		c.growing = map[debugger.GoroutineID]int{}
	}
	c.growing[g] = frame
}

// forgetStop forgets what is true of one stop: the program may go on.
func (c *Client) forgetStop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.growing = nil
}
