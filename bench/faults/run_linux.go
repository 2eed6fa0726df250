package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/pty"
	"github.com/pausetui/pausetui/internal/supervise"
	"github.com/pausetui/pausetui/internal/testsupport/terminal"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
)

// columns and rows of the terminal.
const columns, rows = 140, 40

// How long a person, or the machine, may take.
const (
	calmPatience  = time.Minute      // for words on a screen without a fault
	patience      = 3 * time.Second  // for them after one, when they may never come
	lastPatience  = 2 * time.Minute  // until the program has ended
	afterPatience = 45 * time.Second // a debugger gets 30 to let go of a process
)

var errTooLate = errors.New("the program had ended")

// errSkipped says why a fault is not possible.
type errSkipped struct{ why string }

func (e errSkipped) Error() string { return e.why }

// run is one run under way.
type run struct {
	world
	scenario *scenario
	fault    fault
	besides  []disturbance
	beside   sync.WaitGroup // of the disturbances that have been started
	at       int            // the step during which it comes, len(steps) while leaving
	delay    time.Duration  // after the step began
	args     []string       // more of the program's
	more     []string       // of its environment
	server   server         // that it is attached to
	term     *terminal.Terminal
	model    *ollamatest.Server
	mu       sync.Mutex
	guests   []*terminal.Terminal
	codes    map[string]bool // that guests have used
	others   []int           // processes that pausetui has not started
	before   *unix.Termios
	began    atomic.Bool // the fault has begun
	over     chan struct{}
	hungUp   atomic.Bool
	result   result
}

// one carries out the run that its argument describes, and prints the result.
func one(text string) int {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		fmt.Fprintln(os.Stderr, "adopt processes:", err)
		return 2
	}
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	go func() {
		<-terminated
		supervise.KillDescendants()
		os.Exit(3)
	}()
	r := newRun(o)
	if err := r.make(); err != nil {
		r.fail("the run itself: %v", err)
	}
	supervise.KillDescendants()
	if err := json.NewEncoder(os.Stdout).Encode(r.result); err != nil {
		return 2
	}
	return 0
}

// newRun draws what happens. All is drawn in the same order, whatever is used of it; with
// another choice of faults other things happen.
func newRun(o order) *run {
	rng := rand.New(rand.NewPCG(o.Seed, uint64(o.Run)))
	r := &run{world: world{order: o}, over: make(chan struct{}), codes: map[string]bool{}, scenario: anyOf(rng)}
	if o.Scenario != "" {
		r.scenario = find(o.Scenario)
	}
	r.fault = drawOf(rng, r.scenario, o.Private, o.Fault)
	r.at = rng.IntN(len(r.scenario.steps) + 1)
	r.delay = time.Duration(rng.ExpFloat64() * float64(150*time.Millisecond)).Round(time.Millisecond)
	if rng.IntN(4) == 0 || r.at == 0 {
		r.delay = time.Duration(rng.IntN(1000)) * time.Millisecond
	}
	switch len(r.scenario.steps) {
	case 0:
		r.delay = time.Duration(rng.ExpFloat64() * float64(800*time.Millisecond)).Round(time.Millisecond)
	case r.at:
		r.delay /= 10 // leaving is quick
	}
	if r.scenario.brief {
		r.delay = r.delay % (50 * time.Millisecond)
	}
	r.result = result{Run: o.Run, Scenario: r.scenario.name, Moment: fmt.Sprintf("in step %d after %s", r.at, r.delay)}
	r.besides = slices.DeleteFunc(disturbances(rng, r.scenario), func(d disturbance) bool { return !d.is(o.Fault) })
	if o.Calm {
		r.fault, r.besides = fault{}, nil
	}
	r.result.Fault = r.fault.name
	return r
}

func anyOf(rng *rand.Rand) *scenario {
	all := 0
	for _, s := range scenarios {
		all += s.weight
	}
	n := rng.IntN(all)
	for _, s := range scenarios {
		if n -= s.weight; n < 0 {
			return s
		}
	}
	return nil
}

func (r *run) fail(format string, args ...any) {
	r.result.Failures = append(r.result.Failures, fmt.Sprintf(format, args...))
}

func (r *run) isOthers(pid int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.others, pid)
}

// make plays the scenario and checks what is left of it.
func (r *run) make() error {
	var err error
	if r.world, err = makeWorld(r.order, r.scenario, r.fault.place); err != nil {
		return err
	}
	if r.scenario.attaches {
		if err := r.server.begin(r); err != nil {
			return err
		}
	}
	if r.scenario.model {
		if err := r.models(); err != nil {
			return err
		}
		defer r.model.Close()
	}
	cmd := r.command(context.Background(), slices.Concat(r.scenario.args, r.args)...)
	cmd.Env = append(cmd.Env, r.more...)
	if r.before, err = newModes(); err != nil {
		return err
	}
	if r.term, err = terminal.Open(cmd, columns, rows, nil); err != nil {
		return err
	}
	defer r.term.End()
	r.play()
	r.leave()
	r.beside.Wait()
	if r.armed() {
		<-r.over
	}
	r.checkAll()
	if len(r.result.Failures) > 0 {
		r.result.Screen = trimmed(cmp.Or(r.result.Screen, r.term.Screen()))
	}
	if r.Save != "" && len(r.result.Failures) == 0 {
		return r.save()
	}
	return nil
}

// newModes are those of a new terminal.
func newModes() (*unix.Termios, error) {
	master, slave, err := pty.Open()
	if err != nil {
		return nil, err
	}
	defer master.Close()
	defer slave.Close()
	return unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS)
}

var emptyLines = regexp.MustCompile(`(?m)^\s*\n`)

func trimmed(screen string) string { return emptyLines.ReplaceAllString(screen, "") }

func (r *run) armed() bool { return r.fault.do != nil }

// play does the steps. After the fault, it goes on as long as the screen answers.
func (r *run) play() {
	for i, s := range r.scenario.steps {
		r.disturb(i)
		r.arm(i)
		if r.ended() {
			break
		}
		if err := r.step(s); err != nil {
			if !r.began.Load() {
				r.fail("step %d, before the fault: %v", i, err)
				r.result.Screen = r.term.Screen()
				if r.ended() {
					written := r.term.Written(0)
					r.result.Screen += fmt.Sprintf("\nthe program has ended: %v\n%q", r.term.Err(), written[max(0, len(written)-1000):])
				}
				for _, guest := range r.guests {
					r.result.Screen += "\nguest:\n" + guest.Screen()
				}
				r.result.Screen += "\njournal:\n" + r.lastEvents()
			}
			break
		}
	}
	r.disturb(len(r.scenario.steps))
	if r.at >= 0 { // the screen has ended, or is to be left
		r.arm(r.at)
	}
}

// lastEvents are the last lines of the journals, shortened.
func (r *run) lastEvents() string {
	const most, long = 12, 300
	var lines []string
	journals, _ := filepath.Glob(r.path("project/debug/*.jsonl"))
	for _, journal := range journals {
		data, _ := os.ReadFile(journal)
		lines = append(lines, strings.Split(strings.TrimSpace(string(data)), "\n")...)
	}
	lines = lines[max(0, len(lines)-most):]
	for i, line := range lines {
		lines[i] = line[:min(len(line), long)]
	}
	return strings.Join(lines, "\n")
}

// disturb starts the disturbances of a step.
func (r *run) disturb(step int) {
	for _, d := range r.besides {
		if d.at != step {
			continue
		}
		r.beside.Go(func() {
			r.until(d.delay, r.ended)
			if r.ended() || r.hungUp.Load() {
				return
			}
			whom, err := d.do(r, d.fault)
			if err != nil {
				return
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			r.result.Besides = append(r.result.Besides, strings.TrimSpace(d.name+" "+whom))
		})
	}
}

// arm has the fault come during a step, if it is to.
func (r *run) arm(step int) {
	if step != r.at || !r.armed() {
		return
	}
	r.at = -1
	go func() {
		defer close(r.over)
		select {
		case <-time.After(r.delay):
		case <-r.term.Ended():
		}
		if r.ended() {
			r.result.Missed = true
			return
		}
		r.began.Store(true)
		whom, err := r.fault.do(r, r.fault)
		var skipped errSkipped
		switch {
		case errors.As(err, &skipped):
			r.result.Skipped = skipped.why
		case err != nil:
			r.result.Missed = true // the process has ended meanwhile
		}
		r.result.Fault = strings.TrimSpace(r.fault.name + " " + whom)
	}()
}

func (r *run) ended() bool {
	select {
	case <-r.term.Ended():
		return true
	default:
		return false
	}
}

func (r *run) step(s step) error {
	if s.do != nil {
		return s.do(r)
	}
	if s.keys != "" {
		size := r.term.Size()
		if err := r.term.Press(s.keys); err != nil {
			return err
		}
		r.until(60*time.Millisecond, func() bool { return r.term.Size() != size })
	}
	if len(s.wait) == 0 {
		return nil
	}
	return r.shows(r.term, s.wait...)
}

// shows waits until a screen shows one of the words, for long before the fault and
// briefly after it.
func (r *run) shows(t *terminal.Terminal, words ...string) error {
	var since time.Time
	seen := false // what was shown may be gone again when the size changes
	shown := func() bool {
		screen := t.Screen()
		if r.scenario.lines && t == r.term {
			screen = string(t.Written(0)) // what has left a screen that was made smaller does not come back
		}
		seen = seen || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(screen, w) })
		return seen
	}
	r.until(calmPatience, func() bool {
		if r.began.Load() && since.IsZero() {
			since = time.Now()
		}
		return shown() || r.ended() || !since.IsZero() && time.Since(since) > patience
	})
	if shown() {
		return nil
	}
	return fmt.Errorf("the screen shows none of %q", words)
}

func (r *run) until(most time.Duration, holds func() bool) bool {
	for late := time.Now().Add(most); time.Now().Before(late); time.Sleep(8 * time.Millisecond) {
		if holds() {
			return true
		}
	}
	return false
}

// leave ends the program as a person would, who presses keys until it does.
func (r *run) leave() {
	late := time.Now().Add(lastPatience)
	for looked := false; !r.ended() && time.Now().Before(late); {
		if len(r.scenario.steps) == 0 || r.hungUp.Load() {
			r.until(50*time.Millisecond, r.ended)
			continue
		}
		if !looked {
			r.until(100*time.Millisecond, r.ended)
			r.checkZombies()
			looked = true
		}
		r.keys(cmp.Or(r.scenario.bye, escape+",q,y"))
	}
	if r.ended() {
		return
	}
	r.result.Screen = r.term.Screen()
	r.fail("it does not end: %v\n%s", r.tree(), r.stacks())
	r.hungUp.Store(true)
	r.term.Close()
}

// stacks is the goroutine dump that the screen prints on SIGQUIT.
func (r *run) stacks() string {
	at := len(r.term.Written(0))
	_ = syscall.Kill(r.term.PID(), syscall.SIGQUIT)
	r.until(afterPatience/10, r.ended)
	const most = 64 << 10
	text := r.term.Written(at)
	return string(text[:min(len(text), most)])
}

// keys presses one after another.
func (r *run) keys(keys string) {
	for key := range strings.SplitSeq(keys, ",") {
		size := r.term.Size()
		_ = r.term.Press(key) // it may end now
		r.until(100*time.Millisecond, func() bool { return r.ended() || r.term.Size() != size })
		r.until(20*time.Millisecond, r.ended)
	}
}
