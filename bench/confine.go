package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/internal/supervise"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// The hidden check builds and runs what a model wrote, and nobody has read it: it
// does so in the sandbox. The case itself is run as `fix` runs a program.

// starter runs a command to its end, as start does.
type starter func(ctx context.Context, limit time.Duration, dir string, env []string, stdin []byte, name string, args ...string) (ended, error)

// checker runs the checks of a case.
type checker struct {
	*Case
	start starter
}

// Sandbox is where candidates are built and run. The zero value refuses to run
// them where the system has no sandbox. It is safe for concurrent use.
type Sandbox struct {
	AllowNone bool // run them without one where there is none

	find  sync.Once
	dirs  goDirs
	found error
}

// goDirs are directories of the go command.
type goDirs struct {
	Root    string `json:"GOROOT"`
	Modules string `json:"GOMODCACHE"`
	Cache   string `json:"GOCACHE"`
}

func (b *Sandbox) goDirs(ctx context.Context) (goDirs, error) {
	b.find.Do(func() {
		cmd := supervise.Command(context.WithoutCancel(ctx), "go", "env", "-json", "GOROOT", "GOMODCACHE", "GOCACHE")
		cmd.Dir, cmd.Env = os.TempDir(), append(os.Environ(), goEnv...)
		text, err := cmd.Output()
		if err == nil {
			err = json.Unmarshal(text, &b.dirs)
		}
		if err != nil {
			b.found = fmt.Errorf("find Go's directories: %w", err)
		}
	})
	return b.dirs, b.found
}

const (
	maxStderr = 8 << 20 // bytes that are read of what a run prints to standard error
	maxFile   = 512 << 20
)

// divert leaves standard output alone: a sandbox makes one stream of both.
const divert = `exec "$@" 2>&3 3>&-`

// in returns what runs commands in the sandbox. They may change files in writes
// only, and below their working directory in vain.
func (b *Sandbox) in(writes string) starter {
	return func(ctx context.Context, limit time.Duration, dir string, env []string, stdin []byte, name string, args ...string) (ended, error) {
		s := sandbox.Spec{Dir: dir, AllowNone: b.AllowNone, Limits: sandbox.Limits{Wall: limit}}
		if name == "go" {
			dirs, err := b.goDirs(ctx)
			if err != nil {
				return ended{}, err
			}
			name = dirs.compiles(&s, writes)
		}
		s.Path, s.Args = "/bin/sh", append([]string{"-c", divert, "sh", name}, args...)
		s.Env = append(append(inherited(), s.Env...), env...)
		s.Readable = append(s.Readable, name)
		e, err := runIn(ctx, s, stdin)
		if said := e.stdout + e.stderr; err == nil && e.code != 0 && s.AllowAttributes && (strings.Contains(said, "read-only file system") || strings.Contains(said, " is not in std ")) {
			s.Throwaway = append(s.Throwaway, b.dirs.Cache) // the go command insists on writing there
			s.Env = append(s.Env, "GODEBUG=goindex=0")      // and finds no package without an index that it could write
			e, err = runIn(ctx, s, stdin)
		}
		return e, err
	}
}

// compiles lets a go command read Go's directories. The build cache is read-only:
// Warm has filled it.
func (d goDirs) compiles(s *sandbox.Spec, writes string) (path string) {
	s.Readable = []string{d.Root, d.Modules, d.Cache}
	s.Env = []string{"GOENV=off", "GOROOT=" + d.Root, "GOMODCACHE=" + d.Modules, "GOCACHE=" + d.Cache, "XDG_CONFIG_HOME=" + os.DevNull}
	s.Writable = []string{writes}
	s.AllowAttributes = true // linkers set them
	processors := runtime.NumCPU()
	s.Limits.CPU, s.Limits.Memory = s.Limits.Wall*time.Duration(processors), 4<<30
	s.Limits.Data, s.Limits.Processes, s.Limits.OpenFiles = 4*s.Limits.Memory, 256+128*processors, 4096
	s.Limits.FileSize, s.Limits.Disk = maxFile, 4*maxFile
	return filepath.Join(d.Root, "bin", "go")
}

// inherited are the variables of this process that a candidate gets, which hold no secrets.
func inherited() []string {
	return slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return !slices.Contains([]string{"PATH", "HOME", "USER", "LANG", "TZ"}, name) && !strings.HasPrefix(name, "LC_")
	})
}

func runIn(ctx context.Context, s sandbox.Spec, stdin []byte) (e ended, err error) {
	in, err := temporary(stdin)
	if err != nil {
		return e, err
	}
	defer func() { _ = errors.Join(in.Close(), os.Remove(in.Name())) }()
	stderr, err := temporary(nil)
	if err != nil {
		return e, err
	}
	defer func() { _ = errors.Join(stderr.Close(), os.Remove(stderr.Name())) }()
	var stdout bytes.Buffer // bounded by the limit of output
	s.Stdin, s.ExtraFiles, s.Watch = in.Name(), []*os.File{stderr}, &stdout
	r, err := sandbox.Run(ctx, s)
	if err != nil {
		return e, err
	}
	text, err := io.ReadAll(io.NewSectionReader(stderr, 0, maxStderr))
	e = ended{stdout: stdout.String(), stderr: string(text), code: r.ExitCode, late: r.Limit == sandbox.LimitTime}
	if r.Limit != "" {
		e.stderr += "ended by the limit of " + r.Limit
	}
	return e, err
}

// temporary is a file with a text.
func temporary(text []byte) (*os.File, error) {
	f, err := os.CreateTemp("", "pausetui-bench-")
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(text); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

// Warm builds the case as it is, with its hidden tests, in the empty directory
// dir, so that the build cache has what candidates need besides their own code.
// Whatever else fails shows in the check.
func (c *Case) Warm(ctx context.Context, dir string) error {
	defer os.RemoveAll(dir)
	module, temp, err := c.prepare(dir, c.module)
	if err != nil {
		return err
	}
	if len(c.Hidden.Runs) > 0 {
		_, _ = checker{c, start}.build(ctx, module, temp)
	}
	if c.Hidden.Test {
		if err := write(module, c.hidden); err != nil {
			return err
		}
		_, _ = checker{c, start}.goTest(ctx, module, "-exec=true", "./...")
	}
	return ctx.Err()
}
