package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/internal/supervise"
)

// Bounds of what a command prints, in bytes. The rest is read and thrown away.
const (
	maxDecision = 256 << 10
	maxOutput   = 4 << 10
)

// Command is a shell's command as a Handler. It gets the event as JSON on standard input
// and may print a Decision as JSON; what it prints on standard error goes to the
// log. An exit code other than 0 is a failure.
type Command struct {
	Line string
	Dir  string
	Env  []string // of the command; this process's when nil
}

// Handle implements Handler. The command and all its descendants end with ctx.
func (c Command) Handle(ctx context.Context, e Event) (Decision, string, error) {
	event, err := json.Marshal(e)
	if err != nil {
		return Decision{}, "", err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := supervise.Command(ctx, "/bin/sh", "-c", c.Line)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.Stdin = bytes.NewReader(event)
	stdout, stderr := &head{most: maxDecision}, &head{most: maxOutput}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err = cmd.Run()
	output := printable.Text(stderr.String())
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return Decision{}, output, fmt.Errorf("exit code %d", exit.ExitCode())
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return Decision{}, output, err
	case stdout.cut:
		return Decision{}, output, fmt.Errorf("it printed more than %d bytes", maxDecision)
	}
	d, err := decision(stdout.String())
	return d, output, err
}

// decision reads what a command printed, several decisions as one; nothing is no decision.
func decision(text string) (Decision, error) {
	var all Decision
	in := json.NewDecoder(strings.NewReader(text))
	in.DisallowUnknownFields()
	for {
		var d Decision
		switch err := in.Decode(&d); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return Decision{}, fmt.Errorf("what it printed is no decision: %w", err)
		}
		all.merge(d)
	}
}

// head keeps the beginning of what is written.
type head struct {
	mu   sync.Mutex
	b    bytes.Buffer
	most int
	cut  bool
}

// Write never fails: a command that prints too much is not to be blocked.
func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	left := h.most - h.b.Len()
	h.cut = h.cut || len(p) > left
	h.b.Write(p[:min(len(p), max(left, 0))])
	return len(p), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.b.String()
}
