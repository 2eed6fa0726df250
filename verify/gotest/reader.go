package gotest

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// marker introduces the lines of the testing package itself, so that what a
	// test prints is not taken for them.
	marker = 0x16
	// maxName bounds the line that names a test, in bytes.
	maxName = 4096
	// maxOutput bounds what is kept of one test's output, in bytes.
	maxOutput = 64 << 10
	// maxKept bounds what is kept of the output of all tests, in bytes.
	maxKept = 8 << 20
	// maxTests bounds how many tests are distinguished.
	maxTests = 100_000
)

// reader is written what a test binary prints with -test.v=test2json.
type reader struct {
	onDone func(Test) // hears of each top-level test that ends; may be nil
	began  time.Time

	mu     sync.Mutex
	pulsed bool   // the binary's own time is known
	time   moment // then what it is
	heard  moment // when a test was last heard of
	line   []byte // an unfinished line of the testing package
	framed bool   // the line began with the marker
	tests  map[string]*state
	order  []string
	at     string       // the test that prints
	last   string       // the test of the last report
	loose  bytes.Buffer // what was printed since the last report or change of test
	turns  int
	kept   int  // bytes of output kept in all
	ended  bool // the final PASS or FAIL came
}

// state is a test while it is read.
type state struct {
	Test
	output bytes.Buffer
	paused bool
	sign   moment // when it, or a subtest, was last heard of
	turn   int    // grows with each test that begins or goes on
}

// moment is for how long a test binary had run, and how long it was idle.
type moment struct{ ran, idle time.Duration }

func newReader(onDone func(Test)) *reader {
	return &reader{onDone: onDone, began: time.Now(), tests: map[string]*state{}}
}

// pulse is a Pulse.
func (r *reader) pulse(ran, idle time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pulsed, r.time = true, moment{ran, idle}
}

// now is the time of the binary. It computes or not: the clock does not tell.
func (r *reader) now() moment {
	if r.pulsed {
		return r.time
	}
	passed := time.Since(r.began)
	return moment{passed, passed}
}

// Write never fails.
func (r *reader) Write(p []byte) (int, error) {
	r.mu.Lock()
	var done []Test
	n := len(p)
	for len(p) > 0 {
		if !r.framed {
			i := bytes.IndexByte(p, marker)
			if i < 0 {
				r.print(p)
				break
			}
			r.print(p[:i])
			p, r.framed = p[i+1:], true
			continue
		}
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			r.line = append(r.line, p[:min(len(p), maxName-len(r.line))]...)
			break
		}
		r.line = append(r.line, p[:min(i, maxName-len(r.line))]...)
		done = append(done, r.frame(strings.TrimSuffix(string(r.line), "\r"))...)
		p, r.line, r.framed = p[i+1:], r.line[:0], false
	}
	r.mu.Unlock()
	if r.onDone != nil {
		for _, t := range done {
			r.onDone(t)
		}
	}
	return n, nil
}

// print keeps what the test that runs has printed.
func (r *reader) print(p []byte) {
	r.loose.Write(p[:min(len(p), maxOutput-r.loose.Len())])
	if t := r.tests[r.at]; t != nil {
		n := min(len(p), maxOutput-t.output.Len(), maxKept-r.kept)
		t.output.Write(p[:n])
		r.kept += n
	}
}

// frame reads a line of the testing package, and returns the top-level test
// that it ends, if any.
func (r *reader) frame(line string) []Test {
	trimmed := strings.TrimLeft(line, " ")
	switch {
	case line == "PASS" || line == "FAIL":
		r.ended = true
		r.at = ""
	case strings.HasPrefix(trimmed, "=== "):
		action, name, _ := strings.Cut(trimmed[len("=== "):], " ")
		r.update(action, strings.TrimSpace(name))
	case strings.HasPrefix(trimmed, "--- "):
		action, rest, _ := strings.Cut(trimmed[len("--- "):], ": ")
		return r.report(action, rest)
	}
	return nil
}

// update follows which test runs.
func (r *reader) update(action, name string) {
	switch action {
	case "RUN", "PAUSE", "CONT", "NAME":
	default:
		return // attributes and artifacts
	}
	r.at = name
	r.loose.Reset()
	if name == "" {
		return
	}
	t := r.tests[name]
	if t == nil {
		if action != "RUN" || len(r.order) >= maxTests {
			return
		}
		t = &state{Test: Test{Name: name, Status: Unfinished}}
		r.tests[name] = t
		r.order = append(r.order, name)
	}
	t.paused = action == "PAUSE"
	if top := r.tests[Top(name)]; top != nil {
		r.turns++
		top.turn = r.turns
	}
	r.sign(name)
}

// sign notes that the top-level test lives.
func (r *reader) sign(name string) {
	r.heard = r.now()
	if t := r.tests[Top(name)]; t != nil {
		t.sign = r.now()
	}
}

// report takes "TestAdd (0.01s)". Only a test that runs can end.
func (r *reader) report(action, rest string) []Test {
	name, took := rest, time.Duration(0)
	if i := strings.LastIndex(rest, " ("); i >= 0 {
		name = rest[:i]
		seconds, err := strconv.ParseFloat(strings.TrimSuffix(rest[i+2:], "s)"), 64)
		if err == nil {
			took = time.Duration(seconds * float64(time.Second))
		}
	}
	t := r.tests[name]
	status, ok := map[string]Status{"PASS": Passed, "FAIL": Failed, "SKIP": Skipped}[action]
	if t == nil || !ok || t.Status == Failed {
		return nil
	}
	r.sign(name)
	r.at, r.last = name, name
	r.loose.Reset()
	again := t.Status != Unfinished
	t.Status, t.Took, t.paused = status, took, false
	if status == Passed {
		r.kept -= t.output.Len()
		t.output = bytes.Buffer{}
	}
	if !t.IsTop() || again {
		return nil
	}
	return []Test{t.Test}
}

// running lists the top-level tests that have begun, are not paused and have
// not ended.
func (r *reader) running() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var names []string
	for _, name := range r.order {
		if t := r.tests[name]; t.IsTop() && t.Status == Unfinished && !t.paused {
			names = append(names, name)
		}
	}
	return names
}

// newest returns that of the tests which began, or went on, last.
func (r *reader) newest(names []string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.MaxFunc(names, func(a, b string) int { return r.tests[a].turn - r.tests[b].turn })
}

// silent lists those of the running tests that were not heard of while the binary
// was idle for that long or, unless that is 0, while it ran for as long as busy.
func (r *reader) silent(idle, busy time.Duration) []string {
	names := r.running()
	r.mu.Lock()
	defer r.mu.Unlock()
	var found []string
	for _, name := range names {
		now, sign := r.now(), r.tests[name].sign
		if now.idle-sign.idle > idle || busy > 0 && now.ran-sign.ran > busy {
			found = append(found, name)
		}
	}
	return found
}

// outside is how many times as long as a test the binary may say nothing while no
// test runs: what TestMain prepares takes longer.
const outside = 4

// hangsOutside reports whether the binary hangs before its first test, or between or
// after tests: in init, or in TestMain. It takes what silent takes, times outside.
func (r *reader) hangsOutside(idle, busy time.Duration) bool {
	if len(r.running()) > 0 {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	return now.idle-r.heard.idle > outside*idle || now.ran-r.heard.ran > outside*busy
}

// fail blames the top-level test for the end of the binary, with what was
// printed last.
func (r *reader) fail(name string, hung bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.tests[name]
	t.Status, t.Hung = Failed, hung
	if !hung && t.output.Len() == 0 {
		t.output.Write(r.loose.Bytes())
	}
}

// repanicked is the top-level test that died of a panic of its own: the testing
// package reports its failure and panics again.
func (r *reader) repanicked() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.tests[Top(r.last)]
	text := r.loose.Bytes()
	if t == nil || t.Status != Failed || !bytes.Contains(text, []byte("panic: ")) || !bytes.Contains(text, []byte("[recovered")) {
		return ""
	}
	return t.Name
}

// finished reports whether the binary came to its own end.
func (r *reader) finished() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}

// failed reports whether any test failed.
func (r *reader) failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.tests {
		if t.Status == Failed {
			return true
		}
	}
	return false
}

// said is what was printed last.
func (r *reader) said() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.loose.String()
}

// results returns all tests in the order in which they began.
func (r *reader) results() []Test {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]Test, 0, len(r.order))
	for _, name := range r.order {
		t := r.tests[name]
		result := t.Test
		if result.Status == Failed || result.Status == Skipped {
			result.Output = t.output.String()
		}
		list = append(list, result)
	}
	return list
}
