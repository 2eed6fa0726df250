package sandbox

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
)

// attempts counts how often programs of this network namespace tried to reach
// what is not there, as the kernel has counted it.
type attempts struct {
	away int // no route: another machine, or a name server
	here int // refused by this machine's own loopback
}

// reached reads the counters of the namespace. Where they cannot be read
// nothing was tried.
func reached() attempts {
	snmp := counters("/proc/net/snmp")
	six := map[string]int{}
	if text, err := os.ReadFile("/proc/net/snmp6"); err == nil {
		for line := range strings.Lines(string(text)) {
			if fields := strings.Fields(line); len(fields) == 2 {
				six[fields[0]], _ = strconv.Atoi(fields[1]) // 0 for what is no number
			}
		}
	}
	return attempts{
		away: snmp["Ip:OutNoRoutes"] + six["Ip6OutNoRoutes"],
		here: snmp["Tcp:AttemptFails"] + snmp["Udp:NoPorts"] + six["Udp6NoPorts"],
	}
}

// counters reads a table of pairs of lines, names above values: "Ip: Forwarding
// DefaultTTL", "Ip: 1 64".
func counters(path string) map[string]int {
	found := map[string]int{}
	text, err := os.ReadFile(path)
	if err != nil {
		return found
	}
	lines := strings.Split(string(text), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		names, values := strings.Fields(lines[i]), strings.Fields(lines[i+1])
		for j := 1; j < len(names) && j < len(values); j++ {
			found[names[0]+names[j]], _ = strconv.Atoi(values[j]) // 0 for what is no number
		}
	}
	return found
}

// words says what was tried, as entries of Result.Blocked.
func (a attempts) words() []string {
	var list []string
	if a.away > 0 {
		list = append(list, blockedNetwork+": it tried to reach another machine ("+times(a.away)+")")
	}
	if a.here > 0 {
		list = append(list, blockedNetwork+": it tried a port of this machine that nothing listens on in the sandbox ("+times(a.here)+")")
	}
	return list
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// network is the init's view of what was tried.
type network struct {
	own  bool // the sandbox has a network of its own
	tell func(report)
	mu   sync.Mutex
	last attempts
}

// report reports what was tried since.
func (n *network) report() {
	if !n.own {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if now := reached(); now != n.last {
		n.last = now
		n.tell(report{Away: now.away, Here: now.here})
	}
}

// take keeps what a report says was tried; true if it is about that. What a
// command next to the program tries on the loopback is its own affair.
func (a *attempts) take(rep report, repro bool) bool {
	if rep.Away == 0 && rep.Here == 0 {
		return false
	}
	a.away = rep.Away
	if !repro {
		a.here = rep.Here
	}
	return true
}
