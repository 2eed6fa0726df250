package execute

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/instrument"
	"github.com/pausetui/pausetui/verify/probe"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// Said quotes the last line that was printed.
func Said(r sandbox.Result) string {
	if line := finding.LastLine(r.Output); line != "" && !output.Draws(r.Output) {
		return fmt.Sprintf("; it printed last: %q", line)
	}
	return ""
}

// ErrNoProbe wraps why a probe could not be built in.
var ErrNoProbe = errors.New("no probe")

// Probing says what a probe waits for.
type Probing struct {
	Site     probe.Site
	Goal     instrument.Goal
	ToTheEnd bool // the run goes on when the goal is reached
}

// ProbeRun is a run with a probe. One that was hit was ended at once, and there is no
// result, unless it was to go on.
type ProbeRun struct {
	probe.Reached
	kept   bool // the statement that failed is there as it was
	Result sandbox.Result
}

// lineRan is how a run came past the site that ran the statement there.
const lineRan = "the failing line ran without a panic"

// RaisedThere says of a run that the call which failed refuses by a panic.
const RaisedThere = "the call that failed now panics with an error of the program's own, which is recovered"

// OwnPanic reports whether a stop is a panic of the program's own, or of a library.
func OwnPanic(c debugger.Class) bool { return c == debugger.Custom || c == debugger.CustomError }

// Past says how a run that was hit came past the site.
func (r ProbeRun) Past() string {
	switch {
	case r.Ran:
		return lineRan
	case r.Left && r.kept && !r.Began:
		return "the call that failed now returns without running the failing line"
	case r.Left:
		return "the call that failed now ends without a panic"
	case !r.kept:
		return "the call that failed now goes on past the failing line"
	case !r.Began:
		return "the call that failed now goes on without running the failing line"
	}
	return lineRan
}

// RunProbed builds the program with a probe in the file's function and runs it
// until the probe is hit or the run ends.
func (v *Runner) RunProbed(ctx context.Context, dir, file string, p Probing, overlay map[string]string) (ProbeRun, error) {
	source, err := v.Source(file, overlay)
	if err != nil {
		return ProbeRun{}, fmt.Errorf("%w: %w", ErrNoProbe, err)
	}
	token := rand.Uint64() | 1
	added, err := probe.Instrument(source, file, p.Site, p.Goal, token)
	if err != nil {
		return ProbeRun{}, fmt.Errorf("%w: %w", ErrNoProbe, err)
	}
	built, err := build.Build(ctx, v.Counted(filepath.Join(dir, "program"), overlay, added), nil)
	var refusal *build.Error
	if errors.As(err, &refusal) {
		return ProbeRun{}, fmt.Errorf("%w: %w", ErrNoProbe, refusal)
	}
	if err != nil {
		return ProbeRun{}, err
	}
	run, err := v.watchProbe(ctx, built.Binary, filepath.Join(dir, "counters"), token, p.ToTheEnd)
	run.kept = p.Site.Has(source)
	return run, err
}

// watchProbe runs the binary and looks at its counters meanwhile.
func (v *Runner) watchProbe(ctx context.Context, binary, path string, token uint64, toTheEnd bool) (ProbeRun, error) {
	counters, err := instrument.NewCounters(path)
	if err != nil {
		return ProbeRun{}, err
	}
	defer counters.Close()
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for running.Err() == nil && !toTheEnd {
			if counters.At(instrument.Hit) == token {
				cancel()
				return
			}
			select {
			case <-running.Done():
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	result, err := v.Execute(running, binary, v.Wall(), counters.File)
	cancel()
	<-done
	run := ProbeRun{Reached: probe.Read(counters.At, token), Result: result}
	if ctx.Err() != nil {
		return run, ctx.Err()
	}
	if run.Hit && !toTheEnd {
		return run, nil
	}
	return run, err
}

// Counted is what builds the program with marked files and their counters. Where the files
// of main are named one by one, its counters are named, too.
func (v *Runner) Counted(output string, overlay map[string]string, added instrument.Overlay) build.Spec {
	s := v.Spec(output, overlay, added)
	if !strings.HasSuffix(s.Package, ".go") {
		return s
	}
	first, _, _ := strings.Cut(s.Package, " ")
	dir := filepath.Dir(first)
	in := dir
	if !filepath.IsAbs(in) {
		in = filepath.Join(s.Dir, dir)
	}
	for _, name := range added.Counters(in) {
		s.Package += " " + filepath.Join(dir, name)
	}
	return s
}
