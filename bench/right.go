package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// WrongError says how behavior differs from what is right. Broken tells that
// the module, with the hidden tests laid over it, does not even build.
type WrongError struct {
	What   string
	Broken bool
}

func (e *WrongError) Error() string { return e.What }

// Right decides whether the module in dir, in whatever way it was changed,
// behaves as it should: the hidden runs give what they should, and the hidden
// tests pass together with all others. The module is built and run in the
// sandbox. A *WrongError says what is wrong; any other error kept it from finding
// out. The hidden tests stay in dir.
func (c *Case) Right(ctx context.Context, dir string, in *Sandbox) error {
	temp, err := os.MkdirTemp("", "pausetui-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	return checker{c, in.in(temp)}.right(ctx, dir, temp)
}

func (c *Case) right(ctx context.Context, dir, temp string) error {
	return checker{c, start}.right(ctx, dir, temp)
}

// right is Right with a directory for temporary files, where a binary that is
// up to date is not built again.
func (c checker) right(ctx context.Context, dir, temp string) error {
	if err := c.rightRuns(ctx, dir, temp); err != nil {
		return err
	}
	if !c.Hidden.Test {
		return nil
	}
	if err := write(dir, c.hidden); err != nil {
		return err
	}
	e, err := c.goTest(ctx, dir, "./...")
	switch {
	case err != nil:
		return err
	case strings.Contains(e.stdout, "[build failed]") || strings.Contains(e.stdout, "[setup failed]"):
		return &WrongError{What: "the hidden tests do not build: " + e.String(), Broken: true}
	case e.code != 0 || e.late:
		return &WrongError{What: "hidden tests: " + e.String()}
	}
	return nil
}

func (c checker) rightRuns(ctx context.Context, dir, temp string) error {
	if len(c.Hidden.Runs) == 0 {
		return nil
	}
	binary, err := c.build(ctx, dir, temp)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return &WrongError{What: err.Error(), Broken: true}
	}
	for i, r := range c.Hidden.Runs {
		for n := range max(r.Repeat, 1) {
			work := filepath.Join(temp, fmt.Sprintf("run-%d-%d", i, n))
			if err := c.rightRun(ctx, work, binary, r); err != nil {
				return fmt.Errorf("hidden run %d: %w", i+1, err)
			}
		}
	}
	return nil
}

func (c checker) rightRun(ctx context.Context, work, binary string, r Run) error {
	if err := os.MkdirAll(work, 0o700); err != nil {
		return err
	}
	if err := c.layoutData(work, r); err != nil {
		return err
	}
	stdin := []byte(r.Stdin)
	if r.From != "" {
		stdin, _ = c.file(r.From)
	}
	e, err := c.start(ctx, runLimit, work, append(c.Env[:len(c.Env):len(c.Env)], r.Env...), stdin, binary, r.Args...)
	if err != nil {
		return err
	}
	if what := r.wrong(e); what != "" {
		return &WrongError{What: what + ": " + e.String()}
	}
	return nil
}

// wrong says what a run got wrong; empty when nothing.
func (r Run) wrong(e ended) string {
	switch {
	case e.late || e.crashed():
		return "crashed or did not end"
	case r.Fails && e.code == 0:
		return "ended with 0"
	case !r.Fails && e.code != r.Exit:
		return fmt.Sprintf("want exit code %d", r.Exit)
	case r.Stdout != nil && e.stdout != *r.Stdout:
		return fmt.Sprintf("want the output %q, not %q", *r.Stdout, e.stdout)
	}
	for _, part := range r.Contains {
		if !strings.Contains(e.stdout, part) {
			return fmt.Sprintf("the output lacks %q", part)
		}
	}
	return ""
}
