package bench

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/bench/runner"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// shared is a buffer that is written and read by several goroutines.
type shared struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// TestARunSaysWhatItDoesFromTheBeginning: before the first cell has ended, which may
// take a minute.
func TestARunSaysWhatItDoesFromTheBeginning(t *testing.T) {
	plan := matrix.Plan{Columns: []matrix.Column{{Model: matrix.Builtin}}, Cases: []matrix.Case{{Name: "open"}, {Name: "hidden", Closed: true}}, Trials: 1}
	for _, terminal := range []bool{true, false} {
		var out shared
		b := newProgress(&out, plan, 2, 4, terminal)
		testsupport.Eventually(t, "the first words", func() bool { return strings.Contains(out.String(), "running 2 cells, 2 at a time") })
		b.show(runner.Progress{Done: 1, Total: 2, Cell: matrix.Cell{Case: 0}})
		b.show(runner.Progress{Done: 1, Total: 2, Cell: matrix.Cell{Case: 1}, Err: errors.New("secret")})
		b.end()
		got := out.String()
		if !strings.Contains(got, "1/2 builtin open, ") || strings.Contains(got, "secret") || strings.Contains(got, "\r") != terminal {
			t.Errorf("terminal %v: %q", terminal, got)
		}
	}
}
