package build

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/internal/supervise"
)

// maxOutput bounds what is kept of a go command's output, in bytes.
const maxOutput = 256 << 10

// head keeps the first bytes written to it, maxOutput where most is 0, and
// counts the rest.
type head struct {
	bytes.Buffer
	most    int
	dropped int64
}

// Write never fails, so that a flood does not stop the compiler.
func (h *head) Write(p []byte) (int, error) {
	keep := min(len(p), cmp.Or(h.most, maxOutput)-h.Len())
	h.Buffer.Write(p[:keep])
	h.dropped += int64(len(p) - keep)
	return len(p), nil
}

// command prepares a go command in the spec's directory and environment.
func command(ctx context.Context, s Spec, args ...string) (*exec.Cmd, error) {
	path, err := goCommand(s)
	if err != nil {
		return nil, startError(ctx, err)
	}
	cmd := supervise.Yielding(ctx, s.Nice, path, args...)
	cmd.Dir = s.Dir
	cmd.Env = scratch.GoEnv(environment(s))
	return cmd, nil
}

// goCommand finds the go command in the PATH of the spec's own environment.
func goCommand(s Spec) (string, error) {
	if s.Env == nil {
		return exec.LookPath("go")
	}
	for _, dir := range filepath.SplitList(lookup(s.Env, "PATH")) {
		path := filepath.Join(dir, "go")
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return path, nil
		}
	}
	return "", fmt.Errorf("go: %w", exec.ErrNotFound)
}

// run runs a go command to its end; the error tells only that it could not be
// run, ok whether it ended with 0.
func run(ctx context.Context, s Spec, stdout *bytes.Buffer, args ...string) (stderr string, ok bool, err error) {
	cmd, err := command(ctx, s, args...)
	if err != nil {
		return "", false, err
	}
	var text head
	cmd.Stdout, cmd.Stderr = stdout, &text
	if ok, err = wellEnded(ctx, cmd.Run()); err != nil {
		return "", false, err
	}
	return text.String(), ok, nil
}

// wellEnded reports whether a go command ended with 0. The error tells that it could not
// be run, or was killed: that says nothing about the source.
func wellEnded(ctx context.Context, err error) (bool, error) {
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err == nil:
		return true, nil
	case !errors.As(err, &exit):
		return false, startError(ctx, err)
	case exit.ExitCode() < 0:
		return false, advice.Add(fmt.Errorf("the go command was killed (%w)", exit), "run it again; the kernel kills what takes too much memory")
	}
	return false, nil
}
