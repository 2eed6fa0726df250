package ssh_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/ssh"
)

// frozen is a client's connection that stops to read when it is frozen, as that
// of a suspended program does.
type frozen struct {
	net.Conn
	once         sync.Once
	stop, closed chan struct{}
}

func (f *frozen) freeze() { close(f.stop) }

// Read implements io.Reader.
func (f *frozen) Read(b []byte) (int, error) {
	select {
	case <-f.stop:
		<-f.closed
		return 0, net.ErrClosed
	default:
		return f.Conn.Read(b)
	}
}

// Close implements io.Closer.
func (f *frozen) Close() error {
	f.once.Do(func() { close(f.closed) })
	return f.Conn.Close()
}

// flood is a screen that paints as fast as its guest takes it.
func flood(ctx context.Context, g ssh.Guest) error {
	picture := bytes.Repeat([]byte("tick "), 8<<10)
	for ctx.Err() == nil && g.Seat.Why() == nil {
		if _, err := g.Output.Write(picture); err != nil {
			return err
		}
	}
	return nil
}

// knock connects with a code, and returns the connection below, too. Unless the
// client answers, the server's questions stay unanswered.
func (h *host) knock(t *testing.T, answers bool) (*frozen, *gossh.Client) {
	t.Helper()
	plain, err := net.Dial("tcp", h.server.Addr())
	if err != nil {
		t.Fatal(err)
	}
	line := &frozen{Conn: plain, stop: make(chan struct{}), closed: make(chan struct{})}
	code := h.server.Door().Code
	conn, channels, requests, err := gossh.NewClientConn(line, h.server.Addr(), &gossh.ClientConfig{User: "lea", HostKeyCallback: gossh.InsecureIgnoreHostKey(),
		Auth: []gossh.AuthMethod{gossh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return []string{code}, nil })}})
	if err != nil {
		t.Fatal(err)
	}
	if !answers {
		asked := requests
		none := make(chan *gossh.Request)
		requests = none
		go func() { // takes the questions, and answers none
			defer close(none)
			for range asked { // nothing is done with them
			}
		}()
	}
	c := gossh.NewClient(conn, channels, requests)
	t.Cleanup(func() { _ = line.Close(); _ = c.Close() })
	return line, c
}

// people are those who are in, or wait to be admitted.
func (h *host) people() int { return len(h.watched()) }

// seated are those who were admitted.
func (h *host) seated() (n int) {
	for _, p := range h.watched() {
		if !p.Waiting {
			n++
		}
	}
	return n
}

func (h *host) watched() []pair.Person {
	v, err := h.room.Host().Watch(h.t.Context(), 0)
	if err != nil {
		h.t.Fatal(err)
	}
	return v.People
}

// A guest who takes no output loses the connection, and another guest goes on
// meanwhile. The server can be closed at any time.
func TestAClientThatTakesNoOutput(t *testing.T) {
	h := newHostWith(t, ssh.Limits{Output: 300 * time.Millisecond, Ask: time.Hour}, nil)
	h.admit()
	stalls := make(chan struct{})
	h.shows = func(ctx context.Context, g ssh.Guest) error {
		if g.Seat.Name == "max" {
			return h.echo(ctx, g)
		}
		select {
		case <-stalls:
		case <-ctx.Done():
		}
		return flood(ctx, g)
	}
	line, c := h.knock(t, true)
	screen(t, c, 80, 24)
	testsupport.Eventually(t, "the guest is in", func() bool { return h.people() == 2 })
	other, err := h.dialAs("max", h.server.Door().Code, newKey(t))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	_, in, out := screen(t, other, 80, 24)
	testsupport.Eventually(t, "the other is in, and what is typed is taken", func() bool { return strings.Contains(out.String(), "hello max") })
	line.freeze()
	close(stalls)
	for n := 0; h.people() == 3; n++ {
		began := time.Now()
		words := fmt.Sprintf("word%03d;", n)
		if _, err := fmt.Fprint(in, words); err != nil {
			t.Fatal(err)
		}
		testsupport.Eventually(t, "the words come back", func() bool { return strings.Contains(out.String(), words) })
		if took := time.Since(began); took > 10*time.Second { // it takes some ms; the machine may be busy
			t.Errorf("the other guest waited %v", took)
		}
	}
	v, err := h.room.Host().Watch(t.Context(), 0)
	if err != nil || len(v.People) != 2 || v.People[1].Name != "max" {
		t.Errorf("who is left: %+v, %v", v.People, err)
	}
}

// A client that does not answer any more loses its connection, too.
func TestAClientThatAnswersNothing(t *testing.T) {
	h := newHostWith(t, ssh.Limits{Ask: 600 * time.Millisecond}, nil)
	h.admit()
	_, silent := h.knock(t, false)
	screen(t, silent, 80, 24)
	testsupport.Eventually(t, "the guest is in", func() bool { return h.people() == 2 })
	_, c := h.knock(t, true)
	screen(t, c, 80, 24)
	testsupport.Eventually(t, "both guests are in", func() bool { return h.people() == 3 })
	testsupport.Eventually(t, "the silent one is out", func() bool { return h.people() == 2 })
	if err := silent.Wait(); err == nil {
		t.Error("the silent client's connection is still open")
	}
	if _, _, err := c.SendRequest("still-there", true, nil); err != nil {
		t.Errorf("the other client's connection: %v", err)
	}
}

// A client that is in and asks for no screen has its connection ended.
func TestAClientThatAsksForNoScreen(t *testing.T) {
	h := newHostWith(t, ssh.Limits{Start: 500 * time.Millisecond}, nil)
	_, c := h.knock(t, true)
	_, half := h.knock(t, true)
	if _, err := half.NewSession(); err != nil { // a channel, and nothing in it
		t.Fatal(err)
	}
	for _, one := range []*gossh.Client{c, half} {
		if err := one.Wait(); err == nil {
			t.Error("the connection is still open")
		}
	}
	if n := h.people(); n != 1 {
		t.Errorf("%d people", n)
	}
}

// Connections that say nothing take few places, and not for long: a colleague from the
// same address comes in after them, and has the time to type a code.
func TestSilentConnectionsLeave(t *testing.T) {
	h := newHostWith(t, ssh.Limits{Shake: time.Second}, nil)
	var silent []net.Conn
	for range 8 {
		c, err := net.Dial("tcp", h.server.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		silent = append(silent, c)
	}
	for _, c := range silent {
		_ = c.SetReadDeadline(time.Now().Add(testsupport.Patience))
		if _, err := io.Copy(io.Discard, c); err != nil && os.IsTimeout(err) {
			t.Error("a connection that says nothing is still open")
		}
	}
	code := func(string, string, []string, []bool) ([]string, error) {
		time.Sleep(1300 * time.Millisecond)
		return []string{h.server.Door().Code}, nil
	}
	c, err := gossh.Dial("tcp", h.server.Addr(), &gossh.ClientConfig{User: "lea", HostKeyCallback: gossh.InsecureIgnoreHostKey(), Auth: []gossh.AuthMethod{gossh.KeyboardInteractive(code)}})
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Close()
}

// The end of the session does not wait for a guest who takes nothing.
func TestTheEndWaitsForNobody(t *testing.T) {
	h := newHostWith(t, ssh.Limits{}, nil)
	h.admit()
	h.shows = flood
	line, c := h.knock(t, true)
	screen(t, c, 80, 24)
	testsupport.Eventually(t, "the guest is in", func() bool { return h.people() == 2 })
	line.freeze()
	began := time.Now()
	h.room.Shut(pair.ErrOver)
	if err := h.server.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 20*time.Second { // without the end of the connection: 30 s
		t.Errorf("closing took %v", took)
	}
}

// TestOneAddressForAllLocksNobodyOut: as it is behind a relay. One account there connects
// and goes again, and leaves handshakes idle; guests come in, and come back.
func TestOneAddressForAllLocksNobodyOut(t *testing.T) {
	h := newHost(t, "")
	h.admit()
	key := newKey(t)
	first, err := h.dialAs("lea", h.server.Door().Code, key)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	screen(t, first, 80, 24)
	testsupport.Eventually(t, "the guest is in", func() bool { return h.seated() == 2 })
	flood := func(string, string, []string, []bool) ([]string, error) { // while the code is typed
		for n := range 80 {
			plain, err := net.Dial("tcp", h.server.Addr())
			if err != nil {
				return nil, err
			}
			t.Cleanup(func() { _ = plain.Close() })
			if n < 40 {
				_, _ = plain.Read(make([]byte, 10))
				_ = plain.Close()
			}
			time.Sleep(75 * time.Millisecond) // slower than what is refused as a flood
		}
		return []string{h.server.Door().Code}, nil
	}
	for _, way := range []gossh.AuthMethod{gossh.KeyboardInteractive(flood), gossh.PublicKeys(key)} {
		c, err := gossh.Dial("tcp", h.server.Addr(), &gossh.ClientConfig{User: "max", HostKeyCallback: gossh.InsecureIgnoreHostKey(), Auth: []gossh.AuthMethod{way}})
		if err != nil {
			t.Fatalf("a guest is locked out: %v", err)
		}
		defer c.Close()
	}
}
