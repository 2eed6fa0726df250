package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/pausetui/pausetui/internal/supervise"
)

// Bounds of what a case may take; both are far beyond what a healthy one
// needs on a busy machine.
const (
	buildLimit = 5 * time.Minute
	runLimit   = 30 * time.Second
)

// goEnv makes builds independent of the directory, so that the build cache
// serves all of them, and of everything outside the module.
var goEnv = []string{"GOFLAGS=-trimpath -buildvcs=false", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local", "GO111MODULE=on", "PWD="}

// ended is how a command ended.
type ended struct {
	stdout, stderr string
	code           int // -1 when a signal ended it
	late           bool
}

func (e ended) crashed() bool {
	return e.late || crashed.MatchString(e.stderr) || crashed.MatchString(e.stdout)
}

func (e ended) String() string {
	if e.late {
		return "did not end in time\n" + e.stdout + e.stderr
	}
	return fmt.Sprintf("exit code %d\n%s%s", e.code, e.stdout, e.stderr)
}

// start runs a command to its end. The error is only about what kept it from
// running.
func start(ctx context.Context, limit time.Duration, dir string, env []string, stdin []byte, name string, args ...string) (ended, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := supervise.Command(limited, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		return ended{}, ctx.Err()
	}
	e := ended{stdout: stdout.String(), stderr: stderr.String(), late: limited.Err() != nil}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) && !e.late {
		return e, fmt.Errorf("run %s: %w", name, err)
	}
	if cmd.ProcessState != nil {
		e.code = cmd.ProcessState.ExitCode()
	}
	return e, nil
}

func (c *Case) build(ctx context.Context, dir, temp string) (string, error) {
	return checker{c, start}.build(ctx, dir, temp)
}

// build builds the program in dir and returns the binary.
func (c checker) build(ctx context.Context, dir, temp string) (string, error) {
	binary := filepath.Join(temp, "program")
	e, err := c.start(ctx, buildLimit, dir, goEnv, nil, "go", "build", c.noInlining(), "-ldflags=-s -w", "-o", binary, c.Target())
	if err != nil {
		return "", err
	}
	if e.code != 0 || e.late {
		return "", fmt.Errorf("go build %s: %s", c.Target(), e)
	}
	return binary, nil
}

// Target is the package as the go command wants it.
func (c *Case) Target() string {
	if p := filepath.ToSlash(filepath.Clean(c.Package)); p != "." && !filepath.IsAbs(p) {
		return "./" + p
	}
	return "."
}

// noInlining keeps the names of the module's functions in stack traces: an
// inlined closure is named after the function that it ended up in.
func (c *Case) noInlining() string { return "-gcflags=" + c.modulePath() + "/...=-l" }

func (c *Case) goTest(ctx context.Context, dir string, packages ...string) (ended, error) {
	return checker{c, start}.goTest(ctx, dir, packages...)
}

// goTest runs the tests of packages in dir.
func (c checker) goTest(ctx context.Context, dir string, packages ...string) (ended, error) {
	args := append([]string{"test", "-timeout=" + (2 * runLimit).String(), "-vet=off", c.noInlining(), "-ldflags=-s -w"}, packages...)
	return c.start(ctx, buildLimit, dir, append(goEnv[:len(goEnv):len(goEnv)], c.Env...), nil, "go", args...)
}

// visible runs the target of a case as it is shown to everybody, in the
// module's directory dir.
func (c *Case) visible(ctx context.Context, dir, temp string) (ended, error) {
	if c.Kind == Test {
		return c.goTest(ctx, dir, append([]string{c.Target()}, c.Args...)...)
	}
	binary, err := c.build(ctx, dir, temp)
	if err != nil {
		return ended{}, err
	}
	stdin, _ := c.file(c.Stdin)
	return start(ctx, runLimit, dir, c.Env, stdin, binary, c.Args...)
}

// crashReport is where a run of the target prints how it crashed.
func (c *Case) crashReport(e ended) string {
	if c.Kind == Test {
		return e.stdout + e.stderr
	}
	return e.stderr
}
