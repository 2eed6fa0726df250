// Package ssh lets colleagues join a shared session over SSH: an admitted guest gets a
// screen, and nothing else.
//
// There is no shell, no command, no file transfer, no forwarding, no agent, and
// no environment of the guest's but the words that describe their terminal. A
// connection has one channel, a channel one screen. What a client sends before
// it has proved who it is is bounded in time, in number and in rate.
//
// It is made of golang.org/x/crypto/ssh alone. github.com/gliderlabs/ssh adds an
// accept loop to it, and with it two defaults that are wrong here: it lets
// everybody in when no handler of its own is set, and accepts agent requests.
package ssh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/pair"
)

// Room is what a server needs of a *pair.Room: it lets people in, and has no say
// besides.
type Room interface {
	Join(ctx context.Context, n pair.Newcomer) (*pair.Seat, error)
	Knows(key string) bool
	Open(d pair.Door)
}

// Options are the settings of a server.
type Options struct {
	Room    Room
	Addr    string                             // host:port; a free port on 127.0.0.1 when empty
	HostKey string                             // file of the host key, made when missing
	Keys    string                             // file of public keys that may come in; empty for invitations
	Show    func(context.Context, Guest) error // shows the session until the guest leaves
	Lasts   time.Duration                      // how long an invitation is good; 10 minutes when 0
	Limits  Limits
	// PerMinute is how many connections are taken from one address; 20 when 0. From this
	// machine, where a relay ends, as many a second are.
	PerMinute int
}

// Limits say how long a client that is in may stay silent. Zero values are the defaults.
type Limits struct {
	Output time.Duration // how long it may leave its output untaken; 30 s
	Ask    time.Duration // how often it is asked for a sign of life, which it may take twice as long to give; 15 s
	Shake  time.Duration // how long it may take to agree on keys, before it logs in; 10 s
	Start  time.Duration // how long it may take to log in, and again to ask for a screen; 60 s
}

func (l Limits) orDefaults() Limits {
	return Limits{cmp.Or(l.Output, 30*time.Second), cmp.Or(l.Ask, 15*time.Second), cmp.Or(l.Shake, 10*time.Second), cmp.Or(l.Start, time.Minute)}
}

// Guest is an admitted guest with their terminal.
type Guest struct {
	Seat    *pair.Seat
	Input   io.Reader
	Output  io.Writer
	Environ []string // what describes the terminal: TERM, COLORTERM, …
	Size    pair.Size
	Resized <-chan pair.Size // the newest size only
}

// Server is an open door.
type Server struct {
	opts        Options
	signer      ssh.Signer
	invitations *invitations
	listener    net.Listener
	ctx         context.Context
	cancel      context.CancelFunc
	work        sync.WaitGroup
	gate        *gate
	telling     sync.Mutex

	mu      sync.Mutex // guards all below
	through string     // what a colleague types; empty for the address of the listener
	lost    string     // why nobody gets through any more
}

// Open starts to listen. Close ends it.
func Open(o Options) (*Server, error) {
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	if o.Lasts == 0 {
		o.Lasts = 10 * time.Minute
	}
	o.Limits = o.Limits.orDefaults()
	o.PerMinute = cmp.Or(o.PerMinute, perMinute)
	signer, err := hostKey(o.HostKey)
	if err != nil {
		return nil, err
	}
	if o.Keys != "" { // a mistake in the file is to be seen now, not when a colleague is refused
		if _, err := readKeys(o.Keys); err != nil {
			return nil, err
		}
	}
	listener, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return nil, advice.Add(fmt.Errorf("share on %q: %w", o.Addr, err), "--share=127.0.0.1:0 takes a free port")
	}
	s := &Server{opts: o, signer: signer, listener: listener, gate: newGate(o.PerMinute)}
	if o.Keys == "" {
		s.invitations = newInvitations(o.Lasts)
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.work.Go(s.accept)
	return s, nil
}

// Door says how guests come in.
func (s *Server) Door() pair.Door {
	s.mu.Lock()
	line, lost := cmp.Or(s.through, s.line()), s.lost
	s.mu.Unlock()
	d := pair.Door{Line: line, Lost: lost, Fingerprint: ssh.FingerprintSHA256(s.signer.PublicKey())}
	if s.invitations != nil && lost == "" {
		if d.Code, d.LookCode, d.Expires = s.invitations.current(); d.Code == "" {
			d.Withdrawn = fmt.Sprintf("the invitation code was withdrawn after %d wrong attempts", maxWrong)
		}
	}
	return d
}

// Through says what a colleague types to get through to the server, where that is not
// its address.
func (s *Server) Through(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.through = line
}

// Withdraw says why nobody gets through to the server any more.
func (s *Server) Withdraw(why string) {
	s.mu.Lock()
	s.lost = why
	s.mu.Unlock()
	s.tell()
}

// tell shows the host how guests come in by now.
func (s *Server) tell() {
	s.telling.Lock() // an older answer does not come last
	defer s.telling.Unlock()
	s.opts.Room.Open(s.Door())
}

// Addr is where the server listens.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// line is what a colleague types.
func (s *Server) line() string {
	host, port, _ := net.SplitHostPort(s.Addr())
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = ownAddress()
	}
	return fmt.Sprintf("ssh -p %s %s", port, host)
}

// ownAddress is an address of this machine that others may reach.
func ownAddress() string {
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		return "localhost"
	}
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() {
			return n.IP.String()
		}
	}
	return "localhost"
}

// Invite makes a new invitation, in place of the last; without effect where
// keys are used.
func (s *Server) Invite() {
	if s.invitations != nil {
		s.invitations.renew()
		s.tell()
	}
}

// Close ends all connections, after the guests were shown why.
func (s *Server) Close() error {
	s.cancel()
	err := s.listener.Close()
	s.work.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			if s.ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return
			}
			select { // as out of files: it may get better
			case <-time.After(100 * time.Millisecond):
				continue
			case <-s.ctx.Done():
				return
			}
		}
		handshake := s.gate.enter(origin(conn.RemoteAddr()), conn, time.Now())
		if handshake == nil {
			_ = conn.Close()
			continue
		}
		s.work.Go(func() { s.serve(conn, handshake) })
	}
}

// serve takes a connection from its first byte to its end.
func (s *Server) serve(conn net.Conn, handshake *entry) {
	defer conn.Close()
	stop := context.AfterFunc(s.ctx, func() { // gives those who are in the time to hear why
		time.AfterFunc(farewell, func() { _ = conn.Close() })
	})
	defer stop()
	_ = conn.SetDeadline(time.Now().Add(s.opts.Limits.Shake))
	who := &visitor{server: s, conn: conn, handshake: handshake}
	shake, channels, requests, err := ssh.NewServerConn(conn, who.config())
	handshake.leave()
	if err != nil {
		return
	}
	_ = conn.SetDeadline(time.Time{})
	done := make(chan struct{})
	defer close(done)
	s.work.Go(func() { ssh.DiscardRequests(requests) })
	s.work.Go(func() { keepAlive(shake, s.opts.Limits.Ask, done) })
	idle := time.AfterFunc(s.opts.Limits.Start, func() { _ = conn.Close() })
	defer idle.Stop()
	taken := false
	for offered := range channels {
		if offered.ChannelType() != "session" || taken {
			_ = offered.Reject(ssh.Prohibited, "this server shows one session and nothing else")
			continue
		}
		channel, asked, err := offered.Accept()
		if err != nil {
			return
		}
		taken = true
		idle.Stop()
		s.work.Go(func() {
			defer conn.Close()
			s.session(who.newcomer(shake), &line{channel, conn}, asked)
		})
	}
}

const farewell = 500 * time.Millisecond

// keepAlive closes a connection whose client does not answer any more.
func keepAlive(conn *ssh.ServerConn, every time.Duration, done <-chan struct{}) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
		}
		late := time.AfterFunc(2*every, func() { _ = conn.Close() })
		_, _, err := conn.SendRequest("keepalive@openssh.com", true, nil)
		late.Stop()
		if err != nil {
			return
		}
	}
}
