package execute

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// crashesAtMost of one package's tests may take the others with them.
const crashesAtMost = 5

// Suite is the tests of one package as they were run.
type Suite struct {
	Pkg     build.TestPackage
	Binary  string        // empty when it was not built
	Unbuilt string        // why it was not built: what the compiler said
	Late    string        // why there was no time for it: "not run within 1m0s"; empty when there was
	Whole   bool          // its tests were to run to their end
	Silence time.Duration // how long its tests may begin and end nothing
	Busy    time.Duration // how long they may do so and compute; 0: for ever
	Alarm   time.Duration // after which they say what every goroutine does; 0: never
	Marked  bool          // its regression test notes that it has run
	Extra   []*os.File    // what its binary is given
	As      string        // the binary that its own one runs in place of; empty for none
	limit   time.Duration // of the time that they may run
	Report  gotest.Report
}

// Patience is how long the tests of a package may begin and end nothing, going
// by how long they took before: the machine may be busier now.
func (v *Runner) Patience(before gotest.Report) time.Duration {
	longest := time.Duration(0)
	for _, t := range before.Tests {
		longest = max(longest, t.Took)
	}
	return max(v.Opts.TestSilence, 5*longest)
}

// Lateness says why some of its tests were not run.
func (s Suite) Lateness() string {
	if s.Report.Late {
		return "not run within " + finding.Short(s.limit).String()
	}
	return "not run, because " + s.Report.Cut
}

// Complete reports whether there was time for all of its tests.
func (s Suite) Complete() bool { return s.Late == "" && !s.Report.Late }

// RunSuite runs a package's tests, or some of them.
func (v *Runner) RunSuite(ctx context.Context, s *Suite, left *Budget, only []string, onDone func(gotest.Test)) error {
	if s.Binary == "" {
		return nil
	}
	s.limit = left.whole
	if left.Rest() < LeastTests {
		s.Late = "not run within " + finding.Short(s.limit).String()
		return nil
	}
	var err error
	s.Report, err = gotest.Run(ctx, v.TestStart(s.Binary, cmp.Or(s.As, s.Binary), s.Pkg.Dir, left, s.Extra...), gotest.Options{
		Only: only, Silence: s.Silence, Busy: s.Busy, Alarm: s.Alarm, Crashes: crashesAtMost, OnDone: onDone,
	})
	if err != nil {
		return fmt.Errorf("run the tests of %q: %w", s.Pkg.ImportPath, err)
	}
	return nil
}

// TestStart runs a test binary in the sandbox, in the directory of its package. What it
// changes is noted as done by the binary called as.
func (v *Runner) TestStart(binary, as, dir string, left *Budget, extra ...*os.File) gotest.Start {
	return func(ctx context.Context, args []string, out io.Writer, pulse gotest.Pulse) (gotest.Ended, error) {
		limit := max(left.Rest(), LeastTests)
		watched, err := v.Expected.watched(ctx, v.Target, as)
		if err != nil {
			return gotest.Ended{}, err
		}
		s, err := v.confine(ctx, sandbox.Spec{
			Path: binary, Args: args, Env: v.Subject.Run.Env, Dir: dir, Watched: watched, Watch: out, Callbacks: sandbox.Callbacks{Pulse: pulsing(pulse)}, ExtraFiles: extra,
			Limits: sandbox.Limits{Memory: v.memory(), Wall: limit, CPU: max(limit, time.Second) * time.Duration(runtime.NumCPU())},
		})
		if err != nil {
			return gotest.Ended{}, err
		}
		s.Env = append(slices.Clone(s.Env), "PWD="+dir, "GOTRACEBACK=single")
		r, err := sandbox.Run(ctx, s)
		if err != nil {
			return gotest.Ended{}, err
		}
		left.Spend(r.Took)
		v.Expected.note(as, r.Changed)
		return endOf(r), nil
	}
}

// pulsing passes on how long a test binary has run: not at all before it begins.
func pulsing(pulse gotest.Pulse) func(sandbox.Spent) {
	pulse(0, 0)
	return func(s sandbox.Spent) { pulse(s.Ran, s.Idle) }
}

// endOf is how a test binary ended.
func endOf(r sandbox.Result) gotest.Ended {
	ended := gotest.Ended{Code: r.ExitCode, Killed: r.Signal, Late: r.Limit == sandbox.LimitTime}
	if r.Limit != "" {
		ended.Killed = "the sandbox's limit of " + r.Limit
	}
	return ended
}

// Remove gives the room of a binary back before its whole directory goes.
func (s Suite) Remove() { _ = os.Remove(s.Binary) }
