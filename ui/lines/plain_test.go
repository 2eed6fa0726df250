package lines

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeEngine plays an engine: it answers intents with events.
type fakeEngine struct {
	live.Client // what is not played here
	mu          sync.Mutex
	changed     chan struct{}
	events      []session.Event
	live        live.State
	over        bool
	intents     []intent.Intent
	out         *output.Buffer
	onDo        func(e *fakeEngine, i intent.Intent)
}

func newEngine() *fakeEngine {
	return &fakeEngine{changed: make(chan struct{}), out: output.New(0, nil)}
}

func (e *fakeEngine) wake() {
	close(e.changed)
	e.changed = make(chan struct{})
}

func (e *fakeEngine) add(bodies ...session.Body) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, b := range bodies {
		e.events = append(e.events, session.Event{Seq: uint64(len(e.events) + 1), Body: b})
	}
	e.live.Version++
	e.wake()
}

func (e *fakeEngine) Do(i intent.Intent) {
	e.mu.Lock()
	e.intents = append(e.intents, i)
	e.mu.Unlock()
	if _, quit := i.(intent.Quit); quit {
		e.add(&session.Ended{Outcome: "quit"})
		e.mu.Lock()
		e.over = true
		e.wake()
		e.mu.Unlock()
		return
	}
	if e.onDo != nil {
		e.onDo(e, i)
	}
}

func (e *fakeEngine) Wait(ctx context.Context, after, version uint64) (live.Update, error) {
	for {
		e.mu.Lock()
		u := live.Update{Events: append([]session.Event(nil), e.events[min(int(after), len(e.events)):]...), Live: e.live}
		over, changed := e.over, e.changed
		e.mu.Unlock()
		if len(u.Events) > 0 || u.Live.Version > version {
			return u, nil
		}
		if over {
			return live.Update{}, io.EOF
		}
		select {
		case <-ctx.Done():
			return live.Update{}, ctx.Err()
		case <-changed:
		}
	}
}

func (e *fakeEngine) Output() *output.Buffer { return e.out }

// crash is a stop with two fixes, one of them verified.
func crash() []session.Body {
	stop := debugger.Stop{Reason: debugger.ReasonPanic, Goroutine: 1, Panic: &debugger.Panic{Class: debugger.NilMapWrite, Message: "assignment to \x1b[31mentry\x1b[m in nil map"}}
	edit := patch.Edit{File: "index.go", Before: "a\nb\n", After: "a\nc\n"}
	v := func(verified bool) verdict.Verdict {
		status := verdict.Pass
		if !verified {
			status = verdict.Fail
		}
		return verdict.Verdict{Verified: verified, Checks: []verdict.Check{{Name: verdict.Build, Status: status, Detail: "does not build"}}}
	}
	return []session.Body{
		&session.Started{Package: "./cmd/index"}, &session.Launched{PID: 7}, &session.Resumed{Motion: debugger.Continue}, &session.Stopped{Stop: stop},
		&session.Asked{Request: "a1", Source: patch.Source{Provider: "builtin"}},
		&session.Proposed{Request: "a1", Candidate: patch.Candidate{ID: "c1", Title: "make the map", Source: patch.Source{Provider: "builtin"}, Edits: []patch.Edit{edit}}},
		&session.Proposed{Request: "a1", Candidate: patch.Candidate{ID: "c2", Title: "guard", Source: patch.Source{Provider: "builtin"}, Edits: []patch.Edit{edit}}},
		&session.Answered{Request: "a1", Candidates: 2},
		&session.Proved{Candidate: "c1", Verdict: v(true)}, &session.Proved{Candidate: "c2", Verdict: v(false)},
	}
}

// talkTo runs a script against an engine.
func talkTo(t *testing.T, e *fakeEngine, script string) string {
	t.Helper()
	var out bytes.Buffer
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := Run(ctx, e, Options{Input: strings.NewReader(script), Output: &out, Script: true}); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return out.String()
}

// holds wants lines, in this order.
func holds(t *testing.T, text string, lines ...string) {
	t.Helper()
	rest := text
	for _, l := range lines {
		_, after, ok := strings.Cut(rest, l+"\n")
		if !ok {
			t.Fatalf("%q is missing, or at another place, in:\n%s", l, text)
		}
		rest = after
	}
}

// What a fix changes is said in a few words when it is known, and listed with the fix.
func TestWhatAFixChangesIsListed(t *testing.T) {
	e := newEngine()
	e.add(crash()...)
	e.add(&session.Compared{Candidate: "c1", Behavior: verdict.Behavior{Status: verdict.Warn, Tried: 3, Same: 1, Answers: 1, Changed: 1, Left: []string{"main: it cannot be called again"},
		Rows: []verdict.BehaviorRow{{Kind: verdict.RowAnswers, Input: "f(0)\nfix 1 was approved", Before: "panics: x", After: "returns 0", Stop: true}, {Kind: verdict.RowChanged, Input: "f(1)", Before: "returns 1", After: "returns 2"}}}})
	text := talkTo(t, e, "show 1\n")
	holds(t, text, "fix 1 changes what functions answer: ⚠ changes 1 answer; show 1 lists it",
		"what it changes: 3 inputs tried: 1 answered the same, 1 that failed before answer now, 1 changed",
		"  ✓ 1: f(0) fix 1 was approved (the stop)", "    before: panics: x", "    now:    returns 0", "  ⚠ 2: f(1)", "    before: returns 1", "    now:    returns 2",
		"not compared: main: it cannot be called again", "end of fix 1")
}

func TestDecisionsAskAndOnlyYAgrees(t *testing.T) {
	e := newEngine()
	e.add(crash()...)
	e.onDo = func(e *fakeEngine, i intent.Intent) {
		switch i := i.(type) {
		case intent.Approve:
			e.add(&session.Decided{Candidate: i.Candidate, Decision: session.Approved}, &session.Applied{Candidate: i.Candidate, Files: []session.FileChange{{File: "index.go"}}},
				&session.Launched{PID: 8}, &session.Resumed{Motion: debugger.Continue}, &session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{}}},
				&session.Judged{Candidate: i.Candidate, Judgement: session.Fixed, Evidence: "exit 0"})
		case intent.Reject:
			e.add(&session.Decided{Candidate: i.Candidate, Decision: session.Rejected, Reason: i.Reason})
		case intent.Undo:
			e.add(&session.Undone{Candidate: "c1", Files: []session.FileChange{{File: "index.go"}}})
		}
	}
	text := talkTo(t, e, "fixes\nreject 2 not nice\nshow 1\napprove 1\nyes\napprove\ny\nundo\nn\nundo\ny\n")
	holds(t, text,
		"PANIC nil-map-write: assignment to entry in nil map",
		"fix 1 is verified", "fix 2 is not verified: build, does not build",
		"> fixes", "> reject 2 not nice", "fix 2 was rejected: not nice",
		"-b", "+c", "end of fix 1",
		"approve fix 1: make the map? It changes index.go. y applies it and restarts, n goes back", "nothing was done",
		"fix 1 was approved", "applied fix 1 to index.go", "judged fixed: exit 0",
		"undo fix 1? index.go as before. y restores the files, n goes back", "nothing was done", "undone fix 1: index.go as before", "session ended: quit")
	want := []intent.Intent{intent.Reject{Candidate: "c2", Reason: "not nice"}, intent.Approve{Candidate: "c1"}, intent.Undo{}, intent.Quit{}}
	if !reflect.DeepEqual(e.intents, want) {
		t.Errorf("got %#v", e.intents)
	}
	if strings.ContainsAny(text, "\x1b\r") {
		t.Error("control characters are printed")
	}
}

// A question that the script does not answer is answered with no.
func TestEndOfInputDecidesNothing(t *testing.T) {
	e := newEngine()
	e.add(crash()...)
	holds(t, talkTo(t, e, "approve 1\n"), "nothing was done", "session ended: quit")
	for _, i := range e.intents {
		if _, approved := i.(intent.Approve); approved {
			t.Error("the end of the input approves")
		}
	}
}

func TestTargetsOutputIsToldApart(t *testing.T) {
	e := newEngine()
	fmt.Fprint(e.out, "one\n\x1b[1mtwo\x1b[m\nname? ")
	e.add(&session.Started{}, &session.Launched{}, &session.Resumed{Motion: debugger.Continue})
	e.onDo = func(e *fakeEngine, i intent.Intent) {
		if typed, ok := i.(intent.Type); ok {
			fmt.Fprint(e.out, typed.Text, "hello\n")
			e.add(&session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{Code: 2}}})
		}
	}
	text := talkTo(t, e, "type Ada\nwait\noutput  2\n")
	holds(t, text, "out: one", "out: two", "out: name? ", "> type Ada", "out: Ada", "out: hello", "the program has ended with exit code 2 after 0.0 seconds",
		"> output  2", "out: name? Ada", "out: hello")
	if n := strings.Count(text, "out: two"); n != 1 {
		t.Errorf("a line is told %d times:\n%s", n, text)
	}
}

func TestFloodIsBounded(t *testing.T) {
	e := newEngine()
	for i := range 100_000 {
		fmt.Fprintln(e.out, "row", i)
	}
	e.add(&session.Started{}, &session.Launched{}, &session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{}}})
	text := talkTo(t, e, "")
	holds(t, text, "out: … 99499 lines left out", "out: row 99999")
	if n := strings.Count(text, "\n"); n > maxRows+20 {
		t.Errorf("%d lines", n)
	}
}

func TestConsentIsAskedForInWords(t *testing.T) {
	e := newEngine()
	e.live.Consent = &live.Wanted{Host: "example.org", Model: "ollama/big"}
	e.add(crash()...)
	text := talkTo(t, e, "agree\n")
	holds(t, text, "ollama/big runs on another machine, example.org: prompts hold code and values of this program. agree sends them, decline does not")
	if !reflect.DeepEqual(e.intents[0], intent.Consent{Host: "example.org", Model: "ollama/big", Given: true}) {
		t.Errorf("got %#v", e.intents)
	}
}

// said is what a frontend has printed so far.
type said struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func (s *said) wait(t *testing.T, ctx context.Context, words string) {
	t.Helper()
	testsupport.Until(t, func() string {
		switch text := s.String(); {
		case strings.Contains(text, words):
			return ""
		case ctx.Err() != nil:
			t.Fatalf("%q is missing in:\n%s", words, text)
		}
		return fmt.Sprintf("%q is said, but:\n%s", words, s)
	})
}

func TestPlacesAreMuted(t *testing.T) {
	e := newEngine()
	e.add(crash()...)
	e.onDo = func(e *fakeEngine, i intent.Intent) {
		site := debugger.Site{Fingerprint: "f1", Class: debugger.NilMapWrite, Message: "assignment to \x1b[31mentry", File: "index.go", Line: 7}
		switch i := i.(type) {
		case intent.Mute:
			e.add(&session.Muted{Site: site, Module: i.Module})
		case intent.Unmute:
			e.add(&session.Unmuted{Site: site})
		}
	}
	text := talkTo(t, e, "muted\nmute here\nmute module\nmuted\nunmute 2\nunmute 1\nmuted\n")
	holds(t, text, "nothing is muted", "error: mute here: want module, or nothing", "muted: index.go:7 · nil-map-write: assignment to entry",
		"1: index.go:7 · nil-map-write: assignment to entry, in this module, passed 0 times", "error: unmute 2: want a number of the list that muted shows",
		"no longer muted: index.go:7 · nil-map-write: assignment to entry")
	want := []intent.Intent{intent.Mute{Module: true}, intent.Unmute{Fingerprint: "f1"}}
	if len(e.intents) < 2 || !reflect.DeepEqual(e.intents[:2], want) {
		t.Errorf("got %#v", e.intents)
	}
}

// The interrupt halts what runs, and ends the session otherwise.
func TestInterrupt(t *testing.T) {
	e := newEngine()
	e.add(&session.Started{}, &session.Launched{}, &session.Resumed{Motion: debugger.Continue})
	interrupts := make(chan struct{}, 2)
	e.onDo = func(e *fakeEngine, i intent.Intent) {
		if _, ok := i.(intent.Halt); ok {
			e.add(&session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonHalt}})
		}
	}
	in, keep := io.Pipe()
	var out said
	ended := make(chan error, 1)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	go func() { ended <- Run(ctx, e, Options{Input: in, Output: &out, Interrupt: interrupts}) }()
	for _, words := range []string{"running\n", "halted"} { // the first one has to find it running
		out.wait(t, ctx, words)
		interrupts <- struct{}{}
	}
	err := <-ended
	_ = keep.Close()
	if err == nil || !strings.Contains(err.Error(), ErrInterrupted.Error()) {
		t.Errorf("err = %v", err)
	}
	holds(t, out.String(), "halting", "halted")
}

func TestValuesOfALine(t *testing.T) {
	vars := []debugger.Variable{
		{Name: "x", Type: "*T", Children: []debugger.Variable{{Type: "T", Children: []debugger.Variable{{Name: "m", Type: "map[string]int", Nil: true, Kind: reflect.Map}}}}, Kind: reflect.Pointer},
		{Name: "n", Type: "int", Value: "3"},
	}
	if got, want := valuesOf(`x.m["n"] = n + x.m.other // n`, vars), "x.m = nil map, n = 3"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A slow machine may load the module for longer than quiet: a question that was
// asked is waited for all the same.
func TestScriptsWaitForWhatWasAsked(t *testing.T) {
	now := time.Unix(0, 0)
	f := newFrontend(t.Context(), newEngine(), Options{Output: io.Discard, Script: true, Clock: func() time.Time { return now }})
	e := newEngine()
	e.add(crash()...)
	asked := 5 // the events up to the question
	f.take(live.Update{Events: e.events[:asked]})
	now = now.Add(10 * quiet)
	if f.free(needSettled) {
		t.Error("the fixes are taken to be complete while the fixer works")
	}
	f.take(live.Update{Live: live.State{Consent: &live.Wanted{}}})
	now = now.Add(2 * quiet)
	if !f.free(needSettled) {
		t.Error("a script waits for consent that only a person gives")
	}
	f.take(live.Update{Events: e.events[asked:]})
	if !f.free(needSettled) {
		t.Error("the fixes are complete, and still waited for")
	}
}

// Breakpoints at the beginning of a script are set before the program starts; later ones wait for
// a stop, as all lines do.
func TestScriptsSetBreakpointsBeforeTheStart(t *testing.T) {
	f := newFrontend(t.Context(), newEngine(), Options{Output: io.Discard, Script: true, Clock: func() time.Time { return time.Unix(0, 0) }})
	for phase, want := range map[session.Phase]map[string]bool{
		session.PhaseBuilding: {"break main.go:7 if n > 1": true, "cond 1 n > 1": true, "print n": false, "continue": false},
		session.PhaseRunning:  {"break main.go:7": false, "print n": false},
		session.PhaseStopped:  {"break main.go:7": true, "print n": true},
	} {
		f.state.Phase = phase
		for line, free := range want {
			if got := f.meets(needOf(line)); got != free {
				t.Errorf("%s, %q: %t", phase, line, got)
			}
		}
	}
}

// A version of a fix is named as one, and is not approved beside an applied one.
func TestOneVersionOfAFixIsApproved(t *testing.T) {
	e := newEngine()
	e.add(crash()...)
	e.add(&session.Decided{Candidate: "c1", Decision: session.Edited}, &session.Proposed{Candidate: patch.Candidate{ID: "c3", Parent: "c1", Title: "make the map (edited)",
		Source: patch.Source{Provider: "person"}, Edits: []patch.Edit{{File: "index.go", Before: "a\nb\n", After: "a\nd\n"}}}})
	e.onDo = func(e *fakeEngine, i intent.Intent) {
		if a, ok := i.(intent.Approve); ok {
			e.add(&session.Decided{Candidate: a.Candidate, Decision: session.Approved}, &session.Applied{Candidate: a.Candidate, Files: []session.FileChange{{File: "index.go"}}},
				&session.Launched{PID: 8}, &session.Resumed{Motion: debugger.Continue}, &session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{}}},
				&session.Judged{Candidate: a.Candidate, Judgement: session.Fixed, Evidence: "exit 0"})
		}
	}
	text := talkTo(t, e, "show 1\napprove 3\ny\napprove 1\nshow 1\n")
	holds(t, text, "fix 3 by you, made from fix 1: make the map (edited); 1 line added, 1 removed, in index.go",
		"it is verified", "end of fix 1", "applied fix 3 to index.go", "it is not applied: fix 3 is, in its place")
	if !strings.Contains(text, "fix 3 is applied in place of fix 1: undo takes it back") {
		t.Errorf("the other version can be approved:\n%s", text)
	}
}

// That the program goes on ends what is asked: nobody has refused to answer.
func TestWhatIsNoLongerAsked(t *testing.T) {
	qwen := patch.Source{Provider: "ollama", Model: "qwen3-coder:30b"}
	for name, tt := range map[string]struct {
		by       patch.Source
		answered session.Answered
		want     string // empty: nothing is said
	}{
		"built-in, ended":  {patch.Source{Provider: "builtin", Model: "builtin/rules"}, session.Answered{Err: session.Canceled, Failed: session.FailedAborted}, ""},
		"a model, ended":   {qwen, session.Answered{Err: session.Canceled, Failed: session.FailedAborted}, "qwen3-coder:30b is no longer asked for fixes"},
		"a model, refused": {qwen, session.Answered{Err: "not found", Hint: "pull it", Failed: session.FailedProvider}, "no answer from qwen3-coder:30b: not found"},
	} {
		e := newEngine()
		e.add(crash()...)
		tt.answered.Request = "a2"
		e.add(&session.Asked{Request: "a2", Source: tt.by}, &tt.answered)
		text := talkTo(t, e, "status\n")
		if tt.want != "" {
			holds(t, text, tt.want)
		} else if strings.Contains(text, session.Canceled) || strings.Contains(text, "no answer") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// A result without a name is a value alone.
func TestWhatWasReturned(t *testing.T) {
	e := newEngine()
	e.add(&session.Started{}, &session.Launched{}, &session.Resumed{Motion: debugger.StepOut}, &session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonStep,
		Returned: []debugger.Variable{{Type: "int", Kind: reflect.Int, Value: "33"}, {Name: "err", Type: "error", Kind: reflect.Interface, Nil: true, Value: "nil"}}}})
	text := talkTo(t, e, "status\n")
	holds(t, text, "returned: 33")
	if !strings.Contains(text, "returned: err = ") {
		t.Errorf("the name is left out:\n%s", text)
	}
}

// Every hit of a tracepoint is printed at its place in the output; the journal may leave some out.
func TestEveryHitIsPrinted(t *testing.T) {
	e := newEngine()
	for _, b := range crash()[:3] {
		e.add(b)
	}
	e.add(&session.BreakpointSet{Breakpoint: debugger.Breakpoint{ID: 4, Trace: true, File: "/a.go", Line: 3}})
	e.add(&session.BreakpointSet{Breakpoint: debugger.Breakpoint{ID: 5, Trace: true, OnReturn: true, Function: "main.f", File: "/a.go", Line: 3}})
	e.out.Note("▷ f", debugger.TraceHit{Breakpoint: 2, Function: "main.f", File: "/a.go", Line: 7, Returns: true})
	for i := range 60 {
		fmt.Fprintln(e.out, "row", i)
		e.out.Note("▷ f", debugger.TraceHit{Function: "main.f", File: "/a.go", Line: 3, Values: []debugger.Variable{{Name: "i", Value: fmt.Sprint(i)}}})
	}
	e.add(&session.TracepointHit{Hit: debugger.TraceHit{Function: "main.f", File: "/a.go", Line: 3}, Missed: 59})
	e.add(&session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{}}})
	text := talkTo(t, e, "wait\n")
	holds(t, text, "tracepoint 5: returns from main.f, /a.go line 7", "out: row 0", "tracepoint 4: passed main.f, /a.go line 3, i = 0", "out: row 1", "out: row 59", "tracepoint 4: passed main.f, /a.go line 3, i = 59")
	if n := strings.Count(text, "passed main.f"); n != 60 {
		t.Errorf("%d hits are printed", n)
	}
}
