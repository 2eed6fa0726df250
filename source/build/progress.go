package build

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

const (
	// tick is how often progress is reported while nothing happens.
	tick = 200 * time.Millisecond
	// patience is how long a build may take before its size is asked for: a
	// cached one is over by then and pays nothing.
	patience = 700 * time.Millisecond
)

// compiled matches a line of -v: an import path alone.
var compiled = lazyregexp.New(`^[^\s:#]+$`)

// meter splits the output of a running build into package names and messages,
// and reports how far it is.
type meter struct {
	report func(Progress)
	begun  time.Time
	root   string // the import path whose compilation comes last; empty while unknown

	mu    sync.Mutex
	line  []byte // an unfinished line
	text  head   // everything but the package names
	done  map[string]bool
	stale map[string]bool
	now   Progress
}

func newMeter(report func(Progress)) *meter {
	return &meter{report: report, begun: time.Now(), done: map[string]bool{}, stale: map[string]bool{}, now: Progress{Phase: "resolving"}}
}

// Write takes the build's output.
func (m *meter) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.line = append(m.line, p...)
	for {
		i := bytes.IndexByte(m.line, '\n')
		if i < 0 {
			if len(m.line) > maxOutput {
				m.line = m.line[:0] // no message is that long
			}
			return len(p), nil
		}
		m.take(string(m.line[:i+1]))
		m.line = m.line[i+1:]
	}
}

func (m *meter) take(line string) {
	name := strings.TrimSpace(line)
	if !compiled.MatchString(name) {
		_, _ = m.text.Write([]byte(line)) // never fails
		return
	}
	m.done[name] = true
	m.now.Package, m.now.Phase = name, "compiling"
	if m.root != "" && name == m.root {
		m.now.Phase = "linking"
	}
}

// expect tells the meter which packages are not in the build cache.
func (m *meter) expect(stale []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, name := range stale {
		m.stale[name] = true
	}
}

// rootIs tells the meter which package is compiled last.
func (m *meter) rootIs(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.root = name
}

func (m *meter) snapshot() Progress {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.now
	p.Done, p.Elapsed = len(m.done), time.Since(m.begun)
	if len(m.stale) > 0 {
		p.Total = len(m.stale)
		for name := range m.done {
			if !m.stale[name] {
				p.Total++ // compiled before the list was made
			}
		}
	}
	return p
}

func (m *meter) output() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.text.String() + string(m.line)
}

// watch reports until ctx ends, once more then.
func (m *meter) watch(ctx context.Context) {
	if m.report == nil {
		return
	}
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	m.report(m.snapshot())
	for {
		select {
		case <-ctx.Done():
			m.report(m.snapshot())
			return
		case <-ticker.C:
			m.report(m.snapshot())
		}
	}
}

// size asks which packages have to be compiled, if the build takes long enough
// for anyone to care, at the lowest priority.
func (m *meter) size(ctx context.Context, s Spec, flags []string) {
	if m.report == nil {
		return
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return
	case <-timer.C:
	}
	args := append([]string{"list", "-e", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}"}, flags...)
	if s.Test {
		args = append(args, "-test")
	}
	s.Nice = 19
	cmd, err := command(ctx, s, append(args, packages(s)...)...)
	if err != nil {
		return
	}
	var out bytes.Buffer
	cmd.Stdout = &out
	if cmd.Run() == nil {
		m.expect(strings.Fields(out.String()))
	}
}
