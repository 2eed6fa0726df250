package delve

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/go-delve/delve/pkg/logflags"
	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service"
	"github.com/go-delve/delve/service/debugger"
	"github.com/go-delve/delve/service/rpccommon"
)

// roleEnv marks a process as a Delve server.
const roleEnv = "PAUSETUI_DELVE_SERVER"

// connFD is the server's end of the socket pair: the first extra file.
const connFD = 3

// Main runs this process as a Delve server when it was started as one, and
// then does not return. Call it in main and in TestMain after supervise.Main.
func Main() {
	if os.Getenv(roleEnv) == "" {
		return
	}
	_ = os.Unsetenv(roleEnv)
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "delve server:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve answers one client until it goes away.
func serve() error {
	conn, err := inheritedConn()
	if err != nil {
		return fmt.Errorf("take the connection over: %w", err)
	}
	defer conn.Close()
	var want order
	if err := receive(conn, &want); err != nil {
		return fmt.Errorf("read what to launch: %w", err)
	}
	takeEnv(want.Env)
	// Nothing on standard output or error but Delve's own complaints.
	if err := logflags.Setup(false, "", ""); err != nil {
		return err
	}
	// Reading a program's debug information makes much that stays: collect
	// seldom until it is done.
	percent := debug.SetGCPercent(800)
	gone := make(chan struct{})
	server := rpccommon.NewServer(want.config(newOneConn(conn), gone))
	if err := server.Run(); err != nil {
		return errors.Join(send(conn, answer{Error: err.Error()}), err)
	}
	debug.SetGCPercent(percent)
	if err := send(conn, answer{}); err != nil {
		return err
	}
	<-gone
	return server.Stop()
}

func (o order) config(listener net.Listener, gone chan struct{}) *service.Config {
	return &service.Config{
		Listener:       listener,
		ProcessArgs:    o.Argv,
		APIVersion:     2,
		DisconnectChan: gone,
		Debugger: debugger.Config{
			WorkingDir:     o.Dir,
			Backend:        "default",
			CheckGoVersion: o.CheckGoVersion,
			TTY:            o.TTY,
			Stdin:          o.Stdin,
			Stdout:         proc.OutputRedirect{Path: o.Stdout},
			Stderr:         proc.OutputRedirect{Path: o.Stdout},
			ExecuteKind:    debugger.ExecutingExistingFile,
		},
	}
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

// oneConn is a listener that yields one connection, and then waits.
type oneConn struct {
	conns  chan net.Conn
	closed chan struct{}
	addr   net.Addr
}

func newOneConn(conn net.Conn) *oneConn {
	l := &oneConn{conns: make(chan net.Conn, 1), closed: make(chan struct{}), addr: conn.LocalAddr()}
	l.conns <- conn
	return l
}

// Accept returns the connection, once.
func (l *oneConn) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept; Delve calls it once.
func (l *oneConn) Close() error {
	close(l.closed)
	return nil
}

// Addr returns the connection's own address.
func (l *oneConn) Addr() net.Addr { return l.addr }
