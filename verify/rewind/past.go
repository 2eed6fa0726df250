package rewind

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/internal/supervise"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/history"
	"github.com/pausetui/pausetui/verify/history/record"
	"github.com/pausetui/pausetui/verify/past"
)

// Past is a program that can be run again, in the sandbox, to any statement before its stop.
type Past struct {
	v      *Program
	dir    string
	binary string
	plan   past.Plan
	report *history.Plan // which failure of the test is meant; nil where it is none
	next   atomic.Int64

	Trail *past.Trail
	// Failed is how many steps had begun when the statement that stopped began, Stopped how
	// many when it stopped there.
	Failed, Stopped uint64
	// Alike: two runs had the same values, and not only the same steps.
	Alike bool
	// Several: it failed there several times, and which of them is meant is known only by the
	// stops that there were.
	Several bool

	message string // of the panic in the run recorded last, without addresses
}

// ErrDiffers is returned where two runs are not the same.
var ErrDiffers = errors.New("two runs differ: the scheduler, the order of maps, time or random numbers decide")

// Past builds the unpatched program with a counter of its steps, and runs it in the sandbox,
// twice, to see that it does the same.
func (v *Program) Past(ctx context.Context) (p *Past, err error) {
	if v.Subject.Code == nil {
		return nil, errors.New("the source of the program is not known")
	}
	err = v.beside(ctx, func(ctx context.Context) error {
		p, err = v.openPast(ctx)
		return err
	})
	return p, err
}

func (v *Program) openPast(ctx context.Context) (*Past, error) {
	dir, err := os.MkdirTemp(v.Dir, "past-")
	if err != nil {
		return nil, fmt.Errorf("go back: %w", err)
	}
	p := &Past{v: v, dir: dir}
	if err := p.open(ctx); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *Past) open(ctx context.Context) error {
	v := p.v
	code, err := v.Subject.Code(ctx)
	if err != nil {
		return err
	}
	overlay := map[string]string{}
	if r := reportOf(v.Target); r != nil {
		if p.report, err = history.NewReport(code, *r, v.addRecord, func(file string) (string, error) { return v.Source(file, nil) }); err != nil {
			return fmt.Errorf("go back: %w", err)
		}
		overlay = p.report.Overlay
	}
	if p.plan, err = v.countSteps(code, overlay); err != nil {
		return err
	}
	spec := v.Spec(filepath.Join(p.dir, "program"), map[string]string{}, overlay)
	spec.Bare = false // a debugger looks into it
	built, err := build.Build(ctx, spec, nil)
	if err != nil {
		return fmt.Errorf("the instrumented program does not build: %s", v.Reason(err))
	}
	p.binary = built.Binary
	first, err := p.record(ctx, code)
	if err != nil {
		return err
	}
	message := p.message
	second, err := p.record(ctx, code)
	if err != nil {
		return err
	}
	until := first.End()
	if p.v.Subject.Stop.LivesOn() {
		until = p.Stopped
	}
	stop := v.Subject.Stop.Panic
	bounds := stop != nil && (stop.Class == debugger.IndexOutOfRange || stop.Class == debugger.SliceBounds) // the message has the values
	switch {
	case !first.Same(second, until), bounds && p.message != message:
		return ErrDiffers
	case bounds && p.message != "" && p.message != stop.Message && !v.Subject.Stop.LivesOn():
		return fmt.Errorf("the run in the sandbox stopped with other values: %s", finding.Clean(p.message))
	}
	p.Alike = p.message == message && first.Alike(second, until)
	return nil
}

// countSteps has the user's source count its steps, over what is in the overlay.
func (v *Program) countSteps(code *workspace.Code, overlay map[string]string) (past.Plan, error) {
	var plan past.Plan
	counted := map[string]bool{} // a package that has tests is there in variants
	for _, pkg := range code.Packages {
		for _, name := range pkg.GoFiles {
			m, err := v.OwnModule(name)
			if err != nil || !strings.HasSuffix(name, ".go") || counted[name] {
				continue
			}
			counted[name] = true
			text, marked := overlay[name]
			if !marked {
				if text, err = v.Source(name, nil); err != nil {
					return plan, err
				}
			}
			overlay[name] = plan.Mark(name, text, history.AddRecord(m.Dir, m.Path, overlay))
		}
	}
	return plan, nil
}

// record runs the program to its stop, and reads what it has done.
func (p *Past) record(ctx context.Context, code *workspace.Code) (*past.Trail, error) {
	file, err := p.file(0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	defer func() { _ = os.Remove(file.Name()) }() // with the directory at the latest
	found, ended, err := p.run(ctx, execute.Manner{}, file)
	if err != nil {
		return nil, err
	}
	data, err := regular.Read(file.Name())
	if err != nil {
		return nil, fmt.Errorf("go back: %w", err)
	}
	trail, err := p.plan.Read(data)
	if err != nil {
		return nil, err
	}
	if ended != "" && !p.v.Subject.Stop.LivesOn() {
		return nil, fmt.Errorf("the run in the sandbox ended in another way: %s", ended)
	}
	p.Trail, p.Stopped, p.message = trail, trail.End(), address.ReplaceAllString(found.Message, "0x")
	if ended != "" || p.v.goesOn() {
		p.Failed, p.Several, err = p.v.occurrence(code, trail)
		p.Stopped = p.Failed + 1 // what the program has done since is of no interest
		return trail, err
	}
	p.Failed, err = p.failed(code, data, int64(found.Goroutine()))
	return trail, err
}

// failed is how many steps had begun when the statement began at which the target stopped.
func (p *Past) failed(code *workspace.Code, data []byte, goroutine int64) (uint64, error) {
	s, ok := p.v.Site()
	if !ok {
		return p.Trail.Failed(goroutine, nil), nil
	}
	line := p.v.begins(code, s)
	if p.report == nil {
		return p.Trail.Failed(goroutine, func(at past.Site) bool {
			return at.File == s.File && (at.Line == line || at.Line == s.Line)
		}), nil
	}
	begun, ok := p.report.Failed(data)
	if !ok {
		return 0, errors.New("the test did not fail there in the sandbox")
	}
	p.Stopped = begun
	for _, line := range []int{s.Line, line} {
		if at, ok := p.Trail.Before(past.Place{Begun: begun, File: s.File, Line: line}); ok {
			return at, nil
		}
	}
	return begun, nil
}

// Before is how many steps had begun when the statement of a row of Moments began.
func (p *Past) Before(r evidence.HistoryRow) (begun uint64, ok bool) {
	if r.Done() && r.Begun > 0 {
		r.Begun-- // the step that has begun last is its own
	}
	return p.Trail.Before(past.Place{Begun: r.Begun, File: r.Path, Line: r.Line, Scope: history.Scope{Line: r.Scope[0], Depth: r.Scope[1]}})
}

// file makes the file that a run shares with us. The run is held before a step, counted
// from 1; 0 records them all.
func (p *Past) file(step uint64) (*os.File, error) {
	file, err := recordFile(filepath.Join(p.dir, fmt.Sprintf("steps-%d", p.next.Add(1))))
	if err != nil {
		return nil, fmt.Errorf("go back: %w", err)
	}
	if err := writeWord(file, record.AtAt, step); err != nil {
		return nil, errors.Join(fmt.Errorf("go back: %w", err), file.Close())
	}
	return file, nil
}

func writeWord(file *os.File, at int64, value uint64) error {
	_, err := file.WriteAt(binary.NativeEndian.AppendUint64(nil, value), at)
	return err
}

func readWord(file *os.File, at int64) (uint64, error) {
	var b [8]byte
	_, err := file.ReadAt(b[:], at)
	return binary.NativeEndian.Uint64(b[:]), err
}

// run runs the program as the target was run. ended says how, where it is another way.
func (p *Past) run(ctx context.Context, m execute.Manner, file *os.File) (found crash.Crash, ended string, err error) {
	v := p.v
	m.Args = v.Subject.Run.Args
	wall := v.InstrumentedWall()
	if t, ok := v.Failing(); ok {
		m.Args = append([]string{"-test.run=^" + gotest.Top(t.Name) + "$", "-test.count=1", "-test.timeout=0"}, execute.Unnarrowed(m.Args)...)
		wall += execute.LeastWhole
	}
	r, err := v.ExecuteWith(ctx, p.binary, m, wall, file)
	if err != nil {
		return found, "", err
	}
	if found, ok := stoppedIn(v.Runner, r.Output); ok {
		return found, "", nil
	}
	if _, test := v.Failing(); test {
		return found, "", nil
	}
	return found, finding.Clean(execute.Ending(r)), nil
}

// Moment is a run that is held before a statement.
type Moment struct {
	PID       int   // of the program
	Goroutine int64 // that is held

	file   *os.File
	cancel context.CancelFunc
	ended  chan struct{}

	at     uint64        // how many steps had begun
	left   atomic.Bool   // it has gone on since
	others atomic.Uint64 // steps that other goroutines had begun by then
}

// mostPastRuns is how many runs are tried before Go gives up.
const mostPastRuns = 4

// Go runs the program until so many steps have begun, and holds it there. A run whose steps
// differ from those of the recorded run is ended, and the next one is tried. The moment lives until
// Close; ctx bounds the wait for it.
func (p *Past) Go(ctx context.Context, begun uint64) (*Moment, error) {
	for range mostPastRuns {
		m, err := p.hold(ctx, begun)
		if err != nil {
			return nil, err
		}
		same, err := p.sameSteps(m, begun)
		if same {
			return m, nil
		}
		m.Close()
		if err != nil {
			return nil, fmt.Errorf("go back: %w", err)
		}
	}
	return nil, ErrDiffers
}

// sameSteps reports whether a run has made the steps of the recorded run.
func (p *Past) sameSteps(m *Moment, begun uint64) (bool, error) {
	data, err := regular.Read(m.file.Name())
	if err != nil {
		return false, err
	}
	if !p.Trail.HeldAlike(data, begun) {
		return false, nil
	}
	if begun == 0 {
		return true, nil
	}
	trail, err := p.plan.Read(data)
	return err == nil && trail.Same(p.Trail, begun), err
}

func (p *Past) hold(ctx context.Context, begun uint64) (*Moment, error) {
	if p.v.closing.Err() != nil {
		return nil, ErrClosed
	}
	file, err := p.file(begun + 1)
	if err != nil {
		return nil, err
	}
	life, cancel := context.WithCancel(p.v.closing)
	m := &Moment{file: file, cancel: cancel, ended: make(chan struct{}), at: begun}
	pid := make(chan int, 1)
	var ended string
	var failed error
	p.v.working.Go(func() {
		defer close(m.ended)
		_, ended, failed = p.run(life, execute.Manner{Held: true, Started: func(n int) { pid <- n }}, file)
	})
	if err := m.await(ctx, pid, p.binary); err != nil {
		m.Close()
		if errors.Is(err, errNotHeld) {
			err = errors.Join(failed, fmt.Errorf("%w%s", err, finding.After(": ", ended)))
		}
		return nil, err
	}
	return m, nil
}

// address is in the message of a panic with a value that is not basic.
var address = lazyregexp.New(`0x[0-9a-f]+`)

var errNotHeld = errors.New("the run did not come to that moment again")

// await waits until the run is held.
func (m *Moment) await(ctx context.Context, pid chan int, binary string) error {
	tick := time.NewTicker(500 * time.Microsecond)
	defer tick.Stop()
	for {
		held, err := readWord(m.file, record.HeldAt)
		if err != nil {
			return fmt.Errorf("go back: %w", err)
		}
		if held != 0 {
			m.Goroutine = int64(held - 1)
			break
		}
		select {
		case <-tick.C:
		case <-m.ended:
			return errNotHeld
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	var found bool
	if m.PID, found = descendant(<-pid, filepath.Base(binary)); !found {
		return errors.New("the process of the run cannot be found")
	}
	return nil
}

// Free lets the held goroutine go on.
func (m *Moment) Free() error { return writeWord(m.file, record.FreeAt, 1) }

// Begun is how many steps have begun. What other goroutines do while one is held does not count.
func (m *Moment) Begun() uint64 {
	if !m.left.Load() {
		return m.at
	}
	n, err := readWord(m.file, record.BegunAt)
	if err != nil {
		return 0
	}
	return n - min(n, m.others.Load())
}

// GoesOn notes that the debugger is about to let the run go on.
func (m *Moment) GoesOn() {
	if n, err := readWord(m.file, record.BegunAt); err == nil && !m.left.Load() {
		m.others.Store(n - min(n, m.at))
		m.left.Store(true)
	}
}

// Kill ends the run. A debugger has to let go of it before it is gone.
func (m *Moment) Kill() { m.cancel() }

// Close ends the run, and waits until it is gone.
func (m *Moment) Close() {
	m.cancel()
	<-m.ended
	_ = m.file.Close()
	_ = os.Remove(m.file.Name())
}

// Over ends when the program cannot be run again any more: its stop is over.
func (p *Past) Over() context.Context { return p.v.closing }

// Close removes what was made.
func (p *Past) Close() { _ = scratch.Remove(p.dir) }

// descendant finds the process below another one that runs a program with a name.
func descendant(pid int, name string) (int, bool) {
	for _, child := range supervise.Descendants(pid) {
		if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", child)); err == nil && filepath.Base(exe) == name {
			return child, true
		}
	}
	return 0, false
}
