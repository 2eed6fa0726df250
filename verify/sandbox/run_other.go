//go:build !linux

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/supervise"
)

func initMain([]string) int { return 1 }

func launcherMain([]string) int { return 1 }

func attempt(context.Context, Tier, string) error { return errors.New("only Linux has it") }

// Run runs the program without a sandbox, if the spec allows that: with limits
// of time and output only, without a terminal and without typed input.
func Run(ctx context.Context, s Spec) (Result, error) {
	if tier, _ := choose(s); tier == None && !s.AllowNone {
		return Result{Tier: None}, advice.Add(fmt.Errorf("run %q: %w", s.Path, ErrNoSandbox),
			"allow it to run without one for this session, or pass --allow-unsandboxed")
	}
	if s.Repro != nil {
		return Result{Tier: None}, fmt.Errorf("run %q next to %q: %w", s.Repro.Command, s.Path, ErrSharedNetwork)
	}
	limits := s.Limits.withDefaults()
	running, cancel := context.WithTimeout(ctx, limits.Wall)
	defer cancel()
	var flooded atomic.Bool
	out := capture{limit: limits.Output, full: func() { flooded.Store(true); cancel() }}
	cmd := supervise.Command(running, s.Path, s.Args...)
	var printed io.Writer = &out
	if s.Watch != nil {
		printed = io.MultiWriter(&out, unfailing{s.Watch})
	}
	cmd.Env, cmd.Dir, cmd.ExtraFiles, cmd.Stdout, cmd.Stderr = s.Env, s.Dir, s.ExtraFiles, printed, printed
	if s.Stdin != "" {
		f, err := os.Open(s.Stdin)
		if err != nil {
			return Result{}, fmt.Errorf("open standard input: %w", err)
		}
		defer f.Close()
		cmd.Stdin = f
	}
	begun := time.Now()
	err := cmd.Run()
	r := Result{Tier: None, ExitCode: -1, Took: time.Since(begun)}
	r.Output, r.Dropped = out.text()
	r.Blocked = nil // nothing is refused without a sandbox
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case flooded.Load():
		r.Limit = LimitOutput
	case running.Err() != nil:
		r.Limit = LimitTime
	case err == nil:
		r.ExitCode = 0
	case errors.As(err, &exit) && exit.Exited():
		r.ExitCode = exit.ExitCode()
	case errors.As(err, &exit):
		r.Signal = exit.ProcessState.String()
	default:
		return Result{}, fmt.Errorf("start %q: %w", s.Path, err)
	}
	return r, nil
}
