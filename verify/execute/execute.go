package execute

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/internal/supervise"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// leastWall is the shortest time limit of a rerun.
const leastWall = 5 * time.Second

// leastGrace is how long a program may go on, at least, after the
// repro command has ended.
const leastGrace = 300 * time.Millisecond

// LeastWhole is the shortest time limit of a rerun that tells something only
// when the program comes to its end.
const LeastWhole = 20 * time.Second

// Wall is how long a rerun may run, see sandbox.Spent, going by how long the target
// did by the clock, and the control.
func (v *Runner) Wall() time.Duration {
	least := leastWall
	if s, ok := v.Site(); ok && !s.Class.HasStatement() {
		least = LeastWhole
	}
	if v.Subject.Stop.Hangs() { // until a person halted it
		return min(least, v.Opts.Timeout)
	}
	return min(max(least, 3*v.Subject.Ran, 5*time.Duration(v.Measured.Load())), v.Opts.Timeout)
}

// InstrumentedWall is Wall for a program that notes what it does, which takes it longer.
func (v *Runner) InstrumentedWall() time.Duration {
	if v.Subject.Stop.Hangs() {
		return v.Wall()
	}
	return max(v.Wall(), min(LeastWhole, v.Opts.Timeout))
}

// Execute runs a binary as the stopped target was run, in the sandbox.
func (v *Runner) Execute(ctx context.Context, binary string, wall time.Duration, extra ...*os.File) (sandbox.Result, error) {
	return v.ExecuteWith(ctx, binary, Manner{Args: v.Subject.Run.Args}, wall, extra...)
}

// Manner is how a run of a binary may differ from that of the stopped target.
type Manner struct {
	Args    []string
	Watched []string // directories, see sandbox.Spec
	Started func(pid int)
	Held    bool // the run waits for a person: its time has no limit
}

// heldWall is more than anybody looks at a run that is held.
const heldWall = 24 * time.Hour

// ExecuteWith runs a binary in another manner.
func (v *Runner) ExecuteWith(ctx context.Context, binary string, m Manner, wall time.Duration, extra ...*os.File) (sandbox.Result, error) {
	run := v.Subject.Run
	run.Args = m.Args
	s, err := v.confine(ctx, sandbox.Spec{
		Path: binary, Args: run.Args, Watched: m.Watched, Callbacks: sandbox.Callbacks{Started: m.Started}, Env: run.Env, Dir: run.Dir, Stdin: run.Stdin, Terminal: true,
		Readable: namedFiles(run), ExtraFiles: extra, Limits: sandbox.Limits{Wall: wall, Memory: v.memory()}, Stacks: true,
	})
	if err != nil {
		return sandbox.Result{}, err
	}
	if m.Held {
		s.Limits.Wall, s.Limits.CPU, s.Stacks = heldWall, heldWall, false
	}
	if v.loud.Load() {
		s.Limits.Output = math.MaxInt64 // its head and its tail are kept all the same
	}
	if run.Repro.Command != "" {
		s.Repro = &sandbox.Repro{Command: run.Repro.Command, After: run.Repro.After, AnyPort: run.Repro.AnyPort, Grace: max(leastGrace, 2*run.Settle)}
	}
	// A crash has to say where it was, and a data race that it is one, whatever the
	// person's own settings.
	s.Env = append(slices.Clone(s.Env), "GOTRACEBACK=single", "GORACE=")
	s.Screen, s.Size = screen, run.Size
	for _, k := range run.Input {
		s.Input = append(s.Input, sandbox.Keys(k))
	}
	moves, err := v.elsewhere(&s)
	if err != nil {
		return sandbox.Result{}, err
	}
	r, err := sandbox.Run(ctx, s)
	r.Output = back(r.Output, moves)
	return r, err
}

// screen answers a program that draws and asks its terminal.
func screen(cols, rows int, answer func(string)) sandbox.Screen {
	const kept = 64 << 10 // bytes of what it printed
	b := output.New(kept, nil)
	b.Emulate(cols, rows, answer)
	return b
}

// confine fills in what holds for whatever is run to prove something: the tier,
// what was allowed, what may be read, and the modules as throwaway directories.
// Dir and Env are those of the module root and of this process where they are
// empty.
func (v *Runner) confine(ctx context.Context, s sandbox.Spec) (sandbox.Spec, error) {
	visible, err := v.visible.Get(ctx, v.goDirs)
	if err != nil {
		return s, err
	}
	if s.Dir == "" {
		s.Dir = v.Subject.Workspace.Root
	}
	if s.Env == nil {
		s.Env = os.Environ()
	}
	if s.Env, err = v.environment(ctx, s.Env); err != nil {
		return s, err
	}
	s.Readable = append(slices.Clip(s.Readable), append(visible.ofRuns(), pathsIn(pathsOfRuns)...)...)
	for _, what := range v.Opts.Allow {
		if file, one := strings.CutPrefix(what, verdict.AllowFile); one {
			s.Readable = append(s.Readable, file)
		}
	}
	for _, m := range v.Subject.Workspace.Modules {
		if !m.ReadOnly { // what runs is built: of others it needs nothing
			s.Throwaway = append(slices.Clip(s.Throwaway), m.Dir)
		}
	}
	s.Nice = niceAwaited
	s.Max, s.AllowNone = v.Opts.MaxTier, v.Opts.AllowUnsandboxed
	s.AllowNetwork = slices.Contains(v.Opts.Allow, verdict.AllowNetwork)
	s.AllowFiles = slices.Contains(v.Opts.Allow, verdict.AllowFiles)
	return s, nil
}

// namedFiles are the files that the program's arguments name: the person who started it
// gave them to it to read. An agent, or a guest, gives none: it could have its own fix
// read any file of the person.
func namedFiles(run subject.Run) []string {
	if run.ForeignArgs {
		return nil
	}
	var files []string
	for _, arg := range run.Args {
		_, value, _ := strings.Cut(arg, "=") // --config=FILE
		for _, path := range []string{arg, value} {
			if file, ok := sandbox.Named(path, run.Dir); ok {
				files = append(files, file)
			}
		}
	}
	return files
}

// goDirs asks the go command for its directories.
func (v *Runner) goDirs(ctx context.Context) (goDirs, error) {
	var dirs goDirs
	if _, err := exec.LookPath("go"); err != nil {
		return dirs, nil //nolint:nilerr // a program can do without
	}
	cmd := supervise.Command(ctx, "go", "env", "-json", "GOROOT", "GOMODCACHE", "GOCACHE", "GOENV", "GOWORK", "CC")
	cmd.Dir, cmd.Env = v.Subject.Build.Dir, v.Subject.Build.Env
	out, err := cmd.Output()
	if err != nil {
		return dirs, fmt.Errorf("find Go's directories: %w", err)
	}
	if err := json.Unmarshal(out, &dirs); err != nil {
		return dirs, fmt.Errorf("find Go's directories: %w", err)
	}
	dirs.parts = required(v.Subject, dirs)
	return dirs, nil
}
