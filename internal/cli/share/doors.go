package share

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/dap"
	"github.com/pausetui/pausetui/pair/mcp"
	"github.com/pausetui/pausetui/ui/lines"
)

// Door is a listener through which editors or agents of this machine come in.
type Door struct {
	listener net.Listener
	ctx      context.Context
	cancel   context.CancelFunc
	work     sync.WaitGroup
}

// Patience is how long an editor or agent may leave its output untaken.
const Patience = 30 * time.Second

// GreetingPatience is how long an editor's first words are waited for before the host
// is asked.
const GreetingPatience = 2 * time.Second

// patientConn closes a connection whose client does not take what is written.
type patientConn struct {
	net.Conn
	patience time.Duration
}

// Write implements io.Writer.
func (c *patientConn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.patience)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(b)
	if err != nil { // a message was cut: what follows would not be understood
		_ = c.Close()
	}
	return n, err
}

// maxAtDoor is how many connections of a door are served at a time: those that
// are waiting to be admitted included.
const maxAtDoor = 8

// OpenDoor serves each connection with serve, until it is closed.
func OpenDoor(l net.Listener, patience time.Duration, serve func(context.Context, net.Conn)) *Door {
	d := &Door{listener: l}
	d.ctx, d.cancel = context.WithCancel(context.Background())
	places := make(chan struct{}, maxAtDoor)
	d.work.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				if d.ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
					return
				}
				time.Sleep(50 * time.Millisecond) // as out of files: it may get better
				continue
			}
			select {
			case places <- struct{}{}:
			default:
				_ = conn.Close()
				continue
			}
			d.work.Go(func() {
				defer func() { <-places }()
				defer conn.Close()
				stop := context.AfterFunc(d.ctx, func() { _ = conn.Close() })
				defer stop()
				serve(d.ctx, &patientConn{conn, patience})
			})
		}
	})
	return d
}

// Close ends all connections, and waits for those that serve them.
func (d *Door) Close() {
	d.cancel()
	_ = d.listener.Close()
	d.work.Wait()
}

// AgentSockets is where sessions can be joined by agents of the same user.
func AgentSockets() string { return filepath.Join(xdg.StateHome, "pausetui", "agents") }

// letAgentsIn opens a socket that only this user can reach.
func (sh *Sharing) letAgentsIn() error {
	if err := os.MkdirAll(AgentSockets(), 0o700); err != nil {
		return fmt.Errorf("--agents: %w", err)
	}
	l, err := listenUnix(filepath.Join(AgentSockets(), strconv.Itoa(os.Getpid())+".sock"))
	if err != nil {
		return fmt.Errorf("--agents: %w", err)
	}
	sh.Room.Expect()
	sh.doors = append(sh.doors, OpenDoor(l, Patience, func(ctx context.Context, c net.Conn) {
		if !SameUser(c) {
			return
		}
		c, name, err := mcp.Greeted(c, Patience)
		if err != nil {
			return
		}
		seat, err := sh.Room.Join(ctx, pair.Newcomer{Name: name, From: "this machine", Via: "agent", Agent: true})
		if err != nil {
			return
		}
		defer seat.Leave()
		_ = mcp.Serve(ctx, seat, mcp.Options{Version: cli.Version()}, c, c) // it has left
	}))
	return nil
}

// letEditorsIn opens a loopback port or a unix socket.
func (sh *Sharing) letEditorsIn(addr string) error {
	l, err := Listen(addr)
	if err != nil {
		return err
	}
	sh.Room.Expect()
	var strange strangers
	sh.doors = append(sh.doors, OpenDoor(l, Patience, func(ctx context.Context, c net.Conn) {
		own := SameUser(c)
		if !own {
			if !strange.enter(time.Now()) {
				return
			}
			defer strange.leave()
		}
		c, err := dap.Greeted(c, GreetingPatience)
		if err != nil {
			return
		}
		e := visitor{Sharing: sh, own: own, free: own && l.Addr().Network() == "unix" && sh.settings.Editors.Admit}
		defer e.leave()
		_ = dap.Serve(ctx, e.enter, dap.Options{Calls: sh.settings.Editors.Calls, Console: Console, Knows: lines.KnowsBeside}, c) // it has left
	}))
	return nil
}

// What connections may do that are not known to be this user's: they must neither keep
// others out nor have the host answer questions without end.
const (
	maxStrangers       = maxAtDoor / 2
	strangersPerMinute = 10
)

// strangers counts such connections.
type strangers struct {
	mu     sync.Mutex
	here   int
	recent []time.Time // of the last minute
}

// enter reports whether one may come in now; leave is to be called when it is gone.
func (s *strangers) enter(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recent = slices.DeleteFunc(s.recent, func(at time.Time) bool { return now.Sub(at) > time.Minute })
	if s.here >= maxStrangers || len(s.recent) >= strangersPerMinute {
		return false
	}
	s.here++
	s.recent = append(s.recent, now)
	return true
}

func (s *strangers) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.here--
}

// Listen listens where only this machine can reach it.
func Listen(addr string) (net.Listener, error) {
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		return listenUnix(path)
	}
	if _, err := strconv.Atoi(addr); err == nil {
		addr = ":" + addr
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, cli.UsageError(fmt.Errorf("--listen %q: want a port, 127.0.0.1:PORT, or unix:PATH", addr))
	}
	if host == "" || host == "localhost" {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, cli.UsageError(advice.Add(fmt.Errorf("--listen %q: the Debug Adapter Protocol has no passwords", addr), "listen on 127.0.0.1, and let others in with ssh -L or --share"))
	}
	return net.Listen("tcp", net.JoinHostPort(host, port))
}

// listenUnix makes a socket that only this user can reach; a stale one is replaced.
func listenUnix(path string) (net.Listener, error) {
	if c, err := net.DialTimeout("unix", path, time.Second); err == nil {
		_ = c.Close()
		return nil, fmt.Errorf("listen on %q: it is in use", path)
	}
	if info, err := os.Lstat(path); err == nil {
		if info.Mode().Type() != os.ModeSocket {
			return nil, fmt.Errorf("listen on %q: the file there is not a socket", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}
