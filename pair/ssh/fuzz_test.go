package ssh_test

import (
	"io"
	"net"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/pair/ssh"
)

// unlimited is a server that takes any number of connections from one address.
func unlimited(t testing.TB) *host {
	return newHostWith(t, ssh.Limits{Start: 5 * time.Second}, func(o *ssh.Options) { o.PerMinute = 1 << 30 })
}

// FuzzBytes sends what is no handshake, or half of one: nobody gets in, and the
// server serves on.
func FuzzBytes(f *testing.F) {
	for _, s := range []string{"", "SSH-2.0-x\r\n", "SSH-1.5-x\r\n", "GET / HTTP/1.1\r\n\r\n", "SSH-2.0-x\r\n\x00\x00\x00\x0c\x0a\x14aaaaaaaaaa",
		"SSH-2.0-x\r\n\xff\xff\xff\xff", "SSH-2.0-x\r\n\x00\x00\x00\x01\x00", "SSH-2.0-x\r\n\x00\x00\x00\x0c\x0a\x32\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"} {
		f.Add([]byte(s))
	}
	h := unlimited(f)
	_, other := h.inside(f)
	f.Fuzz(func(t *testing.T, sent []byte) {
		c, err := net.Dial("tcp", h.server.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_, _ = c.Write(sent) // which may be refused on the way
		_ = c.(*net.TCPConn).CloseWrite()
		_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
		_, _ = io.Copy(io.Discard, c)
		h.unnoticed(t, other)
	})
}

// FuzzRequests has a guest who is in send requests and open channels of any
// type: nothing but the screen is had, and nothing reaches the engine.
func FuzzRequests(f *testing.F) {
	for _, kind := range []string{"pty-req", "env", "shell", "exec", "subsystem", "window-change", "x11-req", "signal", "break", "auth-agent-req@openssh.com", "eow@openssh.com"} {
		f.Add(uint8(0), kind, []byte("\x00\x00\x00\x05xterm\x00\x00\x27\x10\x00\x00\x27\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	}
	for _, kind := range []string{"tcpip-forward", "keepalive@openssh.com", "hostkeys-prove-00@openssh.com", "streamlocal-forward@openssh.com"} {
		f.Add(uint8(1), kind, []byte("\x00\x00\x00\x01a\x00\x00\x00\x16"))
	}
	for _, kind := range []string{"session", "direct-tcpip", "forwarded-tcpip", "x11", "tun@openssh.com", ""} {
		f.Add(uint8(2), kind, []byte("\x00\x00\x00\x01a\x00\x00\x00\x16\x00\x00\x00\x01a\x00\x00\x00\x16"))
	}
	h := unlimited(f)
	key, other := h.inside(f)
	f.Fuzz(func(t *testing.T, where uint8, kind string, payload []byte) {
		c, err := h.dialAs("other", "", key) // as one whose line was lost: the only one with this key
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		switch where % 3 {
		case 0:
			channel, requests, err := c.OpenChannel("session", nil)
			if err != nil {
				t.Fatal(err)
			}
			go gossh.DiscardRequests(requests)
			go func() { _, _ = io.Copy(io.Discard, channel) }()
			if ok, _ := channel.SendRequest(kind, true, payload); ok && kind != "pty-req" && kind != "env" && kind != "shell" && kind != "window-change" &&
				kind != "exec" && kind != "subsystem" { // these two are answered with a refusal in words
				t.Errorf("%q was granted", kind)
			}
		case 1:
			if ok, _, _ := c.SendRequest(kind, true, payload); ok {
				t.Errorf("%q was granted", kind)
			}
		case 2:
			if _, requests, err := c.OpenChannel(kind, payload); err == nil {
				go gossh.DiscardRequests(requests)
				if kind != "session" {
					t.Errorf("%q was opened", kind)
				}
			}
		}
		h.unnoticed(t, other)
	})
}

// inside has two guests in: the key of one, and the connection of another.
func (h *host) inside(f *testing.F) (gossh.Signer, *gossh.Client) {
	f.Helper()
	h.admit()
	key := newKey(f)
	for name, k := range map[string]gossh.Signer{"other": key} {
		c, err := h.dialAs(name, h.server.Door().Code, k)
		if err != nil {
			f.Fatal(err)
		}
		screen(f, c, 80, 24)
		testsupport.Eventually(f, "the guest has a seat", func() bool { return h.seated() == 2 })
		_ = c.Close()
		testsupport.Eventually(f, "the guest has gone", func() bool { return h.people() == 1 })
	}
	witness, err := h.dialAs("witness", h.server.Door().Code, newKey(f))
	if err != nil {
		f.Fatal(err)
	}
	screen(f, witness, 80, 24)
	testsupport.Eventually(f, "the guest has a seat", func() bool { return h.seated() == 2 })
	h.engine.Done()
	f.Cleanup(func() { _ = witness.Close() })
	return key, witness
}

// unnoticed checks that nobody new is in but by the key that was admitted, that
// nothing but notes reached the engine, and that another guest is still served.
func (h *host) unnoticed(t *testing.T, other *gossh.Client) {
	t.Helper()
	v, err := h.room.Host().Watch(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range v.People {
		if p.Name != "anna" && p.Name != "witness" && p.Name != "other" {
			t.Errorf("%s is in", p.Name)
		}
	}
	for _, d := range h.engine.Done() {
		if !ofTheRoom(d.Intent) {
			t.Errorf("the engine heard %+v", d)
		}
	}
	if _, _, err := other.SendRequest("still-there", true, nil); err != nil {
		t.Fatalf("another guest has noticed: %v", err)
	}
}
