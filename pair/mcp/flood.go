package mcp

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxCalls is how many calls of an agent are handled at once. The next ones stay
// in the pipe: the protocol's library would queue them all in memory.
const maxCalls = 32

// bounded reads no more calls while maxCalls of them have no answer.
type bounded struct{ mcp.Transport }

func (b bounded) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := b.Transport.Connect(ctx)
	return &boundedConn{Connection: c, answered: make(chan struct{}, 1), closed: make(chan struct{}), open: map[jsonrpc.ID]bool{}}, err
}

type boundedConn struct {
	mcp.Connection
	answered chan struct{}
	closed   chan struct{}
	closing  sync.Once

	mu   sync.Mutex
	open map[jsonrpc.ID]bool // calls without an answer; one whose id is in use gets none
}

func (c *boundedConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && err == nil && r.IsCall() {
		for !c.opened(r.ID) {
			select {
			case <-c.answered:
			case <-c.closed:
				return m, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	}
	return m, err
}

func (c *boundedConn) opened(id jsonrpc.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.open) >= maxCalls && !c.open[id] {
		return false
	}
	c.open[id] = true
	return true
}

func (c *boundedConn) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.open, r.ID)
		c.mu.Unlock()
		select {
		case c.answered <- struct{}{}:
		default:
		}
	}
	return err
}

func (c *boundedConn) Close() error {
	c.closing.Do(func() { close(c.closed) })
	return c.Connection.Close()
}
