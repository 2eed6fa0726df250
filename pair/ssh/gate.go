package ssh

import (
	"io"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// What clients may do before they are known.
const (
	maxHandshakes = 16   // at a time, from other machines
	maxOfOne      = 4    // of them from one address
	perMinute     = 20   // connections from one address
	maxRecent     = 1000 // addresses that are remembered for a minute
	maxAuthTries  = 6    // on one connection
)

// stage is how far a connection from this machine has come.
type stage int

const (
	silent    stage = iota // has still to agree on keys
	logsIn                 // may type a code, for a minute
	offersKey              // one that was admitted before, or is in the file
	stages
)

// places are how many connections from this machine may be in a stage at a time.
var places = [stages]int{silent: 32, logsIn: 256, offersKey: 16}

// gate bounds the connections that have still to prove who they are. Whoever has one
// address of IPv6 has its whole /64, which counts as one.
//
// All who come through a relay have the address of this machine, as its other users do: to
// refuse that address would be to refuse everybody. There, a connection too many takes the
// place of the oldest that has come as far. Whoever floods the first stage delays nobody
// in the next ones, and a client that goes on is through the first long before 32 others.
type gate struct {
	perMinute int

	mu      sync.Mutex
	recent  map[netip.Prefix][]time.Time // connections of the last minute
	shaking map[netip.Prefix]int         // handshakes under way
	all     int                          // of them
	here    [stages][]*entry             // those from this machine, the oldest first
	spent   float64                      // of the connections from this machine that are taken
	last    time.Time                    // when one came
}

func newGate(perMinute int) *gate {
	return &gate{perMinute: perMinute, recent: map[netip.Prefix][]time.Time{}, shaking: map[netip.Prefix]int{}}
}

// entry is a connection's handshake.
type entry struct {
	gate  *gate
	from  netip.Prefix
	conn  io.Closer
	stage stage
}

// thisMachine stands for all its addresses.
var thisMachine = netip.MustParsePrefix("127.0.0.0/8")

// origin is what counts as one address; that of what has none is the same.
func origin(a net.Addr) netip.Prefix {
	at, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Prefix{}
	}
	ip, bits := at.Addr().Unmap().WithZone(""), 64
	if ip.IsLoopback() {
		return thisMachine
	}
	if ip.Is4() {
		bits = 32
	}
	p, _ := ip.Prefix(bits) // there are as many
	return p
}

// enter takes a connection, or returns nil; leave is to be called when its handshake is
// over.
func (g *gate) enter(from netip.Prefix, conn io.Closer, now time.Time) *entry {
	g.mu.Lock()
	defer g.mu.Unlock()
	e := &entry{gate: g, from: from, conn: conn}
	if from == thisMachine {
		if !g.paced(now) {
			return nil
		}
		g.put(e)
		return e
	}
	g.forget(now)
	if len(g.recent[from]) >= g.perMinute || g.shaking[from] >= maxOfOne || g.all >= maxHandshakes {
		return nil
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
	return e
}

// forget drops the connections that are older than a minute.
func (g *gate) forget(now time.Time) {
	for from, times := range g.recent {
		for len(times) > 0 && now.Sub(times[0]) > time.Minute {
			times = times[1:]
		}
		if g.recent[from] = times; len(times) == 0 {
			delete(g.recent, from)
		}
	}
}

// paced bounds the work that connections from this machine make: as many in a second as
// another address has in a minute. Of a faster flood, a part is taken, and of the others
// that come meanwhile the same part.
func (g *gate) paced(now time.Time) bool {
	most := float64(g.perMinute)
	g.spent, g.last = max(g.spent-now.Sub(g.last).Seconds()*most, 0), now
	if g.spent+1 > most {
		return false
	}
	g.spent++
	return true
}

// put adds a connection to those of its stage, in the place of the oldest if there is no
// other.
func (g *gate) put(e *entry) {
	same := append(g.here[e.stage], e)
	if len(same) > places[e.stage] {
		_ = same[0].conn.Close()
		same = same[1:]
	}
	g.here[e.stage] = same
}

func (g *gate) take(e *entry) (was bool) {
	i := slices.Index(g.here[e.stage], e)
	if i >= 0 {
		g.here[e.stage] = slices.Delete(g.here[e.stage], i, i+1)
	}
	return i >= 0
}

// reach says how far a connection has come.
func (e *entry) reach(to stage) {
	e.gate.mu.Lock()
	defer e.gate.mu.Unlock()
	if to > e.stage && e.gate.take(e) {
		e.stage = to
		e.gate.put(e)
	}
}

func (e *entry) leave() {
	g := e.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if e.from == thisMachine {
		g.take(e)
		return
	}
	g.all--
	if g.shaking[e.from]--; g.shaking[e.from] == 0 {
		delete(g.shaking, e.from)
	}
}
