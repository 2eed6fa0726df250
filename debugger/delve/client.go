package delve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/rpc"
	"net/rpc/jsonrpc"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// client calls the server. Several calls may be under way at once: the server
// answers them in order, but for Command.
type client struct {
	rpc *rpc.Client
}

func newClient(conn net.Conn) *client { return &client{rpc: jsonrpc.NewClient(conn)} }

// call waits for the answer or for ctx; the server is not told of the latter,
// and finishes what it does.
func call[Out any](ctx context.Context, c *client, method string, in any) (Out, error) {
	out := new(Out)
	pending := c.rpc.Go("RPCServer."+method, in, out, make(chan *rpc.Call, 1))
	select {
	case done := <-pending.Done:
		return *out, callError(done.Error)
	case <-ctx.Done():
		var none Out
		return none, ctx.Err()
	}
}

// callError recognises the ends of the connection and of the target.
func callError(err error) error {
	var net *net.OpError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, rpc.ErrShutdown), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.As(err, &net):
		return fmt.Errorf("%w: the connection to the debugger is lost (%w)", debugger.ErrGone, err)
	case strings.Contains(err.Error(), "has exited with status"), strings.Contains(err.Error(), "no such process"):
		return fmt.Errorf("%w: %w", debugger.ErrGone, err)
	}
	return err
}
