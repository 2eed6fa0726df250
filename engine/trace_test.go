package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/trace"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/engine/program"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/verdict"
)

const storeModule = `
-- go.mod --
module example.org/app

go 1.26
-- cmd/app/main.go --
package main

import "example.org/app/store"

func main() { store.New().Add("x", 2) }
-- cmd/other/main.go --
package main

func main() {}
-- store/index.go --
// Package store holds terms.
package store

// Index counts terms.
type Index struct{ terms map[string]int }

// New returns an empty index.
func New() *Index { return &Index{} }

// Add counts a term n times.
func (x *Index) Add(term string, n int) {
	x.terms[term] += n
}

// Len is how many terms there are.
func (x *Index) Len() int { return len(x.terms) }
-- store/index_test.go --
package store

import "testing"

func TestLen(t *testing.T) {
	if New().Len() != 0 {
		t.Fatal("not empty")
	}
}

func TestAdd(t *testing.T) {
	x := New()
	x.Add("a", 1)
	if x.Len() != 1 {
		t.Fatal("not added")
	}
}
`

// storeTrace is what a build elsewhere has printed.
const storeTrace = `panic: assignment to entry in nil map

goroutine 1 [running]:
example.org/app/store.(*Index).Add(0xc000012345, {0x4b1e2f, 0x1}, 0x2)
	/build/src/store/index.go:12 +0x1d
main.main()
	/build/src/cmd/app/main.go:5 +0x45

goroutine 6 [select, 3 minutes]:
example.org/app/store.(*Index).Len(...)
	/build/src/store/index.go:16
created by main.main in goroutine 1
	/build/src/cmd/app/main.go:5 +0x20

goroutine 7 [select, 3 minutes]:
example.org/app/store.(*Index).Len(...)
	/build/src/store/index.go:16
created by main.main in goroutine 1
	/build/src/cmd/app/main.go:5 +0x20
exit status 2
`

// tracing are the options of a session with a trace.
func tracing(t *testing.T, dir, text string) options.Session {
	t.Helper()
	log, err := trace.Read(t.Context(), strings.NewReader(text))
	if err != nil || len(log.Traces) == 0 {
		t.Fatal(err, len(log.Traces))
	}
	return options.Session{Target: options.Target{Dir: dir, Trace: log.Traces[0],
		Mode: session.LaunchMode{Kind: session.ModeTrace, Trace: &session.Trace{Line: log.Traces[0].Line, Number: 1, Of: 1, Times: 1}}}, Fixes: options.Fixes{MaxRounds: -1}}
}

func allProved(s session.State) bool {
	i := s.CaseIndex()
	if i < 0 || len(s.Requests) == 0 || len(s.Pendings()) > 0 {
		return false
	}
	for _, c := range s.Stops[i].Candidates {
		if c.Verdict == nil {
			return false
		}
	}
	return true
}

// A trace of a build elsewhere is shown with the source that is here; its fixes
// are built, vetted and tested, and not said to be verified.
func TestATraceIsATargetWithoutAProcess(t *testing.T) {
	testsupport.Slow(t)
	dir := module(t, storeModule)
	p := play(t, tracing(t, dir, storeTrace))
	s := p.until("its fixes are proved", allProved)
	stop := s.Stops[s.CaseIndex()].Stop
	f, _ := stop.SelectedFrame()
	if stop.Panic.Class != debugger.NilMapWrite || f.File != filepath.Join(dir, "store", "index.go") || f.Line != 12 || stop.Goroutines != 3 || stop.Panic.Fingerprint == "" {
		t.Errorf("stopped %+v", stop)
	}
	if len(f.Args) != 3 || f.Args[2].Name != "n" || f.Args[2].Value != "2" || f.Args[0].Nil || f.Args[1].Len != 1 {
		t.Errorf("arguments %+v", f.Args)
	}
	if p.engine.program.Spec.Package != "example.org/app/cmd/app" {
		t.Errorf("the program is %q", p.engine.program.Spec.Package)
	}
	best := session.Rank(s.Stops[s.CaseIndex()].Candidates)[0]
	rerun, _ := verdict.Find(best.Checks, verdict.Rerun)
	tests, _ := verdict.Find(best.Checks, verdict.Tests)
	if best.Verified() || rerun.Status != verdict.Skip || rerun.Detail != "not run: a trace has no process" || tests.Status != verdict.Pass || tests.Fixed != 1 {
		t.Errorf("the best is verified: %v, by %+v", best.Verified(), best.Checks)
	}
	p.engine.Do(intent.Approve{Candidate: best.ID})
	s = p.until("it is judged", func(s session.State) bool { return s.Judged != nil })
	if s.Judged.Judgement != session.NotReached || s.Judged.Evidence != "not run: a trace has no process" {
		t.Errorf("judged %+v", s.Judged)
	}
	text, err := os.ReadFile(filepath.Join(dir, "store", "index.go"))
	if err != nil || !strings.Contains(string(text), "make(map[string]int)") && !strings.Contains(string(text), "map[string]int{}") {
		t.Errorf("the source is %s, %v", text, err)
	}
}

// Of a goroutine that a library has started, a command that uses the library is the program;
// without one it is the library's tests.
func TestATraceWithoutACommand(t *testing.T) {
	text, _, _ := strings.Cut(storeTrace, "main.main()")
	for _, commands := range []bool{true, false} {
		dir := module(t, storeModule)
		want := "example.org/app/cmd/app"
		if !commands {
			want = "example.org/app/store"
			if err := os.RemoveAll(filepath.Join(dir, "cmd")); err != nil {
				t.Fatal(err)
			}
		}
		ws, err := workspace.Find(t.Context(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if own, err := program.OwnOfTrace(t.Context(), tracing(t, dir, text), ws); err != nil || own.Pkg != want || own.Test == commands {
			t.Errorf("the program is %q, its tests: %v, %v", own.Pkg, own.Test, err)
		}
	}
}

// What a trace cannot do is refused in a sentence, and what it can do is done.
func TestATraceAnswersAndRefuses(t *testing.T) {
	dir := module(t, storeModule)
	p := play(t, tracing(t, dir, storeTrace))
	s := p.until("it is held", func(s session.State) bool { return s.Current >= 0 })
	at := debugger.FrameRef{Goroutine: 1}
	ctx := t.Context()
	list, _, err := p.engine.Inspector().Goroutines(ctx, debugger.Page{})
	if err != nil || len(list) != 3 || list[1].Signature != list[2].Signature || list[0].Signature == list[1].Signature || list[1].WaitReason != "select" || list[1].Waited != 3*time.Minute || list[1].GoAt.Line != 5 {
		t.Errorf("goroutines %+v, %v", list, err)
	}
	frames, more, err := p.engine.Inspector().Frames(ctx, 7, debugger.Page{})
	if err != nil || more || len(frames) != 1 || !frames[0].User {
		t.Errorf("frames %+v, %v", frames, err)
	}
	if v, err := p.engine.Inspector().Evaluate(ctx, at, "n"); err != nil || v.Value != "2" {
		t.Errorf("n is %+v, %v", v, err)
	}
	for input, want := range map[string]string{
		"x.terms":            "a trace has no values but those in its calls",
		"break store.New":    "a trace cannot stop at breakpoints",
		"continue":           "a trace cannot run",
		"set n = 3":          "a trace cannot be written to",
		"call x.Len()":       "a trace cannot",
		"restart":            "a trace cannot be started again",
		"regs":               "a trace cannot show registers",
		"x -count 4 0x1":     "a trace cannot show memory",
		"disass":             "a trace cannot show instructions",
		"goroutines -t":      "3 goroutines",
		"stack":              "(*Index).Add",
		"goroutine 7":        "goroutine 7",
		"args":               "n = 2",
		"goroutines -w user": "3 goroutines",
	} {
		before := len(s.Transcript)
		p.engine.Do(intent.Evaluate{At: at, Input: input})
		s = p.until(input+" is answered", func(s session.State) bool { return len(s.Transcript) > before })
		if got := s.Transcript[before].Answer(); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", input, got, want)
		}
	}
}

// A session with a trace goes on without the log that it came from.
func TestATraceIsResumed(t *testing.T) {
	testsupport.Slow(t)
	dir := module(t, storeModule)
	p := play(t, tracing(t, dir, storeTrace))
	p.until("its fixes are proved", allProved)
	journal := strings.TrimSuffix(p.engine.loop.LogPath(), ".md") + ".jsonl"
	p.quit()
	e, err := Resume(t.Context(), options.Session{}, journal)
	if err != nil {
		t.Fatal(err)
	}
	again := follow(t, e)
	s := again.until("it is held again", func(s session.State) bool { return len(s.Stops) == 2 })
	stop := s.Stops[1].Stop
	if f, _ := stop.SelectedFrame(); stop.Panic == nil || f.Line != 12 || stop.Goroutines != 3 {
		t.Errorf("stopped %+v", stop)
	}
}

// A model sees what is known, and that it comes from a trace.
func TestAModelIsToldOfATrace(t *testing.T) {
	testsupport.Slow(t)
	dir := module(t, storeModule)
	model := &scripted{answers: []string{"The map is never made.\n```go\nfunc New() *Index { return &Index{terms: map[string]int{}} }\n```\n"}}
	opts := tracing(t, dir, storeTrace)
	opts.Fixes.Profiles, opts.Fixes.AskAtOnce = []options.Profile{{Name: "m", Provider: model, Model: "one"}}, true
	p := play(t, opts)
	p.until("its fixes are proved", allProved)
	if len(model.prompts()) == 0 {
		t.Fatal("nothing was asked")
	}
	prompt := model.prompts()[0]
	for _, want := range []string{"assignment to entry in nil map", "x.terms[term] += n", "trace"} {
		if !strings.Contains(prompt, want) {
			t.Errorf("%q is missing in the prompt:\n%s", want, prompt)
		}
	}
}

// ctrl+c reaches the search for the files of a trace.
func TestTheSearchForTheFilesOfATraceEnds(t *testing.T) {
	opts := tracing(t, t.TempDir(), storeTrace)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if own, err := program.OwnOfTrace(ctx, opts, workspace.Workspace{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", own, err)
	}
}
