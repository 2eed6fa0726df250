package ssh

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// What clients may do before they are known.
const (
	maxHandshakes = 16   // at a time
	maxOfOne      = 4    // of them from one address
	perMinute     = 20   // connections from one address
	maxRecent     = 1000 // addresses that are remembered for a minute
	maxAuthTries  = 6    // on one connection
)

// gate bounds the connections that have still to prove who they are. Whoever has one
// address of IPv6 has its whole /64, which counts as one.
type gate struct {
	perMinute int

	mu      sync.Mutex
	recent  map[netip.Prefix][]time.Time // connections of the last minute
	shaking map[netip.Prefix]int         // handshakes under way
	all     int                          // of them
}

func newGate(perMinute int) *gate {
	return &gate{perMinute: perMinute, recent: map[netip.Prefix][]time.Time{}, shaking: map[netip.Prefix]int{}}
}

// origin is what counts as one address; that of what has none is the same.
func origin(a net.Addr) netip.Prefix {
	at, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Prefix{}
	}
	ip, bits := at.Addr().Unmap().WithZone(""), 64
	if ip.Is4() {
		bits = 32
	}
	p, _ := ip.Prefix(bits) // there are as many
	return p
}

// enter reports whether a connection is taken now; leave is to be called when its
// handshake is over.
func (g *gate) enter(from netip.Prefix, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for from, times := range g.recent {
		for len(times) > 0 && now.Sub(times[0]) > time.Minute {
			times = times[1:]
		}
		if g.recent[from] = times; len(times) == 0 {
			delete(g.recent, from)
		}
	}
	if len(g.recent[from]) >= g.perMinute || g.shaking[from] >= maxOfOne || g.all >= maxHandshakes {
		return false
	}
	for other := range g.recent {
		if len(g.recent) < maxRecent {
			break
		}
		delete(g.recent, other) // rather than to take no one any more
	}
	g.recent[from] = append(g.recent[from], now)
	g.shaking[from]++
	g.all++
	return true
}

func (g *gate) leave(from netip.Prefix) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.all--
	if g.shaking[from]--; g.shaking[from] == 0 {
		delete(g.shaking, from)
	}
}
