package console

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/session"
)

// fakeHost records what commands do. A method that it does not have panics.
type fakeHost struct {
	Host
	state  session.State
	target Target
	gone   error
	moves  []debugger.Move
	waited []bool
	args   []Restart
	asked  []string
	killed []bool
	hits   map[int]uint64
	// stop is what the next move that is waited for ends with.
	stop debugger.Stop
}

func (h *fakeHost) LeadsBack(debugger.Motion) bool { return false }

func (h *fakeHost) State() session.State                { return h.state }
func (h *fakeHost) Rel(file string) string              { return strings.TrimPrefix(file, "/src/") }
func (h *fakeHost) Location(text string) string         { return text }
func (h *fakeHost) Hits(context.Context) map[int]uint64 { return h.hits }
func (h *fakeHost) Target() (Target, error)             { return h.target, h.gone }
func (h *fakeHost) Quit(kill bool)                      { h.killed = append(h.killed, kill) }

func (h *fakeHost) Ask(_ debugger.FrameRef, question string) { h.asked = append(h.asked, question) }

func (h *fakeHost) Move(_ context.Context, m debugger.Move, wait bool) (debugger.Stop, error) {
	h.moves, h.waited = append(h.moves, m), append(h.waited, wait)
	h.state.Stops = []session.StopRecord{{Stop: h.stop}}
	h.state.Current = 0
	return h.stop, nil
}

func (h *fakeHost) Restart(_ context.Context, how Restart) error {
	h.args = append(h.args, how)
	return nil
}

func (h *fakeHost) SetBreakpoint(_ context.Context, b debugger.Breakpoint) (debugger.Breakpoint, error) {
	if b.Location == "Add" {
		return b, &debugger.Ambiguous{Location: b.Location, Candidates: []string{"main.Add", "shop.Add"}}
	}
	b.ID, b.File, b.Line = len(h.state.Breakpoints)+1, "/src/main.go", 12
	h.state.Breakpoints = append(h.state.Breakpoints, b)
	return b, nil
}

func (h *fakeHost) AmendBreakpoint(_ context.Context, b debugger.Breakpoint) (debugger.Breakpoint, error) {
	i := slices.IndexFunc(h.state.Breakpoints, func(o debugger.Breakpoint) bool { return o.ID == b.ID })
	h.state.Breakpoints[i] = b
	return b, nil
}

func (h *fakeHost) ClearBreakpoint(_ context.Context, id int) error {
	h.state.Breakpoints = slices.DeleteFunc(h.state.Breakpoints, func(b debugger.Breakpoint) bool { return b.ID == id })
	return nil
}

func (h *fakeHost) TakeBreakpoints(context.Context) (map[int]int, error) { return nil, nil }

// fakeTarget holds variables by name.
type fakeTarget struct {
	Target
	values map[string]string
	at     []debugger.FrameRef // where it was asked to evaluate
	depth  int                 // of the last stack
}

func (t *fakeTarget) Load(context.Context, debugger.FrameRef) (debugger.Frame, error) {
	return debugger.Frame{Locals: []debugger.Variable{{Name: "later", Unset: true}}}, nil
}

func (t *fakeTarget) Evaluate(_ context.Context, at debugger.FrameRef, expr string) (debugger.Variable, error) {
	t.at = append(t.at, at)
	v, ok := t.values[expr]
	if !ok {
		return debugger.Variable{}, fmt.Errorf("could not find symbol value for %s", expr)
	}
	return debugger.Variable{Name: expr, Type: "int", Value: v}, nil
}

func (t *fakeTarget) SetVariable(_ context.Context, _ debugger.FrameRef, name, value string) error {
	t.values[name] = value
	return nil
}

func (t *fakeTarget) Frames(_ context.Context, _ debugger.GoroutineID, p debugger.Page) ([]debugger.Frame, bool, error) {
	if p.Start > 2 {
		return nil, false, nil
	}
	return []debugger.Frame{{Index: p.Start, Function: fmt.Sprintf("main.f%d", p.Start), File: "/src/main.go", Line: 10 * (p.Start + 1)}}, false, nil
}

// fakeShell is a shell over a held target.
func fakeShell(t *testing.T) (*Shell, *fakeHost, *fakeTarget) {
	t.Helper()
	target := &fakeTarget{values: map[string]string{"n": "1", "m": "2"}}
	host := &fakeHost{target: target, state: session.NewState(), stop: debugger.Stop{Reason: debugger.ReasonStep, Goroutine: 1, Selected: -1}}
	s := NewShell(host, Settings{})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, host, target
}

// exec carries lines out and returns the answer to the last one.
func exec(t *testing.T, s *Shell, lines ...string) (a session.Evaluated) {
	t.Helper()
	at := debugger.FrameRef{Goroutine: 1}
	for _, line := range lines {
		a, _ = s.Exec(t.Context(), at, line)
		if a.Select != nil {
			at = *a.Select
		}
	}
	return a
}

func texts(a session.Evaluated) string {
	var b strings.Builder
	for _, l := range a.Lines {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

func TestALineIsACommandOrAnExpression(t *testing.T) {
	s, _, target := fakeShell(t)
	if a := exec(t, s, "n"); a.Err != "" { // next, not the variable
		t.Errorf("n: %s", a.Err)
	}
	if a := exec(t, s, "m"); a.Err != "" || len(a.Values) != 1 || a.Values[0].Value != "2" {
		t.Errorf("m: %+v", a)
	}
	if a := exec(t, s, "m = 7"); a.Err != "" || !a.Changed || target.values["m"] != "7" || a.Values[0].Value != "7" {
		t.Errorf("m = 7: %+v", a)
	}
	if a := exec(t, s, "brek main.go:3"); !strings.Contains(a.Err, "did you mean break?") {
		t.Errorf("brek: %q", a.Err)
	}
	if a := exec(t, s, "stck"); !strings.Contains(a.Err, "there is no command and no variable stck here; did you mean stack?") {
		t.Errorf("stck: %q", a.Err)
	}
	if a := exec(t, s, "frame"); !strings.HasPrefix(a.Err, "frame needs more than its name; frame ") || !strings.Contains(a.Hint, "frame <n>") {
		t.Errorf("frame alone: %+v", a)
	}
	target.values["frame"] = "7"
	if a := exec(t, s, "frame"); a.Err != "" || a.Values[0].Value != "7" {
		t.Errorf("a variable called frame: %+v", a)
	}
	if got := Brief(debugger.Variable{Name: "nil", Value: "nil", Nil: true}); got != "nil = nil" {
		t.Errorf("nil is %q", got)
	}
	if a := exec(t, s, "watch"); a.Hint == "" && a.Usage == "" {
		t.Errorf("watch alone says nothing of its usage: %+v", a)
	}
}

func TestWrongArgumentsComeWithTheUsage(t *testing.T) {
	s, _, _ := fakeShell(t)
	for _, line := range []string{"print %x", "frame one", "thread x", "clear-checkpoint 3", "on 1", "condition 1", "exit -now", "goroutines -group", "stack -mode slow",
		"next two", "rev print x", "config tab-width 3", "display -a", "transcript -off file"} {
		if a := exec(t, s, line); a.Err == "" || a.Usage == "" {
			t.Errorf("%q: error %q, usage %q", line, a.Err, a.Usage)
		}
	}
}

func TestStepsAreWaitedForAndContinueIsNot(t *testing.T) {
	s, host, _ := fakeShell(t)
	if _, quiet := s.Exec(t.Context(), debugger.FrameRef{Goroutine: 1}, "continue"); !quiet {
		t.Error("what continue does is said by other events")
	}
	exec(t, s, "next 3", "stepout")
	if want := []bool{false, true, true, true, true}; !slices.Equal(host.waited, want) {
		t.Errorf("waited %v, want %v", host.waited, want)
	}
	var motions []debugger.Motion
	for _, m := range host.moves {
		motions = append(motions, m.Motion)
	}
	if want := []debugger.Motion{debugger.Continue, debugger.Next, debugger.Next, debugger.Next, debugger.StepOut}; !slices.Equal(motions, want) {
		t.Errorf("moved %v, want %v", motions, want)
	}
}

func TestStepsEndAtAnotherStop(t *testing.T) {
	s, host, _ := fakeShell(t)
	host.stop.Reason = debugger.ReasonBreakpoint
	if a := exec(t, s, "next 5"); len(host.moves) != 1 || !strings.Contains(texts(a), "stopped after 1 of 5") {
		t.Errorf("%d moves: %q", len(host.moves), texts(a))
	}
}

func TestBreakpointsAreSetChangedAndCleared(t *testing.T) {
	s, host, _ := fakeShell(t)
	exec(t, s, "break here main.go:12 if n > 1", "condition -hitcount here > 3", "on here print m", "on here locals", "toggle 1")
	b := host.state.Breakpoints[0]
	if b.Name != "here" || b.Cond != "n > 1" || b.HitCond != "> 3" || !slices.Equal(b.Print, []string{"m"}) || !b.Locals || !b.Disabled {
		t.Errorf("it is %+v", b)
	}
	if a := exec(t, s, "breakpoints"); !strings.Contains(texts(a), "(off)") || !strings.Contains(texts(a), "print m") {
		t.Errorf("listed:\n%s", texts(a))
	}
	if a := exec(t, s, "condition here -hitcount > 4"); a.Err == "" || host.state.Breakpoints[0].Cond != "n > 1" {
		t.Errorf("an option after the breakpoint: %q, %+v", a.Err, host.state.Breakpoints[0])
	}
	if exec(t, s, "condition -clear here"); host.state.Breakpoints[0].Cond != "" || host.state.Breakpoints[0].HitCond != "> 3" {
		t.Errorf("without its condition: %+v", host.state.Breakpoints[0])
	}
	if a := exec(t, s, "on here continue"); !strings.Contains(a.Err, "runs the program") {
		t.Errorf("on here continue: %q", a.Err)
	}
	if a := exec(t, s, "clear there"); a.Err == "" || a.Hint == "" || len(host.state.Breakpoints) != 1 {
		t.Errorf("clear there: %+v", a)
	}
	if exec(t, s, "clear here"); len(host.state.Breakpoints) != 0 {
		t.Errorf("left: %+v", host.state.Breakpoints)
	}
}

func TestAnAmbiguousLocationIsOfferedAsLines(t *testing.T) {
	s, _, _ := fakeShell(t)
	a := exec(t, s, "break here Add if n > 1")
	var run []string
	for _, l := range a.Lines {
		if l.Run != "" {
			run = append(run, l.Run)
		}
	}
	if want := []string{"break here main.Add if n > 1", "break here shop.Add if n > 1"}; a.Err == "" || !slices.Equal(run, want) {
		t.Errorf("%q offers %q, want %q", a.Err, run, want)
	}
}

func TestATracepointOfAFunctionHasOneAtItsReturns(t *testing.T) {
	s, host, _ := fakeShell(t)
	exec(t, s, "trace main.f", "trace main.go:12")
	var kinds []string
	for _, b := range host.state.Breakpoints {
		kinds = append(kinds, fmt.Sprintf("%s %v %v", b.Location, b.Trace, b.OnReturn))
	}
	if want := []string{"main.f true false", "main.f true true", "main.go:12 true false"}; !slices.Equal(kinds, want) {
		t.Errorf("set %q, want %q", kinds, want)
	}
}

func TestAFrameIsSelectedOrOnlyUsed(t *testing.T) {
	s, _, target := fakeShell(t)
	if a := exec(t, s, "frame 2"); a.Select == nil || a.Select.Frame != 2 || !strings.Contains(texts(a), "main.f2") {
		t.Errorf("frame 2: %+v", a)
	}
	if a := exec(t, s, "frame 1 print m"); a.Err != "" || a.Select != nil || target.at[len(target.at)-1].Frame != 1 {
		t.Errorf("frame 1 print m: %+v, evaluated at %v", a, target.at)
	}
	if a := exec(t, s, "frame 1", "up"); a.Select == nil || a.Select.Frame != 2 {
		t.Errorf("up from 1: %+v", a)
	}
	for _, line := range []string{"down", "frame 9"} {
		if a := exec(t, s, line); !strings.Contains(a.Err, "there is no frame") || a.Select != nil {
			t.Errorf("%s: %+v", line, a)
		}
	}
}

func TestRestartTakesArgumentsOrACheckpoint(t *testing.T) {
	s, host, _ := fakeShell(t)
	exec(t, s, "restart", `restart -v "two words"`, "restart -noargs", "restart c2", "restart -noinput", "restart -noargs -noinput", "restart -noinput x", "restart 'ein zwei' drei")
	want := []Restart{{}, {SetArgs: true, Args: []string{"-v", "two words"}}, {SetArgs: true}, {From: "c2"}, {NoInput: true}, {SetArgs: true, NoInput: true}, {SetArgs: true, NoInput: true, Args: []string{"x"}}, {SetArgs: true, Args: []string{"ein zwei", "drei"}}}
	if fmt.Sprint(host.args) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", host.args, want)
	}
	if a := exec(t, s, "restart <in.txt"); a.Err == "" || !strings.Contains(a.Hint, "--stdin") || len(host.args) != len(want) {
		t.Errorf("restart <in.txt: %+v", a)
	}
}

func TestSettingsChangeTheTable(t *testing.T) {
	s, _, _ := fakeShell(t)
	added := 0
	s.Added = func(Table) { added++ }
	exec(t, s, "config alias print show")
	if c, _, ok := s.Table().Split("show m"); !ok || c.Name != "print" || added != 1 {
		t.Errorf("show is %q, the table changed %d times", c.Name, added)
	}
	exec(t, s, "config alias show")
	if _, _, ok := s.Table().Split("show m"); ok {
		t.Error("the alias is still there")
	}
	if a := exec(t, s, "config alias show"); a.Err == "" {
		t.Error("an alias that is not there was removed")
	}
	if a := exec(t, s, "config max-string-len 80"); a.Err != "" || s.Settings().Written.Text != 80 {
		t.Errorf("%q: texts have %d bytes", a.Err, s.Settings().Written.Text)
	}
	if a := exec(t, s, "config max-string-len none"); a.Err == "" || s.Settings().Written.Text != 80 {
		t.Errorf("%q: texts have %d bytes", a.Err, s.Settings().Written.Text)
	}
	if a := exec(t, s, "config prompt >"); !strings.Contains(a.Err, "is a setting of dlv") {
		t.Errorf("config prompt: %q", a.Err)
	}
}

// A file of commands goes on after a line that fails, and says which one did.
func TestAFileOfCommands(t *testing.T) {
	s, host, target := fakeShell(t)
	file := filepath.Join(t.TempDir(), "commands")
	if err := os.WriteFile(file, []byte("# a comment\nframe 2\nprint gone\n\nprint m\ncontinue\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := exec(t, s, "source "+file)
	if got := texts(a); a.Err != "" || !strings.Contains(got, ":3: print: could not find symbol") || !strings.Contains(got, "m = 2") {
		t.Errorf("%q:\n%s", a.Err, got)
	}
	if at := target.at[len(target.at)-1]; at.Frame != 2 {
		t.Errorf("print m was carried out in frame %d", at.Frame)
	}
	if len(host.waited) != 1 || !host.waited[0] {
		t.Errorf("continue in a file is waited for: %v", host.waited)
	}
	if err := os.WriteFile(file, []byte("source "+file+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if a := exec(t, s, "source "+file); !strings.Contains(texts(a), "run each other") {
		t.Errorf("a file that carries itself out: %q, %s", a.Err, texts(a))
	}
}

func TestATranscriptTakesAnswers(t *testing.T) {
	s, _, _ := fakeShell(t)
	file := filepath.Join(t.TempDir(), "transcript")
	exec(t, s, "transcript "+file, "m", "transcript -off", "print n")
	data, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(data), "> m\nm = 2") || strings.Contains(string(data), "print n") {
		t.Errorf("%v: %q", err, data)
	}
}

func TestWithoutATargetCommandsSayHowToGetOne(t *testing.T) {
	s, host, _ := fakeShell(t)
	host.gone = debugger.ErrGone
	if a := exec(t, s, "print m"); a.Err == "" || !strings.Contains(a.Hint, "starts it again") {
		t.Errorf("print m: %+v", a)
	}
	host.gone = errors.New("elsewhere")
	if a := exec(t, s, "print m"); a.Hint != "" {
		t.Errorf("another error has the hint %q", a.Hint)
	}
}

func TestLongAnswersAreBounded(t *testing.T) {
	out := &Output{}
	for i := range maxLines + 3 {
		out.Say("%d", i)
	}
	if a := out.finish(nil); len(a.Lines) != keptLines || a.Whole == nil || a.Left != maxLines+1-keptLines+3 {
		t.Errorf("%d lines, %d left out", len(a.Lines), a.Left)
	}
}

func TestAnErrorsChainIsSaidOnce(t *testing.T) {
	out := &Output{}
	out.meant(debugger.Variable{}, format.Value{Chain: true, Text: "ctx: base\ngone", Rows: []debugger.Variable{
		{Name: "is", Value: "ctx: base⏎gone"},
		{Name: "wraps", Value: "base; gone", Children: []debugger.Variable{{Name: "wraps[0]", Value: "base"}}}}}, Extent{})
	if got, want := texts(out.finish(nil)), "  is ctx: base⏎gone\n  wraps base; gone\n    wraps[0] base\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Jump implements Host.
func (h *fakeHost) Jump(context.Context, debugger.FrameRef, string) error { return nil }

func TestAJumpSaysWhereItIs(t *testing.T) {
	s, host, _ := fakeShell(t)
	host.state.Stops = append(host.state.Stops, session.StopRecord{Stop: debugger.Stop{Frames: []debugger.Frame{{File: "/src/main.go", Line: 7}}}})
	host.state.Current = 0
	if got := texts(exec(t, s, "jump 7")); !strings.Contains(got, "jumped to main.go:7") {
		t.Errorf("it answers %q", got)
	}
}

func TestExitKillsOnlyWhenAsked(t *testing.T) {
	s, host, _ := fakeShell(t)
	exec(t, s, "exit", "exit -d", "exit -kill")
	if a := exec(t, s, "exit -c"); a.Err == "" || a.Hint == "" {
		t.Errorf("exit -c: %+v", a)
	}
	if want := []bool{false, false, true}; !slices.Equal(host.killed, want) {
		t.Errorf("killed %v, want %v", host.killed, want)
	}
	exec(t, s, "explain", "ask why is n 1?")
	if want := []string{"", "why is n 1?"}; !slices.Equal(host.asked, want) {
		t.Errorf("asked %q, want %q", host.asked, want)
	}
}

// What the memory of a variable held before it is set is not shown.
func TestAVariableThatIsNotSetYet(t *testing.T) {
	s, _, target := fakeShell(t)
	target.values["later"] = "824634"
	for _, line := range []string{"later", "print later", "locals"} {
		if a := exec(t, s, line); a.Err != "" || !strings.Contains(texts(a), "not set yet") || strings.Contains(texts(a), "824634") {
			t.Errorf("%s: %+v", line, a)
		}
	}
}

// A goroutine that panics, or is in the runtime, calls no function.
func TestCallIsRefusedWhereItCannotBe(t *testing.T) {
	s, host, _ := fakeShell(t)
	host.state.Current = 0
	for reason, stop := range map[string]debugger.Stop{
		"panicking":      {Reason: debugger.ReasonPanic, Goroutine: 1, Panic: &debugger.Panic{}},
		"in the runtime": {Reason: debugger.ReasonHalt, Goroutine: 1, Frames: []debugger.Frame{{Runtime: true}}},
	} {
		host.state.Stops = []session.StopRecord{{Stop: stop}}
		if a := exec(t, s, "call f()"); !strings.Contains(a.Err, reason) || len(host.moves) != 0 {
			t.Errorf("%s: %+v, moves %v", reason, a, host.moves)
		}
	}
}
