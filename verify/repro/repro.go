// Package repro replays what made a program fail: once the program listens, or
// has printed a text, it runs a command next to it, as a client would be.
//
// It knows neither the debugger nor the sandbox: both run their program and ask
// here when the moment has come.
package repro

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Plan says what is run and when.
type Plan struct {
	Command string // a line for the shell
	After   string // run it after the program printed this; empty: when it listens on a TCP port
	// Captured: it makes the request again that a server was stopped by.
	Captured bool
	// AnyPort: the program listened on one port when it was stopped, so whichever it
	// listens on now is the one. A port that the system chose does not come again.
	AnyPort bool
}

// PortVariable is set in the command's environment to the port that the program
// listens on, unless the command waits for a text.
const PortVariable = "PAUSETUI_PORT"

// Poll is how often a process that waits for a port should look.
const Poll = 20 * time.Millisecond

// Gate tells when a program's ports are those that a command waits for. The
// zero value waits for any.
type Gate struct {
	named []int
	since time.Time // when the program was first seen to listen
}

// patience is how long a port that the command names is waited for while the
// program listens on others only.
const patience = 3 * time.Second

// named finds the ports in a command: "http://localhost:8080/", ":8080".
var named = lazyregexp.New(`:(\d{2,5})\b`)

// NewGate returns a gate for the ports that a plan's command names, if it names any:
// a server may listen on several, one after the other.
func NewGate(p Plan) *Gate {
	g := &Gate{}
	if p.AnyPort {
		return g
	}
	for _, m := range named.FindAllStringSubmatch(p.Command, -1) {
		if port, err := strconv.Atoi(m[1]); err == nil && port < 1<<16 {
			g.named = append(g.named, port)
		}
	}
	return g
}

// Open reports whether the command may run, with the ports the program listens on
// now, and which of them it should use.
func (g *Gate) Open(now time.Time, ports []int) (port int, open bool) {
	if len(ports) == 0 {
		return 0, false
	}
	if g.since.IsZero() {
		g.since = now
	}
	if i := slices.IndexFunc(ports, func(port int) bool { return slices.Contains(g.named, port) }); i >= 0 {
		return ports[i], true
	}
	return slices.Min(ports), len(g.named) == 0 || now.Sub(g.since) >= patience
}

// Watcher looks for a text in what a program prints.
type Watcher struct {
	mu   sync.Mutex
	text []byte
	tail []byte // the end of what was printed, shorter than text
	seen chan struct{}
	done bool
}

// NewWatcher returns a watcher for a text that is not empty.
func NewWatcher(text string) *Watcher {
	return &Watcher{text: []byte(text), seen: make(chan struct{})}
}

// Seen is closed once the text was printed.
func (w *Watcher) Seen() <-chan struct{} { return w.seen }

// Write takes what was printed; it never fails.
func (w *Watcher) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done {
		return len(p), nil
	}
	all := append(w.tail, p...)
	if bytes.Contains(all, w.text) {
		w.done, w.tail = true, nil
		close(w.seen)
		return len(p), nil
	}
	w.tail = bytes.Clone(all[max(0, len(all)-len(w.text)+1):])
	return len(p), nil
}

// Setting is what the environment of a command says of the port.
func Setting(port int) string { return PortVariable + "=" + strconv.Itoa(port) }

// Ready waits until the time of a plan's command has come, for the program with
// that process id, whose output printed sees. It returns what goes into the
// command's environment; false: ctx has ended first.
func Ready(ctx context.Context, p Plan, pid int, printed *Watcher) (env []string, ok bool) {
	if p.After != "" {
		select {
		case <-printed.Seen():
			return nil, true
		case <-ctx.Done():
			return nil, false
		}
	}
	gate, tick := NewGate(p), time.NewTicker(Poll)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			if port, open := gate.Open(now, Ports(pid)); open {
				return []string{Setting(port)}, true
			}
		case <-ctx.Done():
			return nil, false
		}
	}
}
