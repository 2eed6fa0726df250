package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-delve/delve/pkg/logflags"
	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service"
	"github.com/go-delve/delve/service/api"
	dlv "github.com/go-delve/delve/service/debugger"
	"github.com/go-delve/delve/service/rpc2"
	"github.com/go-delve/delve/service/rpccommon"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/corefile"
	"github.com/pausetui/pausetui/debugger/delve/process"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/supervise"
)

// Name is the helper (see reexec) that a Delve server is.
const Name = "delve"

func init() { reexec.Register(Name, serverMain) }

// connFD is the server's end of the socket pair: the first extra file.
const connFD = 3

// serverMain runs this process as a Delve server.
func serverMain([]string) int {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "delve server:", err)
		return 1
	}
	return 0
}

// serve answers one client until it goes away, and leaves the target in order
// then: a process that ran before us runs on, whatever has ended our client.
func serve() error {
	asked, foreign := make(chan struct{}), new(atomic.Bool)
	go awaitEnd(asked, foreign)
	conn, err := inheritedConn()
	if err != nil {
		return fmt.Errorf("take the connection over: %w", err)
	}
	defer conn.Close()
	var want rpc.Order
	if err := rpc.Receive(conn, &want); err != nil {
		return fmt.Errorf("read what to launch: %w", err)
	}
	foreign.Store(want.Attach != 0)
	takeEnv(want.Env)
	if want.Core != "" {
		if err := limitMemory(corefile.ServerMemory); err != nil {
			return fmt.Errorf("limit the memory: %w", err)
		}
	}
	// Nothing on standard output or error but Delve's own complaints.
	if err := logflags.Setup(false, "", ""); err != nil {
		return err
	}
	detached := make(chan struct{})
	client := newServedConn(conn)
	listener := newHandover(conn.LocalAddr())
	listener.hand(client)
	server := rpccommon.NewServer(configOf(want, listener, detached))
	if err := lettingChildrenStart(server.Run); err != nil {
		return errors.Join(rpc.Send(conn, rpc.Answer{Error: err.Error()}), err)
	}
	go debug.FreeOSMemory() // reading debug information makes much that does not stay
	served := servedBy(server)
	proveFrames(served)
	client.caches.Store(&forgetting{debugger: served})
	if err := rpc.Send(conn, rpc.Answer{}); err == nil {
		select {
		case <-client.gone:
		case <-asked:
		case <-detached: // in order, by the client
			return nil
		}
	}
	return partWith(listener, client, served, want.Attach)
}

// awaitEnd waits for our supervisor's end, or for it to ask for ours. A process
// that was there before is detached from in order; what we have started ends at
// once: there is no other process to end it.
func awaitEnd(asked chan<- struct{}, foreign *atomic.Bool) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	process.AdoptOrphans()
	<-signals
	if foreign.Load() {
		close(asked)
		return
	}
	supervise.KillDescendants()
	os.Exit(1)
}

// partWith ends the debugging of the target as a client of the server: Delve's
// own detaching leaves the breakpoints of an interrupted step in the target, and
// the signal of a halt that came too late, and the target dies of either later.
// pid is the process to let go; 0 kills the target.
func partWith(listener *handover, last *servedConn, served *dlv.Debugger, pid int) error {
	ctx, cancel := context.WithTimeout(context.Background(), rpc.PartTime)
	defer cancel()
	c, other := listener.client(), listener.client()
	halted := make(chan struct{})
	stopHalting := make(chan struct{})
	go func() {
		defer close(halted)
		keepHalted(ctx, other, stopHalting)
	}()
	defer func() { cancel(); <-halted; _ = c.Close(); _ = other.Close() }()
	// No client may let it run again, and what runs must have been halted.
	if err := last.end(ctx); err != nil {
		return err
	}
	if _, err := rpc.Call[rpc2.StateOut](ctx, c, "State", rpc2.StateIn{}); err != nil { // answered once it is held
		return ignoreGone(err)
	}
	rewindPhantoms(served, pid) // while a step's breakpoints are there
	if _, err := rpc.Call[rpc2.CancelNextOut](ctx, c, "CancelNext", rpc2.CancelNextIn{}); err != nil {
		return ignoreGone(err)
	}
	close(stopHalting)
	<-halted
	rewindPhantoms(served, pid) // what had only begun to run has been halted
	for range 64 {              // each thread may have one
		tid := process.TrapComes(pid)
		if pid == 0 || tid == 0 || takeTrap(ctx, c, tid) != nil {
			break
		}
	}
	_, err := rpc.Call[rpc2.DetachOut](ctx, c, "Detach", rpc2.DetachIn{Kill: pid == 0})
	return ignoreGone(err)
}

// takeTrap has a thread take the signal of a halt that came too late: it is
// delivered before the thread's next instruction, and Delve takes it for the end
// of that.
func takeTrap(ctx context.Context, c *rpc.Client, tid int) error {
	_, err := rpc.Call[rpc2.CommandOut](ctx, c, "Command", api.DebuggerCommand{Name: api.SwitchThread, ThreadID: tid})
	if err != nil {
		return err
	}
	_, err = rpc.Call[rpc2.CommandOut](ctx, c, "Command", api.DebuggerCommand{Name: api.StepInstruction})
	return err
}

// keepHalted halts the target whenever it runs: what a client has asked for
// last may only begin now.
func keepHalted(ctx context.Context, c *rpc.Client, stop <-chan struct{}) {
	const patience = 500 * time.Millisecond // a second signal to a halting target would be left over
	var asked time.Time
	for {
		state, err := rpc.Call[rpc2.StateOut](ctx, c, "State", rpc2.StateIn{NonBlocking: true})
		if err != nil {
			return
		}
		if state.State.Running && time.Since(asked) > patience {
			_, _ = rpc.Call[rpc2.CommandOut](ctx, c, "Command", api.DebuggerCommand{Name: api.Halt})
			asked = time.Now()
		}
		select {
		case <-ctx.Done():
			return
		case <-stop:
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// ignoreGone: from a target that has ended there is nothing to detach.
func ignoreGone(err error) error {
	if errors.Is(err, debugger.ErrGone) {
		return nil
	}
	return err
}

// configOf is what Delve is told of an order.
func configOf(o rpc.Order, listener net.Listener, detached chan struct{}) *service.Config {
	return &service.Config{
		Listener:       listener,
		ProcessArgs:    o.Argv,
		APIVersion:     2,
		AcceptMulti:    true, // to detach
		DisconnectChan: detached,
		Debugger: dlv.Config{
			AttachPid:      o.Attach,
			CoreFile:       o.Core,
			WorkingDir:     o.Dir,
			Backend:        backend(o),
			CheckGoVersion: o.CheckGoVersion,
			TTY:            o.TTY,
			Stdin:          o.Stdin,
			Stdout:         proc.OutputRedirect{Path: o.Stdout},
			Stderr:         proc.OutputRedirect{Path: o.Stdout},
			ExecuteKind:    dlv.ExecutingExistingFile,
		},
	}
}

// backend is Delve's name of what runs the target.
func backend(o rpc.Order) string {
	if o.Record {
		return "rr"
	}
	return "default"
}

// takeEnv makes env this process's environment: the target gets ours.
func takeEnv(env []string) {
	if env == nil {
		return
	}
	os.Clearenv()
	for _, kv := range slices.Backward(env) { // the first of a name wins here, the last in exec
		if name, value, ok := strings.Cut(kv, "="); ok {
			if _, set := os.LookupEnv(name); !set {
				_ = os.Setenv(name, value)
			}
		}
	}
}

// inheritedConn wraps the inherited descriptor. The copy that stays open is
// closed on exec: the target must not hold it.
func inheritedConn() (net.Conn, error) {
	file := os.NewFile(connFD, "delve connection")
	if file == nil {
		return nil, os.ErrInvalid
	}
	defer file.Close()
	return net.FileConn(file)
}

// servedConn is the connection of a client whose service can be ended.
type servedConn struct {
	net.Conn
	gone   chan struct{} // closed when the client has gone
	closed chan struct{} // closed when it is not served any more
	once   [2]sync.Once
	spoken atomic.Bool                // something was read
	caches atomic.Pointer[forgetting] // nil until the program is there
}

func newServedConn(conn net.Conn) *servedConn {
	return &servedConn{Conn: conn, gone: make(chan struct{}), closed: make(chan struct{})}
}

// Read reads a request.
func (c *servedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.spoken.Store(true)
	}
	if err != nil {
		c.once[0].Do(func() { close(c.gone) })
		if !c.spoken.Load() { // Delve closes only what it has begun to serve
			c.once[1].Do(func() { close(c.closed) })
		}
	}
	if f := c.caches.Load(); f != nil && n > 0 {
		f.request(p[:n])
	}
	return n, err
}

// Close is called by the server once it serves no more.
func (c *servedConn) Close() error {
	c.once[1].Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// end waits until the request being served is done, and has no other follow.
func (c *servedConn) end(ctx context.Context) error {
	_ = c.SetReadDeadline(time.Unix(1, 0))
	select {
	case <-c.closed:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("a request does not end: %w", ctx.Err())
	}
}

// handover is a listener that yields the connections it is handed.
type handover struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
	addr   net.Addr
}

func newHandover(addr net.Addr) *handover {
	return &handover{conns: make(chan net.Conn, 3), closed: make(chan struct{}), addr: addr}
}

// hand gives it a connection, of three in all.
func (l *handover) hand(conn net.Conn) { l.conns <- conn }

// client returns a client of the server's in this process.
func (l *handover) client() *rpc.Client {
	ours, theirs := net.Pipe()
	l.hand(theirs)
	return rpc.NewClient(ours)
}

// Accept returns a connection once there is one.
func (l *handover) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept.
func (l *handover) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr returns the address of the first connection.
func (l *handover) Addr() net.Addr { return l.addr }
