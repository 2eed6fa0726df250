package execute

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// RunTest runs the failing test, with what belongs to the same top-level test,
// as the target was run.
func (v *Runner) RunTest(ctx context.Context, binary string, t debugger.FailingTest, extra ...*os.File) (tests []gotest.Test, blocked []string, err error) {
	top := gotest.Top(t.Name)
	var mu sync.Mutex
	start := func(ctx context.Context, args []string, out io.Writer, pulse gotest.Pulse) (gotest.Ended, error) {
		if strings.HasPrefix(top, "Benchmark") {
			args = []string{"-test.run=^$", "-test.bench=^" + regexp.QuoteMeta(top) + "$", "-test.benchtime=1x"}
		}
		watched, err := v.Expected.watched(ctx, v.Target, binary)
		if err != nil {
			return gotest.Ended{}, err
		}
		run := v.Subject.Run
		s, err := v.confine(ctx, sandbox.Spec{
			Path: binary, Args: append(args, Unnarrowed(run.Args)...), Env: run.Env, Dir: run.Dir, Stdin: run.Stdin, Watched: watched, Watch: out, Callbacks: sandbox.Callbacks{Pulse: pulsing(pulse)}, ExtraFiles: extra,
			Limits: sandbox.Limits{Wall: v.Wall() + LeastWhole, Memory: v.memory()},
		})
		if err != nil {
			return gotest.Ended{}, err
		}
		s.Env = append(slices.Clone(s.Env), "GOTRACEBACK=single")
		r, err := sandbox.Run(ctx, s)
		if err != nil {
			return gotest.Ended{}, err
		}
		v.Expected.note(binary, r.Changed)
		mu.Lock()
		defer mu.Unlock()
		blocked = append(blocked, r.Blocked...)
		return endOf(r), nil
	}
	if strings.HasPrefix(top, "Benchmark") {
		tests, err = runBenchmark(ctx, start, t.Name)
		return tests, blocked, err
	}
	patience := max(v.Opts.TestSilence, 5*v.Subject.Ran)
	if t.Call == "timeout" { // how long it ran says how long the time-out was
		patience = 2 * leastWall
	}
	report, err := gotest.Run(ctx, start, gotest.Options{Only: []string{top}, Silence: patience, Busy: patience, Crashes: 1})
	if err != nil {
		return nil, blocked, fmt.Errorf("run %s: %w", t.Name, err)
	}
	return report.Tests, blocked, nil
}

// runBenchmark judges a benchmark by the end of its binary.
func runBenchmark(ctx context.Context, start gotest.Start, name string) ([]gotest.Test, error) {
	var out strings.Builder
	ended, err := start(ctx, nil, &out, func(time.Duration, time.Duration) {})
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", name, err)
	}
	t := gotest.Test{Name: name, Status: gotest.Passed}
	if ended.Code != 0 || ended.Killed != "" {
		t.Status, t.Output = gotest.Failed, out.String()
	}
	return []gotest.Test{t}, nil
}

// Unnarrowed leaves out of a test binary's arguments what chooses the tests, and
// how they are printed and timed: one is chosen already.
func Unnarrowed(args []string) []string {
	var kept []string
	for i := 0; i < len(args); i++ {
		name, _, assigned := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if !strings.HasPrefix(args[i], "-") || !strings.HasPrefix(name, "test.") {
			return append(kept, args[i:]...) // the program's own
		}
		switch name {
		case "test.run", "test.skip", "test.bench", "test.benchtime", "test.count", "test.timeout", "test.shuffle", "test.list", "test.fuzz", "test.fuzztime":
			if !assigned {
				i++
			}
		case "test.v", "test.failfast", "test.fullpath", "test.paniconexit0":
		default:
			kept = append(kept, args[i])
			if !assigned && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") && takesValue(name) {
				i++
				kept = append(kept, args[i])
			}
		}
	}
	return kept
}

// takesValue reports whether a flag of a test binary needs a value.
func takesValue(name string) bool {
	switch name {
	case "test.short", "test.benchmem", "test.artifacts":
		return false
	}
	return true
}

// Runs reports whether candidates may run here at all.
func (v *Runner) Runs() bool {
	tier, _ := sandbox.Detect()
	return v.Opts.AllowUnsandboxed || tier != sandbox.None && v.Opts.MaxTier != sandbox.None
}
