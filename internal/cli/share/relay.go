package share

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/supervise"
	"github.com/pausetui/pausetui/session"
)

// relay is a machine that both sides reach by ssh. It has a port of its own loopback
// that leads to this machine, as long as the ssh that asked for it runs.
type relay struct {
	host string // as the person named it: "user@relay"
	port string // there
	done chan struct{}

	mu   sync.Mutex
	said string // the last line of ssh
}

// isRelay reports whether an address to share at names a relay.
func isRelay(addr string) bool { return strings.Contains(addr, "@") }

// relayPatience is how long a relay may take to give a port.
const relayPatience = 20 * time.Second

// allocated is what ssh says of a port that the relay has chosen.
var allocated = lazyregexp.New(`^Allocated port (\d+) for remote forward`)

// openRelay has a relay forward a port to an address of this machine. It ends with ctx.
func openRelay(ctx context.Context, host, addr string) (*relay, error) {
	if strings.HasPrefix(host, "-") {
		return nil, cli.UsageError(fmt.Errorf("share at %q: want user@host", host))
	}
	r := &relay{host: host, done: make(chan struct{})}
	c := supervise.Command(ctx, "ssh", "-N", "-T", "-o", "BatchMode=yes", "-o", "ExitOnForwardFailure=yes", "-o", "ServerAliveInterval=15",
		"-R", "127.0.0.1:0:"+addr, "--", host)
	out, err := c.StderrPipe()
	if err != nil {
		return nil, fmt.Errorf("relay: %w", err)
	}
	if err := c.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			err = advice.Add(errors.New("ssh is not installed"), "apt-get install openssh-client")
		}
		return nil, fmt.Errorf("relay %s: %w", host, err)
	}
	ports := make(chan string, 1)
	go func() { // ends with ssh
		defer close(r.done)
		r.read(out, ports)
		_ = c.Wait() // what it said is known
	}()
	select {
	case r.port = <-ports:
		return r, nil
	case <-r.done:
	case <-time.After(relayPatience):
	}
	_ = c.Cancel()
	return nil, advice.Add(fmt.Errorf("relay %s: %s", host, cmp.Or(r.last(), "it gave no port in time")), "ssh "+host+" has to work without a question: with a key in the agent")
}

// read reads what ssh says, line by line.
func (r *relay) read(out io.Reader, ports chan<- string) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		line := strings.TrimSpace(session.Clean(lines.Text()))
		if m := allocated.FindStringSubmatch(line); m != nil {
			select {
			case ports <- m[1]:
			default: // it says so once
			}
			continue
		}
		r.mu.Lock()
		r.said = cmp.Or(strings.TrimSuffix(line, "."), r.said)
		r.mu.Unlock()
	}
}

// last is the last line that ssh said.
func (r *relay) last() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.said
}

// line is what a colleague types.
func (r *relay) line() string { return fmt.Sprintf("ssh -J %s -p %s 127.0.0.1", r.host, r.port) }

// watch calls lost with the reason if the relay ends before ctx does.
func (r *relay) watch(ctx context.Context, lost func(why string)) {
	select {
	case <-ctx.Done():
	case <-r.done:
		if ctx.Err() == nil {
			lost(fmt.Sprintf("the connection to %s has ended: %s", r.host, cmp.Or(r.last(), "ssh says no more")))
		}
	}
}
