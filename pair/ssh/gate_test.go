package ssh

import (
	"fmt"
	"net"
	"net/netip"
	"testing"
	"time"
)

// TestOneAddressLocksNobodyOut: neither many addresses of one network, nor handshakes
// that are left idle.
func TestOneAddressLocksNobodyOut(t *testing.T) {
	from := func(ip string) net.Addr { return &net.TCPAddr{IP: net.ParseIP(ip), Port: 4242} }
	now := time.Unix(0, 0)
	g := newGate(perMinute)
	took := func(o netip.Prefix) bool { return g.enter(o, nil, now) != nil }
	taken := 0
	for i := range 5000 {
		if o := origin(from(fmt.Sprintf("2001:db8::%x", i))); took(o) {
			taken++
		}
	}
	if taken != maxOfOne {
		t.Errorf("%d idle handshakes of one network", taken)
	}
	if !took(origin(from("2001:db8:0:1::1"))) || !took(origin(from("192.0.2.1"))) || !took(origin(from("::ffff:192.0.2.2"))) {
		t.Error("others are locked out")
	}
	if origin(from("192.0.2.1")) == origin(from("::ffff:192.0.2.2")) || origin(from("192.0.2.2")) != origin(from("::ffff:192.0.2.2")) {
		t.Error("an address of IPv4 is not one")
	}

	g = newGate(perMinute)
	for i := range 2 * maxRecent {
		o := origin(from(fmt.Sprintf("10.0.%d.%d", i/256, i%256)))
		e := g.enter(o, nil, now)
		if e == nil {
			t.Fatalf("the one after %d is not taken", i)
		}
		e.leave()
	}
	if len(g.recent) > maxRecent || len(g.shaking) != 0 || g.all != 0 {
		t.Errorf("%d addresses are remembered, %d of %d handshakes", len(g.recent), len(g.shaking), g.all)
	}
	one := origin(from("192.0.2.1"))
	for i := range perMinute + 1 {
		e := g.enter(one, nil, now)
		if got := e != nil; got != (i < perMinute) {
			t.Errorf("connection %d within a minute: %t", i, got)
		} else if got {
			e.leave()
		}
	}
	if g.enter(one, nil, now.Add(2*time.Minute)) == nil {
		t.Error("not taken after two minutes")
	}
}

// closing is a connection that knows whether it was closed.
type closing bool

func (c *closing) Close() error { *c = true; return nil }

// TestThisMachineIsNotOneGuest: all guests who come through a relay have its address. Those
// who keep silent take no place of those who log in, nor these of those with a known key.
func TestThisMachineIsNotOneGuest(t *testing.T) {
	here := origin(&net.TCPAddr{IP: net.ParseIP("127.0.0.1"), Port: 4242})
	for _, other := range []string{"::1", "127.8.0.1", "::ffff:127.0.0.1"} {
		if o := origin(&net.TCPAddr{IP: net.ParseIP(other), Port: 1}); o != here {
			t.Errorf("%s is %v", other, o)
		}
	}
	now := time.Unix(0, 0)
	g := newGate(perMinute)
	comes := func(to stage) (*entry, *closing) {
		t.Helper()
		now = now.Add(time.Second / perMinute)
		var conn closing
		e := g.enter(here, &conn, now)
		if e == nil {
			t.Fatal("refused")
		}
		e.reach(to)
		return e, &conn
	}
	known, back := comes(offersKey)
	guest, types := comes(logsIn)
	for range 10 * places[silent] {
		comes(silent)
	}
	if *back || *types {
		t.Error("silent connections have taken the place of others")
	}
	for range places[logsIn] {
		comes(logsIn)
	}
	if *back || !*types {
		t.Errorf("too many log in: the one with a known key is closed: %t, the oldest of the others: %t", *back, *types)
	}
	for s, most := range places {
		if n := len(g.here[s]); n > most {
			t.Errorf("%d connections in stage %d", n, s)
		}
	}
	guest.leave() // is out already
	known.leave()
	if n := len(g.here[offersKey]); n != 0 {
		t.Errorf("%d are left", n)
	}

	taken := 0
	for range 1000 { // in ten seconds
		now = now.Add(time.Second / 100)
		if e := g.enter(here, new(closing), now); e != nil {
			taken++
			e.leave()
		}
	}
	if taken < 10*perMinute || taken > 12*perMinute {
		t.Errorf("%d of a flood are taken", taken)
	}
}
