package gotest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Ended is how a test binary ended.
type Ended struct {
	Code   int
	Killed string // by which signal or limit; empty when it exited by itself
	Late   bool   // it was ended because its time was up
}

// Pulse hears for how long a test binary has run so far, and for how much of that it
// did not compute.
type Pulse func(ran, idle time.Duration)

// Start runs the test binary with the arguments to its end and writes what it
// prints to out, from one goroutine. It may call pulse while the binary runs;
// where it never does, the clock has to do. The error tells that it could not be
// run, or that ctx ended.
type Start func(ctx context.Context, args []string, out io.Writer, pulse Pulse) (Ended, error)

// Options bounds a run.
type Options struct {
	Only    []string      // the top-level tests to run; empty: all
	Silence time.Duration // how long a test may be idle, and begin and end nothing, before it is taken to hang; 0: for ever
	Busy    time.Duration // the same for one that computes; 0: for ever
	// Alarm makes a test panic, with what every goroutine does, when all have not
	// ended after that time. 0: never, and then the runtime sees deadlocks at once.
	Alarm   time.Duration
	Crashes int // how many tests may take the binary with them before the rest is given up
	// OnDone hears of each top-level test that ends; may be nil.
	OnDone func(Test)
}

// Report is what came of the tests of one binary.
type Report struct {
	Tests []Test // in the order they began; none of them Unfinished unless Cut says why
	// Trouble is what went wrong outside of any test; empty if nothing did.
	Trouble string
	// Cut is why some tests may not have run; empty if all did.
	Cut string
	// Late tells that it is because time was up.
	Late bool
}

// maxSkip bounds the pattern of the tests that are left out of another run: an
// argument has a largest size.
const maxSkip = 100 << 10

// Run runs the tests. When one takes the binary with it, those that had not
// ended are run again without it.
func Run(ctx context.Context, start Start, o Options) (Report, error) {
	s := session{start: start, opts: o, tests: map[string][]Test{}}
	for {
		again, err := s.round(ctx)
		if ctx.Err() != nil {
			return Report{}, ctx.Err()
		}
		if err != nil {
			return Report{}, err
		}
		if !again {
			break
		}
	}
	for _, top := range s.order {
		s.report.Tests = append(s.report.Tests, s.tests[top]...)
	}
	return s.report, nil
}

// session is one Run.
type session struct {
	start   Start
	opts    Options
	crashes int
	alone   bool // parallel tests run one at a time, to see which is to blame
	report  Report

	tests map[string][]Test // each top-level test with its subtests
	order []string
}

// round runs the binary once and reports whether it has to run again.
func (s *session) round(ctx context.Context) (again bool, err error) {
	r := newReader(s.opts.OnDone)
	ended, hung, err := s.watched(ctx, r)
	if errors.Is(err, errOutside) {
		s.keep(r)
		s.report.Cut = err.Error()
		return false, nil
	}
	if err != nil && len(hung) == 0 {
		s.keep(r)
		return false, err
	}
	for _, name := range hung {
		r.fail(name, true)
	}
	if ended.Late && len(hung) == 0 && !r.finished() {
		s.keep(r)
		s.report.Cut, s.report.Late = "time was up", true
		return false, nil
	}
	if len(hung) == 0 && r.finished() {
		s.keep(r)
		s.report.Trouble = trouble(ended, r.failed(), r)
		return false, nil
	}
	blamed := hung
	if len(blamed) == 0 {
		blamed = s.blame(r)
	}
	s.keep(r)
	switch {
	case len(blamed) == 0 && !s.alone && len(r.running()) > 1:
		s.alone = true
		return true, nil
	case len(blamed) == 0:
		s.report.Trouble = trouble(ended, false, r)
		return false, nil
	}
	if s.crashes += len(blamed); s.crashes > s.opts.Crashes {
		s.report.Cut = fmt.Sprintf("%d tests took the others with them", s.crashes)
		return false, nil
	}
	if len(s.skip()) > maxSkip {
		s.report.Cut = "too many tests to leave out of another run"
		return false, nil
	}
	return true, nil
}

// errOutside is why tests are not run whose binary hangs while no test runs.
var errOutside = errors.New("the test binary hung outside of its tests")

// watched runs the binary and ends it when a test hangs.
func (s *session) watched(ctx context.Context, r *reader) (ended Ended, hung []string, err error) {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	var wait sync.WaitGroup
	stuck := false
	if limit := s.opts.Silence; limit > 0 {
		wait.Go(func() {
			ticker := time.NewTicker(max(limit/20, time.Millisecond))
			defer ticker.Stop()
			for len(hung) == 0 {
				select {
				case <-running.Done():
					return
				case <-ticker.C:
					hung = r.silent(limit, s.opts.Busy)
				}
				if stuck = s.opts.Busy > 0 && r.hangsOutside(limit, s.opts.Busy); stuck {
					break
				}
			}
			cancel()
		})
	}
	ended, err = s.start(running, s.arguments(), r, r.pulse)
	cancel()
	wait.Wait()
	if stuck && err != nil && ctx.Err() == nil {
		err = errOutside
	}
	return ended, hung, err
}

// arguments are those of the test binary.
func (s *session) arguments() []string {
	args := []string{"-test.v=test2json", "-test.paniconexit0", "-test.timeout=" + s.opts.Alarm.String(), "-test.count=1"}
	if s.alone {
		args = append(args, "-test.parallel=1")
	}
	if len(s.opts.Only) > 0 {
		args = append(args, "-test.run="+exactly(s.opts.Only))
	}
	if skip := s.skip(); skip != "" {
		args = append(args, "-test.skip="+skip)
	}
	return args
}

// skip is the pattern of the tests that have ended.
func (s *session) skip() string {
	var done []string
	for _, top := range s.order {
		if s.tests[top][0].Status != Unfinished {
			done = append(done, top)
		}
	}
	if len(done) == 0 {
		return ""
	}
	return exactly(done)
}

func exactly(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = regexp.QuoteMeta(n)
	}
	return "^(" + strings.Join(quoted, "|") + ")$"
}

// keep takes over what a round found: it replaces what an earlier one left
// unfinished.
func (s *session) keep(r *reader) {
	fresh := map[string]bool{}
	for _, t := range r.results() {
		top := Top(t.Name)
		if !fresh[top] {
			if !t.IsTop() {
				continue
			}
			fresh[top] = true
			if _, known := s.tests[top]; !known {
				s.order = append(s.order, top)
			}
			s.tests[top] = nil
		}
		s.tests[top] = append(s.tests[top], t)
	}
}

// blame finds the test that took the binary with it; none where several may
// have.
func (s *session) blame(r *reader) []string {
	if name := r.repanicked(); name != "" {
		return []string{name}
	}
	suspects := r.running()
	if len(suspects) > 1 {
		said := r.said()
		onStack := slices.DeleteFunc(slices.Clone(suspects), func(name string) bool {
			return !strings.Contains(said, "."+name+"(") && !strings.Contains(said, "."+name+".func")
		})
		if len(onStack) == 1 {
			suspects = onStack
		}
	}
	switch {
	case len(suspects) > 1 && !s.alone:
		return nil
	case len(suspects) > 1: // the next may go on before the end of the last one is printed
		suspects = []string{r.newest(suspects)}
	}
	for _, name := range suspects {
		r.fail(name, false)
	}
	return suspects
}

// trouble says what went wrong though no test failed.
func trouble(e Ended, failed bool, r *reader) string {
	if failed || e.Code == 0 && e.Killed == "" && r.finished() {
		return ""
	}
	text := fmt.Sprintf("the test binary ended with exit code %d", e.Code)
	if e.Killed != "" {
		text = "the test binary was ended by " + e.Killed
	}
	if said := strings.TrimSpace(r.said()); said != "" {
		text += ":\n" + said
	}
	return text
}
