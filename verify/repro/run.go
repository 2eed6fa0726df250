package repro

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/internal/supervise"
)

// MaxOutput bounds what is kept of what a command prints, in bytes.
const MaxOutput = 64 << 10

// Result is how a command ended.
type Result struct {
	Exit    int    // exit code; -1 when a signal ended it
	Signal  string // "killed"; empty when it exited
	Output  []byte // what it printed first, on standard output and error
	Dropped int64  // bytes it printed after that
	Took    time.Duration
}

// Shell is the interpreter of a command, with the flag that its line follows.
var Shell = []string{"/bin/sh", "-c"}

// Run runs a command in a directory and waits for its end; what it leaves
// after is killed. The error tells that it could not be started, or that ctx
// has ended it.
func Run(ctx context.Context, command, dir string, env []string) (Result, error) {
	out := &Output{}
	cmd := supervise.Command(ctx, Shell[0], Shell[1], command)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, out, out
	began := time.Now()
	err := cmd.Run()
	r := Result{Took: time.Since(began)}
	r.Output, r.Dropped = out.Text()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case err == nil:
		return r, nil
	case errors.As(err, &exit):
		r.Exit = exit.ExitCode()
		if !exit.Exited() {
			r.Exit, r.Signal = -1, strings.TrimPrefix(exit.String(), "signal: ")
		}
		return r, nil
	}
	return r, fmt.Errorf("run %q: %w", command, err)
}

// Output keeps the first MaxOutput bytes of what is written to it.
type Output struct {
	mu      sync.Mutex
	text    []byte
	dropped int64
}

// Write never fails: a command must not die of a full pipe.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	take := min(len(p), MaxOutput-len(o.text))
	o.text = append(o.text, p[:take]...)
	o.dropped += int64(len(p) - take)
	return len(p), nil
}

// Text returns what was kept, and how many bytes were not.
func (o *Output) Text() ([]byte, int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text[:len(o.text):len(o.text)], o.dropped
}
