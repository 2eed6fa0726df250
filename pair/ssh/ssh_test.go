package ssh_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	gossh "golang.org/x/crypto/ssh"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/pairtest"
	"github.com/pausetui/pausetui/pair/ssh"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// host is a server whose screen repeats what a guest types.
type host struct {
	t      testing.TB
	engine *pairtest.Engine
	room   *pair.Room
	server *ssh.Server
	shows  func(context.Context, ssh.Guest) error // nil for echo; set before guests come

	mu    sync.Mutex
	sizes []pair.Size
}

func newHost(t *testing.T, keys string) *host {
	t.Helper()
	return newHostWith(t, ssh.Limits{}, func(o *ssh.Options) { o.Keys = keys })
}

func newHostWith(t testing.TB, limits ssh.Limits, change func(*ssh.Options)) *host {
	t.Helper()
	h := &host{t: t, engine: pairtest.New()}
	h.room = pair.New(h.engine, pair.Options{Host: "anna", Patience: 5 * time.Second, Most: 3})
	o := ssh.Options{Room: h.room, HostKey: filepath.Join(t.TempDir(), "key"), Show: h.show, Limits: limits}
	if change != nil {
		change(&o)
	}
	server, err := ssh.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	h.server = server
	h.room.Open(server.Door())
	t.Cleanup(func() {
		h.room.Shut(pair.ErrOver)
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func (h *host) show(ctx context.Context, g ssh.Guest) error {
	if h.shows != nil {
		return h.shows(ctx, g)
	}
	return h.echo(ctx, g)
}

// echo repeats what a guest types.
func (h *host) echo(ctx context.Context, g ssh.Guest) error {
	h.saw(g.Size)
	fmt.Fprintf(g.Output, "hello %s\n", g.Seat.Name)
	go func() { _, _ = io.Copy(g.Output, g.Input) }() // ends with the channel
	for {
		select {
		case s := <-g.Resized:
			h.saw(s)
		case <-g.Seat.Out():
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

func (h *host) saw(s pair.Size) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sizes = append(h.sizes, s)
}

// admit answers the questions about newcomers with yes until the test ends.
func (h *host) admit() {
	var version uint64
	ctx := h.t.Context()
	go func() {
		for {
			v, err := h.room.Host().Watch(ctx, version)
			if err != nil {
				return
			}
			version = v.Version
			for _, p := range v.People {
				if p.Waiting {
					_ = h.room.Host().Admit(p.Name)
				}
			}
		}
	}()
}

func newKey(t testing.TB) gossh.Signer {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s, err := gossh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// dial connects with a code, and a key unless it is nil.
func (h *host) dial(code string, key gossh.Signer) (*gossh.Client, error) {
	return h.dialAs("lea", code, key)
}

func (h *host) dialAs(user, code string, key gossh.Signer) (*gossh.Client, error) {
	c := &gossh.ClientConfig{User: user, HostKeyCallback: gossh.InsecureIgnoreHostKey(), Timeout: 20 * time.Second}
	if key != nil {
		c.Auth = append(c.Auth, gossh.PublicKeys(key))
	}
	c.Auth = append(c.Auth, gossh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return []string{code}, nil }))
	return gossh.Dial("tcp", h.server.Addr(), c)
}

// screen opens the screen of a client.
func screen(t testing.TB, c *gossh.Client, w, height int) (*gossh.Session, io.Writer, *shown) {
	t.Helper()
	s, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	out := &shown{}
	s.Stdout = out
	in, err := s.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.RequestPty("xterm", height, w, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Shell(); err != nil {
		t.Fatal(err)
	}
	return s, in, out
}

// shown is what a screen has shown.
type shown struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write implements io.Writer.
func (s *shown) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(b)
}

func (s *shown) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

func TestAnInvitationIsGoodOnce(t *testing.T) {
	h := newHost(t, "")
	h.admit()
	code := h.server.Door().Code
	if _, err := h.dial("wrong-12345", nil); err == nil {
		t.Error("a wrong code was taken")
	}
	key := newKey(t)
	c, err := h.dial(strings.ToUpper(code), key)
	if err != nil {
		t.Fatal(err)
	}
	s, in, out := screen(t, c, 10_000, 10_000)
	if _, err := h.dial(code, newKey(t)); err == nil {
		t.Error("the code was taken twice")
	}
	if err := s.WindowChange(0, 0); err != nil {
		t.Error(err)
	}
	testsupport.Eventually(t, "the new size arrives", func() bool { h.mu.Lock(); defer h.mu.Unlock(); return len(h.sizes) == 2 })
	if h.sizes[0] != (pair.Size{Width: 500, Height: 200}) || h.sizes[1] != (pair.Size{Width: 20, Height: 5}) {
		t.Errorf("sizes: %v", h.sizes)
	}
	_ = c.Close() // a lost line
	if c, err = h.dial("", key); err != nil {
		t.Fatalf("back with the key alone: %v", err)
	}
	_ = in
	_ = out
	s, _, out = screen(t, c, 80, 24)
	testsupport.Eventually(t, "the second screen is opened", func() bool { h.mu.Lock(); defer h.mu.Unlock(); return len(h.sizes) == 3 })
	if err := h.room.Host().Kick("lea"); err != nil {
		t.Fatal(err)
	}
	_ = s.Wait()
	if text := out.String(); !strings.Contains(text, "hello lea") || !strings.Contains(text, "The host removed you from the session") {
		t.Errorf("the screen: %q", text)
	}
	if _, err := h.dial("", key); err == nil {
		t.Error("back after a kick, without an invitation")
	}
}

// Who comes in with the code to look on never drives, even after coming back.
func TestAnInvitationToLookOn(t *testing.T) {
	h := newHost(t, "")
	h.admit()
	code, key := h.server.Door().LookCode, newKey(t)
	for _, code := range []string{code, ""} {
		c, err := h.dial(code, key)
		if err != nil {
			t.Fatal(err)
		}
		screen(t, c, 80, 24)
		testsupport.Eventually(t, "the host is refused", func() bool {
			err := h.room.Host().GiveWheel("lea")
			return err != nil && strings.Contains(err.Error(), "lea was invited to look on only")
		})
		_ = c.Close()
	}
	if code == h.server.Door().LookCode || code == "" {
		t.Errorf("the code %q is good twice", code)
	}
}

// Whoever guesses ends the invitation: the host is told once, and nobody is shown a
// code that is good no more.
func TestAGuessedInvitationIsWithdrawn(t *testing.T) {
	h := newHost(t, "")
	h.admit()
	dead := h.server.Door().Code
	for range 12 {
		if _, err := h.dial("wrong-12345", nil); err == nil {
			t.Fatal("a wrong code was taken")
		}
	}
	if _, err := h.dial(dead, nil); err == nil {
		t.Error("the code is good after ten wrong ones")
	}
	v, err := h.room.Host().Watch(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if words := v.Door.Words(time.Now()); h.server.Door().Code != "" || strings.Contains(words, dead) || !strings.Contains(words, "invite makes a new one") {
		t.Errorf("the host is shown %q", words)
	}
	if len(v.Said) != 1 || !strings.Contains(v.Said[0].Text, "withdrawn after 10 wrong attempts: invite makes a new one") {
		t.Errorf("the host was told %+v", v.Said)
	}
	h.server.Invite()
	c, err := h.dial(h.room.Host().Door().Code, newKey(t))
	if err != nil {
		t.Fatalf("with a new code: %v", err)
	}
	_ = c.Close()
}

// Nothing but one screen is to be had.
func TestNothingButTheSession(t *testing.T) {
	h := newHost(t, "")
	h.admit()
	c, err := h.dial(h.server.Door().Code, newKey(t))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, kind := range []string{"direct-tcpip", "direct-streamlocal@openssh.com", "x11", "auth-agent@openssh.com", "tun@openssh.com"} {
		if _, _, err := c.OpenChannel(kind, nil); err == nil {
			t.Errorf("%s was opened", kind)
		}
	}
	for _, kind := range []string{"tcpip-forward", "streamlocal-forward@openssh.com", "no-such-thing"} {
		if ok, _, _ := c.SendRequest(kind, true, nil); ok {
			t.Errorf("%s was granted", kind)
		}
	}
	s, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"auth-agent-req@openssh.com", "x11-req"} {
		if ok, _ := s.SendRequest(kind, true, nil); ok {
			t.Errorf("%s was granted", kind)
		}
	}
	if err := s.Setenv("LD_PRELOAD", "/tmp/x.so"); err == nil {
		t.Error("LD_PRELOAD was taken")
	}
	if _, err := c.NewSession(); err == nil {
		t.Error("a second screen was opened")
	}
	var printed, said strings.Builder
	s.Stdout, s.Stderr = &printed, &said
	var exit *gossh.ExitError
	if err := s.Run("cat /etc/passwd"); !errors.As(err, &exit) || exit.ExitStatus() != 1 || !strings.Contains(said.String(), "no commands") || printed.Len() > 0 {
		t.Errorf("a command: %v, %q, %q", err, &printed, &said)
	}
	for _, d := range h.engine.Done() {
		t.Errorf("the engine heard %+v", d)
	}
}

func TestKeysOfAFile(t *testing.T) {
	mine, other := newKey(t), newKey(t)
	path := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(path, append([]byte("# colleagues\n"), gossh.MarshalAuthorizedKey(mine.PublicKey())...), 0o600); err != nil {
		t.Fatal(err)
	}
	h := newHost(t, path)
	if d := h.server.Door(); d.Code != "" || !strings.HasPrefix(d.Line, "ssh -p ") {
		t.Errorf("the door: %+v", d)
	}
	if _, err := h.dial("x", other); err == nil {
		t.Error("another key was taken")
	}
	c, err := h.dial("x", mine)
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Close()
	again, err := ssh.Open(ssh.Options{Room: h.room, HostKey: filepath.Join(t.TempDir(), "no", "key"), Keys: path + ".missing"})
	if err == nil {
		_ = again.Close()
		t.Error("a file that is missing was taken")
	}
}

// A flood of connections, half-open ones and noise let nobody else notice, and
// nobody in.
func TestNoiseAndFloods(t *testing.T) {
	h := newHost(t, "")
	var conns []net.Conn
	for i := range 60 {
		c, err := net.Dial("tcp", h.server.Addr())
		if err != nil {
			continue
		}
		conns = append(conns, c)
		if i%2 == 0 {
			noise := make([]byte, 4096)
			_, _ = rand.Read(noise)
			_, _ = c.Write(append([]byte("SSH-2.0-x\r\n"), noise...))
		}
	}
	open := slices.Clone(conns)
	testsupport.Eventually(t, "40 of 60 connections are refused", func() bool {
		open = slices.DeleteFunc(open, func(c net.Conn) bool {
			_ = c.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
			_, err := c.Read(make([]byte, 1))
			return err != nil && !os.IsTimeout(err)
		})
		return len(conns)-len(open) >= 40
	})
	for _, c := range conns {
		_ = c.Close()
	}
	if v, _ := h.room.Host().Watch(t.Context(), 0); len(v.People) != 1 {
		t.Errorf("there are %+v", v.People)
	}
}

// ofTheRoom reports whether an intent is what a room itself writes about who comes
// and goes.
func ofTheRoom(i intent.Intent) bool {
	switch i.(type) {
	case intent.Note, intent.Dismiss:
		return true
	}
	return false
}
