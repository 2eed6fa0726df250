package rewind

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/history"
	"github.com/pausetui/pausetui/verify/history/record"
	"github.com/pausetui/pausetui/verify/past"
	"github.com/pausetui/pausetui/verify/subject"
)

// Why runs the unpatched program once more in the sandbox, as the target was run, and returns
// what happened to a value until the program stopped. Nobody waits for it if early is set.
func (v *Program) Why(ctx context.Context, q history.Query, early bool) (h evidence.History, err error) {
	if v.Subject.Code == nil {
		return h, errors.New("the source of the program is not known")
	}
	err = v.beside(ctx, func(ctx context.Context) error {
		h, err = v.why(ctx, q, whyOptions{early: early})
		return err
	})
	return h, err
}

// Moments is Why; its rows also know how many steps of the run had begun.
func (v *Program) Moments(ctx context.Context, q history.Query) (h evidence.History, err error) {
	err = v.beside(ctx, func(ctx context.Context) error {
		h, err = v.why(ctx, q, whyOptions{steps: true})
		return err
	})
	return h, err
}

// whyOptions say how a history is recorded: at low priority, with its statements counted.
type whyOptions struct{ early, steps bool }

func (v *Program) why(ctx context.Context, q history.Query, how whyOptions) (h evidence.History, err error) {
	code, err := v.Subject.Code(ctx)
	if err != nil {
		return h, err
	}
	dir, err := os.MkdirTemp(v.Dir, "why-")
	if err != nil {
		return h, fmt.Errorf("record a history: %w", err)
	}
	defer func() { _ = scratch.Remove(dir) }()
	r, err := v.recorder(ctx, code, q, how, dir)
	if errors.Is(err, errUnbuilt) && ctx.Err() == nil { // whole values are simpler to record
		q.Plain = true
		r, err = v.recorder(ctx, code, q, how, dir)
	}
	if err != nil {
		return h, err
	}
	data, ended, goroutine, err := v.recorded(ctx, r.binary, dir, 0)
	if err != nil {
		return h, err
	}
	var gaps []string
	if q.Elsewhere {
		goroutine = 0 // it has another number in that run
	}
	if v.goesOn() {
		goroutine = 0 // the last one that came there until then
		if data, gaps, err = v.upToThePause(ctx, code, r, dir, data); err != nil {
			return h, err
		}
	}
	s, _ := v.Site()
	found, ok := r.plan.Read(data, goroutine, s.Class == debugger.Deadlock)
	if !ok {
		return h, fmt.Errorf("the run in the sandbox did not reach %s:%d%s", v.Subject.Workspace.Rel(q.File), q.Line, finding.After(": ", ended))
	}
	found.Gaps = append(found.Gaps, gaps...)
	if q.Elsewhere && found.Several {
		found.Gaps = append(found.Gaps, "several goroutines came here: these are the events of the last one")
	}
	if found.Stop.Value == "" {
		return h, fmt.Errorf("%s cannot be read there: something that it is a part of is nil, or has no such element", found.Expr)
	}
	h = v.readable(found)
	if ended != "" && !v.Subject.Stop.LivesOn() { // a program that goes on ends in any way
		h.OtherRun = "the run in the sandbox ended in another way: " + finding.Clean(ended)
	} else if name := otherThan(v.Subject.Stop, q, found.Around); name != "" {
		h.OtherRun = finding.Clean(name) + " had another value in the sandbox"
	}
	return h, nil
}

var errUnbuilt = errors.New("the instrumented program does not build")

// recorder is a program that records a history.
type recorder struct {
	plan   *history.Plan
	steps  past.Plan // where its statements are counted
	binary string
}

// recorder builds the program that records a history. What goes on after the stop has its
// statements counted, to find the stop in it.
func (v *Program) recorder(ctx context.Context, code *workspace.Code, q history.Query, how whyOptions, dir string) (r recorder, err error) {
	if r.plan, err = v.historyPlan(code, q); err != nil {
		return r, err
	}
	if how.steps || v.goesOn() {
		if r.steps, err = v.countSteps(code, r.plan.Overlay); err != nil {
			return r, err
		}
	}
	spec := v.Spec(filepath.Join(dir, "program"), map[string]string{}, r.plan.Overlay)
	if how.early {
		spec.Nice = execute.NiceBeside
	}
	built, err := build.Build(ctx, spec, nil)
	if err != nil {
		return r, fmt.Errorf("%w: %s", errUnbuilt, v.Reason(err))
	}
	r.binary = built.Binary
	return r, nil
}

// recorded runs a recorder, and reads what it has recorded until so many steps had begun; all
// of it where that is 0.
func (v *Program) recorded(ctx context.Context, binary, dir string, until uint64) (data []byte, ended string, goroutine int64, err error) {
	file, err := recordFile(filepath.Join(dir, fmt.Sprintf("events-%d", until)))
	if err != nil {
		return nil, "", 0, fmt.Errorf("record a history: %w", err)
	}
	defer file.Close()
	if err := writeWord(file, record.UntilAt, until); err != nil {
		return nil, "", 0, fmt.Errorf("record a history: %w", err)
	}
	if ended, goroutine, err = recordTo(ctx, v.Runner, binary, file); err != nil {
		return nil, "", 0, err
	}
	if data, err = regular.Read(file.Name()); err != nil {
		return nil, "", 0, fmt.Errorf("record a history: %w", err)
	}
	return data, ended, goroutine, nil
}

// otherThan is a variable that has another value at the stop than in a run; empty without one.
func otherThan(stop debugger.Stop, q history.Query, around map[string]string) string {
	if stop.Panic == nil || stop.Panic.Class == debugger.Deadlock {
		return ""
	}
	for _, f := range stop.Frames {
		if f.File != q.File || f.Line != q.Line {
			continue
		}
		for _, x := range f.Variables() {
			value, text := around[x.Name], x.Value
			switch {
			case x.Kind == reflect.String:
				text = strconv.Quote(text)
			case reflect.Int <= x.Kind && x.Kind <= reflect.Uintptr: // may be that of a constant with a name
				text = debugger.Number(text)
			}
			known := value != "" && !x.Shadowed && !x.Unset && x.Unreadable == "" && !strings.HasSuffix(value, "…") && (x.Kind != reflect.String || x.Len == int64(len(x.Value)))
			if known && value != text {
				return x.Name
			}
		}
		return ""
	}
	return ""
}

// historyPlan is the plan for the failure that the target stopped at, of the test's several.
func (v *Program) historyPlan(code *workspace.Code, q history.Query) (*history.Plan, error) {
	source := func(file string) (string, error) { return v.Source(file, nil) }
	q.Report = reportOf(v.Target)
	plan, err := history.NewPlan(code, q, v.addRecord, source)
	if errors.Is(err, history.ErrReport) {
		q.Report = nil
		if plan, err = history.NewPlan(code, q, v.addRecord, source); err == nil {
			plan.Gaps = append(plan.Gaps, "it is not known when this line fails the test: these are the events up to the last time that it ran")
		}
	}
	return plan, err
}

// reportOf is the statement that has reported the failure which the stop is about; nil where it
// is about something else.
func reportOf(v *subject.Target) *history.Report {
	if _, test := v.Failing(); !test || v.Subject.Stop.Panic == nil || v.Subject.Stop.Panic.Class != debugger.TestFailure {
		return nil
	}
	file, line := Reporter(v.Subject.Workspace, v.Subject.Stop)
	if file == "" {
		return nil
	}
	return &history.Report{File: file, Line: line, Nth: v.Subject.Reported}
}

// Reporter is the user's line that a stop was reported from: the innermost; empty without one.
func Reporter(ws workspace.Workspace, stop debugger.Stop) (file string, line int) {
	for _, f := range stop.Frames {
		if ws.Owns(f.File) {
			return f.File, f.Line
		}
	}
	return "", 0
}

// recordTo runs the program. ended is how the run ended where that is another way than the
// target's; goroutine is the one that stopped, 0 if it is not known.
func recordTo(ctx context.Context, v *execute.Runner, binary string, file *os.File) (ended string, goroutine int64, err error) {
	if failing, ok := v.Failing(); ok {
		_, _, err := v.RunTest(ctx, binary, failing, file)
		return "", 0, err
	}
	r, err := v.Execute(ctx, binary, v.InstrumentedWall(), file)
	if err != nil {
		return "", 0, err
	}
	if c, ok := stoppedIn(v, r.Output); ok {
		return "", int64(c.Goroutine()), nil
	}
	return finding.Clean(execute.Ending(r)), 0, nil
}

// stoppedIn is the crash of a goroutine where the target's did; false where there is none.
func stoppedIn(v *execute.Runner, output []byte) (found crash.Crash, ok bool) {
	s, crashed := v.Site()
	for _, c := range crash.ParseAll(output) {
		if crashed && (v.At(s, c) || sameLine(v, s, c)) {
			return c, true
		}
	}
	return found, false
}

// sameLine reports whether a crash is that of the site by its place: closures have other names
// where the code records.
func sameLine(v *execute.Runner, s subject.Site, c crash.Crash) bool {
	culprit, ok := c.Culprit(v.Own)
	return ok && debugger.SameClass(s.Class, c.Class) && culprit.File == s.File && culprit.Line == s.Line
}

// recordFile makes the file that package record writes to.
func recordFile(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if err := file.Truncate(record.Size); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// addRecord adds the recorder to the module of a file.
func (v *Program) addRecord(file string, overlay map[string]string) (string, error) {
	m, err := v.OwnModule(file)
	if err != nil {
		return "", err
	}
	return history.AddRecord(m.Dir, m.Path, overlay), nil
}

// readable is a history with relative paths, and without control characters in its texts.
func (v *Program) readable(h history.History) evidence.History {
	e := evidence.History{Expr: h.Expr, Value: finding.Clean(h.Stop.Value), Goroutine: h.Stop.Goroutine, Gaps: h.Gaps, Origin: h.Origin, Copied: h.Copied}
	for _, r := range h.Events {
		e.Rows = append(e.Rows, evidence.HistoryRow{Kind: string(r.Site.Kind), Level: r.Level, Value: finding.Clean(r.Value), Text: finding.Clean(r.Site.Text), Field: r.Site.Field, By: finding.Clean(r.Site.By), Function: r.Site.Function,
			File: v.Subject.Workspace.Rel(r.Site.File), Path: r.Site.File, Line: r.Site.Line, Goroutine: r.Goroutine, Before: h.Stop.At - r.At, Late: h.Late, Begun: r.Begun, Each: r.Site.Each, Scope: [2]int{r.Site.Scope.Line, r.Site.Scope.Depth}, Skipped: r.Skipped, Times: r.Times, Missing: r.Missing})
	}
	return e
}
