package ssh

import (
	"fmt"
	"net"
	"testing"
	"time"
)

// TestOneAddressLocksNobodyOut: neither many addresses of one network, nor handshakes
// that are left idle.
func TestOneAddressLocksNobodyOut(t *testing.T) {
	from := func(ip string) net.Addr { return &net.TCPAddr{IP: net.ParseIP(ip), Port: 4242} }
	now := time.Unix(0, 0)
	g := newGate(perMinute)
	taken := 0
	for i := range 5000 {
		if o := origin(from(fmt.Sprintf("2001:db8::%x", i))); g.enter(o, now) {
			taken++
		}
	}
	if taken != maxOfOne {
		t.Errorf("%d idle handshakes of one network", taken)
	}
	if !g.enter(origin(from("2001:db8:0:1::1")), now) || !g.enter(origin(from("192.0.2.1")), now) || !g.enter(origin(from("::ffff:192.0.2.2")), now) {
		t.Error("others are locked out")
	}
	if origin(from("192.0.2.1")) == origin(from("::ffff:192.0.2.2")) || origin(from("192.0.2.2")) != origin(from("::ffff:192.0.2.2")) {
		t.Error("an address of IPv4 is not one")
	}

	g = newGate(perMinute)
	for i := range 2 * maxRecent {
		o := origin(from(fmt.Sprintf("10.0.%d.%d", i/256, i%256)))
		if !g.enter(o, now) {
			t.Fatalf("the one after %d is not taken", i)
		}
		g.leave(o)
	}
	if len(g.recent) > maxRecent || len(g.shaking) != 0 || g.all != 0 {
		t.Errorf("%d addresses are remembered, %d of %d handshakes", len(g.recent), len(g.shaking), g.all)
	}
	one := origin(from("192.0.2.1"))
	for i := range perMinute + 1 {
		if got := g.enter(one, now); got != (i < perMinute) {
			t.Errorf("connection %d within a minute: %t", i, got)
		} else if got {
			g.leave(one)
		}
	}
	if !g.enter(one, now.Add(2*time.Minute)) {
		t.Error("not taken after two minutes")
	}
}
