package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/internal/scratch"
)

// judge decides which candidates for a case are right. What it found out about
// a diff holds in every cell.
type judge struct {
	c   *bench.Case
	dir string // where modules are laid out
	in  *bench.Sandbox

	mu    sync.Mutex        // one candidate of a case at a time
	known map[string]string // by diff: what is wrong; empty when it is right
}

func newJudge(c *bench.Case, dir string, in *bench.Sandbox) *judge {
	return &judge{c: c, dir: dir, in: in, known: map[string]string{}}
}

// wrong says what the hidden check finds wrong with a diff; empty when it is
// right.
func (j *judge) wrong(ctx context.Context, diff string) (string, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if wrong, ok := j.known[diff]; ok {
		return wrong, nil
	}
	if len(j.known) == 0 {
		if err := j.c.Warm(ctx, filepath.Join(j.dir, "warm")); err != nil {
			return "", err
		}
	}
	wrong, err := j.one(ctx, diff)
	if err == nil {
		j.known[diff] = wrong
	}
	return wrong, err
}

// one applies a diff to a fresh module and says what the hidden check finds
// wrong, if anything.
func (j *judge) one(ctx context.Context, diff string) (string, error) {
	module := filepath.Join(j.dir, fmt.Sprintf("candidate-%d", len(j.known)+1))
	defer scratch.Remove(module)
	if err := j.c.Layout(module); err != nil {
		return "", err
	}
	if out, err := gitApply(ctx, module, diff); err != nil {
		return fmt.Sprintf("the diff does not apply: %s", out), ctx.Err()
	}
	wrong := (*bench.WrongError)(nil)
	switch err := j.c.Right(ctx, module, j.in); {
	case err == nil:
		return "", nil
	case errors.As(err, &wrong):
		return shortened(wrong.What, 2000), nil
	default:
		return "", err
	}
}

// gitApply applies a diff to the files in dir, be they in a repository or not.
func gitApply(ctx context.Context, dir, diff string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", "apply", "--whitespace=nowarn", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(diff)
	// Inside a repository git would look for the files from its top.
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "PWD="+dir)
	return cmd.CombinedOutput()
}

func shortened(s string, n int) string {
	s = strings.TrimSpace(s)
	return strings.ToValidUTF8(s[:min(n, len(s))], "")
}
