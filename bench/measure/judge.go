package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/bench"
)

// judge decides which candidates for a case are right. What it found out about
// a diff holds in every setting.
type judge struct {
	c     *bench.Case
	dir   string            // where modules are laid out
	known map[string]string // by diff: what is wrong; empty when it is right
}

func newJudge(c *bench.Case, dir string) *judge {
	return &judge{c: c, dir: dir, known: map[string]string{}}
}

func (j *judge) all(ctx context.Context, candidates []candidate) error {
	for i := range candidates {
		k := &candidates[i]
		wrong, ok := j.known[k.Diff]
		if !ok {
			var err error
			if wrong, err = j.one(ctx, k.Diff); err != nil {
				return fmt.Errorf("judge candidate %d: %w", i+1, err)
			}
			j.known[k.Diff] = wrong
		}
		k.Right, k.Wrong = wrong == "", wrong
	}
	return nil
}

// one applies a diff to a fresh module and says what the hidden check finds
// wrong, if anything.
func (j *judge) one(ctx context.Context, diff string) (string, error) {
	module := filepath.Join(j.dir, fmt.Sprintf("candidate-%d", len(j.known)+1))
	defer os.RemoveAll(module)
	if err := j.c.Layout(module); err != nil {
		return "", err
	}
	if out, err := gitApply(ctx, module, diff); err != nil {
		return fmt.Sprintf("the diff does not apply: %s", out), ctx.Err()
	}
	wrong := (*bench.WrongError)(nil)
	switch err := j.c.Right(ctx, module); {
	case err == nil:
		return "", nil
	case errors.As(err, &wrong):
		return firstLines(wrong.What, 2000), nil
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
